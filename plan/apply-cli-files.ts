import { isHttpError } from '../client/http-errors.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { rejectionReason } from '../operator/reconcile/error-outcome.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { Inputs } from './files/read-inputs.ts';
import type { Refused } from './plan-shape.ts';

/** Aspects of an entity before and after. */
export interface AspectChange {
  readonly aspect: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface CliOutcome {
  readonly refused: readonly Refused[];
  /** By URN, different ones only. */
  readonly aspects: ReadonlyMap<string, readonly AspectChange[]>;
}

/**
 * Does in the overlay what `proplane properties upsert` and `proplane dataset upsert` would do, in the order of the
 * files: definitions first, then entities, then fields.
 */
export async function applyCliFiles({ definitions, entities }: Inputs, overlay: Overlay): Promise<CliOutcome> {
  const refused: Refused[] = [];
  const written = new Map<string, Map<string, AspectChange>>();

  async function attempt(urn: string, location: string, work: () => Promise<void>): Promise<void> {
    overlay.writer = { location };
    try {
      await work();
    } catch (error) {
      if (overlay.fault !== undefined || !isHttpError(error)) throw overlay.fault ?? error;
      const reason = error.code === 'missing' ? 'NotFound' : rejectionReason(error.message);
      refused.push({ urn, location, reason, message: error.message });
    }
  }

  for (const { urn, definition, location } of definitions) {
    await attempt(urn, location, () => overlay.writeDefinition(urn, definition, undefined));
  }
  for (const { urn, aspects, assignments, location } of entities) {
    await attempt(urn, location, async () => {
      if (assignments === undefined) await overlay.create(urn);
      else await overlay.replaceAssignments(urn, assignments);
      const names = Object.keys(aspects);
      const before = names.length === 0 ? {} : await overlay.base.readAspects(urn, names);
      const changes = written.get(urn) ?? new Map<string, AspectChange>();
      for (const aspect of names) changes.set(aspect, { aspect, before: before[aspect], after: aspects[aspect] });
      written.set(urn, changes);
    });
  }
  const different = [...written].map(([urn, changes]) => {
    return [urn, [...changes.values()].filter((one) => !same(one.before, one.after))] as const;
  });
  return { refused, aspects: new Map(different.filter(([, changes]) => changes.length > 0)) };
}

/** The aspects as they are afterwards, for a plan that starts from this one. */
export function aspectsAfter({ entities }: Inputs): Map<string, Record<string, unknown>> {
  const all = new Map<string, Record<string, unknown>>();
  for (const { urn, aspects } of entities) all.set(urn, { ...all.get(urn), ...aspects });
  return all;
}

function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
