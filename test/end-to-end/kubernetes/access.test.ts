import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantAccessTokens, grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { KubeBench, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
import { writeKubeconfig } from '../../harness/kubernetes/kubeconfig.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import type { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';
import { datasetUrn, numberOn, numberProperty } from '../../harness/kubernetes/wishes.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const POLICIES = join(import.meta.dirname, '../../../config/policies/operator.yaml');
const AUDIENCE = 'proplane';

await describeWithCluster('access control on a cluster, without a person', (cluster) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let accounts: Awaited<ReturnType<typeof newNamespace>>;
  let bench: KubeBench;
  let operator: OperatorProcess;

  /** A token of a ServiceAccount, as the cluster projects it into pods. */
  const tokenOf = async (account: string, audience = AUDIENCE) =>
    (
      await new Kubectl(cluster.kubeconfig, accounts.name).run('create', 'token', account, `--audience=${audience}`)
    ).trim();

  beforeAll(async () => {
    folder = await temporaryFolder();
    accounts = await newNamespace(cluster);
    const kubectl = new Kubectl(cluster.kubeconfig, accounts.name);
    for (const account of ['proplane-operator', 'loader']) await kubectl.run('create', 'serviceaccount', account);
    const policies = join(folder.path, 'operator.yaml');
    await writeFile(policies, (await readFile(POLICIES, 'utf8')).replaceAll('proplane:', `${accounts.name}:`));
    bench = await KubeBench.create(cluster, {
      environment: {
        METADATA_SERVICE_AUTH_ENABLED: 'true',
        TOKEN_REVIEW_AUDIENCE: AUDIENCE,
        KUBECONFIG: cluster.kubeconfig,
        POLICIES: policies,
        ADMIN_PASSWORD: 'only for tests, long enough',
        REQUEST_TIMEOUT_S: '2',
      },
    });
    for (const grant of [grantLease, grantNamespace, grantAccessTokens])
      await grant(bench.kubectl, cluster.users.operator);
    const kubeconfig = join(folder.path, 'kubeconfig');
    await writeKubeconfig(kubeconfig, { ...cluster, token: cluster.users.operator.token });
    await writeFile(join(folder.path, 'token'), await tokenOf('proplane-operator'));
    operator = await bench.operate({
      kubeconfig,
      environment: {
        SOURCE_NAME: bench.namespace,
        ACCESS_TOKEN_ACTORS: `${bench.namespace}/svc-*`,
        PROPLANE_TOKEN_FILE: join(folder.path, 'token'),
        RESYNC_INTERVAL_S: '1',
      },
    });
  }, 1_800_000);
  afterAll(async () => {
    await bench?.close();
    await accounts?.remove();
    await folder?.remove();
  });

  const ask = async (path: string, token: string | undefined, method: string, body?: object) => {
    const response = await fetch(`${bench.server.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
    return { status: response.status, body: (await response.json()) as any };
  };
  /** @returns the URN of whose token it is, or the status of the refusal. */
  const who = async (token: string | undefined): Promise<string | number> => {
    const { status, body } = await ask('/api/graphql', token, 'POST', { query: '{ me { corpUser { urn } } }' });
    return status === 200 ? body.data.me.corpUser.urn : status;
  };
  const graphql = async (query: string) => {
    const { body } = await ask('/api/graphql', await tokenOf('proplane-operator'), 'POST', { query });
    return body.data;
  };
  const tokens = async (): Promise<{ id: string; name: string; ownerUrn: string }[]> =>
    (await graphql('{ listAccessTokens(input: {}) { tokens { id name ownerUrn } } }')).listAccessTokens.tokens;
  const secret = async (name: string, key: string) => {
    const { data } = await bench.kubectl.json('get', 'secret', name);
    return Buffer.from(data[key], 'base64').toString();
  };

  it('has an operator work with the token of its ServiceAccount and the policy of config/', async () => {
    await bench.kubectl.apply(numberProperty('a'), numberOn('a', 'a', 1, { whenMissing: 'Create' }));
    await bench.reason('StructuredProperty', 'a', 'Applied');
    await bench.reason('DatasetProperties', 'a', 'Applied');
    await bench.kubectl.run('delete', 'dprop/a', 'sprop/a', '--timeout=60s');
    expect(operator.output).not.toContain('refuses our credentials');
  });

  it('gives a token to who has an AccessToken: good for its actor, and for nothing more; until it is deleted', async () => {
    await bench.kubectl.apply(manifestOf('AccessToken', 'loader', { actor: 'svc-loader', secretName: 'loader' }));
    await bench.reason('AccessToken', 'loader', 'Applied');
    const token = await secret('loader', 'token');
    expect(await who(token)).toBe('urn:li:corpuser:svc-loader');
    const path = `/openapi/v3/entity/dataset/${encodeURIComponent(datasetUrn('b'))}`;
    expect((await ask(path, token, 'DELETE')).status).toBe(401);
    // Whoever wants another one revokes it.
    const [one] = await tokens();
    expect(one).toMatchObject({
      name: expect.stringMatching(/^proplane\//u),
      ownerUrn: `urn:li:corpuser:system:serviceaccount:${accounts.name}:proplane-operator`,
    });
    await graphql(`mutation { revokeAccessToken(tokenId: ${JSON.stringify(one?.id)}) }`);
    expect(await who(token)).toBe(401);
    const next = await eventually(async () => {
      const now = await secret('loader', 'token');
      expect(now).not.toBe(token);
      return now;
    });
    expect(await who(next)).toBe('urn:li:corpuser:svc-loader');
    await bench.kubectl.run('delete', 'ptoken/loader', '--timeout=60s');
    expect(await who(next)).toBe(401);
    expect(await tokens()).toEqual([]);
  });

  it('knows a ServiceAccount by its token for us, and by no other; without a policy it may do little', async () => {
    expect(await who(await tokenOf('loader'))).toBe(`urn:li:corpuser:system:serviceaccount:${accounts.name}:loader`);
    expect(await who(await tokenOf('loader', 'others'))).toBe(401);
    expect(await who(undefined)).toBe(401);
    const update = await ask('/jobs', await tokenOf('loader'), 'POST', { kind: 'system-update' });
    expect(update.status).toBe(401);
  });
});
