import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
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
    await mkdir(join(folder.path, 'cli'));
    await copyFile(join(ROOT, bin.proplane), join(folder.path, bin.proplane));
    const command = join(folder.path, 'proplane');
    await symlink(join(folder.path, bin.proplane), command);
    await chmod(command, 0o755);
    const env = { HOME: folder.path, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
    expect(await run(command, ['--version'], { env })).toEqual({ stdout: `${version}\n`, stderr: '' });
    expect((await run(command, ['--help'], { env })).stdout).toContain('Usage: proplane [options] [command]');
    // Where sources are, they are what is run: what was built of them once can be older.
    await writeFile(join(folder.path, 'cli/main.ts'), "const said: string = 'the sources';\nconsole.log(said);\n");
    expect((await run(command, ['--version'], { env })).stdout).toBe('the sources\n');
  });
});

describe('a checkout', () => {
  it('has the command for npx, which downloads nothing', async () => {
    const nothing = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' };
    const env = { ...process.env, ...nothing, npm_config_cache: join(folder.path, 'npm') };
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect((await run('npx', ['proplane', 'version'], { cwd: ROOT, env })).stdout).toBe(`${version}\n`);
  });
});
