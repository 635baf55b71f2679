import { extname } from 'node:path';
import { checkConditionSize } from '../condition-size.ts';
import { SearchError } from '../errors.ts';
import {
  type AggregateRequest,
  type IndexChange,
  type IndexEntries,
  type IndexedVersion,
  MAX_MATCHING_VALUES,
  type Rebuild,
  type SearchIndex,
  type SearchRequest,
  type SearchResult,
  type ValueCount,
} from '../port.ts';
import type { WorkerMethods } from './worker.ts';
import { messageOf, WorkerClient } from './worker-client.ts';

/**
 * The search index in an SQLite file, which it may share with the store. `node:sqlite` blocks, so the connection lives in
 * a worker thread: a long query delays other searches, not the server.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #worker: WorkerClient;
  #closed: Promise<void> | undefined;

  private constructor(worker: WorkerClient) {
    this.#worker = worker;
  }

  /** Opens the file, creating it and the tables where needed. `maxMatchingValues`: another limit, for tests. */
  static async open({
    path,
    maxMatchingValues = MAX_MATCHING_VALUES,
  }: {
    readonly path: string;
    readonly maxMatchingValues?: number;
  }): Promise<SqliteSearchIndex> {
    // in development this file is TypeScript, and so is the worker
    const worker = new WorkerClient(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
    const index = new SqliteSearchIndex(worker);
    try {
      await index.#call('open', { path, maxMatchingValues });
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return index;
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    checkConditionSize(request.condition);
    return (await this.#call('search', request)) as SearchResult;
  }

  async aggregate(request: AggregateRequest): Promise<ValueCount[]> {
    checkConditionSize(request.condition);
    return (await this.#call('aggregate', request)) as ValueCount[];
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
    const state = (await this.#call('rebuild', id)) as Rebuild['state'];
    const finish = async () => {
      await this.#call('finish', id);
    };
    return { state, finish, ...this.#entries(id) };
  }

  async abandonRebuild(id: string): Promise<void> {
    await this.#call('abandonRebuild', id);
  }

  async ping(): Promise<void> {
    await this.#call('ping', undefined);
  }

  /** Answers what was asked before, then ends the worker. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      await this.#worker.call('close');
    } catch {
      // a worker that has died is closed
    }
    await this.#worker.terminate();
  }

  #entries(rebuild?: string): IndexEntries {
    return {
      apply: async (changes) => {
        if (changes.length > 0) await this.#call('apply', { changes, rebuild });
      },
      versions: async (urns) => (await this.#call('versions', { urns, rebuild })) as IndexedVersion[],
      scan: async (after, limit) => (await this.#call('scan', { after, limit, rebuild })) as IndexedVersion[],
      fields: async () => (await this.#call('fields', { rebuild })) as string[],
    };
  }

  async #call<M extends keyof WorkerMethods>(method: M, argument: WorkerMethods[M]): Promise<unknown> {
    if (this.#closed !== undefined) throw new SearchError('unavailable', 'The search index is closed');
    try {
      return await this.#worker.call(method, argument);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'too-large') throw new SearchError('too-large', messageOf(error));
      throw new SearchError('unavailable', `The search index did not answer: ${messageOf(error)}`);
    }
  }
}
