import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../../api-server/jobs/job-runner.ts';
import { jobWorks } from '../../../api-server/jobs/job-works.ts';
import { eventually } from '../../harness/api.ts';
import { property } from '../../harness/catalog.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
let runner: JobRunner;
beforeAll(async () => {
  server = await TestServer.open();
  await server.catalog.define('a.gone');
  await server.catalog.delete(property('a.gone'));
  await server.catalog.index();
});
afterAll(async () => {
  await runner?.stop();
  await server.close();
});

describe('POST /jobs', () => {
  it.each([
    ['no body', undefined],
    ['another kind', { kind: 'cascade' }],
    ['an unknown field', { kind: 'system-update', force: true }],
  ])('is refused with %s, and begins nothing', async (_what, body) => {
    const answer = await server.post('/jobs', body);
    expect(answer.status).toBe(400);
    expect((await server.get('/jobs?kind=system-update')).body).toEqual({ jobs: [] });
  });

  it('begins a system update; a second one joins it', async () => {
    await server.catalog.clock.advance(1);
    const first = await server.post('/jobs', { kind: 'system-update' });
    expect([first.status, first.body.id, first.body.state]).toEqual([202, 'system-update', 'waiting']);
    await server.catalog.clock.advance(1);
    expect((await server.post('/jobs', { kind: 'system-update' })).body).toEqual(first.body);
  });
});

describe('GET /jobs', () => {
  it('narrows by kind, state and subject, the newest first', async () => {
    const kinds = async (query: string) =>
      (await server.get(`/jobs?${query}`)).body.jobs.map(({ kind }: { kind: string }) => kind);
    expect(await kinds('')).toEqual(['system-update', 'cascade']);
    expect(await kinds('kind=cascade')).toEqual(['cascade']);
    expect(await kinds('state=running')).toEqual([]);
    expect(await kinds(`subject=${encodeURIComponent(property('a.gone'))}`)).toEqual(['cascade']);
    expect((await server.get('/jobs?kind=lottery')).status).toBe(400);
  });

  it('shows the progress in metrics until the job has ended, and the result then', async () => {
    const metric = async (line: string) => (await server.get('/metrics')).body.includes(line);
    expect(await metric('proplane_jobs{kind="system-update",state="waiting"} 1')).toBe(true);
    expect(await metric('proplane_job_entities{kind="system-update",progress="remaining"} 0')).toBe(true);
    runner = new JobRunner(server.catalog.parts, jobWorks(server.catalog.parts), true);
    runner.start();
    await eventually(async () => {
      const { body } = await server.get('/jobs/system-update');
      expect(body).toMatchObject({ state: 'done', result: { kept: [], removed: [] } });
    });
    expect((await server.get('/jobs?kind=system-update')).body.jobs[0]).not.toHaveProperty('result');
    expect(await metric('proplane_job_entities{kind="system-update"')).toBe(false);
  });

  it('answers 404 for a job that is not there', async () => {
    const { status, body } = await server.get('/jobs/nothing');
    expect([status, body.message]).toEqual([404, 'There is no job nothing; jobs are kept for a day after their end']);
  });
});

describe('DELETE /jobs/<id>', () => {
  it('cancels a system update that has not ended, and nothing else', async () => {
    await runner.stop();
    await server.catalog.clock.advance(1);
    await server.post('/jobs', { kind: 'system-update' });
    expect((await server.send('DELETE', '/jobs/system-update')).status).toBe(202);
    runner = new JobRunner(server.catalog.parts, jobWorks(server.catalog.parts), true);
    runner.start();
    await eventually(async () => expect((await server.get('/jobs/system-update')).body.state).toBe('cancelled'));
    expect((await server.send('DELETE', '/jobs/system-update')).status).toBe(400);
    const [cascade] = (await server.get('/jobs?kind=cascade')).body.jobs;
    expect((await server.send('DELETE', `/jobs/${cascade.id}`)).status).toBe(400);
    expect((await server.send('DELETE', '/jobs/nothing')).status).toBe(404);
  });
});
