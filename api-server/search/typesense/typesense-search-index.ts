import { checkConditionSize } from '../condition-size.ts';
import { SearchError } from '../errors.ts';
import {
  type AggregateRequest,
  type IndexChange,
  type IndexedVersion,
  MAX_MATCHING_VALUES,
  type Rebuild,
  type SearchIndex,
  type SearchRequest,
  type SearchResult,
  type ValueCount,
} from '../port.ts';
import { NotFoundError, TypesenseConnection } from './connection.ts';
import { TypesenseEntries } from './entries.ts';
import { type CurrentGenerations, Generations } from './generations.ts';
import { KnownColumns } from './known-columns.ts';
import { LARGEST_PAGE } from './pages.ts';
import { TypesenseRebuild } from './rebuild.ts';
import { generationTerm } from './terms.ts';

export interface TypesenseOptions {
  /** Such as `http://typesense:8108`. */
  readonly url: string;
  readonly apiKey: string;
  /** Starts the names of all collections and aliases, for installations that share a server. */
  readonly prefix?: string;
  /** How long one request to the server may take; a failed one is sent once more. */
  readonly timeoutSeconds?: number;
  readonly maxMatchingValues?: number;
}

/** How often an operation begins anew because the collections that it began with are gone. */
const ATTEMPTS = 5;

/**
 * The search index in a Typesense server, 0.24 or newer. What it decides itself can take a while: a server has it in
 * threads (typesense-threads.ts).
 *
 * The engine compares texts by words, doubles by 32 bits, and knows no ranges of texts and hardly a negation; so it is only given what it can take exactly:
 *
 * - Whatever can be said of an entity (it has the field, it has this value, it has this text in some case) is a *term*, a
 *   hash, in one list of the entry (terms.ts). Equality, existence and both their complements are lists of terms.
 * - Numbers are also there as integers in the same order (number-order.ts), for ranges.
 * - A *dictionary* of all distinct values decides what else is asked of texts; what it finds becomes a list of terms.
 * - URNs are ordered, and the next page found, by their bytes (pages.ts, text-order.ts).
 * - A condition becomes a *plan*, which has negations at its leaves only, and fits into one filter (plan.ts, fit-plan.ts).
 *
 * `apply` cannot be conditional or all-or-nothing in this engine: it reads the versions, then writes what is newer. One
 * writer at a time is expected. A write that arrives late, or the half of a call that failed, stays until it is repeated
 * or the index is compared with the store.
 *
 * Collections are made when they are first needed: the server may be away when the index is opened.
 */
export class TypesenseSearchIndex implements SearchIndex {
  readonly #connection: TypesenseConnection;
  readonly #generations: Generations;
  readonly #columns: KnownColumns;
  readonly #maxMatchingValues: number;

  private constructor(options: TypesenseOptions) {
    const { url, apiKey, prefix = 'proplane', timeoutSeconds = 10, maxMatchingValues = MAX_MATCHING_VALUES } = options;
    this.#connection = new TypesenseConnection({ url, apiKey, timeoutSeconds });
    this.#generations = new Generations(this.#connection, prefix);
    this.#columns = new KnownColumns(this.#connection);
    this.#maxMatchingValues = maxMatchingValues;
  }

  /** Also when the server is away. */
  static async open(options: TypesenseOptions): Promise<TypesenseSearchIndex> {
    const index = new TypesenseSearchIndex(options);
    try {
      await index.#generations.dropLeftovers();
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
    }
    return index;
  }

  async apply(changes: readonly IndexChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#onCurrent(async (entries, { rebuilt }) => {
      await entries.apply(changes);
      if (rebuilt !== undefined) await this.#applyToRebuilt(rebuilt, changes);
    });
  }

  /**
   * A long page takes several requests. When its generation is finished between them, the engine answers with what it has
   * not dropped yet: then the page is read anew.
   */
  search(request: SearchRequest): Promise<SearchResult> {
    return this.#ask(request, async (entries, { current }) => {
      const result = await entries.search(request);
      if (request.limit < LARGEST_PAGE || (await this.#generations.read()).current === current) return result;
      throw new NotFoundError('the index was replaced by its rebuild again and again');
    });
  }

  aggregate(request: AggregateRequest): Promise<ValueCount[]> {
    return this.#ask(request, (entries) => entries.aggregate(request));
  }

  versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.#onCurrent((entries) => entries.versions(urns));
  }

  scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.#onCurrent((entries) => entries.scan(after, limit));
  }

  fields(): Promise<string[]> {
    return this.#onCurrent((entries) => entries.fields());
  }

  async rebuild(id: string): Promise<Rebuild> {
    const generation = generationTerm('rebuild', id);
    const { current, rebuilt } = await this.#generations.read();
    if (current === generation) return this.known(id, 'finished');
    const isNew = await (rebuilt === generation
      ? this.#generations.create(generation)
      : this.#generations.beginRebuild(generation));
    return this.known(id, isNew ? 'begun' : 'resumed');
  }

  /** A rebuild that was begun, without a look whether it still is there: each of its methods looks. */
  known(id: string, state: Rebuild['state'] = 'resumed'): Rebuild {
    const generation = generationTerm('rebuild', id);
    return new TypesenseRebuild(state, generation, this.#generations, this.#entries(generation));
  }

  async abandonRebuild(id: string): Promise<void> {
    const generation = generationTerm('rebuild', id);
    const { rebuilt } = await this.#generations.read();
    if (rebuilt === generation) await this.#generations.abandonRebuild(generation);
  }

  ping(): Promise<void> {
    return this.#onCurrent((entries) => entries.ping());
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  async #ask<T>(
    { condition }: Pick<SearchRequest, 'condition'>,
    work: (entries: TypesenseEntries, generations: CurrentGenerations) => Promise<T>,
  ): Promise<T> {
    checkConditionSize(condition);
    return this.#onCurrent(work);
  }

  /** All requests of one operation go to one generation; when that is finished meanwhile, it begins anew. */
  async #onCurrent<T>(work: (entries: TypesenseEntries, generations: CurrentGenerations) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const generations = await this.#generations.read();
      try {
        return await work(this.#entries(generations.current), generations);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        if (attempt === ATTEMPTS) throw new SearchError('unavailable', error.message);
        await this.#restore(generations.current);
      }
    }
  }

  /** Collections that are gone although they should be there are made anew, empty: the store fills them. */
  async #restore(generation: string): Promise<void> {
    this.#columns.forget();
    const { current } = await this.#generations.read();
    if (current === generation) await this.#generations.create(generation);
  }

  async #applyToRebuilt(generation: string, changes: readonly IndexChange[]): Promise<void> {
    try {
      await this.#entries(generation).apply(changes);
    } catch (error) {
      // abandoned, or about to begin: then it is filled with what is written now
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  #entries(generation: string): TypesenseEntries {
    const names = this.#generations.names(generation);
    return new TypesenseEntries(this.#connection, names, this.#columns, this.#maxMatchingValues);
  }
}
