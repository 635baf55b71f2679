import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { noteStart } from './file-costs.ts';
import { programEnvironment } from './program-environment.ts';

const PROGRAM = join(import.meta.dirname, '../../cli/main.ts');

export interface PlanRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `proplane plan` as a process of its own in a folder, with variables of the environment if they are given. */
export function runPlan(
  place: string | { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
  host: string,
  ...options: readonly string[]
): Promise<PlanRun> {
  return noteStart('command', () => run(place, host, options));
}

async function run(
  place: string | { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
  host: string,
  options: readonly string[],
): Promise<PlanRun> {
  const { folder, environment } = typeof place === 'string' ? { folder: place, environment: {} } : place;
  const child = spawn(process.execPath, [PROGRAM, 'plan', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment(), HOME: folder, PROPLANE_HOST: host, ...environment },
  });
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('close', resolve)));
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}
