import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Authenticator } from '../../../../api-server/auth/authenticator.ts';
import { createServiceAccountAuthenticator } from '../../../../api-server/auth/authenticators/service-account.ts';
import { NO_ACCOUNTS } from '../../../harness/accounts.ts';
import { eventually } from '../../../harness/api.ts';
import { describeWithCluster } from '../../../harness/kubernetes/describe-cluster.ts';
import { Kubectl } from '../../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../../harness/kubernetes/namespaces.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { clientAs } from '../../../operator/kubernetes/config-maps.ts';

const ROLE = join(import.meta.dirname, '../../../../config/rbac/token-review.yaml');
const AUDIENCE = 'proplane';
const MINUTES = 60_000;

await describeWithCluster('a token of a ServiceAccount of a real cluster', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let kubectl: Kubectl;
  let clock: TestClock;
  let authenticator: Authenticator;
  let user: string;

  beforeAll(async () => {
    namespace = await newNamespace(cluster);
    kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
    clock = new TestClock();
    clock.jump(Date.now() - clock.now());
    // With the rights of config/rbac/ and no others.
    user = `reviewer-${namespace.name}`;
    await kubectl.run('create', 'serviceaccount', 'reviewer');
    await kubectl.run('apply', `--filename=${ROLE}`);
    const account = `--serviceaccount=${namespace.name}:reviewer`;
    await kubectl.run('create', 'clusterrolebinding', user, '--clusterrole=proplane-token-review', account);
    const own = await kubectl.run('create', 'token', 'reviewer');
    const kube = clientAs(own.trim(), cluster);
    authenticator = createServiceAccountAuthenticator({ kube, audience: AUDIENCE, warn: () => undefined, clock });
  });
  afterAll(async () => {
    await kubectl?.run('delete', 'clusterrolebinding', user);
    await namespace?.remove();
  });

  const tokenOf = async (account: string, audience = AUDIENCE) =>
    (await kubectl.run('create', 'token', account, `--audience=${audience}`, '--duration=10m')).trim();
  const show = (token: string) => authenticator.authenticate({ authorization: `Bearer ${token}` }, NO_ACCOUNTS);
  const isRefused = (token: string) => expect(show(token)).rejects.toMatchObject({ name: 'AuthenticationError' });

  it('is accepted when it is for us, and not when it is for others', async () => {
    await kubectl.run('create', 'serviceaccount', 'loader');
    expect(await show(await tokenOf('loader'))).toEqual({
      actor: `urn:li:corpuser:system:serviceaccount:${namespace.name}:loader`,
      groups: ['urn:li:corpGroup:system:serviceaccounts', `urn:li:corpGroup:system:serviceaccounts:${namespace.name}`],
      roles: [],
      by: 'service-account',
    });
    await isRefused(await tokenOf('loader', 'somebody-else'));
  });

  it('is refused when it was edited, or has another signature', async () => {
    const [header, payload, signature = ''] = (await tokenOf('loader')).split('.');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
    const edited = { ...claims, sub: `system:serviceaccount:kube-system:default` };
    await isRefused([header, Buffer.from(JSON.stringify(edited)).toString('base64url'), signature].join('.'));
    await isRefused([header, payload, [...signature].reverse().join('')].join('.'));
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await isRefused([none, payload, ''].join('.'));
  });

  it('is refused after its account is deleted: a minute after the cluster has noticed, at the latest', async () => {
    await kubectl.run('create', 'serviceaccount', 'leaver');
    const token = await tokenOf('leaver');
    await show(token);
    await kubectl.run('delete', 'serviceaccount', 'leaver');
    // The cluster itself remembers for some seconds that the token was good.
    await eventually(async () => {
      await clock.advance(MINUTES);
      clock.jump(-MINUTES);
      await isRefused(token);
    });
  });

  it('is refused after its end', async () => {
    const token = await tokenOf('loader');
    await show(token);
    await clock.advance(11 * MINUTES);
    await isRefused(token);
  });

  it('is not accepted when we may not ask', async () => {
    const kube = clientAs(cluster.users.reader.token, cluster);
    const refused = createServiceAccountAuthenticator({ kube, audience: AUDIENCE, warn: () => undefined, clock });
    clock.jump(Date.now() - clock.now());
    const authorization = `Bearer ${await tokenOf('loader')}`;
    await expect(refused.authenticate({ authorization }, NO_ACCOUNTS)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
