import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { createDirectoryOperator } from '../../operator/directory-operator.ts';
import type { OperatorEvent } from '../../operator/event.ts';
import type { Operator } from '../../operator/operator.ts';
import type { ResourceRow } from '../../operator/snapshot.ts';
import { LEASE_TIMES } from '../../operator/source-lease.ts';
import { eventually } from './api.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TestClock } from './test-clock.ts';

export interface BenchOptions {
  readonly resyncSeconds?: number;
  readonly adoptsUnowned?: boolean;
  readonly confirmDeletions?: boolean;
  readonly sourceName?: string;
  /** Renewed at a third of that; so seldom, when absent, that no test sees it. */
  readonly leaseMs?: number;
  /** Globs; every `.yaml` below `resources` when absent. */
  readonly manifests?: readonly string[];
}

/** What a test waits for is looked at every so many ms, and so much time of the operator passes in between. */
const INTERVAL_MS = 5;
const STEP_MS = 250;
const LONGEST_MS = 60_000;

/**
 * A folder of manifests and an operator over it, that can be stopped and started again. Its time passes only while a test
 * waits for something here, or lets it pass: what files and requests take of real time does not count.
 */
export class OperatorBench {
  readonly folder: string;
  readonly events: OperatorEvent[] = [];
  readonly clock: TestClock;
  readonly #host: string;
  readonly #remove: () => Promise<void>;
  #operator: Operator | undefined;
  #looks = 0;

  private constructor(host: string, clock: TestClock, folder: string, remove: () => Promise<void>) {
    this.#host = host;
    this.clock = clock;
    this.folder = folder;
    this.#remove = remove;
  }

  static async create(host: string, clock = new TestClock()): Promise<OperatorBench> {
    const { path, remove } = await temporaryFolder();
    await mkdir(join(path, 'resources'));
    return new OperatorBench(host, clock, path, remove);
  }

  get operator(): Operator {
    if (this.#operator === undefined) throw new Error('the operator does not run');
    return this.#operator;
  }

  async start({
    resyncSeconds = 3600,
    adoptsUnowned = true,
    confirmDeletions = false,
    sourceName = 'directory',
    leaseMs = 600_000,
    manifests = ['resources/**/*.yaml'],
  }: BenchOptions = {}): Promise<void> {
    this.#operator = createDirectoryOperator({
      host: this.#host,
      manifests,
      workingFolder: this.folder,
      sourceName,
      resyncSeconds,
      adoptsUnowned,
      confirmDeletions,
      leaseTimes: { ...LEASE_TIMES, leaseMs },
      clock: this.clock,
      log: pino({ level: 'silent' }),
    });
    this.#operator.on((event) => this.events.push(event));
    let hasStarted = false;
    const starting = this.#operator.start().then(() => {
      hasStarted = true;
    });
    await this.eventually(async () => {
      if (!hasStarted) throw new Error('the operator has not started');
    });
    await starting;
  }

  async stop(): Promise<void> {
    await this.#operator?.stop();
    this.#operator = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    this.clock.stop();
    await this.#remove();
  }

  /** Writes documents (objects, or texts as they are) to a file below `resources/`. */
  async write(file: string, ...documents: (object | string)[]): Promise<void> {
    const path = join(this.folder, 'resources', file);
    await mkdir(dirname(path), { recursive: true });
    const texts = documents.map((document) => (typeof document === 'string' ? document : stringify(document)));
    await writeFile(path, texts.join('---\n'));
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.folder, 'resources', file));
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(join(this.folder, from), join(this.folder, to));
  }

  row(name: string): ResourceRow | undefined {
    return this.operator.snapshot().rows.find((row) => row.name === name);
  }

  /** Lets time pass until the check holds. */
  eventually<T>(check: () => Promise<T>): Promise<T> {
    const look = async () => {
      try {
        return await check();
      } catch (error) {
        await this.clock.advance(STEP_MS);
        throw error;
      }
    };
    return eventually(look, LONGEST_MS, INTERVAL_MS);
  }

  /** Waits until the resource has one of the reasons, and until what has to do with it is done and stored. */
  async reason(name: string, ...reasons: string[]): Promise<ResourceRow> {
    const found = await this.eventually(async () => {
      const row = this.row(name);
      if (row === undefined || !reasons.includes(row.reason)) {
        throw new Error(`${name} is ${row?.state} ${row?.reason}: ${row?.message}`);
      }
      return row;
    });
    await this.quiet();
    return found;
  }

  /** Waits until there is nothing to do at once; no time passes. */
  async quiet(): Promise<void> {
    const isQuiet = async () => {
      if (!this.operator.idle) throw new Error('the operator is at work');
    };
    await eventually(isQuiet, LONGEST_MS, INTERVAL_MS);
  }

  /** Waits until it has looked at the files as they are now: it says of one that it is not meant, then no more. */
  async look(): Promise<void> {
    this.#looks += 1;
    const kind = `Look${this.#looks}`;
    const isSeen = () => this.operator.snapshot().problems.some(({ message }) => message.includes(kind));
    await this.write('look.yaml', { apiVersion: 'v1', kind });
    await this.eventually(async () => {
      if (!isSeen()) throw new Error('it has not looked at the files');
    });
    await this.remove('look.yaml');
    await this.eventually(async () => {
      if (isSeen()) throw new Error('it has not looked at the files again');
    });
  }

  /** Lets so much time pass, in ms, and everything happen that does: it has looked at the files before and afterwards. */
  async pass(ms: number): Promise<void> {
    await this.look();
    await this.clock.advance(ms);
    await this.look();
    await this.quiet();
  }
}
