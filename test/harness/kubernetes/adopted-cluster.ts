import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cluster, User } from './cluster.ts';
import { Kubectl } from './kubectl.ts';

/** Of the accounts that stand for users. */
const NAMESPACE = 'proplane-test';
/** Longer than any run of tests. */
const TOKEN_LIFE = '24h';

/**
 * Makes the cluster of KUBECONFIG ready for tests and writes how to reach it to `file`. In the cluster remain a namespace
 * and two accounts without rights.
 * @throws Error when it does not answer, or does not let us do that.
 */
export async function adoptCluster(file: string): Promise<void> {
  process.stderr.write(`the tests use the cluster of KUBECONFIG=${process.env.KUBECONFIG}\n`);
  const view = ['config', 'view', '--raw', '--minify', '--flatten'];
  const config = await new Kubectl(process.env.KUBECONFIG ?? '').json(...view);
  const kubeconfig = join(dirname(file), 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const kubectl = new Kubectl(kubeconfig, NAMESPACE);
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster;
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const cluster: Cluster = {
    server,
    ca: ca === undefined ? undefined : Buffer.from(ca, 'base64').toString(),
    kubeconfig,
    users: { operator: await newUser(kubectl, 'operator'), reader: await newUser(kubectl, 'reader') },
    hasControllers: true,
  };
  await writeFile(`${file}.new`, JSON.stringify(cluster), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** One whom nobody has granted anything in an earlier run. */
async function newUser(kubectl: Kubectl, name: string): Promise<User> {
  const account = `${name}-${randomUUID().slice(0, 8)}`;
  await kubectl.run('create', 'serviceaccount', account);
  const token = await kubectl.run('create', 'token', account, `--duration=${TOKEN_LIFE}`);
  return { name: `system:serviceaccount:${NAMESPACE}:${account}`, token: token.trim() };
}
