import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { eventually } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
  // Every start of a server has one.
  await eventually(async () => expect((await commands.api.get('/jobs/system-update')).body.state).toBe('done'));
});
afterAll(() => commands.close());

describe('proplane jobs', () => {
  it('lists jobs as a table, and narrows the list', async () => {
    const { code, stdout } = await commands.run('jobs');
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/u));
    expect([code, lines[0]]).toEqual([0, ['ID', 'STATE', 'PROGRESS', 'AGE', 'SUBJECT']]);
    expect(lines).toContainEqual([
      'system-update',
      'done',
      expect.stringMatching(/^\d+ of \d+$/u),
      expect.any(String),
      'index',
    ]);
    const json = await commands.run('jobs', 'list', '--kind', 'system-update', '--state', 'done', '--json');
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({ id: 'system-update', created: expect.any(Number) }),
    ]);
    const wrong = await commands.run('jobs', '--state', 'finished');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Allowed choices are waiting, running')]);
  });

  it('prints one, with times that people can read', async () => {
    const { code, stdout } = await commands.run('jobs', 'get', 'system-update');
    expect([code, parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ state: 'done', ended: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) }),
    ]);
    const json = await commands.run('jobs', 'get', 'system-update', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'done', result: { kept: expect.any(Array) } });
    const missing = await commands.run('jobs', 'get', 'none');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no job none')]);
  });

  it('follows one to its end: the outcome on standard output, the way there on standard error', async () => {
    const { code, stdout, stderr } = await commands.run('jobs', 'follow', 'system-update');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^system-update is done: \d+ of \d+ entities\n$/u)]);
    expect(stderr).toMatch(/^done: \d+ of \d+ entities\n$/u);
    const json = await commands.run('jobs', 'follow', 'system-update', '--json');
    expect([JSON.parse(json.stdout), json.stderr]).toEqual([expect.objectContaining({ state: 'done' }), '']);
  });

  it.each([
    ['failed', 'The job x failed: the engine is full'],
    ['cancelled', 'The job x was cancelled'],
  ])('ends with 1 when the job that it follows has %s', async (state, message) => {
    const about = { id: 'x', kind: 'fields', subject: 'y', pass: 1, created: 0 };
    const job = { ...about, state, total: 9, processed: 3, remaining: 6, error: 'the engine is full' };
    const server = createServer((_request, response) => response.end(JSON.stringify(job)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await commands.with({ PROPLANE_HOST: host }, 'jobs', 'follow', 'x');
    server.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${message}\n`)]);
  });

  it('repeats why the server does not cancel one', async () => {
    const { code, stderr } = await commands.run('jobs', 'cancel', 'system-update');
    expect([code, stderr]).toEqual([1, 'Job system-update cannot be cancelled: it has ended (done)\n']);
  });
});
