import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath } from '../harness/api.ts';
import { CommandHost } from '../harness/command-host.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** The interface document's section on authentication: over a server where it is enabled, and one where it is not. */

const SECRET = 'a-secret-of-this-test';
const PASSWORD = 'a-password-of-this-test';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,access.t,PROD)';
const ASPECT = entityPath('v3', DATASET, 'datasetProperties');

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;
  let admin: string;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({
      deployment,
      environment: {
        METADATA_SERVICE_AUTH_ENABLED: 'true',
        DATAHUB_SYSTEM_CLIENT_SECRET: SECRET,
        DATAHUB_TOKEN_SERVICE_SIGNING_KEY: 'a-signing-key-that-only-this-test-has',
        ADMIN_PASSWORD: PASSWORD,
      },
    });
    api = new Api(proplane.url);
    admin = await tokenFor('datahub', { authorization: `Basic __datahub_system:${SECRET}` });
    for (const username of ['ada', 'reader']) {
      await api.post('/access/users', { username, password: PASSWORD }, bearer(admin));
    }
    await api.send('PATCH', '/access/users/urn%3Ali%3Acorpuser%3Aada', { roles: ['Editor'] }, bearer(admin));
  }, 120_000);
  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function graphql(query: string, headers: Record<string, string>) {
    return api.post('/api/graphql', { query }, headers);
  }

  const creating = (user: string) =>
    `mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "urn:li:corpuser:${user}", duration: ONE_HOUR, name: "t" }) { accessToken metadata { actorUrn ownerUrn } } }`;

  async function tokenFor(user: string, headers: Record<string, string>): Promise<string> {
    const { body } = await graphql(creating(user), headers);
    return body.data.createAccessToken.accessToken;
  }

  describe('authentication', () => {
    it('applies only when it is enabled in the metadata service', async () => {
      const open = await ProplaneProcess.start({ deployment: await newDeployment(), role: 'api-server' });
      try {
        expect((await new Api(open.url).get('/openapi/v3/entity/dataset')).status).toBe(200);
        const answer = await new Api(open.url).send('GET', '/jobs', undefined, bearer('of-nobody'));
        expect(answer.status).toBe(200);
      } finally {
        await open.kill();
      }
      expect((await api.get('/openapi/v3/entity/dataset')).status).toBe(401);
    });

    it('takes a bearer token at the frontend proxy and at the metadata service', async () => {
      const path = `/entities/${encodeURIComponent(DATASET)}`;
      await api.post(ASPECT, { name: 't' }, bearer(admin));
      for (const url of [proplane.url, `${proplane.url}/gms`, `${proplane.frontendUrl}/api/gms`]) {
        expect([url, (await new Api(url).send('GET', path, undefined, bearer(admin))).status]).toEqual([url, 200]);
        expect([url, (await new Api(url).get(path)).status]).toEqual([url, 401]);
      }
    });

    it('answers 401 where a request carries no valid token', async () => {
      for (const headers of [{}, bearer('garbage'), bearer(`${admin.slice(0, -4)}AAAA`), { authorization: admin }]) {
        const { status, body, headers: answered } = await api.post(ASPECT, { name: 'x' }, headers as never);
        expect([status, answered.get('www-authenticate')]).toEqual([401, 'Bearer']);
        expect(body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
        expect((await graphql('{ me { corpUser { urn } } }', headers as never)).status).toBe(401);
      }
    });

    it('answers 401 where the owner of the token lacks the permission, and takes what he may do', async () => {
      const [ada, reader] = [await tokenFor('ada', bearer(admin)), await tokenFor('reader', bearer(admin))];
      expect((await api.post(ASPECT, { name: 'by ada' }, bearer(ada))).status).toBe(200);
      const { status, body } = await api.post(ASPECT, { name: 'by a reader' }, bearer(reader));
      expect([status, body.error]).toEqual([401, 'Unauthorized']);
      const { body: read } = await api.send('GET', ASPECT, undefined, bearer(reader));
      expect(read.datasetProperties.value.name).toBe('by ada');
      const removal = await api.send('DELETE', entityPath('v3', DATASET), undefined, bearer(ada));
      expect(removal.status).toBe(401);
    });

    it('lets those make tokens to whom a policy grants it', async () => {
      const reader = await tokenFor('reader', bearer(admin));
      expect((await graphql(creating('reader'), bearer(reader))).status).toBe(200);
      const policy = { name: 'Nothing', type: 'PLATFORM', privileges: ['VIEW_JOBS'], actors: { allUsers: true } };
      await api.send('PUT', '/access/policies/all-users-platform', policy, bearer(admin));
      const { status, body } = await graphql(creating('reader'), bearer(reader));
      expect([status, body.errors[0].message]).toEqual([
        401,
        expect.stringContaining('Generate Personal Access Tokens or Manage All Access Tokens'),
      ]);
      await api.send('DELETE', '/access/policies/all-users-platform', undefined, bearer(admin));
      expect((await graphql(creating('reader'), bearer(reader))).status).toBe(200);
    });

    it('lets only those make tokens for others who may manage all', async () => {
      const reader = await tokenFor('reader', bearer(admin));
      expect((await graphql(creating('ada'), bearer(reader))).status).toBe(401);
      const { body } = await graphql(creating('ada'), bearer(admin));
      expect(body.data.createAccessToken.metadata).toEqual({
        actorUrn: 'urn:li:corpuser:ada',
        ownerUrn: 'urn:li:corpuser:datahub',
      });
    });

    it('takes the token that the command line was given at init', async () => {
      const commands = new CommandHost();
      const home = await temporaryFolder();
      try {
        const environment = { HOME: home.path };
        const init = await commands.run(environment, ['init', '--host', `${proplane.url}/gms`, '--token', admin]);
        expect([init.code, init.stdout]).toEqual([0, expect.stringContaining('with a token')]);
        const get = await commands.run(environment, ['dataset', 'get', '--urn', DATASET]);
        expect([get.code, get.stdout]).toEqual([0, expect.stringContaining('access.t')]);
      } finally {
        await commands.close();
        await home.remove();
      }
    });
  });
});
