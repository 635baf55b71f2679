import { mapConcurrently } from '../operator/runtime/map-concurrently.ts';
import type { Base } from './catalogue/base.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { Note, PropertyChange } from './plan-shape.ts';

const AT_ONCE = 4;

/** Adds to each change that hides or removes values everywhere how many entities hold one now. */
export async function countHolders(
  changes: readonly PropertyChange[],
  overlay: Overlay,
  base: Base,
): Promise<{ properties: PropertyChange[]; warnings: Note[] }> {
  const warnings: Note[] = [];
  const properties = await mapConcurrently(changes, AT_ONCE, async (change) => {
    const before = overlay.propertiesBefore.get(change.urn);
    const hides = ['break', 'softDelete', 'delete'].includes(change.action);
    if (!hides || before?.definition === undefined || before.removed) return change;
    try {
      return { ...change, holders: await base.countHolders(change.urn, before.definition) };
    } catch (error) {
      const message = `the holders of ${change.urn} could not be counted: ${error instanceof Error ? error.message : String(error)}`;
      warnings.push({ reason: 'NotCounted', message });
      return change;
    }
  });
  return { properties, warnings };
}
