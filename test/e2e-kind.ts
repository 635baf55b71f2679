import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the end-to-end tests on Kubernetes against a cluster of `kind`, which needs a container engine: makes a cluster,
 * runs them with KUBECONFIG, and deletes the cluster whatever has happened. Arguments name tests, as of test/run.ts.
 */

const CLUSTER = 'proplane-e2e';
const KIND_VERSION = 'v0.33.0';
const ENGINES = ['docker', 'podman', 'nerdctl'];
const TESTS = 'test/end-to-end/kubernetes';

// Ctrl-C reaches what runs; when that has ended, the cluster is deleted.
process.on('SIGINT', () => {});
process.exitCode = await main();

async function main(): Promise<number> {
  const engine = ENGINES.find((program) => spawnSync(program, ['info'], { stdio: 'ignore' }).status === 0);
  if (engine === undefined) {
    return refuse(`kind needs a container engine: install and start one of ${ENGINES.join(', ')}`);
  }
  const kind = await findKind();
  if (kind === undefined) return refuse('there is no kind on PATH and it cannot be installed: install kind, or go');
  const folder = mkdtempSync(join(tmpdir(), 'proplane-kind-'));
  const env = { ...process.env, KIND_EXPERIMENTAL_PROVIDER: engine, KUBECONFIG: join(folder, 'kubeconfig') };
  try {
    if ((await run(kind, ['create', 'cluster', '--name', CLUSTER, '--wait', '120s'], env)) !== 0) {
      return refuse(`is there one already? Delete it: ${kind} delete cluster --name ${CLUSTER}`);
    }
    try {
      const tests = process.argv.slice(2);
      const runner = join(import.meta.dirname, 'run.ts');
      return await run(process.execPath, [runner, ...(tests.length === 0 ? [TESTS] : tests)], env);
    } finally {
      await run(kind, ['delete', 'cluster', '--name', CLUSTER], env);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** That of PATH, or one that go installs once for all runs of this user. */
async function findKind(): Promise<string | undefined> {
  if (spawnSync('kind', ['version'], { stdio: 'ignore' }).status === 0) return 'kind';
  const folder = join(homedir(), '.cache/proplane', `kind-${KIND_VERSION}`);
  const kind = join(folder, 'kind');
  if (existsSync(kind)) return kind;
  const env = { ...process.env, GOBIN: folder };
  return (await run('go', ['install', `sigs.k8s.io/kind@${KIND_VERSION}`], env)) === 0 ? kind : undefined;
}

/** @returns its exit code, not 0 when it does not start. */
function run(program: string, options: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: 'inherit', env });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function refuse(reason: string): number {
  console.error(`make e2e-kind: ${reason}`);
  return 1;
}
