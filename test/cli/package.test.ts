import { execFile } from 'node:child_process';
import { chmod, copyFile, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe('the built package', () => {
  it('has a command that runs as npm links it, without the sources', async () => {
    const { bin, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['-p', 'tsconfig.build.json', '--outDir', join(folder.path, 'dist')];
    await run(process.execPath, [compiler, ...options], { cwd: ROOT });
    await copyFile(join(ROOT, 'package.json'), join(folder.path, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const command = join(folder.path, 'proplane');
    await symlink(join(folder.path, bin.proplane), command);
    await chmod(command, 0o755);
    const env = { HOME: folder.path, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
    expect(await run(command, ['--version'], { env })).toEqual({ stdout: `${version}\n`, stderr: '' });
    expect((await run(command, ['--help'], { env })).stdout).toContain('Usage: proplane [options] [command]');
  });
});
