import { isOperator, type Operator } from './operators.ts';

/** One condition of the filter builder. */
export interface Condition {
  /** As GraphQL names it, such as `structuredProperties.a.b`. */
  readonly field: string;
  readonly is: Operator;
  readonly values: readonly string[];
}

/** What is looked for; all of it is kept in the address of the page. What is absent restricts nothing. */
export interface DatasetSearch {
  /** Words of names and descriptions, or a query string behind `/q `. */
  readonly q?: string;
  readonly where?: readonly Condition[];
  /** One of the conditions has to hold; absent: all of them. */
  readonly any?: true;
  /** Values that were chosen in facets, by field: one of each field has to be there. */
  readonly in?: Readonly<Record<string, readonly string[]>>;
  /** Fields of which values are counted, beside the usual ones. */
  readonly count?: readonly string[];
}

/** Reads an address that anybody may have written: what is not understood is left out. */
export function readDatasetSearch(raw: Readonly<Record<string, unknown>>): DatasetSearch {
  const where = listOf(raw.where, readCondition);
  const chosen = readChosen(raw.in);
  const count = [...new Set(listOf(raw.count, readText))];
  const q = typeof raw.q === 'number' ? String(raw.q) : readText(raw.q);
  return {
    ...(q === undefined || q.trim() === '' ? {} : { q }),
    ...(where.length === 0 ? {} : { where }),
    ...(raw.any === true ? { any: true } : {}),
    ...(Object.keys(chosen).length === 0 ? {} : { in: chosen }),
    ...(count.length === 0 ? {} : { count }),
  };
}

/** Chooses a value of a facet, or takes the choice back. */
export function toggleFacetValue(search: DatasetSearch, field: string, value: string): DatasetSearch {
  const before = search.in?.[field] ?? [];
  const values = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return readDatasetSearch({ ...search, in: { ...search.in, [field]: values } });
}

export function isRestricted(search: DatasetSearch): boolean {
  return search.q !== undefined || search.where !== undefined || search.in !== undefined;
}

function readCondition(raw: unknown): Condition | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { field, is, values } = raw as Record<string, unknown>;
  if (typeof field !== 'string' || !isOperator(is)) return undefined;
  return { field, is, values: listOf(values, readScalar) };
}

function readChosen(raw: unknown): Record<string, readonly string[]> {
  if (typeof raw !== 'object' || raw === null) return {};
  const entries = Object.entries(raw).map(
    ([field, values]) => [field, [...new Set(listOf(values, readScalar))]] as const,
  );
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

function readText(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined;
}

/** Whoever writes an address by hand writes 90 for "90". */
function readScalar(raw: unknown): string | undefined {
  return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : readText(raw);
}

function listOf<T>(raw: unknown, read: (item: unknown) => T | undefined): T[] {
  return Array.isArray(raw) ? raw.map(read).filter((item) => item !== undefined) : [];
}
