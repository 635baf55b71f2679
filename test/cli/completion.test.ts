import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
  const entry = '- { id: com.example.completion.days, type: number, display_name: Days, entity_types: [dataset] }\n';
  await commands.run('properties', 'upsert', '-f', await commands.file('properties.yaml', entry));
});
afterAll(() => commands.close());

/** What the shell's script gets for a line whose last word is being typed. */
async function complete(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await commands.run('complete', '--', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('proplane completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s that asks for completions', async (shell) => {
    const { code, stdout } = await commands.run('completion', shell);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/proplane complete '?--/u)]);
  });

  it('prints a script that a shell can read twice', async () => {
    const script = await commands.file('completion.bash', (await commands.run('completion', 'bash')).stdout);
    const { stderr } = spawnSync('bash', ['-c', `source '${script}'; source '${script}'`], { encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('names the shells when it is asked for another', async () => {
    const { code, stderr } = await commands.run('completion', 'csh');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Allowed choices are zsh, bash, fish, powershell')]);
  });

  it('completes commands, options, and words that an option takes', async () => {
    expect(await complete('pr')).toEqual(['properties', ':4']);
    expect(await complete('properties', '')).toEqual(['upsert', 'get', 'list', 'help', ':4']);
    expect(await complete('properties', 'list', '--')).toEqual(
      expect.arrayContaining(['--details', '--to-file', '--include-removed', '--json', '--host']),
    );
    expect(await complete('jobs', 'list', '--state', 'ca')).toEqual(['cancelling', 'cancelled', ':4']);
    expect(await complete('complet')).toEqual(['completion', ':4']);
  });

  it('leaves names of files to the shell', async () => {
    for (const words of [
      ['dataset', 'upsert', '-f', ''],
      ['properties', 'list', '--to-file', 'p'],
      ['import', ''],
      ['plan', ''],
      ['plan', 'a.yaml', 'b'],
      ['plan', 'a.yaml', '--against', ''],
    ])
      expect(await complete(...words)).toEqual([':0']);
  });

  it('completes properties that the server knows, and nothing when it is away', async () => {
    await eventually(async () => {
      expect(await complete('properties', 'get', '--urn', 'com.example.completion.')).toEqual([
        'com.example.completion.days',
        ':4',
      ]);
    });
    const urn = 'urn:li:structuredProperty:com.example.completion.days';
    expect(await complete('delete', '--urn', urn.slice(0, -2))).toEqual([urn, ':4']);
    expect(await complete('restore', '--urn', urn.slice(0, -2))).toEqual([urn, ':4']);
    const away = ['--host', 'http://127.0.0.1:9', 'properties', 'get', '--urn', 'com.'];
    expect(await complete(...away)).toEqual([':4']);
  });
});
