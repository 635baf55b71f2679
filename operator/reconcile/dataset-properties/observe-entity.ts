import { ConflictError } from '../../../client/http-errors.ts';
import type { DatasetPropertiesResource } from '../../../model/resource/resource.ts';
import type { OwnerMark } from '../../catalogue/catalogue.ts';
import { describeResource, holderInTheWay, isMarkOf, isUpToDate, ownerOf } from '../ownership.ts';
import type { Tools } from '../step.ts';
import { claimsOn } from './claims.ts';
import type { TargetEntity } from './entity.ts';
import { type EntityPlan, planEntity } from './plan-entity.ts';
import { resolveReference, storedForm } from './wanted.ts';
import type { DatasetWork } from './work.ts';

/**
 * Looks at one entity and tells what would have to be changed on it. `meant`: the spec means it (still).
 * @throws ConflictError when a reference does not mean any more what it meant when the work began: who else claims the
 * property is judged by what their references mean now.
 */
export async function observeEntity(
  entity: TargetEntity,
  meant: boolean,
  resource: DatasetPropertiesResource,
  work: DatasetWork,
  tools: Tools,
): Promise<EntityPlan> {
  const holder = await tools.catalogue.readHolder(entity.urn);
  for (const { reference, propertyUrn } of work.wanted)
    if (resolveReference(reference, resource.id.namespace, tools.index) !== propertyUrn)
      throw new ConflictError(`a reference to ${propertyUrn} means something else by now`);
  const byProperty = new Map(holder?.marks.map((mark) => [mark.propertyUrn, mark]));
  const claims = claimsOn(entity, work.entry, tools.index);
  const wanted = work.wanted.filter(({ fieldPath }) => meant && fieldPath === entity.fieldPath);
  return planEntity({
    entity,
    observed: holder?.assignments,
    wanted: new Map(
      wanted.map(({ propertyUrn, values }) => {
        const property = work.properties.get(propertyUrn);
        return [propertyUrn, property === undefined ? values : storedForm(values, property)];
      }),
    ),
    softDeleted: new Set([...work.properties].filter(([, { removed }]) => removed).map(([urn]) => urn)),
    replace: meant && resource.spec.ownership === 'Replace',
    marks: ownMarks(byProperty, resource, tools),
    winner: (propertyUrn) => {
      const older = claims.winner(propertyUrn);
      if (older !== undefined) return describeResource(older);
      const mark = byProperty.get(propertyUrn);
      const isThere =
        mark !== undefined || holder?.assignments.some((assignment) => assignment.propertyUrn === propertyUrn);
      return isThere ? holderInTheWay(mark, work.entry, tools) : undefined;
    },
    inherited: (propertyUrn) => claims.heir(propertyUrn) !== undefined,
  });
}

function ownMarks(
  marks: ReadonlyMap<string, OwnerMark>,
  resource: DatasetPropertiesResource,
  { source }: Tools,
): Map<string, 'current' | 'outdated'> {
  const owner = ownerOf(resource, source.name);
  const own = [...marks].filter(([, mark]) => isMarkOf(mark, source.name, resource.id));
  return new Map(own.map(([urn, mark]) => [urn, isUpToDate(mark, owner) ? 'current' : 'outdated']));
}
