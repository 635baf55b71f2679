import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLogFile } from '../../process/log.ts';
import { loggedQuery } from '../../process/logged-url.ts';
import { programEnvironment } from '../harness/program-environment.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

describe('a log in a file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  afterAll(() => folder.remove());

  const lines = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n');

  it('keeps so many files of a size, the youngest lines whole, for its owner alone', async () => {
    const path = join(folder.path, 'rotated', 'proplane.log');
    // Lines that come while others are written go together, however many: each opening writes at least once.
    for (let opening = 0; opening < 20; opening++) {
      const { log, close } = openLogFile({ level: 'info', path, maxBytes: 2_000, files: 3 });
      for (let line = 0; line < 10; line++) log.info({ line: opening * 10 + line }, 'a line');
      await close();
    }
    const names = (await readdir(join(folder.path, 'rotated'))).sort();
    expect(names).toEqual(['proplane.log', 'proplane.log.1', 'proplane.log.2']);
    const kept: number[] = [];
    for (const name of names.toReversed()) {
      const file = join(folder.path, 'rotated', name);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      for (const text of await lines(file)) if (text !== '') kept.push(JSON.parse(text).line);
    }
    expect(kept.at(-1)).toBe(199);
    expect(kept).toEqual(kept.map((_, index) => 200 - kept.length + index));
  });

  it('takes a file that is there for its owner alone', async () => {
    const path = join(folder.path, 'there.log');
    await writeFile(path, '{"line":0}\n', { mode: 0o644 });
    const { log, close } = openLogFile({ level: 'info', path, maxBytes: 2_000, files: 3 });
    log.info({ line: 1 }, 'a line');
    await close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await lines(path)).map((text) => JSON.parse(text).line)).toEqual([0, 1]);
  });

  it('has no query strings, no headers, and short paths', async () => {
    const path = join(folder.path, 'urls.log');
    const { log, close } = openLogFile({ level: 'info', path, maxBytes: 100_000, files: 3 });
    log.info({ url: '/entities/a?access_token=secret&count=3' }, 'answered');
    log.info({ url: `/${'a'.repeat(10_000)}` }, 'answered');
    log.child({ role: 'other' }).info({ headers: { authorization: 'Bearer secret' } }, 'asked');
    log.error({ request: { headers: { authorization: 'Bearer secret' } } }, 'asked');
    const error = Object.assign(new Error('refused'), { config: { headers: { 'x-key': 'secret' } } });
    log.error({ err: error }, 'failed');
    await close();
    const text = await lines(path);
    expect(text.join('\n')).not.toContain('secret');
    expect(JSON.parse(text[0] ?? '').url).toBe('/entities/a?…');
    expect(JSON.parse(text[1] ?? '').url).toHaveLength(500);
    expect(JSON.parse(text[4] ?? '').err.message).toBe('refused');
  });
});

it('of a query string the log has what the route knows, cut', () => {
  const query = { count: 3, token: 'secret', query: 'a'.repeat(1_000) };
  const shown = loggedQuery(query, ['query', 'count', 'sort']);
  expect(shown).toEqual({ query: `${'a'.repeat(499)}…`, count: '3' });
  expect(loggedQuery(undefined, ['count'])).toBeUndefined();
});

it('a log on standard output ends nothing when its disk is full', async () => {
  const script = `
    import { openOutputLog } from './process/log.ts';
    import { logTrouble } from './process/log-trouble.ts';
    const log = openOutputLog('test', 'info');
    for (let line = 0; line < 30_000; line++) log.info({ line, text: 'x'.repeat(100) }, 'a line');
    setTimeout(() => console.error('still here', logTrouble.lines > 0), 10);
  `;
  const { stderr } = await run(
    'sh',
    ['-c', '"$1" --input-type=module-typescript -e "$2" > /dev/full', 'sh', process.execPath, script],
    {
      cwd: ROOT,
      env: programEnvironment(),
    },
  );
  expect(stderr.match(/the log cannot be written \(ENOSPC/gu)).toHaveLength(1);
  expect(stderr).toContain('still here true');
});
