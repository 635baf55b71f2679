import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { UnauthorizedError } from '../../../client/http-errors.ts';
import { eventually } from '../../harness/api.ts';
import { FakeServer } from '../../harness/fake-server.ts';
import type { Cluster } from '../../harness/kubernetes/cluster.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantAccessTokens, grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { conditionOf, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
import { writeKubeconfig } from '../../harness/kubernetes/kubeconfig.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

await describeWithCluster(
  'AccessTokens on a cluster',
  (cluster: Cluster) => {
    let server: FakeServer;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let namespace: Awaited<ReturnType<typeof newNamespace>>;
    let kubectl: Kubectl;
    let operator: OperatorProcess;

    beforeAll(async () => {
      await applyCrds(cluster);
      folder = await temporaryFolder();
      namespace = await newNamespace(cluster);
      kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
      // With the rights of config/rbac/ and no others.
      for (const grant of [grantLease, grantNamespace, grantAccessTokens]) await grant(kubectl, cluster.users.operator);
      const kubeconfig = join(folder.path, 'kubeconfig');
      await writeKubeconfig(kubeconfig, { ...cluster, token: cluster.users.operator.token });
      await writeFile(join(folder.path, 'token'), 'shown\n');
    }, 1_800_000);
    afterAll(async () => {
      await namespace?.remove();
      await folder?.remove();
    });

    beforeEach(async () => {
      server = await new FakeServer().listen();
      operator = await start().leads();
    });
    afterEach(async () => {
      await kubectl.run('delete', 'accesstokens,secrets', '--all', '--timeout=60s');
      await operator.stop();
      await server.close();
    });

    const start = () =>
      new OperatorProcess({
        host: server.url,
        kubeconfig: join(folder.path, 'kubeconfig'),
        namespace: namespace.name,
        environment: {
          SOURCE_NAME: namespace.name,
          ACCESS_TOKEN_ACTORS: `${namespace.name}/svc-*`,
          PROPLANE_TOKEN_FILE: join(folder.path, 'token'),
          RESYNC_INTERVAL_S: '1',
        },
      });
    const token = (name: string, spec: object = {}) =>
      manifestOf('AccessToken', name, { actor: 'svc-loader', secretName: name, ...spec });
    const reasonOf = (name: string, reason: string) =>
      kubectl.run(
        'wait',
        `ptoken/${name}`,
        `--for=jsonpath={.status.conditions[?(@.type=="Ready")].reason}=${reason}`,
        '--timeout=60s',
      );
    const secret = async (name: string) => await kubectl.json('get', 'secret', name);
    const decoded = (text: string) => Buffer.from(text, 'base64').toString();
    const said = () => `${operator.output}`;

    it('keep a good token in a Secret of their own, which goes with them, as does the token', async () => {
      await kubectl.apply(token('a', { description: 'for tests', secretKey: 'PROPLANE_TOKEN' }));
      await reasonOf('a', 'Applied');
      const { metadata, data, type } = await secret('a');
      const resource = await kubectl.json('get', 'ptoken', 'a');
      expect(server.tokens.isGood(decoded(data.PROPLANE_TOKEN))).toBe(true);
      expect([type, Object.keys(data)]).toEqual(['Opaque', ['PROPLANE_TOKEN']]);
      expect(metadata.ownerReferences).toMatchObject([
        { kind: 'AccessToken', name: 'a', uid: resource.metadata.uid, controller: true },
      ]);
      expect(resource.status).toMatchObject({ secretName: 'a', tokenId: server.tokens.all[0]?.id });
      expect(conditionOf(resource, 'Ready')).toMatchObject({ status: 'True', observedGeneration: 1 });
      expect(await kubectl.run('get', 'ptoken')).toMatch(/ACTOR +SECRET +EXPIRES +READY +REASON +AGE/u);
      await kubectl.run('delete', 'ptoken', 'a', '--timeout=60s');
      expect(server.tokens.all).toEqual([]);
      await eventually(async () => expect(await kubectl.run('get', 'secrets', '--output=name')).toBe(''));
      // What the operator says is its own, and what is in the log is no secret.
      expect([...server.credentials]).toEqual(['Bearer shown']);
      expect(said()).not.toContain(decoded(data.PROPLANE_TOKEN));
    });

    it('get their Secret back when somebody deletes or edits it', async () => {
      await kubectl.apply(token('b'));
      await reasonOf('b', 'Applied');
      const before = (await secret('b')).data.token;
      await kubectl.run('delete', 'secret', 'b');
      const good = () =>
        eventually(async () => {
          const { data } = await secret('b');
          expect(server.tokens.isGood(decoded(data.token))).toBe(true);
          return data.token;
        });
      const next = await good();
      expect(next).not.toBe(before);
      await kubectl.run('label', 'secret', 'b', 'by=us');
      await kubectl.run('patch', 'secret', 'b', '--patch={"data":{"token":"Zm9v"}}');
      await good();
      expect((await secret('b')).metadata.labels).toMatchObject({ by: 'us' });
    });

    it('never touch a Secret that somebody else made', async () => {
      await kubectl.run('create', 'secret', 'generic', 'theirs', '--from-literal=token=theirs');
      const before = await secret('theirs');
      await kubectl.apply(token('c', { secretName: 'theirs' }));
      await reasonOf('c', 'Conflict');
      expect(await secret('theirs')).toEqual(before);
      expect(server.tokens.created).toBe(0);
      // It is taken when the other has gone.
      await kubectl.run('delete', 'secret', 'theirs');
      await reasonOf('c', 'Applied');
    });

    it('have no token of a user whom their namespace may not act as', async () => {
      await kubectl.apply(token('d', { actor: 'datahub' }));
      await reasonOf('d', 'ActorNotAllowed');
      expect(server.tokens.created).toBe(0);
      const own = `system:serviceaccount:${namespace.name}:loader`;
      await kubectl.apply(token('d', { actor: own }));
      await reasonOf('d', 'Applied');
      expect(server.tokens.all.map(({ actorUrn }) => actorUrn)).toEqual([`urn:li:corpuser:${own}`]);
    });

    it('are refused by the cluster when they make no sense', async () => {
      const refused = (spec: object) => expect(kubectl.apply(token('e', spec))).rejects;
      await refused({ actor: 'urn:li:corpGroup:x' }).toThrow('must be the name of a user');
      await refused({ duration: 'NO_EXPIRY' }).toThrow('Unsupported value');
      await refused({ duration: 'ONE_HOUR', renewBefore: '60m' }).toThrow('renewBefore must be shorter than duration');
      await refused({ renewBefore: '1d' }).toThrow('renewBefore');
      await refused({ secretName: 'Not A Name' }).toThrow('secretName');
    });

    it('leave no unknown token behind when the operator is killed before it has the answer', async () => {
      const create = server.tokens.create.bind(server.tokens);
      server.tokens.create = async (given) => {
        const made = await create(given);
        await operator.kill();
        return made;
      };
      await kubectl.apply(token('f'));
      await eventually(async () => expect(operator.isRunning).toBe(false));
      server.tokens.create = create;
      expect(server.tokens.all).toHaveLength(1);
      operator = await start().leads();
      await reasonOf('f', 'Applied');
      expect(server.tokens.all).toHaveLength(1);
      expect(server.tokens.isGood(decoded((await secret('f')).data.token))).toBe(true);
    });

    it('are told that credentials are refused, and go on when they are not', async () => {
      server.before = (request) => {
        if (!request.startsWith('GET /ready')) throw new UnauthorizedError('who are you?');
      };
      await kubectl.apply(token('g'));
      await reasonOf('g', 'Unauthorized');
      const { message } = conditionOf(await kubectl.json('get', 'ptoken', 'g'), 'Ready');
      expect(message).toContain('PROPLANE_TOKEN_FILE');
      server.before = () => undefined;
      await reasonOf('g', 'Applied');
    });
  },
  { controllers: true },
);
