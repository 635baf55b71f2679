import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * SecantusDB speaks MongoDB's protocol on WiredTiger. A beta under GPL-2.0: a separate process of tests, never shipped. It
 * comes as a Python package, installed in seconds, and as a Rust program, which takes ten minutes to build (cargo, cmake,
 * ninja, a C compiler) and is many times faster: for soak runs, which set PROPLANE_TEST_MONGODB=rust.
 */
const PACKAGE = 'SecantusDB';
const VERSION = '0.7.0b3';
const CRATE = 'secantus-mdb';
const CRATE_VERSION = '0.5.3-beta.196';
const LONGEST_INSTALL = 600_000;
const LONGEST_BUILD = 3_600_000;

/** @returns the command that starts the server, to which its options are added. */
export async function secantusDbCommand(): Promise<[program: string, ...options: string[]]> {
  if (process.env.PROPLANE_TEST_MONGODB === 'rust') return [await builtSecantusDb()];
  return [await installedSecantusDb(), '-m', 'secantus', '--log-level', 'WARNING'];
}

/** Where a server keeps what nobody needs after it: only the Python one can do without a folder. */
export function fleetingStorage(scratch: string): string {
  return process.env.PROPLANE_TEST_MONGODB === 'rust' ? join(scratch, 'data') : ':memory:';
}

async function builtSecantusDb(): Promise<string> {
  const folder = join(homedir(), '.cache', 'proplane', `secantusd-rs-${CRATE_VERSION}`);
  const program = join(folder, 'bin', 'secantusd-rs');
  if (await exists(program)) return program;
  const options = ['--version', CRATE_VERSION, '--locked', '--ignore-rust-version', '--root', folder];
  await run('cargo', ['install', CRATE, ...options], { timeout: LONGEST_BUILD, maxBuffer: Number.POSITIVE_INFINITY });
  return program;
}

/**
 * Installs SecantusDB from PyPI once for all runs of this user.
 * @returns the Python that has it (`python -m secantus` is the server).
 * @throws Error when there is no Python, or the package cannot be had.
 */
export async function installedSecantusDb(): Promise<string> {
  const cache = join(homedir(), '.cache', 'proplane');
  const folder = join(cache, `secantusdb-${VERSION}`);
  const python = join(folder, 'bin', 'python');
  if (await exists(python)) return python;
  await mkdir(cache, { recursive: true });
  // Two runs may install at once: each into a folder of its own, and the first that is ready names the one for all.
  const own = await mkdtemp(`${folder}-`);
  try {
    await run('python3', ['-m', 'venv', own], { timeout: LONGEST_INSTALL });
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `${PACKAGE}==${VERSION}`];
    await run(join(own, 'bin', 'python'), install, { timeout: LONGEST_INSTALL });
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!(await exists(python))) throw error;
  }
  return python;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
