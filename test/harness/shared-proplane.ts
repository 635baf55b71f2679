import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment } from './program-environment.ts';
import { type Part, sharedPart } from './shared-part.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONGEST_START = 60_000;

/**
 * An embedded server, empty at first, that all test files of a run share: each uses names of its own. What it keeps is
 * in the folder of the run.
 * @returns its address.
 */
export async function sharedProplane(): Promise<string> {
  const part = await sharedPart('proplane', start);
  if ('missing' in part) throw new Error(part.missing);
  return part.address;
}

async function start(): Promise<Part> {
  const folder = process.env.PROPLANE_TEST_RUN ?? '';
  const output = join(folder, 'proplane.output');
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
      DATA_DIR: join(folder, 'proplane.data'),
      REQUEST_TIMEOUT_S: '5',
    },
  });
  child.unref();
  const until = Date.now() + LONGEST_START;
  while (Date.now() < until && child.exitCode === null) {
    const address = /API server +(http:\S+)/u.exec(readFileSync(output, 'utf8'))?.[1];
    if (address !== undefined) return { address, ...(child.pid === undefined ? {} : { pid: child.pid }) };
    await sleep(20);
  }
  return { missing: `Proplane did not start:\n${readFileSync(output, 'utf8')}` };
}
