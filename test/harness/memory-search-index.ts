import { checkConditionSize } from '../../api-server/search/condition-size.ts';
import { withinCharacters } from '../../api-server/search/counted-characters.ts';
import { foldCase } from '../../api-server/search/fold.ts';
import type {
  AggregateRequest,
  Bound,
  IndexChange,
  IndexEntries,
  IndexEntry,
  IndexedVersion,
  Question,
  Rebuild,
  SearchCondition,
  SearchIndex,
  SearchRequest,
  SearchResult,
  ValueCount,
} from '../../api-server/search/port.ts';
import { SearchBudget } from '../../api-server/search/search-budget.ts';
import { patternMatcher } from '../../model/pattern.ts';
import type { PatternPart } from '../../model/query/ast.ts';

/** The search port in the plainest way: what the real adapters are compared with. */
export class MemorySearchIndex implements SearchIndex {
  #current = new MemoryEntries();
  #currentId: string | undefined;
  #rebuild: { readonly id: string; readonly entries: MemoryEntries } | undefined;

  async apply(changes: readonly IndexChange[]): Promise<void> {
    await this.#current.apply(changes);
    await this.#rebuild?.entries.apply(changes);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const found = this.#find(request);
    const ordered = request.order === 'ascending' ? found : found.toReversed();
    const { after } = request;
    const behind = ordered.filter((entry) => {
      if (after === undefined) return true;
      const comparison = compareText(entry.urn, after);
      return request.order === 'ascending' ? comparison > 0 : comparison < 0;
    });
    return { total: found.length, hits: behind.slice(0, request.limit).map(toVersion) };
  }

  async aggregate(request: AggregateRequest): Promise<ValueCount[]> {
    const counts = new Map<string | number, number>();
    for (const { fields } of this.#find(request)) {
      const values = fields.filter(({ field }) => field === request.field).flatMap((field) => field.values);
      for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const ordered = [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((one, other) => other.count - one.count || compare(one.value, other.value, false) || 0)
      .slice(0, request.limit);
    return [...withinCharacters(ordered)];
  }

  versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.#current.versions(urns);
  }

  scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.#current.scan(after, limit);
  }

  fields(): Promise<string[]> {
    return this.#current.fields();
  }

