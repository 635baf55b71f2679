import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { noteStart } from './file-costs.ts';
import { freePorts } from './free-ports.ts';
import { fleetingStorage, secantusDbCommand } from './secantusdb.ts';
import { type Part, sharedPart } from './shared-part.ts';

const LONGEST_START = 60_000;

/** The server that all test files of a run share: that of `MONGODB_URI` when it is set. A test takes its own database. */
export function mongodbPart(): Promise<Part> {
  return sharedPart('mongodb', async () => {
    const uri = process.env.MONGODB_URI;
    if (uri !== undefined && uri !== '') return { address: uri };
    // It outlives the process of the test file that starts it.
    const { child, uri: address } = await start({}, { detached: true });
    child.unref();
    return { address, ...(child.pid === undefined ? {} : { pid: child.pid }) };
  });
}

export interface MongodbServerOptions {
  /** Where it keeps its data; nothing is kept when absent. */
  readonly folder?: string;
  /** A free one when absent. */
  readonly port?: number;
}

/**
 * A server of one test, which may end it, pause it, and start another on the same folder and port.
 * @throws Error when it does not start.
 */
export async function startMongodbServer(options: MongodbServerOptions = {}): Promise<MongodbServer> {
  return new MongodbServer(await start(options));
}

export class MongodbServer {
  readonly uri: string;
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  constructor({ child, uri, port }: Started) {
    this.#child = child;
    this.uri = uri;
    this.port = port;
    this.pid = child.pid ?? 0;
  }

  /** Ends it in order; now and then it ignores the first signal. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await end(this.#child, 'SIGTERM');
    clearTimeout(late);
  }

  /** Ends it as a crash does. */
  kill(): Promise<void> {
    return end(this.#child, 'SIGKILL');
  }

  /** It keeps its connections and answers nothing until `resume`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly uri: string;
  readonly port: number;
}

/** @throws Error when it cannot be installed or does not answer. */
function start(wanted: MongodbServerOptions, options: SpawnOptions = {}): Promise<Started> {
  return noteStart('MongoDB', () => startProcess(wanted, options));
}

async function startProcess({ folder, port: wanted }: MongodbServerOptions, options: SpawnOptions): Promise<Started> {
  const [program, ...before] = await secantusDbCommand();
  const [port = 0] = wanted === undefined ? await freePorts(1) : [wanted];
  // What it leaves when it is killed goes with the folder of the run.
  const scratch = await mkdtemp(join(process.env.PROPLANE_TEST_RUN ?? tmpdir(), 'mongodb-'));
  const log = join(scratch, 'log');
  const output = openSync(log, 'a');
  // Without --sync-on-commit a kill may take back what was answered.
  const storage = folder === undefined ? [fleetingStorage(scratch)] : [folder, '--sync-on-commit'];
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(program, [...before, ...address, '--storage-path', ...storage], {
    ...options,
    stdio: ['ignore', output, output],
    env: { ...process.env, TMPDIR: scratch },
  });
  const uri = `mongodb://127.0.0.1:${port}/`;
  const until = Date.now() + LONGEST_START;
  while (Date.now() < until && child.exitCode === null && child.signalCode === null) {
    if (await answers(uri)) return { child, uri, port };
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`the MongoDB server did not start: ${readFileSync(log, 'utf8')}`);
}

async function answers(uri: string): Promise<boolean> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 500 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
