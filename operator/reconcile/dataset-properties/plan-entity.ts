import type { Assignment } from '../../../model/assignment.ts';
import { sameTypedValues, type TypedValue } from '../../../model/typed-value.ts';
import type { AssignmentChange } from '../../catalogue/catalogue.ts';
import type { TargetEntity } from './entity.ts';

/** What a plan for one entity is made of. */
export interface PlanInput {
  readonly entity: TargetEntity;
  /** What it shall hold for us, in stored form, by property URN. */
  readonly wanted: ReadonlyMap<string, readonly TypedValue[]>;
  /** What it visibly holds; `undefined`: it does not exist. */
  readonly observed: readonly Assignment[] | undefined;
  /** Properties that are soft deleted: their values cannot be seen or written. */
  readonly softDeleted: ReadonlySet<string>;
  /** Nothing but what is wanted shall be on the entity. */
  readonly replace: boolean;
  /** Properties whose assignment has our mark, and whether the mark is exactly as a write would set it. */
  readonly marks: ReadonlyMap<string, 'current' | 'outdated'>;
  /** Who stands in the way of writing the property. */
  readonly winner: (propertyUrn: string) => string | undefined;
  /** Whether another resource claims the property, so that it is not ours to remove. */
  readonly inherited: (propertyUrn: string) => boolean;
}

export interface EntityPlan {
  readonly entity: TargetEntity;
  readonly exists: boolean;
  readonly observed: readonly Assignment[];
  /** In the order in which they are applied. */
  readonly changes: readonly AssignmentChange[];
  readonly conflicts: readonly { readonly propertyUrn: string; readonly winner: string }[];
  /** Wanted, and soft deleted. */
  readonly hidden: readonly string[];
  /** Properties that were in place for us once and are not any more, or (with `replace`) that somebody added. */
  readonly drifted: readonly string[];
  /** Properties that it held before, for somebody else or for nobody. */
  readonly adopted: readonly string[];
}

/** What has to be changed on one entity so that it holds what is wanted, and what cannot be. */
export function planEntity(input: PlanInput): EntityPlan {
  const { entity, wanted, softDeleted, replace, marks, winner, inherited } = input;
  const observed = input.observed ?? [];
  const standing = new Map(observed.map((assignment) => [assignment.propertyUrn, assignment.values]));
  const changes: AssignmentChange[] = [];
  const conflicts: { propertyUrn: string; winner: string }[] = [];
  const hidden: string[] = [];
  const drifted: string[] = [];
  const adopted: string[] = [];

  for (const propertyUrn of new Set([...marks.keys(), ...(replace ? standing.keys() : [])])) {
    if (wanted.has(propertyUrn)) continue;
    const stranger = winner(propertyUrn);
    if (marks.has(propertyUrn)) {
      if (stranger === undefined && !inherited(propertyUrn)) changes.push({ op: 'remove', propertyUrn });
    } else if (stranger !== undefined) {
      conflicts.push({ propertyUrn, winner: stranger });
    } else {
      changes.push({ op: 'remove', propertyUrn });
      drifted.push(propertyUrn);
    }
  }
  for (const [propertyUrn, values] of wanted) {
    const stranger = winner(propertyUrn);
    const mark = marks.get(propertyUrn);
    const same = sameTypedValues(standing.get(propertyUrn) ?? [], values);
    if (stranger !== undefined) conflicts.push({ propertyUrn, winner: stranger });
    else if (softDeleted.has(propertyUrn)) hidden.push(propertyUrn);
    else if (!same || mark !== 'current') changes.push({ op: 'add', propertyUrn, values });
    if (stranger === undefined && mark === undefined && standing.has(propertyUrn)) adopted.push(propertyUrn);
    if (stranger === undefined && !softDeleted.has(propertyUrn) && !same && mark !== undefined)
      drifted.push(propertyUrn);
  }
  return { entity, exists: input.observed !== undefined, observed, changes, conflicts, hidden, drifted, adopted };
}
