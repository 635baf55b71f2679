import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Commands } from '../harness/commands.ts';

const SOURCE = 'cli-resources';
const names = ['ready', 'stalled'].map((name) => ({ kind: 'StructuredProperty', namespace: 'cli', name }));
const condition = (type: string, reason: string, message: string) => {
  return { type, status: 'True', reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
};

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
  const resources = [...names, { kind: 'DatasetProperties', namespace: 'cli', name: 'new' }];
  const registered = resources.map((name) => ({ ...name, specHash: 'x', location: 'a.yaml:1' }));
  await commands.api.post('/resources/register', { source: SOURCE, resources: registered });
  const report = (name: string, conditions: object[]) =>
    commands.api.send('PUT', `/resources/StructuredProperty/cli/${name}`, { source: SOURCE, status: { conditions } });
  await report('ready', [condition('Ready', 'Applied', 'defined')]);
  await report('stalled', [condition('Stalled', 'Refused', 'a\u001b[31mred\u001b[0m\nmessage')]);
});
afterAll(() => commands.close());

const hold = (resources: readonly object[] = names) =>
  commands.api.send('PUT', '/resources/held-deletions', {
    source: SOURCE,
    resources: resources.map((one) => ({ ...one, reason: 'many are missing' })),
  });

describe('proplane resources', () => {
  it('lists how every resource is, in lines that a terminal shows as they are', async () => {
    const { code, stdout } = await commands.run('resources', '--source', SOURCE);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/u));
    const age = expect.stringMatching(/^\d+s$/u);
    expect([code, lines]).toEqual([
      0,
      [
        ['KIND', 'NAME', 'STATE', 'REASON', 'AGE', 'MESSAGE'],
        ['DatasetProperties', 'cli/new', 'Unknown', age, 'no operator has reported yet'],
        ['StructuredProperty', 'cli/ready', 'Ready', 'Applied', age, 'defined'],
        ['StructuredProperty', 'cli/stalled', 'Stalled', 'Refused', age, 'a [31mred [0m message'],
      ],
    ]);
    const json = await commands.run('resources', 'list', '--source', SOURCE, '--json');
    expect(JSON.parse(json.stdout).map(({ name }: { name: string }) => name)).toEqual(['new', 'ready', 'stalled']);
  });

  it('prints one', async () => {
    const { code, stdout } = await commands.run('resources', 'get', 'StructuredProperty/cli/ready');
    expect([code, parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ source: SOURCE, location: 'a.yaml:1', created: expect.stringContaining('T') }),
    ]);
    const json = await commands.run('resources', 'get', 'StructuredProperty/cli/ready', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'ready', status: { conditions: [{ type: 'Ready' }] } });
    const missing = await commands.run('resources', 'get', 'StructuredProperty/cli/none');
    expect(missing).toMatchObject({ code: 1, stderr: 'There is no StructuredProperty cli/none\n' });
    const wrong = await commands.run('resources', 'get', 'ready');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('<kind>/<namespace>/<name> is needed')]);
  });

  it('confirms held deletions only with --yes where nobody can be asked, and shows them first', async () => {
    const confirm = ['resources', 'confirm-deletions', '--source', SOURCE];
    expect(await commands.run(...confirm)).toEqual({ code: 0, stdout: 'No deletion is held back\n', stderr: '' });
    await hold();
    const shown = `${SOURCE} holds back 2 deletions\n  many are missing:\n  StructuredProperty cli/ready\n  StructuredProperty cli/stalled\n`;
    const asked = await commands.run(...confirm);
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([1, '', expect.stringContaining('Add --yes')]);
    expect(asked.stderr.startsWith(shown)).toBe(true);
    expect((await commands.api.get(`/resources/held-deletions?source=${SOURCE}`)).body.held[0].confirmed).toBe(false);

    const listed = await commands.run('resources', '--source', SOURCE);
    expect(listed.stdout).toMatch(/cli\/ready +Held +DeletionHeld +\d+s +many are missing/u);
    expect(listed.stderr).toContain('2 deletions held until somebody confirms');

    const done = await commands.run(...confirm, '--yes');
    expect(done).toEqual({ code: 0, stdout: `Confirmed 2 deletions of ${SOURCE}\n`, stderr: shown });
    expect((await commands.api.get(`/resources/held-deletions?source=${SOURCE}`)).body.held[0].confirmed).toBe(true);
    const json = await commands.run(...confirm, '--yes', '--json');
    expect(JSON.parse(json.stdout)).toEqual([]);
    await hold([]);
    await hold();
    const one = await commands.run(...confirm, 'StructuredProperty/cli/ready', '--yes');
    expect([one.stdout, one.stderr]).toEqual([
      `Confirmed 1 deletion of ${SOURCE}\n`,
      expect.stringContaining('holds back 1 deletion\n'),
    ]);
    const [left] = (await commands.api.get(`/resources/held-deletions?source=${SOURCE}`)).body.held;
    expect(left.resources).toMatchObject([
      { name: 'ready', confirmed: true },
      { name: 'stalled', confirmed: false },
    ]);
    const other = await commands.run(...confirm, 'StructuredProperty/cli/none', '--yes');
    expect(other).toMatchObject({ code: 1, stderr: 'Not held back: StructuredProperty cli/none\n' });
  });
});
