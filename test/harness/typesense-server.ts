import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, chown, copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteStart } from './file-costs.ts';
import { freePorts } from './free-ports.ts';
import { type Part, sharedPart } from './shared-part.ts';
import { typesenseBinary } from './typesense-binary.ts';

/** Of every server that tests start; a server of TYPESENSE_URL has its own in TYPESENSE_API_KEY. */
export const TYPESENSE_API_KEY = process.env.TYPESENSE_API_KEY ?? 'key-of-tests';

const NOBODY = 65_534;
const START_TIMEOUT = 60_000;
const STOP_TIMEOUT = 5_000;

/** A Typesense server for all test files of a run: that of TYPESENSE_URL, or one of this machine's own. */
export async function typesensePart(): Promise<Part> {
  const address = process.env.TYPESENSE_URL;
  if (address !== undefined && address !== '') return { address };
  return sharedPart('typesense', async () => {
    const run = process.env.PROPLANE_TEST_RUN ?? tmpdir();
    // the server, which runs as somebody else, has to get to its data; test/run.ts removes them
    chmodSync(run, 0o711);
    const server = await TypesenseServer.prepare(await mkdtemp(join(run, 'typesense-')));
    await server.start({ detached: true });
    return { address: server.url, pid: server.pid };
  });
}

/** A server for one test alone, which may do to it what it likes. */
export async function startTypesenseServer(): Promise<TypesenseServer> {
  const server = await TypesenseServer.prepare(await mkdtemp(join(tmpdir(), 'proplane-typesense-')));
  await server.start();
  return server;
}

/** A server process on free ports of the loopback interface, with data in a folder of its own. */
export class TypesenseServer {
  readonly apiKey = TYPESENSE_API_KEY;
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #peeringPort: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number, peeringPort: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#folder = folder;
    this.#port = port;
    this.#peeringPort = peeringPort;
  }

  /** Everything but the process. A server that tests start as root runs as nobody. */
  static async prepare(folder: string): Promise<TypesenseServer> {
    const [port = 0, peeringPort = 0] = await freePorts(2);
    const binary = await typesenseBinary();
    const data = join(folder, 'data');
    await mkdir(data);
    await chmod(folder, 0o755);
    if (isRoot()) await chown(data, NOBODY, NOBODY);
    // nobody may be kept from the home folder, where the binary is
    const own = join(folder, 'typesense-server');
    await link(binary, own).catch(() => copyFile(binary, own));
    return new TypesenseServer(folder, port, peeringPort);
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the process, also again after `kill`, on the same address and data; waits until it is healthy. */
  start(options: SpawnOptions = {}): Promise<void> {
    return noteStart('Typesense', () => this.#startProcess(options));
  }

  async #startProcess(options: SpawnOptions): Promise<void> {
    const output = join(this.#folder, 'output');
    const file = openSync(output, 'a');
    const child = spawn(join(this.#folder, 'typesense-server'), this.#options(), {
      cwd: join(this.#folder, 'data'),
      ...options,
      stdio: ['ignore', file, file],
      ...(isRoot() && { uid: NOBODY, gid: NOBODY }),
    });
    closeSync(file);
    child.unref();
    this.#child = child;
    const failed = once(child, 'error').then(([error]) => String(error));
    const until = Date.now() + START_TIMEOUT;
    while (!(await this.#isHealthy())) {
      const failure = await Promise.race([failed, sleep(100)]);
      if (failure !== undefined || hasEnded(child) || Date.now() > until) {
        await this.kill();
        const said = readFileSync(output, 'utf8').split('\n').slice(-20).join('\n');
        throw new Error(`the Typesense server does not start: ${failure ?? ''}\n${said}`);
      }
    }
  }

  /** Ends it as a crash does; its data stay. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Nothing is answered any more, though connections are taken. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it for good and removes its data. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.pid === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    child.kill(signal);
    await ended;
    clearTimeout(impatience);
  }

  #options(): string[] {
    return [
      `--data-dir=${join(this.#folder, 'data')}`,
      `--api-key=${this.apiKey}`,
      '--api-address=127.0.0.1',
      `--api-port=${this.#port}`,
      '--peering-address=127.0.0.1',
      `--peering-port=${this.#peeringPort}`,
    ];
  }

  async #isHealthy(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(2_000) });
      return ((await response.json()) as { ok?: boolean }).ok === true;
    } catch {
      return false;
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
