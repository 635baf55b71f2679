import { mapConcurrently } from '../operator/runtime/map-concurrently.ts';
import type { Base, Holders } from './catalogue/base.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { Note, PropertyChange } from './plan-shape.ts';

const AT_ONCE = 4;

export interface CountedHolders {
  readonly properties: PropertyChange[];
  /** How many entities hold a value of any of the properties; absent: that is not known. */
  readonly entities?: number;
  readonly warnings: Note[];
}

/** Adds to each change that hides or removes values everywhere how many entities hold one now. */
export async function countHolders(
  changes: readonly PropertyChange[],
  overlay: Overlay,
  base: Base,
): Promise<CountedHolders> {
  const warnings: Note[] = [];
  const found: Holders[] = [];
  const properties = await mapConcurrently(changes, AT_ONCE, async (change) => {
    const before = overlay.propertiesBefore.get(change.urn);
    const hides = ['break', 'softDelete', 'delete'].includes(change.action);
    if (!hides || before?.definition === undefined || before.removed) return change;
    try {
      const holders = await base.countHolders(change.urn, before.definition);
      if (holders.counts.length > 0) found.push(holders);
      return { ...change, holders: holders.counts };
    } catch (error) {
      const message = `the holders of ${change.urn} could not be counted: ${error instanceof Error ? error.message : String(error)}`;
      warnings.push({ reason: 'NotCounted', message });
      return change;
    }
  });
  const entities = distinct(found);
  return { properties, ...(entities === undefined ? {} : { entities }), warnings };
}

function distinct(holders: readonly Holders[]): number | undefined {
  // An entity has one type: what holds one property is counted once.
  if (holders.length <= 1) return holders[0]?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const all = new Set<string>();
  for (const { urns } of holders) {
    if (urns === undefined) return undefined;
    for (const urn of urns) all.add(urn);
  }
  return all.size;
}
