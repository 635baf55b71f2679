import type {
  AggregateRequest,
  IndexChange,
  IndexEntries,
  IndexEntry,
  IndexedVersion,
  Question,
  SearchCondition,
  SearchRequest,
  SearchResult,
  ValueCount,
} from '../port.ts';
import { SearchBudget } from '../search-budget.ts';
import { countValues } from './aggregate.ts';
import { ConditionPlanner } from './condition-plan.ts';
import type { TypesenseConnection } from './connection.ts';
import { Dictionary } from './dictionary.ts';
import { entryDocument } from './documents.ts';
import { COUNTED, columnOf, fieldOf } from './field-columns.ts';
import { fitPlan } from './fit-plan.ts';
import type { GenerationNames } from './generations.ts';
import type { KnownColumns } from './known-columns.ts';
import { Pages, versionOf } from './pages.ts';
import { ALL, combine, filterOf, type Plan, someTerm } from './plan.ts';
import { removedTerm, typeTerm, urnTerm } from './terms.ts';
import { compareTexts } from './text-order.ts';

const LOOK_UP = 250;
/** Ids go in the address. */
const DELETE = 50;
/** More than there are. */
const ALL_VALUES = 1_000_000_000;

/** The entries of one generation. Methods reject with a NotFoundError when its collections are not there (any more). */
export class TypesenseEntries implements IndexEntries {
  readonly #connection: TypesenseConnection;
  readonly #collections: GenerationNames;
  readonly #columns: KnownColumns;
  readonly #dictionary: Dictionary;
  readonly #pages: Pages;

  constructor(
    connection: TypesenseConnection,
    collections: GenerationNames,
    columns: KnownColumns,
    maxMatchingValues: number,
  ) {
    this.#connection = connection;
    this.#collections = collections;
    this.#columns = columns;
    this.#dictionary = new Dictionary(connection, collections.values, maxMatchingValues);
    this.#pages = new Pages(connection, collections.entries);
  }

  async apply(changes: readonly IndexChange[]): Promise<void> {
    const urns = new Set(changes.map((change) => (change.kind === 'put' ? change.entry.urn : change.urn)));
    const held = new Map((await this.versions([...urns])).map((version) => [version.urn, version]));
    const outcome = new Map<string, IndexEntry | undefined>();
    for (const change of changes) {
      const { urn, incarnation, revision } = change.kind === 'put' ? change.entry : change;
      const present = held.get(urn);
      if (present?.incarnation === incarnation && present.revision >= revision) continue;
      const entry = change.kind === 'put' ? change.entry : undefined;
      outcome.set(urn, entry);
      if (entry === undefined) held.delete(urn);
      else held.set(urn, entry);
    }
    const puts = [...outcome.values()].filter((entry) => entry !== undefined);
    // first: an entry whose values the dictionary lacks would not be found by them
    await this.#dictionary.add(puts);
    await this.#connection.import(this.#collections.entries, puts.map(entryDocument), 'upsert');
    await this.#delete([...outcome].flatMap(([urn, entry]) => (entry === undefined ? [urnTerm(urn)] : [])));
  }

  async versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    const found: IndexedVersion[] = [];
    for (let from = 0; from < urns.length; from += LOOK_UP) {
      const ids = urns.slice(from, from + LOOK_UP).map(urnTerm);
      const { hits } = await this.#connection.search({
        collection: this.#collections.entries,
        filter_by: `id:[${ids.join()}]`,
        include_fields: 'urn,incarnation,revision',
        per_page: LOOK_UP,
      });
      for (const each of hits.map(({ document }) => versionOf(document))) found.push(each);
    }
    return found;
  }

  async scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return (await this.#pages.read({ plan: ALL, order: 'ascending', after, limit })).hits;
  }

  async fields(): Promise<string[]> {
    const columns = [...(await this.#columns.of(this.#collections.entries))];
    // the pattern itself is among them
    const counted = columns.filter((column) => column.startsWith(COUNTED) && !column.endsWith('*'));
    return counted.map(fieldOf).toSorted(compareTexts);
  }

  async search({ order, after, limit, ...question }: SearchRequest): Promise<SearchResult> {
    const plan = await this.#plan(question);
    if (plan.kind === 'none') return { hits: [], total: 0 };
    const { hits, found } = await this.#pages.read({ plan, order, after, limit });
    return { hits, total: found ?? (await this.#count(plan)) };
  }

  async aggregate({ field, limit, ...question }: AggregateRequest): Promise<ValueCount[]> {
    const column = columnOf(COUNTED, field);
    if (limit === 0 || !(await this.#columns.has(this.#collections.entries, column))) return [];
    const plan = await this.#plan(question);
    if (plan.kind === 'none') return [];
    return countValues((most) => this.#facet(plan, column, most), this.#dictionary, limit);
  }

  async ping(): Promise<void> {
    for (const collection of Object.values(this.#collections)) {
      await this.#connection.call((client) => client.collections(collection).retrieve());
    }
  }

  /** A plan of what is asked for, small enough for one filter. */
  async #plan({ entityTypes, condition, includeRemoved, patience }: Question): Promise<Plan> {
    const budget = new SearchBudget(patience);
    const always = [someTerm(entityTypes.map(typeTerm)), ...(includeRemoved ? [] : [someTerm([removedTerm], true)])];
    const fitted = await fitPlan(await this.#conditionPlan(condition, budget), (plan) => {
      budget.checkTime();
      return this.#idsOf(combine('and', [...always, plan]));
    });
    return combine('and', [...always, fitted]);
  }

  #conditionPlan(condition: SearchCondition, budget: SearchBudget): Promise<Plan> {
    const hasColumn = (column: string) => this.#columns.has(this.#collections.entries, column);
    return new ConditionPlanner(this.#dictionary, hasColumn, budget).plan(condition);
  }

  async #idsOf(plan: Plan): Promise<string[]> {
    if (plan.kind === 'none') return [];
    return (await this.#facet(plan, 'key', ALL_VALUES)).map(({ value }) => value);
  }

  async #facet(plan: Plan, column: string, most: number): Promise<readonly { value: string; count: number }[]> {
    const { facet_counts } = await this.#connection.search({
      collection: this.#collections.entries,
      filter_by: filterOf(plan),
      facet_by: column,
      max_facet_values: most,
      per_page: 0,
    });
    return facet_counts[0]?.counts ?? [];
  }

  async #count(plan: Plan): Promise<number> {
    const { entries } = this.#collections;
    return (await this.#connection.search({ collection: entries, filter_by: filterOf(plan), per_page: 0 })).found;
  }

  async #delete(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += DELETE) {
      const filter = `id:[${ids.slice(from, from + DELETE).join()}]`;
      await this.#connection.call((client) =>
        client.collections(this.#collections.entries).documents().delete({ filter_by: filter }),
      );
    }
  }
}
