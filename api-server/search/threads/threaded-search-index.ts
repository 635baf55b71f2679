import { setTimeout as sleep } from 'node:timers/promises';
import { checkConditionSize } from '../condition-size.ts';
import type {
  AggregateRequest,
  IndexChange,
  IndexEntries,
  IndexedVersion,
  Rebuild,
  SearchIndex,
  SearchRequest,
  SearchResult,
  ValueCount,
} from '../port.ts';
import { slicesOf } from './change-slices.ts';
import { ThreadPool } from './thread-pool.ts';

/** What each method of the engine takes, as it crosses to a thread; `rebuild` is the id of a rebuild. */
export interface EngineMethods {
  apply: { rebuild?: string | undefined; changes: readonly IndexChange[] };
  search: SearchRequest;
  aggregate: AggregateRequest;
  versions: { rebuild?: string | undefined; urns: readonly string[] };
  scan: { rebuild?: string | undefined; after: string | undefined; limit: number };
  fields: { rebuild?: string | undefined };
  rebuild: string;
  finish: string;
  abandonRebuild: string;
  ping: undefined;
}

export interface ThreadsOptions {
  /** A file that serves the methods of an engine (serve-calls.ts), and `open` and `close`. */
  readonly module: URL;
  /** What `open` is given in a thread that writes, and in one that answers searches. */
  readonly writing: unknown;
  readonly searching: unknown;
  /** Threads for searches. */
  readonly searchers: number;
  /** Calls that one thread is given at a time. */
  readonly callsEach: number;
  /** How long a thread may be at one search, in ms. */
  readonly longestSearch: number;
  /** How long others may write between two slices of changes, in ms. */
  readonly pause: number;
}

/** In ms; a thread may be at one slice of changes for so long. */
const WRITING = { patience: 120_000, longest: 30_000 };
/** To drop an index of millions of entries. */
const REBUILDING = { patience: 900_000, longest: 600_000 };
/** Where a search does not say how long its answer is waited for. */
const PATIENCE = 60_000;
/** Somebody asks how the index is, and waits for it. */
const PING = { patience: 2_000, longest: 30_000 };

/**
 * A search index whose engine lives in threads: whatever a search or a write costs, the thread that serves requests goes
 * on. Searches have threads of their own, so they do not wait for writes, nor the other way round.
 *
 * A search sees what was applied before it was asked; `versions`, `scan` and `fields` see also what is still being
 * applied.
 */
export class ThreadedSearchIndex implements SearchIndex {
  readonly #writer: ThreadPool;
  readonly #searchers: ThreadPool;
  readonly #longestSearch: number;
  readonly #pause: number;

  constructor({ module, writing, searching, searchers, callsEach, longestSearch, pause }: ThreadsOptions) {
    this.#writer = new ThreadPool({ module, open: writing, threads: 1, callsEach });
    this.#searchers = new ThreadPool({ module, open: searching, threads: searchers, callsEach });
    this.#longestSearch = longestSearch;
    this.#pause = pause;
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.#ask('search', request) as Promise<SearchResult>;
  }

  aggregate(request: AggregateRequest): Promise<ValueCount[]> {
    return this.#ask('aggregate', request) as Promise<ValueCount[]>;
  }

  apply(changes: readonly IndexChange[]): Promise<void> {
    return this.#entries().apply(changes);
  }

  versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.#entries().versions(urns);
  }

  scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.#entries().scan(after, limit);
  }

  fields(): Promise<string[]> {
    return this.#entries().fields();
  }

  async rebuild(id: string): Promise<Rebuild> {
    const state = (await this.#write('rebuild', id, REBUILDING)) as Rebuild['state'];
    const finish = async () => {
      await this.#write('finish', id, REBUILDING);
    };
    return { state, finish, ...this.#entries(id) };
  }

  async abandonRebuild(id: string): Promise<void> {
    await this.#write('abandonRebuild', id, REBUILDING);
  }

  async ping(): Promise<void> {
    await this.#searchers.call('ping', undefined, PING);
  }

  /** Waits until what is written can be: the tables are there, or the file cannot be opened. */
  async begin(): Promise<void> {
    await this.#write('ping', undefined);
  }

  /** Answers what was asked before, then ends the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#searchers.close()]);
  }

  #entries(rebuild?: string): IndexEntries {
    return {
      apply: async (changes) => {
        let isFirst = true;
        for (const slice of slicesOf(changes)) {
          if (!isFirst) await sleep(this.#pause);
          isFirst = false;
          await this.#write('apply', { changes: slice, rebuild });
        }
      },
      versions: async (urns) => (await this.#write('versions', { urns, rebuild })) as IndexedVersion[],
      scan: async (after, limit) => (await this.#write('scan', { after, limit, rebuild })) as IndexedVersion[],
      fields: async () => (await this.#write('fields', { rebuild })) as string[],
    };
  }

  async #ask<M extends 'search' | 'aggregate'>(method: M, request: EngineMethods[M]): Promise<unknown> {
    checkConditionSize(request.condition);
    const limits = { patience: request.patience ?? PATIENCE, longest: this.#longestSearch };
    return this.#searchers.call(method, request, limits);
  }

  #write<M extends keyof EngineMethods>(method: M, argument: EngineMethods[M], limits = WRITING): Promise<unknown> {
    return this.#writer.call(method, argument, limits);
  }
}
