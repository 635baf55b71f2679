import { checkConditionSize } from '../../api-server/search/condition-size.ts';
import { foldCase } from '../../api-server/search/fold.ts';
import type {
  Bound,
  IndexChange,
  IndexEntry,
  IndexedVersion,
  SearchCondition,
  SearchIndex,
  SearchRequest,
  SearchResult,
} from '../../api-server/search/port.ts';
import type { PatternPart } from '../../model/query/ast.ts';

/** The search port in the plainest way: what the real adapters are compared with. */
export class MemorySearchIndex implements SearchIndex {
  #entries: IndexEntry[] = [];

  async apply(changes: readonly IndexChange[]): Promise<void> {
    for (const change of changes) {
      const { urn, incarnation, revision } = change.kind === 'put' ? change.entry : change;
      const present = this.#entries.find((entry) => entry.urn === urn);
      if (present?.incarnation === incarnation && present.revision >= revision) continue;
      this.#entries = this.#entries.filter((entry) => entry !== present);
      if (change.kind === 'put') this.#entries.push(change.entry);
    }
    this.#entries.sort((one, other) => compareText(one.urn, other.urn));
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    checkConditionSize(request.condition);
    const found = this.#entries.filter(
      (entry) =>
        request.entityTypes.includes(entry.entityType) &&
        (request.includeRemoved || !entry.removed) &&
        holds(request.condition, entry),
    );
    const ordered = request.order === 'ascending' ? found : found.toReversed();
    const { after } = request;
    const behind = ordered.filter((entry) => {
      if (after === undefined) return true;
      const comparison = compareText(entry.urn, after);
      return request.order === 'ascending' ? comparison > 0 : comparison < 0;
    });
    return { total: found.length, hits: behind.slice(0, request.limit).map(toVersion) };
  }

  async versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.#entries.filter((entry) => urns.includes(entry.urn)).map(toVersion);
  }

  async scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.#entries
      .filter((entry) => after === undefined || compareText(entry.urn, after) > 0)
      .slice(0, limit)
      .map(toVersion);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}
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

function regular(pattern: readonly PatternPart[], fold: boolean): RegExp {
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
