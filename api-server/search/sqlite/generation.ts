import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { withinCharacters } from '../counted-characters.ts';
import { SearchError } from '../errors.ts';
import { foldCase } from '../fold.ts';
import type {
  AggregateRequest,
  IndexChange,
  IndexEntry,
  IndexedVersion,
  Question,
  SearchRequest,
  SearchResult,
  ValueCount,
} from '../port.ts';
import { SearchBudget } from '../search-budget.ts';
import { compileCondition, type WideTest } from './condition-sql.ts';
import type { Matchers } from './matchers.ts';

/** The entities that a request asks for, as SQL behind `SELECT`. */
interface Found {
  readonly from: string;
  readonly values: readonly (string | number)[];
  /** Whether it costs much to ask for them again. */
  readonly isCostly: boolean;
}

/** One set of the index's tables. Its methods run within a transaction of the caller. */
export class Generation {
  readonly #database: DatabaseSync;
  readonly #number: number;
  readonly #matchers: Matchers;
  readonly #maxMatchingValues: number;
  readonly #statements;

  constructor(database: DatabaseSync, number: number, matchers: Matchers, maxMatchingValues: number) {
    this.#database = database;
    this.#number = number;
    this.#matchers = matchers;
    this.#maxMatchingValues = maxMatchingValues;
    this.#statements = prepareStatements(database, number);
  }

  apply(changes: readonly IndexChange[]): void {
    for (const change of changes) {
      if (change.kind === 'put') this.#put(change.entry);
      else this.#drop(change);
    }
  }

  search({ order, after, limit, ...question }: SearchRequest): SearchResult {
    const { from, values, isCostly } = this.#find(question);
    const [behind, direction] = order === 'ascending' ? ['>', 'ASC'] : ['<', 'DESC'];
    const page = [after === undefined ? '' : `AND urn ${behind} ?`, `ORDER BY urn ${direction} LIMIT ?`].join(' ');
    const ofPage = [...(after === undefined ? [] : [after]), limit];
    if (isCostly) return this.#searchOnce({ from, values }, page, ofPage);
    return {
      total: Number(this.#database.prepare(`SELECT count(*) AS total ${from}`).get(...values)?.total),
      hits: this.#database
        .prepare(`SELECT urn, incarnation, revision ${from} ${page}`)
        .all(...values, ...ofPage)
        .map(toVersion),
    };
  }

  /** Looks for all of them once, for the total and for the page. */
  #searchOnce({ from, values }: Pick<Found, 'from' | 'values'>, page: string, ofPage: readonly (string | number)[]) {
    const rows = this.#database
      .prepare(
        `WITH found AS MATERIALIZED (SELECT urn, incarnation, revision ${from})
         SELECT total, urn, incarnation, revision FROM (SELECT count(*) AS total FROM found)
         LEFT JOIN (SELECT * FROM found WHERE true ${page})`,
      )
      .all(...values, ...ofPage);
    return { total: Number(rows[0]?.total), hits: rows.filter(({ urn }) => urn !== null).map(toVersion) };
  }

  aggregate({ field, limit, ...question }: AggregateRequest): ValueCount[] {
    const { from, values } = this.#find(question);
    // "+ 0.0" makes -0 to 0
    const rows = this.#database
      .prepare(
        `SELECT number + 0.0 AS number, text, count(DISTINCT entry_id) AS count FROM search_values_${this.#number}
         WHERE field_id = (SELECT id FROM search_fields_${this.#number} WHERE name = ?) AND entry_id IN (SELECT id ${from})
         GROUP BY number, text ORDER BY count DESC, number, text LIMIT ?`,
      )
      .iterate(field, ...values, limit);
    return [...withinCharacters(rows.map(toCount))];
  }

