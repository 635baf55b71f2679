import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { VERSION } from '../../process/version.ts';
import { Commands } from '../harness/commands.ts';

const SOURCE = 'cli-status';
const held = { kind: 'StructuredProperty', namespace: 'cli', name: 'held', reason: 'gone' };

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
  const { api } = commands;
  const { reason: _reason, ...name } = held;
  await api.post('/resources/register', { source: SOURCE, resources: [{ ...name, specHash: 'x' }] });
  await api.send('PUT', '/resources/held-deletions', { source: SOURCE, resources: [held] });
  const place = { host: 'a', manifests: ['/a/*.yaml'] };
  await api.send('PUT', `/sources/${SOURCE}/lease`, {
    holder: { id: 'one', place, pid: 7, processes: '' },
    ms: 60_000,
  });
});
afterAll(() => commands.close());

describe('proplane status', () => {
  it('says how the server is, and what waits for somebody', async () => {
    const { code, stdout } = await commands.run('status');
    expect([code, parse(stdout)]).toEqual([
      0,
      expect.objectContaining({
        ready: true,
        version: VERSION,
        store: 'ok',
        search: 'ok',
        outbox: expect.any(Number),
        held: expect.stringMatching(/^\d+ deletions? until somebody confirms: proplane resources confirm-deletions$/u),
        resources: expect.objectContaining({ Unknown: expect.any(Number) }),
        sources: expect.objectContaining({
          [SOURCE]: { operator: 'process 7 on a, /a/*.yaml', heldDeletions: 1 },
        }),
      }),
    ]);
    const json = await commands.run('status', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ready: true, jobs: expect.any(Object) });
    expect(JSON.parse(json.stdout).heldDeletions).toBeGreaterThan(0);
  });
});
