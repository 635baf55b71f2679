import { DatabaseSync } from 'node:sqlite';
import type {
  AggregateRequest,
  IndexChange,
  IndexedVersion,
  Rebuild,
  SearchRequest,
  SearchResult,
  ValueCount,
} from '../port.ts';
import { Generation } from './generation.ts';
import { Matchers } from './matchers.ts';
import { createGeneration, dropLeftovers, prepareSchema } from './schema.ts';

export interface IndexFileOptions {
  readonly path: string;
  readonly maxMatchingValues: number;
  /** Another connection makes the tables, and writes. */
  readonly readOnly: boolean;
}

/** Words are written all over their index: a small cache would read it again and again. In KiB. */
const CACHE_KIB = 32 * 1024;

/**
 * The index in an SQLite file: the generation that answers, and beside it one that is being rebuilt. Which they are is
 * read within each transaction, because another connection may have changed it. Everything here blocks: it lives in a
 * worker thread.
 */
export class IndexFile {
  readonly #database: DatabaseSync;
  readonly #maxMatchingValues: number;
  readonly #matchers: Matchers;
  readonly #generations = new Map<number, Generation>();
  readonly #statements;

  constructor({ path, maxMatchingValues, readOnly }: IndexFileOptions) {
    this.#maxMatchingValues = maxMatchingValues;
    // the store writes to the same file: wait for it, 5 s at most
    this.#database = new DatabaseSync(path, { timeout: 5_000, readOnly });
    this.#database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    this.#matchers = new Matchers(this.#database);
    if (!readOnly) {
      prepareSchema(this.#database);
      dropLeftovers(this.#database);
    }
    this.#statements = {
      current: this.#database.prepare('SELECT generation FROM search_generations WHERE is_current'),
      all: this.#database.prepare('SELECT generation FROM search_generations ORDER BY is_current DESC'),
      ofRebuild: this.#database.prepare('SELECT generation, is_current FROM search_generations WHERE rebuild = ?'),
    };
  }

  /** Without a rebuild: to the index that answers, and to the one that is being rebuilt. */
  apply(changes: readonly IndexChange[], rebuild?: string): void {
    this.#write(() => {
      if (rebuild !== undefined) return this.#entries(rebuild).apply(changes);
      for (const { generation } of this.#statements.all.all()) this.#generation(generation).apply(changes);
    });
  }

  /** One transaction: the total belongs to the same state as the page. */
  search(request: SearchRequest): SearchResult {
    return this.#read(() => this.#entries().search(request));
  }

  aggregate(request: AggregateRequest): ValueCount[] {
    return this.#read(() => this.#entries().aggregate(request));
  }

  versions(urns: readonly string[], rebuild?: string): IndexedVersion[] {
    return this.#read(() => this.#entries(rebuild).versions(urns));
  }

  scan(after: string | undefined, limit: number, rebuild?: string): IndexedVersion[] {
    return this.#read(() => this.#entries(rebuild).scan(after, limit));
  }

  fields(rebuild?: string): string[] {
    return this.#read(() => this.#entries(rebuild).fields());
  }

  rebuild(id: string): Rebuild['state'] {
    const state = this.#write(() => {
      const found = this.#statements.ofRebuild.get(id);
      if (found !== undefined) return found.is_current === 1 ? 'finished' : 'resumed';
      this.#database.exec('DELETE FROM search_generations WHERE NOT is_current');
      createGeneration(this.#database, { isCurrent: false, rebuild: id });
      return 'begun';
    });
    if (state === 'begun') this.#dropLeftovers();
    return state;
  }

  finish(rebuild: string): void {
    this.#write(() => {
      const found = this.#statements.ofRebuild.get(rebuild);
      if (found === undefined) throw noSuchRebuild(rebuild);
      if (found.is_current === 1) return;
      this.#database.exec('DELETE FROM search_generations WHERE is_current');
      this.#database.exec('UPDATE search_generations SET is_current = 1');
    });
    this.#dropLeftovers();
  }

  abandonRebuild(id: string): void {
    this.#write(() =>
      this.#database.prepare('DELETE FROM search_generations WHERE rebuild = ? AND NOT is_current').run(id),
    );
    this.#dropLeftovers();
  }

  ping(): void {
    this.#read(() => this.#entries().versions(['']));
  }

  close(): void {
    this.#database.close();
  }

  /** Of a rebuild, or of the index that answers. */
  #entries(rebuild?: string): Generation {
    if (rebuild === undefined) return this.#generation(this.#statements.current.get()?.generation);
    const found = this.#statements.ofRebuild.get(rebuild);
    if (found === undefined || found.is_current === 1) throw noSuchRebuild(rebuild);
    return this.#generation(found.generation);
  }

  #generation(number: unknown): Generation {
    const known = this.#generations.get(Number(number));
    if (known !== undefined) return known;
    // others are gone, or will be
    for (const other of this.#generations.keys()) if (!this.#isThere(other)) this.#generations.delete(other);
    const generation = new Generation(this.#database, Number(number), this.#matchers, this.#maxMatchingValues);
    this.#generations.set(Number(number), generation);
    return generation;
  }

  #isThere(number: number): boolean {
    return this.#statements.all.all().some(({ generation }) => generation === number);
  }

  #dropLeftovers(): void {
    this.#generations.clear();
    dropLeftovers(this.#database);
  }

  #read<T>(work: () => T): T {
    return this.#inTransaction('BEGIN', work);
  }

  /** "Immediate": a transaction that starts by reading cannot wait for another writer later. */
  #write<T>(work: () => T): T {
    return this.#inTransaction('BEGIN IMMEDIATE', work);
  }

  #inTransaction<T>(begin: string, work: () => T): T {
    this.#database.exec(begin);
    try {
      const outcome = work();
      this.#database.exec('COMMIT');
      return outcome;
    } catch (error) {
      // some errors (a full disk) have rolled back already
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function noSuchRebuild(id: string): Error {
  return new Error(`The index has no rebuild ${id}: it was finished or abandoned`);
}