  versions(urns: readonly string[]): IndexedVersion[] {
    return urns.flatMap((urn) => this.#statements.version.all(urn).map(toVersion));
  }

  scan(after: string | undefined, limit: number): IndexedVersion[] {
    return this.#statements.scan.all(after ?? '', limit).map(toVersion);
  }

  fields(): string[] {
    return this.#statements.fields.all().map(({ name }) => String(name));
  }

  #find({ entityTypes, condition, includeRemoved, patience }: Question): Found {
    const { spend } = new SearchBudget(patience);
    const { text, parameters, matchers, wide } = compileCondition(condition, this.#number, spend);
    this.#matchers.set(matchers);
    for (const test of wide) this.#checkMatchingValues(test);
    const types = entityTypes.map(() => '?').join(', ');
    return {
      from: `FROM search_entries_${this.#number}
             WHERE entity_type IN (${types}) ${includeRemoved ? '' : 'AND NOT removed'} AND ${text}`,
      values: [...entityTypes, ...parameters],
      isCostly: matchers.length > 0,
    };
  }

  #checkMatchingValues({ field, text, parameters }: WideTest): void {
    const limit = this.#maxMatchingValues;
    const { count: values } = this.#statements.countStrings.get(field, limit + 1) ?? {};
    if (Number(values) <= limit) return;
    const distinct = `SELECT count(*) AS count FROM (
      SELECT DISTINCT text FROM search_values_${this.#number} WHERE ${text} LIMIT ${limit + 1})`;
    if (Number(this.#database.prepare(distinct).get(...parameters)?.count) > limit) {
      throw new SearchError(
        'too-large',
        `A pattern or a range of the query is met by more than ${limit} distinct values: make it narrower`,
      );
    }
  }

  #put({ urn, entityType, incarnation, revision, removed, fields }: IndexEntry): void {
    const { put, deleteValues, addValue } = this.#statements;
    const id = put.get(urn, entityType, incarnation, revision, removed ? 1 : 0)?.id;
    if (id === undefined) return;
    deleteValues.run(id);
    let position = 0;
    for (const { field, values } of fields) {
      if (values.length === 0) continue;
      const fieldId = this.#fieldId(field);
      for (const value of values) {
        if (typeof value === 'number') addValue.run(id, position++, fieldId, value, null, null);
        else addValue.run(id, position++, fieldId, null, value, foldCase(value));
      }
    }
  }

  #fieldId(name: string): SQLOutputValue {
    const { fieldId, addField } = this.#statements;
    return (fieldId.get(name) ?? addField.get(name))?.id ?? null;
  }

  #drop({ urn, incarnation, revision }: IndexedVersion): void {
    const id = this.#statements.drop.get(urn, incarnation, revision)?.id;
    if (id !== undefined) this.#statements.deleteValues.run(id);
  }
}

function prepareStatements(database: DatabaseSync, generation: number) {
  const [entries, values, fields] = ['entries', 'values', 'fields'].map((name) => `search_${name}_${generation}`);
  return {
    /** No row comes back when the entry there is as new. */
    put: database.prepare(`
      INSERT INTO ${entries} AS present (urn, entity_type, incarnation, revision, removed) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (urn) DO UPDATE SET
        entity_type = excluded.entity_type, incarnation = excluded.incarnation,
        revision = excluded.revision, removed = excluded.removed
      WHERE present.incarnation <> excluded.incarnation OR present.revision < excluded.revision
      RETURNING id`),
    drop: database.prepare(`DELETE FROM ${entries} WHERE urn = ? AND (incarnation <> ? OR revision < ?) RETURNING id`),
    deleteValues: database.prepare(`DELETE FROM ${values} WHERE entry_id = ?`),
    addValue: database.prepare(
      `INSERT INTO ${values} (entry_id, position, field_id, number, text, folded) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    fieldId: database.prepare(`SELECT id FROM ${fields} WHERE name = ?`),
    addField: database.prepare(`INSERT INTO ${fields} (name) VALUES (?) RETURNING id`),
    fields: database.prepare(`SELECT name FROM ${fields} ORDER BY name`),
    version: database.prepare(`SELECT urn, incarnation, revision FROM ${entries} WHERE urn = ?`),
    scan: database.prepare(`SELECT urn, incarnation, revision FROM ${entries} WHERE urn > ? ORDER BY urn LIMIT ?`),
    countStrings: database.prepare(`
      SELECT count(*) AS count FROM (SELECT 1 FROM ${values}
        WHERE field_id = (SELECT id FROM ${fields} WHERE name = ?) AND text IS NOT NULL LIMIT ?)`),
  };
}

function toCount({ number, text, count }: Record<string, SQLOutputValue>): ValueCount {
  return { value: text === null ? Number(number) : String(text), count: Number(count) };
}

function toVersion(row: Record<string, SQLOutputValue>): IndexedVersion {
  return { urn: String(row.urn), incarnation: String(row.incarnation), revision: Number(row.revision) };
}
