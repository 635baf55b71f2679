import type { Assignment } from '../../../model/assignment.ts';
import { sameTypedValues } from '../../../model/typed-value.ts';
import { ownerOf } from '../ownership.ts';
import { type Tools, wishOf } from '../step.ts';
import { observeEntity } from './observe-entity.ts';
import type { EntityPlan } from './plan-entity.ts';
import type { DatasetWork } from './work.ts';

/**
 * Carries out what has to be changed on one entity. It is looked at again first, with the entity locked: another
 * resource may have written it since the plan was made.
 * @returns the plan that was carried out, and whether the answer shows its effect.
 * @throws MissingError when the dataset does not exist.
 */
export async function applyPlan(
  { entity }: EntityPlan,
  meant: boolean,
  work: DatasetWork,
  tools: Tools,
): Promise<{ plan: EntityPlan; effective: boolean }> {
  const resource = wishOf(work);
  return await tools.locks.run(entity.urn, async () => {
    const plan = await observeEntity(entity, meant, resource, work, tools);
    if (plan.changes.length === 0) return { plan, effective: true };
    const owner = ownerOf(resource, tools.source.name);
    const after = await tools.catalogue.patchAssignments(entity.urn, plan.changes, { owner, create: false });
    return { plan, effective: shows(after, plan) };
  });
}

function shows(assignments: readonly Assignment[], { changes }: EntityPlan): boolean {
  const held = new Map(assignments.map(({ propertyUrn, values }) => [propertyUrn, values]));
  return changes.every((change) => {
    const values = held.get(change.propertyUrn);
    if (change.op === 'remove') return values === undefined;
    return values !== undefined && sameTypedValues(values, change.values);
  });
}
