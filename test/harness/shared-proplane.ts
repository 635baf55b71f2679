import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment } from './program-environment.ts';
import { type Part, sharedPart } from './shared-part.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONGEST_START = 60_000;

export interface SharedProplane {
  readonly address: string;
  readonly frontend: string;
}

/**
 * A server, empty at first, that all test files of a run share: each uses names of its own. What it keeps is in the
 * folder of the run.
 * @param environment of the process, where it is the first that asks for this name: which backends, if not the embedded.
 */
export async function sharedProplane(
  name = 'proplane',
  environment: Readonly<Record<string, string>> = { REQUEST_TIMEOUT_S: '5' },
): Promise<SharedProplane> {
  const part = await sharedPart(name, () => start(name, environment));
  if ('missing' in part) throw new Error(part.missing);
  return { address: part.address, frontend: part.frontend ?? '' };
}

async function start(name: string, environment: Readonly<Record<string, string>>): Promise<Part> {
  const folder = process.env.PROPLANE_TEST_RUN ?? '';
  const output = join(folder, `${name}.output`);
  const file = openSync(output, 'a');
  // It outlives the process of the test file that starts it.
  const child = spawn(process.execPath, ['start/main.ts'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', file, file],
    env: {
      ...programEnvironment(),
      API_PORT: '0',
      FRONTEND_PORT: '0',
      DATA_DIR: join(folder, `${name}.data`),
      ...environment,
    },
  });
  child.unref();
  const until = Date.now() + LONGEST_START;
  while (Date.now() < until && child.exitCode === null) {
    const text = readFileSync(output, 'utf8');
    const address = /API server +(http:\S+)/u.exec(text)?.[1];
    const frontend = /Frontend +(http:\S+)/u.exec(text)?.[1];
    if (address !== undefined && frontend !== undefined)
      return { address, frontend, ...(child.pid === undefined ? {} : { pid: child.pid }) };
    await sleep(20);
  }
  return { missing: `Proplane did not start:\n${readFileSync(output, 'utf8')}` };
}
