import { isHttpError } from '../client/http-errors.ts';
import { rejectionReason } from '../operator/reconcile/error-outcome.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { CliDefinition, CliEntity } from './files/parse-cli-file.ts';
import type { Inputs } from './files/read-inputs.ts';
import type { Refused } from './plan-shape.ts';

/** An aspect that was written, before and after. */
export interface AspectChange {
  readonly aspect: string;
  readonly before: unknown;
  readonly after: unknown;
  /** `file:line` of the entry that wrote it. */
  readonly location: string;
}

export interface CliOutcome {
  readonly refused: readonly Refused[];
  /** The entries that were refused. */
  readonly left: CliEntries;
  /** By URN, also those that are written as they are already. */
  readonly aspects: ReadonlyMap<string, readonly AspectChange[]>;
}

export type CliEntries = Pick<Inputs, 'definitions' | 'entities'>;

/**
 * Does in the overlay what `proplane properties upsert` and `proplane dataset upsert` would do, in the order of the
 * files: definitions first, then entities, then fields.
 * @param earlier what was applied before; its refusals are forgotten.
 */
export async function applyCliFiles(
  { definitions, entities }: CliEntries,
  overlay: Overlay,
  earlier?: CliOutcome,
): Promise<CliOutcome> {
  const refused: Refused[] = [];
  const aspects = new Map(earlier?.aspects);

  /** @returns whether it was done. */
  async function attempt(urn: string, location: string, work: () => Promise<void>): Promise<boolean> {
    overlay.writer = { location };
    try {
      await work();
      return true;
    } catch (error) {
      if (overlay.fault !== undefined || !isHttpError(error)) throw overlay.fault ?? error;
      const reason =
        error.code === 'missing' ? 'NotFound' : rejectionReason(error.code === 'rejected' ? error.violations : []);
      refused.push({ urn, location, reason, message: error.message });
      return false;
    }
  }

  const left = { definitions: [] as CliDefinition[], entities: [] as CliEntity[] };
  for (const entry of definitions) {
    const { urn, definition, location } = entry;
    const done = await attempt(urn, location, () => overlay.writeDefinition(urn, definition, undefined));
    if (!done) left.definitions.push(entry);
  }
  for (const entry of entities) {
    const { urn, aspects: own, assignments, location } = entry;
    const done = await attempt(urn, location, async () => {
      if (assignments === undefined) await overlay.create(urn);
      else await overlay.replaceAssignments(urn, assignments);
      const names = Object.keys(own);
      const before = names.length === 0 ? {} : await overlay.base.readAspects(urn, names);
      const changes = new Map(aspects.get(urn)?.map((change) => [change.aspect, change]));
      for (const aspect of names) {
        const standing = changes.get(aspect)?.after ?? before[aspect];
        const named = own[aspect] as Aspect;
        const after = patched(standing as Aspect | undefined, named, entry.nameIsImplied === aspect);
        changes.set(aspect, { aspect, before: before[aspect], after, location });
      }
      aspects.set(urn, [...changes.values()]);
    });
    if (!done) left.entities.push(entry);
  }
  return { refused, left, aspects };
}

type Aspect = Readonly<Record<string, unknown>>;

/** The fields that an entry names replace those that stand; a name that it does not give itself only makes one. */
function patched(standing: Aspect | undefined, named: Aspect, nameIsImplied: boolean): Aspect {
  const name = nameIsImplied && standing?.name !== undefined ? { name: standing.name } : {};
  return { ...standing, ...named, ...name };
}

/** The aspects as they are afterwards, for a plan that starts from this one. */
export function aspectsAfter({ aspects }: CliOutcome): Map<string, Record<string, unknown>> {
  return new Map(
    [...aspects].map(([urn, changes]) => [
      urn,
      Object.fromEntries(changes.map(({ aspect, after }) => [aspect, after])),
    ]),
  );
}
