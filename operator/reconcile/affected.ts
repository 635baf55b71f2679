import { type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import { isDatasetProperties, isStructuredProperty } from '../../model/resource/resource.ts';
import type { SourceResource } from '../source/port.ts';
import type { ResourceTable } from '../table/object-table.ts';

/**
 * The other resources that have to look again because a resource changed from `before` to `after`: what refers to it,
 * what is about the same things, and what waits for somebody to give way. The index holds `after` already.
 */
export function affectedBy(
  before: SourceResource | undefined,
  after: SourceResource | undefined,
  index: ResourceTable,
): Set<ResourceKey> {
  const affected = new Set<ResourceKey>(index.inConflict());
  for (const entry of [before, after]) {
    for (const key of entry === undefined ? [] : concernedBy(entry, index)) affected.add(key);
  }
  const self = (after ?? before)?.id;
  if (self !== undefined) affected.delete(resourceKey(self));
  return affected;
}

function concernedBy({ id, wish }: SourceResource, index: ResourceTable): ResourceKey[] {
  if (wish.kind !== 'valid') return id.kind === 'StructuredProperty' ? index.dependents(id, undefined) : [];
  const { resource } = wish;
  if (isDatasetProperties(resource)) return index.neighbours(resourceKey(id), resource.spec);
  if (!isStructuredProperty(resource)) return [];
  const { qualifiedName } = resource.spec;
  return [
    ...index.dependents(id, qualifiedName),
    ...index.definers(qualifiedName).map(({ entry }) => resourceKey(entry.id)),
  ];
}
