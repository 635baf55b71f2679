import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, entityPath, eventually } from '../harness/api.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { smallDisk } from '../harness/small-disk.ts';

/** The disk that has data and log is full: reads go on, writes are refused and say why, and go on when there is room. */

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,disk.${name},PROD)`;
const write = (api: Api, name: string, bytes = 10) =>
  api.post(entityPath('v3', dataset(name), 'datasetProperties'), { name, description: 'x'.repeat(bytes) });
const search = (api: Api) => api.get(`/openapi/v3/entity/dataset?query=${encodeURIComponent('name:kept')}`);

const disk = await smallDisk(24);

('missing' in disk ? describe.skip : describe)(`a full disk${'missing' in disk ? ` (${disk.missing})` : ''}`, () => {
  if ('missing' in disk) return it('is not tried', () => {});
  const data = join(disk.path, 'data');
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await embeddedDeployment();
    proplane = await ProplaneProcess.start({ deployment, environment: { DATA_DIR: data } });
    api = new Api(proplane.url);
    expect((await write(api, 'kept')).status).toBe(200);
    await eventually(async () => expect((await search(api)).body.totalCount).toBe(1));
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
    await disk.remove();
  });

  /** Room that the files have already is used up first. */
  async function refused(): Promise<Answer> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const answer = await write(api, `big.${attempt}`, 500_000);
      if (answer.status !== 200) return answer;
    }
    throw new Error('all was written');
  }

  it('keeps to its owner what is on it', () => {
    const modes = ['proplane.db', 'proplane.db-wal', 'proplane.db-shm', 'proplane.lock', 'proplane.log', '']
      .map((name) => join(data, name))
      .filter(existsSync)
      .map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(['600', '600', '600', '600', '600', '700']);
  });

  it('lets reads go on, and refuses writes with what to do', async () => {
    disk.fill();
    const { status, body, headers } = await refused();
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        error: 'Service Unavailable',
        message: `The disk of ${data} is full: make room. Nothing is written until then; reads go on`,
      },
    });
    expect(headers.get('retry-after')).toBe('1');
    for (let request = 0; request < 50; request++) expect((await write(api, 'more', 500_000)).status).toBe(503);
    expect((await api.get('/health')).status).toBe(200);
    expect((await search(api)).body.totalCount).toBe(1);
    expect((await api.get(entityPath('v3', dataset('kept')))).status).toBe(200);
    expect(await api.get('/ready')).toMatchObject({
      status: 200,
      body: { ready: true, store: 'ok', writes: expect.stringContaining('is full: make room') },
    });
    const { body: metrics } = await api.get('/metrics');
    expect(metrics).toContain('\nproplane_store_writable 0\n');
    expect(Number(/\nproplane_log_lines_lost (\d+)\n/u.exec(metrics)?.[1])).toBeGreaterThan(0);
    expect(proplane.output.match(/the log cannot be written \(ENOSPC[^\n]*/gu)).toHaveLength(1);
  });

  it('takes writes by itself when there is room again', async () => {
    disk.makeRoom();
    await eventually(async () => expect((await write(api, 'after')).status).toBe(200));
    await eventually(async () => expect((await api.get('/ready')).body).toMatchObject({ writes: 'ok' }));
    const query = encodeURIComponent('name:after');
    await eventually(async () =>
      expect((await api.get(`/openapi/v3/entity/dataset?query=${query}`)).body.totalCount).toBe(1),
    );
    await eventually(async () => {
      await write(api, 'logged');
      expect(readFileSync(join(data, 'proplane.log'), 'utf8')).toContain('disk.logged');
    });
    expect(await proplane.stop()).toBe(0);
  });
});

describe('a log that takes nothing', () => {
  it('ends nothing, and is told once', async () => {
    const deployment = await embeddedDeployment();
    const proplane = await ProplaneProcess.start({ deployment, environment: { LOG_FILE: '/dev/full' } });
    try {
      const api = new Api(proplane.url);
      for (let request = 0; request < 20; request++) expect((await write(api, `${request}`)).status).toBe(200);
      expect(await proplane.stop()).toBe(0);
      expect(proplane.output.match(/the log cannot be written/gu)).toHaveLength(1);
    } finally {
      await proplane.kill();
      await deployment.remove();
    }
  });
});
