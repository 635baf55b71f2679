import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { apiServerEnvironment } from '../../api-server/config.ts';
import { type RunningApiServer, startApiServer } from '../../api-server/server.ts';
import { Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { CommandHost } from '../harness/command-host.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** Bytes change on the disk. Whatever meets them says so and names what it was; nobody gets less than there is. */

const COUNT = 300;
const HURT = 'dataset-123';
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const name = (index: number) => `dataset-${String(index).padStart(3, '0')}`;
const found = (api: Api, query: string) =>
  api.get(`/openapi/v3/entity/dataset?count=400&query=${encodeURIComponent(query)}`);

const commands = new CommandHost();
afterAll(() => commands.close());
const runProplane = (options: readonly string[]) => commands.run({}, options);

/** What an answer about a damaged document has to be. */
const DAMAGED = {
  status: 500,
  body: { error: 'Damaged Data', message: expect.stringContaining(`${dataset(HURT)} is damaged`) },
};

describe('a damaged database', () => {
  let deployment: Deployment;
  let file: string;
  let whole: Buffer;
  let server: RunningApiServer | undefined;
  let logged: string;

  async function start(): Promise<Api> {
    logged = '';
    const log = pino({}, { write: (line) => (logged += line) });
    const environment = { ...deployment.environment, API_PORT: '0' };
    server = await startApiServer(apiServerEnvironment.parse(environment), log);
    return new Api(server.url);
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }

  /** The file as it was when all was well, with some bytes changed. */
  function damage(change: (bytes: Buffer) => void): void {
    const bytes = Buffer.from(whole);
    change(bytes);
    writeFileSync(file, bytes);
  }

  /** Another letter in the text of a document; it is still JSON. */
  function changeLetter(bytes: Buffer): void {
    const at = bytes.indexOf(`the text of ${HURT}`);
    expect(at).toBeGreaterThan(0);
    bytes.write('T', at);
  }

  function page(table: string): number {
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
    database.close();
    return Number(row?.rootpage);
  }

  const garble = (number: number) => (bytes: Buffer) => {
    for (let at = (number - 1) * 4096; at < number * 4096; at++) bytes[at] = (at * 7919) & 255;
  };

  beforeAll(async () => {
    deployment = await embeddedDeployment();
    file = join(deployment.folder, 'proplane.db');
    const api = await start();
    const items = Array.from({ length: COUNT }, (_, index) => ({
      urn: dataset(name(index)),
      datasetProperties: {
        value: { name: name(index), description: `the text of ${name(index)} ${'x'.repeat(20_000)}` },
      },
    }));
    expect((await api.post('/openapi/v3/entity/dataset?async=false', items)).status).toBe(200);
    await eventually(async () => expect((await found(api, 'name:dataset*')).body.totalCount).toBe(COUNT));
    await stop();
    whole = readFileSync(file);
  });

  afterEach(stop);

  afterAll(async () => {
    await deployment?.remove();
  });

  describe('in a document', () => {
    it.each([
      ['that is still JSON', changeLetter],
      ['that is no JSON any more', (bytes: Buffer) => void bytes.write('"', bytes.indexOf(`the text of ${HURT}`))],
    ])('%s is told at the start and by whoever meets it', async (_how, change) => {
      damage(change);
      const api = await start();
      expect(await api.get('/ready')).toMatchObject({
        status: 200,
        body: { ready: true, data: expect.stringContaining(dataset(HURT)) },
      });
      expect((await api.get('/metrics')).body).toContain('\nproplane_store_damaged 1\n');
      expect(logged).toMatch(/"level":50[^\n]*dataset-123[^\n]*what is stored is damaged/u);

      const path = entityPath('v3', dataset(HURT));
      const patch = addProperty('urn:li:structuredProperty:a', [{ string: 'a' }]);
      expect(await api.get(path)).toMatchObject(DAMAGED);
      expect(await api.patch(`${path}/structuredProperties`, patch)).toMatchObject(DAMAGED);
      expect(await found(api, 'name:dataset*')).toMatchObject(DAMAGED);
      expect(await found(api, `name:${HURT}`)).toMatchObject(DAMAGED);
      const graphql = `{ dataset(urn: "${dataset(HURT)}") { urn properties { name } } }`;
      expect((await api.post('/api/graphql', { query: graphql })).body.errors[0].message).toContain(dataset(HURT));
      await expect(
        api.get('/export').then(({ status, body }) => `${status} ${String(body).slice(-200)}`),
      ).rejects.toThrow();

      expect((await found(api, `name:${name(7)}`)).body.totalCount).toBe(1);
      expect((await api.get(entityPath('v3', dataset(name(7))))).status).toBe(200);
      const written = await api.post(entityPath('v3', dataset('later'), 'datasetProperties'), { name: 'later' });
      expect(written.status).toBe(200);
      await eventually(async () => expect((await found(api, 'name:later')).body.totalCount).toBe(1));
      await stop();
    });

    it('is named by the doctor, who makes a file without it when told to', async () => {
      damage(changeLetter);
      await start();
      const folder = ['doctor', '--data-dir', deployment.folder];
      const busy = await runProplane(folder);
      expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by another Proplane') });
      await stop();

      const told = await runProplane(folder);
      expect(told.code).toBe(1);
      expect(told.stdout).toContain(`damaged: ${dataset(HURT)}`);
      expect(told.stdout).toContain('a backup');
      const json = await runProplane(['--json', ...folder]);
      expect(JSON.parse(json.stdout)).toMatchObject({
        whole: false,
        documents: COUNT,
        damaged: [{ about: dataset(HURT) }],
      });

      const before = readFileSync(file);
      expect(await runProplane([...folder, '--rebuild'])).toMatchObject({ code: 1 });
      expect(readFileSync(file).equals(before)).toBe(true);
      const rebuilt = await runProplane([...folder, '--rebuild', '--leave-out-damaged']);
      expect(rebuilt).toMatchObject({ code: 0, stdout: expect.stringContaining(`left out: ${dataset(HURT)}`) });
      expect(await runProplane(folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('All is whole.') });

      const api = await start();
      expect((await api.get('/ready')).body).toMatchObject({ data: 'ok' });
      await eventually(async () => expect((await found(api, 'name:dataset*')).body.totalCount).toBe(COUNT - 1));
      expect((await api.get(entityPath('v3', dataset(HURT)))).status).toBe(404);
      await stop();
    });

    it('is told by a process that runs already', async () => {
      damage(() => {});
      const api = await start();
      const path = entityPath('v3', dataset(HURT));
      const bytes = readFileSync(file);
      changeLetter(bytes);
      writeFileSync(file, bytes);
      // SQLite keeps 2 MB of what it has read: all others are read meanwhile.
      for (let index = 130; index < COUNT; index++) await api.get(entityPath('v3', dataset(name(index))));
      expect(await api.get(path)).toMatchObject(DAMAGED);
      expect((await api.get('/ready')).body.data).toContain(dataset(HURT));
      expect(logged).toMatch(/"level":50[^\n]*dataset-123/u);
      await stop();
    });
  });

  it('in the search index is an error of every search, and nothing is lost', async () => {
    damage(garble(page('search_entries_1')));
    const api = await start();
    expect(await found(api, 'name:dataset*')).toMatchObject({ status: 500, body: { error: 'Damaged Data' } });
    expect((await api.get('/ready')).body.data).toContain('the search index');
    expect((await api.get(entityPath('v3', dataset(HURT)))).status).toBe(200);
    await stop();
    const folder = ['doctor', '--data-dir', deployment.folder];
    expect(await runProplane(folder)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Only the search index is damaged'),
    });
    expect(await runProplane([...folder, '--rebuild'])).toMatchObject({ code: 0 });
    const again = await start();
    await eventually(async () => expect((await found(again, 'name:dataset*')).body.totalCount).toBe(COUNT));
    expect((await again.get(entityPath('v3', dataset(HURT)))).status).toBe(200);
    await stop();
  });

  it('in the tables of the store keeps the process from starting, or is the end of writes and searches', async () => {
    damage(garble(page('holders')));
    const api = await start();
    expect(await api.get('/ready')).toMatchObject({ status: 503, body: { ready: false } });
    expect(await found(api, 'name:dataset*')).toMatchObject({ status: 500, body: { error: 'Damaged Data' } });
    const write = await api.post(entityPath('v3', dataset('later'), 'datasetProperties'), { name: 'later' });
    expect(write).toMatchObject({ status: 500, body: { error: 'Damaged Data' } });
    expect((await api.get(entityPath('v3', dataset(HURT)))).status).toBe(200);
    await stop();

    damage((bytes) => void bytes.fill(7, 0, 100));
    await expect(ProplaneProcess.start({ deployment, role: 'api-server' })).rejects.toThrow(
      /is damaged.*proplane doctor/u,
    );
    expect(await runProplane(['doctor', '--data-dir', deployment.folder])).toMatchObject({ code: 1 });
  });
});
