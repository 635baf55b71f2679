import type { PatternPart } from '../../model/query/ast.ts';
import type { ValueType } from '../../model/value-type.ts';

/** An adapter rejects a larger condition (each `and`, `or`, `not` and each condition on a field counts) as `too-large`. */
export const MAX_CONDITION_NODES = 500;

/**
 * An adapter rejects a pattern, a range of strings or a folded comparison as `too-large` when more distinct values of the
 * field than this meet it: an engine that cannot compare strings exactly is asked for each of them.
 */
export const MAX_MATCHING_VALUES = 100_000;

/**
 * An adapter rejects a request as `too-large` when its patterns would take more steps (model/pattern.ts) than this on the
 * values that they have to be compared with: about a second. 100,000 names of 50 characters are 11 million steps for each
 * pattern that does not begin with text.
 */
export const MAX_PATTERN_STEPS = 250_000_000;

/** A search on which an engine works longer than this, in ms, is given up as `timeout`. */
export const MAX_SEARCH_TIME = 10_000;

/** Characters of all values of one aggregation together: more are left out, so that an answer has an end. */
export const MAX_COUNTED_CHARACTERS = 4_000_000;

/**
 * What a search engine has to do for Proplane. Methods reject with a SearchError (errors.ts). Strings are well-formed
 * Unicode (no lone surrogates), otherwise anything: empty, with NUL, of any length that the catalogue lets through
 * (model/limits.ts). The catalogue resolves public names before it asks: `field` is always a
 * physical name (`p:<epoch>` for a property between two breaking changes, `e:<name>` for a field of the entity itself),
 * so one field never changes its type.
 */
export interface SearchIndex extends IndexEntries {
  /** Entities that meet the condition, in code-point order of their URNs. */
  search(request: SearchRequest): Promise<SearchResult>;
  /**
   * How many of the entities that meet the condition have each value of a field: greatest counts first, equal ones by
   * value (numbers by size, strings by code points). An entity counts once for a value that it has twice. Of values that
   * are more than MAX_COUNTED_CHARACTERS together the last ones are left out.
   */
  aggregate(request: AggregateRequest): Promise<ValueCount[]>;
  /**
   * A second, empty index beside the one that answers, or the one that was begun under this id; a rebuild of another id
   * is abandoned. From now on, until it is finished or abandoned, `apply` of every process writes to both.
   */
  rebuild(id: string): Promise<Rebuild>;
  /** Drops the rebuild of this id, if it is there and not finished. */
  abandonRebuild(id: string): Promise<void>;
  /** Rejects when the engine cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A set of entries: the index that answers, or the one that is being rebuilt. */
export interface IndexEntries {
  /**
   * Applies the changes in order, each whole. When it rejects, the first of them may have been applied: it is repeated. A
   * change of the same incarnation with a revision not greater than the indexed one is ignored (a late write must not
   * win); another incarnation always replaces what is there.
   */
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** What is held about these URNs; what is not known is left out. Order is not significant. */
  versions(urns: readonly string[]): Promise<IndexedVersion[]>;
  /** All that is held, in code-point order of the URNs, after `after` (exclusive), at most `limit`. */
  scan(after: string | undefined, limit: number): Promise<IndexedVersion[]>;
  /** Physical names that have been given a field, in code-point order: also those of which no value is left. */
  fields(): Promise<string[]>;
}

/** Every method but `finish` rejects once the rebuild is finished or abandoned. */
export interface Rebuild extends IndexEntries {
  /** `begun`: it is empty; `resumed`: it may have entries; `finished`: it has become the index that answers. */
  readonly state: 'begun' | 'resumed' | 'finished';
  /** Puts it in the place of the index that answers, at one moment for every process, and drops that one. */
  finish(): Promise<void>;
}

export type IndexChange =
  | { readonly kind: 'put'; readonly entry: IndexEntry }
  | ({ readonly kind: 'drop' } & IndexedVersion);

export interface IndexedVersion {
  readonly urn: string;
  readonly incarnation: string;
  readonly revision: number;
}

export interface IndexEntry extends IndexedVersion {
  readonly entityType: string;
  /** Soft deleted: left out of searches unless they ask for it. */
  readonly removed: boolean;
  readonly fields: readonly IndexField[];
}

export interface IndexField {
  readonly field: string;
  /** `number` holds finite doubles; `date` holds whole days since 1970-01-01 (may be negative); the rest hold strings. */
  readonly type: ValueType;
  /** An empty list counts as not having the field. */
  readonly values: readonly (string | number)[];
}

/**
 * A condition holds for an entity when at least one of the field's values meets it (a range: one value meets both
 * bounds); `not` is the exact complement. Strings compare by code points. `fold` compares strings after `foldCase`
 * (fold.ts) of both sides, and a pattern's literals likewise. A string condition holds for no number and the other way
 * round. An `and` of nothing holds always, an `or` of nothing never, a range without bounds where the field exists.
 */
export type SearchCondition =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly of: readonly SearchCondition[] }
  | { readonly kind: 'or'; readonly of: readonly SearchCondition[] }
  | { readonly kind: 'not'; readonly of: SearchCondition }
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'equal'; readonly field: string; readonly value: string | number; readonly fold: boolean }
  | {
      readonly kind: 'range';
      readonly field: string;
      readonly lower?: Bound;
      readonly upper?: Bound;
      readonly fold: boolean;
    }
  /** String fields only: the whole value matches the pattern. */
  | { readonly kind: 'like'; readonly field: string; readonly pattern: readonly PatternPart[]; readonly fold: boolean };

export interface Bound {
  readonly value: string | number;
  readonly inclusive: boolean;
}

/** Which entities are asked for. */
export interface Question {
  /** Entities of these types only; at least one. */
  readonly entityTypes: readonly string[];
  readonly condition: SearchCondition;
  readonly includeRemoved: boolean;
  /** How long the answer is waited for, in ms: then it is given up as `timeout`. */
  readonly patience?: number;
}

export interface SearchRequest extends Question {
  readonly order: 'ascending' | 'descending';
  /** The last URN of the page before: only URNs strictly behind it in `order` are returned. */
  readonly after?: string;
  readonly limit: number;
}

export interface AggregateRequest extends Question {
  readonly field: string;
  readonly limit: number;
}

export interface ValueCount {
  readonly value: string | number;
  readonly count: number;
}

export interface SearchResult {
  readonly hits: readonly IndexedVersion[];
  /** All entities that meet the condition, whatever `after` and `limit` are. */
  readonly total: number;
}