  async rebuild(id: string): Promise<Rebuild> {
    const isCurrent = this.#currentId === id;
    const isNew = !isCurrent && this.#rebuild?.id !== id;
    if (isNew) this.#rebuild = { id, entries: new MemoryEntries() };
    const entries = () => {
      if (this.#rebuild?.id !== id) throw new Error(`There is no rebuild ${id}`);
      return this.#rebuild.entries;
    };
    return {
      state: isCurrent ? 'finished' : isNew ? 'begun' : 'resumed',
      apply: async (changes) => entries().apply(changes),
      versions: async (urns) => entries().versions(urns),
      scan: async (after, limit) => entries().scan(after, limit),
      fields: async () => entries().fields(),
      finish: async () => {
        if (this.#currentId === id) return;
        this.#current = entries();
        this.#currentId = id;
        this.#rebuild = undefined;
      },
    };
  }

  async abandonRebuild(id: string): Promise<void> {
    if (this.#rebuild?.id === id) this.#rebuild = undefined;
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #find({ entityTypes, condition, includeRemoved }: Question): IndexEntry[] {
    checkConditionSize(condition);
    checkSteps(condition, this.#current.entries, new SearchBudget());
    return this.#current.entries.filter(
      (entry) =>
        entityTypes.includes(entry.entityType) && (includeRemoved || !entry.removed) && holds(condition, entry),
    );
  }
}

class MemoryEntries implements IndexEntries {
  entries: IndexEntry[] = [];
  readonly #fields = new Set<string>();

  async apply(changes: readonly IndexChange[]): Promise<void> {
    for (const change of changes) {
      const { urn, incarnation, revision } = change.kind === 'put' ? change.entry : change;
      const present = this.entries.find((entry) => entry.urn === urn);
      if (present?.incarnation === incarnation && present.revision >= revision) continue;
      this.entries = this.entries.filter((entry) => entry !== present);
      if (change.kind === 'put') {
        this.entries.push(change.entry);
        for (const { field, values } of change.entry.fields) if (values.length > 0) this.#fields.add(field);
      }
    }
    this.entries.sort((one, other) => compareText(one.urn, other.urn));
  }

  async versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.entries.filter((entry) => urns.includes(entry.urn)).map(toVersion);
  }

  async scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.entries
      .filter((entry) => after === undefined || compareText(entry.urn, after) > 0)
      .slice(0, limit)
      .map(toVersion);
  }

  async fields(): Promise<string[]> {
    return [...this.#fields].sort(compareText);
  }
}

/** What the patterns of the condition would cost; what they find is decided without. */
function checkSteps(condition: SearchCondition, entries: readonly IndexEntry[], budget: SearchBudget): void {
  if (condition.kind === 'not') checkSteps(condition.of, entries, budget);
  if (condition.kind === 'and' || condition.kind === 'or') {
    for (const operand of condition.of) checkSteps(operand, entries, budget);
  }
  if (condition.kind !== 'like') return;
  const matches = patternMatcher(condition.pattern, budget.spend);
  const fields = entries.flatMap((entry) => entry.fields.filter(({ field }) => field === condition.field));
  for (const value of fields.flatMap(({ values }) => values)) if (typeof value === 'string') matches(value);
}

function holds(condition: SearchCondition, entry: IndexEntry): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return condition.of.every((operand) => holds(operand, entry));
    case 'or':
      return condition.of.some((operand) => holds(operand, entry));
    case 'not':
      return !holds(condition.of, entry);
    default:
      return entry.fields
        .filter((field) => field.field === condition.field)
        .some((field) => field.values.some((value) => meets(condition, value)));
  }
}

function meets(condition: SearchCondition, value: string | number): boolean {
  switch (condition.kind) {
    case 'equal':
      return compare(value, condition.value, condition.fold) === 0;
    case 'range':
      return (
        within(condition.lower, value, condition.fold, (comparison) => comparison > 0) &&
        within(condition.upper, value, condition.fold, (comparison) => comparison < 0)
      );
    case 'like':
      return (
        typeof value === 'string' && regular(condition.pattern, condition.fold).test(folded(value, condition.fold))
      );
    default:
      return true;
  }
}

function within(
  bound: Bound | undefined,
  value: string | number,
  fold: boolean,
  strictly: (comparison: number) => boolean,
): boolean {
  if (bound === undefined) return true;
  const comparison = compare(value, bound.value, fold);
  return comparison !== undefined && (strictly(comparison) || (bound.inclusive && comparison === 0));
}

/** Undefined for a number against a string. */
function compare(one: string | number, other: string | number, fold: boolean): number | undefined {
  if (typeof one === 'string' && typeof other === 'string') return compareText(folded(one, fold), folded(other, fold));
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : one < other ? -1 : 1;
  return undefined;
}

/** Code-point order: that of the UTF-8 bytes, not of JavaScript's code units. */
export function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function regular(pattern: readonly PatternPart[], fold: boolean): Pick<RegExp, 'test'> {
  // a regular expression must not be this long, nor look for what is
  const written = pattern.reduce((sum, part) => sum + (typeof part === 'string' ? 1 : part.literal.length), 0);
  if (written > 1_000) {
    const parts = pattern.map((part) => (typeof part === 'string' ? part : { literal: folded(part.literal, fold) }));
    return { test: patternMatcher(parts) };
  }
  const source = pattern.map((part) => {
    if (typeof part === 'string') return part === '*' ? '.*' : '.';
    return Array.from(folded(part.literal, fold), (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join('');
  });
  return new RegExp(`^(?:${source.join('')})$`, 'su');
}

function folded(text: string, fold: boolean): string {
  return fold ? foldCase(text) : text;
}

function toVersion({ urn, incarnation, revision }: IndexEntry): IndexedVersion {
  return { urn, incarnation, revision };
}
