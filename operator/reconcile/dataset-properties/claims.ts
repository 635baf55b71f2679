import { compareAge, resourceKey } from '../../../model/resource/identity.ts';
import type { DatasetPropertiesResource } from '../../../model/resource/resource.ts';
import type { SourceResource } from '../../source/port.ts';
import type { ResourceTable, Wished } from '../../table/object-table.ts';
import type { TargetEntity } from './entity.ts';
import { listedIn, resolveReference } from './wanted.ts';

/** Who else claims the properties of one entity, by what the manifests say. */
export interface Claims {
  /** The oldest other resource that claims the property and is older than ours. */
  winner(propertyUrn: string): SourceResource | undefined;
  /** The oldest other resource that claims the property. */
  heir(propertyUrn: string): Wished<DatasetPropertiesResource> | undefined;
}

export function claimsOn(entity: TargetEntity, self: SourceResource, index: ResourceTable): Claims {
  const others = index
    .claimants(entity.dataset)
    .filter(({ entry }) => resourceKey(entry.id) !== resourceKey(self.id))
    .map((other) => ({ other, claims: claimOf(other.resource, entity, index) }));
  const heir = (propertyUrn: string): Wished<DatasetPropertiesResource> | undefined =>
    others.find(({ claims }) => claims === 'all' || claims.has(propertyUrn))?.other;
  return {
    heir,
    winner: (propertyUrn) => {
      const oldest = heir(propertyUrn)?.entry;
      return oldest !== undefined && compareAge(oldest, self) < 0 ? oldest : undefined;
    },
  };
}

/** `Replace` claims all of a dataset, and all of each field that it lists. */
function claimOf(
  { id, spec }: DatasetPropertiesResource,
  { fieldPath }: TargetEntity,
  index: ResourceTable,
): 'all' | ReadonlySet<string> {
  const replaces = spec.ownership === 'Replace';
  if (replaces && (fieldPath === undefined || spec.fields.some((field) => field.fieldPath === fieldPath))) return 'all';
  const listed = listedIn(spec).filter((one) => one.fieldPath === fieldPath);
  const urns = listed.map(({ reference }) => resolveReference(reference, id.namespace, index));
  return new Set(urns.filter((urn) => urn !== undefined));
}
