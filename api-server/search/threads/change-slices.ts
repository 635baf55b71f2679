import type { IndexChange } from '../port.ts';

/** What one slice weighs at most, unless a single change does: tens of milliseconds of work. */
const MAX_WEIGHT = 2_500;
/** Characters that weigh as much as a value. */
const OF_A_VALUE = 100;

/** The changes in pieces, in their order: each is written in a transaction of its own, and others write in between. */
export function* slicesOf(changes: readonly IndexChange[]): Generator<readonly IndexChange[]> {
  let slice: IndexChange[] = [];
  let weight = 0;
  for (const change of changes) {
    const more = weightOf(change);
    if (slice.length > 0 && weight + more > MAX_WEIGHT) {
      yield slice;
      slice = [];
      weight = 0;
    }
    slice.push(change);
    weight += more;
  }
  if (slice.length > 0) yield slice;
}

function weightOf(change: IndexChange): number {
  if (change.kind === 'drop') return 1;
  let weight = 1;
  for (const { values } of change.entry.fields) {
    for (const value of values) weight += 1 + (typeof value === 'string' ? value.length / OF_A_VALUE : 0);
  }
  return weight;
}
