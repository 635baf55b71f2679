import { extname } from 'node:path';
import { checkConditionSize } from '../condition-size.ts';
import { SearchError } from '../errors.ts';
import type { IndexChange, IndexedVersion, SearchIndex, SearchRequest, SearchResult } from '../port.ts';
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

  /** Opens the file, creating it and the tables where needed. */
  static async open({ path }: { readonly path: string }): Promise<SqliteSearchIndex> {
    // in development this file is TypeScript, and so is the worker
    const worker = new WorkerClient(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
    const index = new SqliteSearchIndex(worker);
    try {
      await index.#call('open', { path });
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return index;
  }

  async apply(changes: readonly IndexChange[]): Promise<void> {
    if (changes.length > 0) await this.#call('apply', changes);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    checkConditionSize(request.condition);
    return (await this.#call('search', request)) as SearchResult;
  }

  async versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return (await this.#call('versions', urns)) as IndexedVersion[];
  }

  async scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return (await this.#call('scan', { after, limit })) as IndexedVersion[];
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

  async #call<M extends keyof WorkerMethods>(method: M, argument: WorkerMethods[M]): Promise<unknown> {
    if (this.#closed !== undefined) throw new SearchError('unavailable', 'The search index is closed');
    try {
      return await this.#worker.call(method, argument);
    } catch (error) {
      throw new SearchError('unavailable', `The search index did not answer: ${messageOf(error)}`);
    }
  }
}
