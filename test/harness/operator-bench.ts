import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { createDirectoryOperator } from '../../operator/directory-operator.ts';
import type { OperatorEvent } from '../../operator/event.ts';
import type { Operator } from '../../operator/operator.ts';
import type { ResourceRow } from '../../operator/snapshot.ts';
import type { Patience } from '../../operator/source/directory/deletion-guard.ts';
import { eventually } from './api.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface BenchOptions {
  readonly resyncSeconds?: number;
  readonly adoptsUnowned?: boolean;
  readonly confirmDeletions?: boolean;
  readonly sourceName?: string;
  readonly patience?: Patience;
  /** Renewed at a third of that; so seldom, when absent, that no test sees it. */
  readonly leaseMs?: number;
  /** Globs; every `.yaml` below `resources` when absent. */
  readonly manifests?: readonly string[];
}

/** What a test can wait for. */
export const IMPATIENCE: Patience = { goneMs: 1000, stillMs: 0 };

/** A folder of manifests and an operator over it, that can be stopped and started again. */
export class OperatorBench {
  readonly folder: string;
  readonly events: OperatorEvent[] = [];
  readonly #host: string;
  readonly #remove: () => Promise<void>;
  #operator: Operator | undefined;

  private constructor(host: string, folder: string, remove: () => Promise<void>) {
    this.#host = host;
    this.folder = folder;
    this.#remove = remove;
  }

  static async create(host: string): Promise<OperatorBench> {
    const { path, remove } = await temporaryFolder();
    await mkdir(join(path, 'resources'));
    return new OperatorBench(host, path, remove);
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
    patience = IMPATIENCE,
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
      patience,
      leaseTimes: { leaseMs, retryMs: 50 },
      log: pino({ level: 'silent' }),
    });
    this.#operator.on((event) => this.events.push(event));
    await this.#operator.start();
  }

  async stop(): Promise<void> {
    await this.#operator?.stop();
    this.#operator = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
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

  /** Waits until the resource has one of the reasons, and until what has to do with it is done and stored. */
  async reason(name: string, ...reasons: string[]): Promise<ResourceRow> {
    const found = await eventually(async () => {
      const row = this.row(name);
      if (row === undefined || !reasons.includes(row.reason)) {
        throw new Error(`${name} is ${row?.state} ${row?.reason}: ${row?.message}`);
      }
      return row;
    });
    await this.quiet();
    return found;
  }

  /** Waits until there is nothing to do at once. */
  async quiet(): Promise<void> {
    await eventually(async () => {
      if (!this.operator.idle) throw new Error('the operator is at work');
    });
  }
}
