import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tokenFile } from '../../process/token-file.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { TestClock } from '../harness/test-clock.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let clock: TestClock;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'token');
  clock = new TestClock();
});
afterEach(() => folder.remove());

describe('a token in a file', () => {
  it('is that of the file as it is, seconds after it was renewed, without the line end', async () => {
    writeFileSync(path, 'first\n');
    const token = tokenFile(path, clock);
    expect(token()).toBe('first');
    writeFileSync(path, 'second');
    await clock.advance(10_000);
    expect(token()).toBe('second');
  });

  it('is read once where it is a pipe, which has it once', async () => {
    execFileSync('mkfifo', [path]);
    const writer = spawn('sh', ['-c', 'printf piped > "$0"', path]);
    const token = tokenFile(path, clock);
    expect(token()).toBe('piped');
    await once(writer, 'close');
    await clock.advance(60_000);
    expect(token()).toBe('piped');
  });

  it('is missed by name while there is none, and found as soon as there is one', async () => {
    const token = tokenFile(path, clock);
    expect(token).toThrow(`the token in ${path} cannot be read: ENOENT`);
    writeFileSync(path, ' \n');
    expect(token).toThrow(`there is no token in ${path}`);
    writeFileSync(path, 'there');
    expect(token()).toBe('there');
    rmSync(path);
    await clock.advance(10_000);
    expect(token).toThrow('ENOENT');
  });
});
