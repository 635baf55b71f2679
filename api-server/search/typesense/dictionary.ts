import { SearchError } from '../errors.ts';
import type { IndexEntry } from '../port.ts';
import type { SearchBudget } from '../search-budget.ts';
import type { TypesenseConnection } from './connection.ts';
import { valueDocuments } from './documents.ts';
import { dictionaryTerm } from './terms.ts';
import type { Range } from './text-order.ts';

const PAGE = 250;

/** Which texts of the dictionary to look at: those whose path, or folded path, is in each of the lists of ranges. */
export interface TextQuery {
  readonly field: string;
  readonly column: 'path' | 'folded';
  readonly within: readonly (readonly Range[])[];
  readonly test: (text: string) => boolean;
  readonly budget: SearchBudget;
}

/**
 * The distinct values that entries have, or have had: what cannot be asked of the engine is decided here, value by value,
 * and becomes a list of terms. A value that no entry has any more does no harm.
 */
export class Dictionary {
  readonly #connection: TypesenseConnection;
  readonly #collection: string;
  readonly #limit: number;

  /** @param limit of texts that may meet one condition. */
  constructor(connection: TypesenseConnection, collection: string, limit: number) {
    this.#connection = connection;
    this.#collection = collection;
    this.#limit = limit;
  }

  async add(entries: readonly IndexEntry[]): Promise<void> {
    await this.#connection.import(this.#collection, valueDocuments(entries), 'create');
  }

  /**
   * Terms of the texts that pass the test.
   * @throws {SearchError} `too-large` when there are more of them than the limit.
   */
  async texts({ field, column, within, test, budget }: TextQuery): Promise<string[]> {
    const filters = [
      `field:[${dictionaryTerm(field, 'string')}]`,
      ...within.map((ranges) => rangeFilter(column, ranges)),
    ];
    const terms: string[] = [];
    for await (const { id, text } of this.#export(filters, 'id,text')) {
      budget.checkTime();
      if (!test(String(text))) continue;
      if (terms.length === this.#limit) {
        throw new SearchError('too-large', `More than ${this.#limit} different values meet a condition of the query`);
      }
      terms.push(String(id));
    }
    return terms;
  }

  /** Terms of the numbers in a range. */
  async numbers(field: string, range: Range, budget: SearchBudget): Promise<string[]> {
    const filters = [`field:[${dictionaryTerm(field, 'number')}]`, rangeFilter('path', [range])];
    const terms: string[] = [];
    for await (const { id } of this.#export(filters, 'id')) {
      budget.checkTime();
      terms.push(String(id));
    }
    return terms;
  }

  /** The texts behind terms. */
  async textsOf(terms: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let from = 0; from < terms.length; from += PAGE) {
      const { hits } = await this.#connection.search({
        collection: this.#collection,
        filter_by: `id:[${terms.slice(from, from + PAGE).join()}]`,
        include_fields: 'id,text',
        per_page: PAGE,
      });
      for (const { document } of hits) found.set(String(document.id), String(document.text));
    }
    return found;
  }

  #export(filters: readonly string[], columns: string): AsyncGenerator<Record<string, unknown>> {
    return this.#connection.export(this.#collection, filters.join(' && '), columns);
  }
}

function rangeFilter(column: string, ranges: readonly Range[]): string {
  return `${column}:[${ranges.map(([from, to]) => `${from}..${to}`).join()}]`;
}
