import { withinCharacters } from '../counted-characters.ts';
import type { ValueCount } from '../port.ts';
import { type CountedValue, parseCounted } from './counted-value.ts';
import type { Dictionary } from './dictionary.ts';
import { compareTexts } from './text-order.ts';

interface Bucket {
  readonly value: string;
  readonly count: number;
}
type Counted = CountedValue & { readonly count: number };

/** Values of which the long ones are looked up together. */
const AT_ONCE = 250;

/**
 * The greatest counts, equal ones by value. The engine gives equal ones in any order: it is asked for more values until
 * all that are equal to the last one are there.
 * @param facet gives the buckets with the greatest counts, this many at most.
 */
export async function countValues(
  facet: (most: number) => Promise<readonly Bucket[]>,
  dictionary: Dictionary,
  limit: number,
): Promise<ValueCount[]> {
  let buckets: readonly Bucket[];
  for (let most = limit + 100; ; most *= 4) {
    buckets = (await facet(most)).toSorted((one, other) => other.count - one.count);
    if (buckets.length < most || (buckets.at(-1)?.count ?? 0) < (buckets[limit - 1]?.count ?? 0)) break;
  }
  const ordered = buckets.map(({ value, count }) => ({ ...parseCounted(value), count })).toSorted(compareCounted);
  const last = ordered[limit - 1];
  const candidates = last === undefined ? ordered : ordered.filter((one) => compareCounted(one, last) <= 0);
  const counts = (await withValues(candidates, dictionary)).toSorted(compareCounts).slice(0, limit);
  return [...withinCharacters(counts)];
}

function compareCounted(one: Counted, other: Counted): number {
  if (one.count !== other.count) return other.count - one.count;
  return one.order === other.order ? 0 : one.order < other.order ? -1 : 1;
}

/** As many as there is room for. */
async function withValues(counted: readonly Counted[], dictionary: Dictionary): Promise<ValueCount[]> {
  const found: ValueCount[] = [];
  for (let from = 0; from < counted.length; from += AT_ONCE) {
    const some = counted.slice(from, from + AT_ONCE);
    const texts = await dictionary.textsOf(some.flatMap(({ value, term }) => (value === undefined ? [term] : [])));
    for (const { value, term, count } of some) {
      const whole = value ?? texts.get(term);
      if (whole !== undefined) found.push({ value: whole, count });
    }
    if ([...withinCharacters(found)].length < found.length) break;
  }
  return found;
}

function compareCounts(one: ValueCount, other: ValueCount): number {
  if (one.count !== other.count) return other.count - one.count;
  if (typeof one.value === 'number' && typeof other.value === 'number') return one.value - other.value;
  return compareTexts(String(one.value), String(other.value));
}
