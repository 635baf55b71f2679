import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postBatch } from '../harness/api.ts';
import { CommandLine } from '../harness/command-line.ts';
import { Commands } from '../harness/commands.ts';
import { programEnvironment } from '../harness/program-environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NOWHERE = 'http://127.0.0.1:9';

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
});
afterAll(() => commands.close());

describe('proplane', () => {
  it('tells its release', async () => {
    expect(await commands.runAlone('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await commands.run('version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(JSON.parse((await commands.run('version', '--json')).stdout)).toEqual({ version });
  });

  it('proposes what was meant by a wrong name', async () => {
    const { code, stdout, stderr } = await commands.runAlone('propertys', 'list');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('(Did you mean properties?)')]);
    const option = await commands.run('properties', 'list', '--detail');
    expect([option.code, option.stderr]).toEqual([1, expect.stringContaining('(Did you mean --details?)')]);
  });

  it.each([
    ['jobs', 'nosuch', ''],
    ['jobs', 'lst', '(Did you mean list?)'],
    ['resources', 'gte', '(Did you mean get?)'],
  ])('refuses %s %s, where a command alone would list, as an unknown command', async (group, word, proposal) => {
    const { code, stdout, stderr } = await commands.run(group, word);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`error: unknown command '${word}'\n${proposal}`);
    const more = await commands.run(group, 'list', word);
    expect(more.stderr).toContain("too many arguments for 'list'");
  });

  it.each([
    ['resources', '--source', 'none'],
    ['jobs', '--kind', 'cascade', '--state', 'failed'],
    ['dataset', 'list', '--details', '--query', 'name:none'],
    ['dataset', 'list', '--query', 'name:none'],
  ])('says none, and prints nothing, where there is nothing to list: %s %s', async (...options) => {
    expect(await commands.run(...options)).toEqual({ code: 0, stdout: '', stderr: 'none\n' });
  });

  it('prints one JSON document also where there was nothing to do, and of an export to a file', async () => {
    const update = await commands.run('system-update', '--json');
    expect([update.code, JSON.parse(update.stdout)]).toEqual([
      0,
      { reindexed: false, why: expect.stringContaining('Nothing to do: set ') },
    ]);
    const file = join(commands.folder, 'all.ndjson');
    const written = await commands.run('export', '-o', file, '--json');
    expect([written.stderr, JSON.parse(written.stdout)]).toEqual(['', { file, lines: expect.any(Number) }]);
  });

  it('says what to do when no server answers, and nothing about its own code', async () => {
    const { code, stdout, stderr } = await commands.with({ PROPLANE_HOST: NOWHERE }, 'properties', 'list');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^No answer from http:\/\/127\.0\.0\.1:9 \(.+\)\. Is it running\? Set another address with --host, /u,
    );
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await new CommandLine({ PROPLANE_HOST: NOWHERE }, 'properties', 'list').end()).toEqual({
      code,
      stdout,
      stderr,
    });
    const traced = await commands.with({ PROPLANE_HOST: NOWHERE, DEBUG: '1' }, 'properties', 'list');
    expect(traced.stderr).toContain('http-client.ts');
  });
});

describe('colours', () => {
  const ESCAPE = String.fromCharCode(27);
  const list = (environment: Record<string, string>) => commands.with(environment, 'jobs');

  it('are for terminals only, unless FORCE_COLOR wants them', async () => {
    expect((await list({})).stdout).not.toContain(ESCAPE);
    expect((await list({ FORCE_COLOR: '1' })).stdout).toContain(ESCAPE);
    const error = await commands.with({ FORCE_COLOR: '1', PROPLANE_HOST: NOWHERE }, 'jobs');
    expect(error.stderr).toContain(`${ESCAPE}[31mNo answer`);
  });
});

describe('a reader that has seen enough', () => {
  /** Runs a command and closes its standard output after the first part of it. */
  async function cut(...options: string[]): Promise<{ code: number; stderr: string }> {
    const child = spawn(process.execPath, ['cli/main.ts', ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...programEnvironment(), HOME: commands.folder, PROPLANE_HOST: commands.host },
    });
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    return { code, stderr };
  }

  beforeAll(async () => {
    const name = (index: number) => `cli.output.${'long'.repeat(20)}${index}`;
    for (let first = 0; first < 2_000; first += 500) {
      const items = Array.from({ length: 500 }, (_, offset) => ({
        urn: `urn:li:dataset:(urn:li:dataPlatform:hive,${name(first + offset)},PROD)`,
        status: { value: { removed: false } },
      }));
      await postBatch(commands.api, 'dataset', items);
    }
  });

  it.each([['dataset', 'list'], ['dataset', 'list', '--json'], ['export']])(
    'ends %s %s without a word about it',
    async (...options) => {
      const { code, stderr } = await cut(...options);
      expect([code, stderr.replace(/^exporting: .*\n/u, '')]).toEqual([0, '']);
    },
  );

  it('does not keep an upsert from being done to its end', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `com.example.output.p${index}`);
    const entries = names.map((name) => ({ id: name, type: 'string', entity_types: ['dataset'] }));
    const file = await commands.file('many.yaml', JSON.stringify(entries));
    expect(await cut('properties', 'upsert', '-f', file)).toEqual({ code: 0, stderr: '' });
    expect((await commands.run('properties', 'get', '--urn', names.at(-1) ?? '')).code).toBe(0);
  });
});
