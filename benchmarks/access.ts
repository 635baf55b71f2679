import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { apiServerEnvironment } from '../api-server/config.ts';
import { startApiServer } from '../api-server/server.ts';
import { createAccessToken } from '../client/access-tokens.ts';
import { createHttpClient } from '../client/http-client.ts';
import { systemAuthorization } from '../model/wire/auth.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { type Figure, requestsPerSecond } from './servers.ts';

const SECRET = 'of-no-use-outside-the-benchmark';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,bench.read,PROD)';
const PROPERTY = 'urn:li:structuredProperty:bench.read';
const ROUNDS = 3;

/** What access control costs: a read with a token by one who sees everything, against one where nobody is asked. */
export async function accessBenchmark(): Promise<Figure[]> {
  const off = await start({});
  const on = await start({ METADATA_SERVICE_AUTH_ENABLED: 'true', DATAHUB_SYSTEM_CLIENT_SECRET: SECRET });
  try {
    const system = { authorization: systemAuthorization('__datahub_system', SECRET) };
    for (const { url } of [off, on]) {
      const http = createHttpClient({ host: url, ...system });
      const definition = { qualifiedName: 'bench.read', valueType: 'number', entityTypes: ['dataset'] };
      const property = `/openapi/v3/entity/structuredProperty/${encodeURIComponent(PROPERTY)}/propertyDefinition`;
      await http.send({ method: 'POST', path: property, body: definition });
      const values = { properties: [{ propertyUrn: PROPERTY, values: [{ double: 30 }] }] };
      const path = `${PATH}/structuredProperties?createIfEntityNotExists=true`;
      await http.send({ method: 'POST', path, body: values });
    }
    const http = createHttpClient({ host: on.url, ...system });
    const wanted = { actorUrn: 'urn:li:corpuser:bench', duration: 'ONE_DAY', name: 'bench' } as const;
    const { accessToken } = await createAccessToken(http, wanted);
    const headers = { authorization: `Bearer ${accessToken}` };
    let [value, baseline] = [0, 0];
    // In turns, so that both have the same share of whatever else the machine does.
    for (let round = 0; round < ROUNDS; round += 1) {
      baseline += (await requestsPerSecond(`${off.url}${PATH}`)) / ROUNDS;
      value += (await requestsPerSecond(`${on.url}${PATH}`, { headers })) / ROUNDS;
    }
    return [{ name: 'read an entity with an access token', value, baseline, unit: 'requests/s' }];
  } finally {
    await on.stop();
    await off.stop();
  }
}

const PATH = `/openapi/v3/entity/dataset/${encodeURIComponent(DATASET)}`;

async function start(environment: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'proplane-bench-'));
  const config = readEnvironment(apiServerEnvironment, { DATA_DIR: folder, API_PORT: '0', ...environment });
  const { url, stop } = await startApiServer(config, pino({ level: 'silent' }));
  return {
    url,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
