import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccessToken, revokeAccessToken } from '../../client/access-tokens.ts';
import { createHttpClient, type HttpClient } from '../../client/http-client.ts';
import { systemAuthorization } from '../../model/wire/auth.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const SECRET = 'a-secret-of-a-test';
const KEY = 'a-signing-key-that-only-this-test-has';
const NEW_KEY = 'a-signing-key-that-comes-after-the-first';
const READ = '/openapi/v3/entity/dataset?count=0';

/** Access tokens outlive the process, and hold on every replica as long as they are not revoked on one. */
await onEachDeployment((newDeployment, { embedded }) => {
  let deployment: Deployment;
  const running: ProplaneProcess[] = [];
  beforeAll(async () => {
    deployment = await newDeployment();
  });
  afterAll(async () => {
    for (const proplane of running) await proplane.kill();
    await deployment?.remove();
  });

  async function start(environment: Record<string, string> = {}): Promise<ProplaneProcess> {
    const proplane = await ProplaneProcess.start({
      deployment,
      role: 'api-server',
      environment: {
        METADATA_SERVICE_AUTH_ENABLED: 'true',
        DATAHUB_SYSTEM_CLIENT_SECRET: SECRET,
        DATAHUB_TOKEN_SERVICE_SIGNING_KEY: KEY,
        ADMIN_PASSWORD: 'a-password-of-a-test',
        ...environment,
      },
    });
    running.push(proplane);
    return proplane;
  }

  const system = ({ url }: ProplaneProcess): HttpClient =>
    createHttpClient({ host: url, authorization: systemAuthorization('__datahub_system', SECRET) });

  const make = (proplane: ProplaneProcess, name: string) =>
    createAccessToken(system(proplane), { actorUrn: 'urn:li:corpuser:datahub', duration: 'ONE_DAY', name });

  async function statusOf({ url }: ProplaneProcess, token: string): Promise<number> {
    return (await fetch(`${url}${READ}`, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  describe('an access token', () => {
    it('is good after a kill and a new start, also when the key was replaced, until its key is taken away', async () => {
      let proplane = await start();
      const { accessToken, metadata } = await make(proplane, 'lasting');
      expect(await statusOf(proplane, accessToken)).toBe(200);
      await proplane.kill();
      proplane = await start({
        DATAHUB_TOKEN_SERVICE_SIGNING_KEY: NEW_KEY,
        DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS: KEY,
      });
      expect(await statusOf(proplane, accessToken)).toBe(200);
      const later = await make(proplane, 'later');
      await proplane.kill();
      proplane = await start({ DATAHUB_TOKEN_SERVICE_SIGNING_KEY: NEW_KEY });
      expect(await statusOf(proplane, accessToken)).toBe(401);
      expect(await statusOf(proplane, later.accessToken)).toBe(200);
      await revokeAccessToken(system(proplane), metadata.id);
      await proplane.kill();
      proplane = await start();
      expect(await statusOf(proplane, accessToken)).toBe(401);
      await proplane.kill();
    });

    // The embedded store belongs to one process.
    const replicas = embedded ? 1 : 3;
    it(`is refused by each of ${replicas} from the moment in which one has revoked it`, async () => {
      const all = [];
      for (let count = 0; count < replicas; count += 1) all.push(await start());
      const [first, ...others] = all as [ProplaneProcess, ...ProplaneProcess[]];
      for (let round = 0; round < 10; round += 1) {
        const { accessToken, metadata } = await make(all[round % replicas] as ProplaneProcess, `round ${round}`);
        for (const replica of all) expect(await statusOf(replica, accessToken)).toBe(200);
        await revokeAccessToken(system(others[round % 2] ?? first), metadata.id);
        for (const replica of all) expect(await statusOf(replica, accessToken)).toBe(401);
      }
    });
  });
});
