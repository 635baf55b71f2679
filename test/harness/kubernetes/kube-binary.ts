import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SOURCE = join(import.meta.dirname, 'kube');
const SOURCE_FILES = ['go.mod', 'go.sum', 'main.go'];
/** The version that the servers say is set here: by themselves they say one that kubectl cannot read. */
const VERSION_PACKAGE = 'k8s.io/component-base/version';
const LONGEST_BUILD = 3_600_000;

/** What go says when it cannot fetch modules. */
const NO_REGISTRY = /: Get "https?:|: reading https?:|GOPROXY=off|dial tcp/u;
const GO_TOO_OLD = /go\.mod requires go >= .*/u;

/** A program on this machine, or why it cannot have it. */
export type Found = { readonly path: string } | { readonly missing: string };

/**
 * etcd, the Kubernetes API server, the controller manager and kubectl in one program, chosen by its first argument. It is
 * built at the first call on this machine, which takes minutes, and kept for all runs of this user.
 * @throws Error when the build fails for another reason than a machine without Go or without a registry.
 */
export function kubeBinary(): Promise<Found> {
  found ??= findOrBuild();
  return found;
}

let found: Promise<Found> | undefined;

async function findOrBuild(): Promise<Found> {
  const go = await goVersion();
  if (go === undefined) return { missing: 'there is no go on this machine to build a Kubernetes control plane with' };
  const path = await pathOf(go);
  return withLock(`${path}.lock`, async () => (existsSync(path) ? { path } : build(path)));
}

/** The same without building it. */
export async function builtKubeBinary(): Promise<string | undefined> {
  const go = await goVersion();
  if (go === undefined) return undefined;
  const path = await pathOf(go);
  return existsSync(path) ? path : undefined;
}

async function goVersion(): Promise<string | undefined> {
  return run('go', ['env', 'GOVERSION'], { cwd: SOURCE }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

async function pathOf(go: string): Promise<string> {
  const hash = createHash('sha256').update(go);
  for (const file of SOURCE_FILES) hash.update(await readFile(join(SOURCE, file)));
  const folder = join(homedir(), '.cache/proplane', `kube-${hash.digest('hex').slice(0, 16)}`);
  await mkdir(folder, { recursive: true });
  return join(folder, 'kube');
}

async function build(path: string): Promise<Found> {
  process.stderr.write('building a Kubernetes control plane for the tests, once on this machine: 2 to 20 minutes\n');
  const started = Date.now();
  const flags = await versionFlags();
  const part = `${path}.${process.pid}`;
  try {
    const options = ['-trimpath', '-buildvcs=false', `-ldflags=-s -w ${flags}`];
    await run('go', ['build', ...options, '-o', part, '.'], {
      cwd: SOURCE,
      env: { ...process.env, CGO_ENABLED: '0' },
      timeout: LONGEST_BUILD,
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    const { stderr = '' } = error as { stderr?: string };
    const [tooOld] = GO_TOO_OLD.exec(stderr) ?? [];
    if (tooOld !== undefined) return { missing: `a Kubernetes control plane cannot be built: ${tooOld}` };
    const offline = stderr.split('\n').find((line) => NO_REGISTRY.test(line));
    if (offline !== undefined) return { missing: `a Kubernetes control plane cannot be built offline: ${offline}` };
    throw new Error(`the Kubernetes control plane of the tests does not build: ${stderr || String(error)}`);
  }
  process.stderr.write(`built it in ${Math.round((Date.now() - started) / 1000)} s\n`);
  return { path };
}

async function versionFlags(): Promise<string> {
  const modules = await readFile(join(SOURCE, 'go.mod'), 'utf8');
  const [, major, minor, patch] = /k8s\.io\/kubernetes v(\d+)\.(\d+)\.(\d+)/u.exec(modules) ?? [];
  const said = {
    gitVersion: `v${major}.${minor}.${patch}`,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: 'none',
    buildDate: '1970-01-01T00:00:00Z',
  };
  return Object.entries(said)
    .map(([name, value]) => `-X ${VERSION_PACKAGE}.${name}=${value}`)
    .join(' ');
}

/** Of all processes of this machine one at a time runs `task`; a lock of a process that has ended is taken over. */
async function withLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  const until = Date.now() + LONGEST_BUILD;
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (holder > 0 && !isRunning(holder)) await rm(file, { force: true });
    else if (Date.now() < until) await sleep(200);
    else throw new Error(`another process has held ${file} for too long; remove it`);
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
