import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION } from '../model/resource/identity.ts';
import { programEnvironment } from '../test/harness/program-environment.ts';
import { terminalMissing } from '../test/harness/terminal.ts';
import type { Figure } from './servers.ts';

const ROOT = join(import.meta.dirname, '..');
const MANIFESTS = Number(process.env.PROPLANE_BENCH_MANIFESTS ?? 10_000);
/** So long after all are Ready the process is at rest: everything was looked at once more by then. */
const UNQUIET_S = 130;
const OBSERVED_S = 60;
/** Of `/proc/<pid>/stat`, on every Linux. */
const TICKS_PER_SECOND = 100;
const PROPERTY = 'com.example.bench.days';

/** What a folder of manifests costs while nothing changes, as shares of one processor, and how soon all are Ready. */
export async function atRestBenchmark(): Promise<Figure[]> {
  if (process.platform !== 'linux') {
    console.log('manifests at rest: skipped, there is no /proc');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'proplane-bench-'));
  try {
    mkdirSync(join(folder, 'none/resources'), { recursive: true });
    const empty = await observed(await Start.of(join(folder, 'none'), 0, 'pipe'));
    writeManifests(join(folder, 'many'));
    const begun = performance.now();
    const piped = await Start.of(join(folder, 'many'), MANIFESTS, 'pipe');
    const readyS = (performance.now() - begun) / 1000;
    console.log(`${MANIFESTS} manifests Ready from nothing after ${readyS.toFixed(0)} s`);
    const figures = [
      {
        name: `${MANIFESTS} manifests at rest, piped`,
        value: await observed(piped),
        baseline: empty,
        unit: '% of a core',
      },
    ];
    const missing = terminalMissing();
    if (missing !== undefined) console.log(`manifests at rest in a terminal: skipped, ${missing}`);
    else {
      const value = await observed(await Start.of(join(folder, 'many'), MANIFESTS, 'terminal'));
      figures.push({
        name: `${MANIFESTS} manifests at rest, in a terminal`,
        value,
        baseline: empty,
        unit: '% of a core',
      });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file each, as people write them: one property, and datasets that hold a value of it. */
function writeManifests(folder: string): void {
  const resources = join(folder, 'resources');
  mkdirSync(resources, { recursive: true });
  const write = (kind: string, name: string, spec: object): void =>
    writeFileSync(
      join(resources, `${name}.yaml`),
      JSON.stringify({ apiVersion: API_VERSION, kind, metadata: { name, namespace: 'bench' }, spec }, undefined, 2),
    );
  write('StructuredProperty', 'days', { qualifiedName: PROPERTY, valueType: 'number', entityTypes: ['dataset'] });
  for (let index = 1; index < MANIFESTS; index += 1)
    write('DatasetProperties', `table-${index}`, {
      datasetUrn: `urn:li:dataset:(urn:li:dataPlatform:hive,bench.table_${index},PROD)`,
      whenMissing: 'Create',
      properties: [{ propertyRef: { name: 'days' }, values: [index % 1000] }],
    });
}

/** Waits until it is at rest, looks at it for a while and ends it. @returns its share of a processor, in percent. */
async function observed(start: Start): Promise<number> {
  await sleep(start.manifests === 0 ? 10_000 : UNQUIET_S * 1000);
  const [before, begun] = [start.processorSeconds, performance.now()];
  await sleep(OBSERVED_S * 1000);
  const share = (100_000 * (start.processorSeconds - before)) / (performance.now() - begun);
  console.log(
    `${start.manifests} manifests, ${start.output}: ${share.toFixed(1)} % of a core, ${start.megabytes.toFixed(0)} MB`,
  );
  await start.stop();
  return share;
}

/** What `npm start` runs, on free ports, over a folder that has its data and its manifests. */
class Start {
  readonly manifests: number;
  readonly output: 'pipe' | 'terminal';
  readonly #child: ChildProcess;
  #said = '';

  private constructor(child: ChildProcess, manifests: number, output: 'pipe' | 'terminal') {
    this.#child = child;
    this.manifests = manifests;
    this.output = output;
    child.stdout?.on('data', (part: Buffer) => {
      this.#said += String(part);
    });
  }

  /** @returns when all manifests are Ready. */
  static async of(folder: string, manifests: number, output: 'pipe' | 'terminal'): Promise<Start> {
    const words = [process.execPath, 'start/main.ts'];
    const [program = '', ...options] =
      output === 'pipe' ? words : ['script', '-qec', `stty cols 120 rows 40; exec ${words.join(' ')}`, '/dev/null'];
    const child = spawn(program, options, {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...programEnvironment(),
        TERM: 'xterm',
        SHELL: '/bin/sh',
        API_PORT: '0',
        FRONTEND_PORT: '0',
        DATA_DIR: join(folder, 'data'),
        MANIFESTS: join(folder, 'resources'),
      },
    });
    const start = new Start(child, manifests, output);
    while (start.#ready < manifests || !start.#said.includes('Log ')) {
      if (child.exitCode !== null) throw new Error(`the process ended:\n${start.#said}`);
      await sleep(200);
    }
    return start;
  }

  /** Since the start, of the process and those that it has started. */
  get processorSeconds(): number {
    const ticks = this.#tree.map((pid) => {
      const fields = statOf(pid);
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
  }

  /** Memory that is in use. */
  get megabytes(): number {
    const kilobytes = this.#tree.map((pid) =>
      Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
    );
    return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    process.kill(this.#tree.at(-1) ?? 0, 'SIGINT');
    await ended;
  }

  /** How many resources are Ready, as it tells. */
  get #ready(): number {
    if (this.output === 'pipe') return new Set(this.#said.match(/^✓ \S+ \S+/gmu)).size;
    return Number([...this.#said.slice(-20_000).matchAll(/(\d+) ready/gu)].at(-1)?.[1] ?? 0);
  }

  /** The process and those below it. */
  get #tree(): number[] {
    const parents = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
    const parentOf = new Map(parents.map((pid) => [Number(pid), parent(pid)]));
    const tree = [this.#child.pid ?? 0];
    for (const pid of tree) tree.push(...[...parentOf].filter(([, above]) => above === pid).map(([below]) => below));
    return tree;
  }
}

/** What `/proc/<pid>/stat` says behind the name of the program, which is in brackets and may have spaces. */
function statOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
}

function parent(pid: string): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
