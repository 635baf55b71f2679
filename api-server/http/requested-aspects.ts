import { findAspect, isKnownAspect } from '../../model/aspect.ts';
import type { EntityTypeInfo } from '../../model/entity-type.ts';
import { CatalogError } from '../catalog/errors.ts';

/**
 * Canonical names of the aspects that a request asks for, of several types in one where the request is about several;
 * `undefined`: all. Names of aspects that other types have are ignored.
 * @throws CatalogError for names that are no aspect of any type.
 */
export function canonicalAspects(
  entityTypes: readonly EntityTypeInfo[],
  names: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const find = (name: string) => entityTypes.flatMap((entityType) => findAspect(entityType, name) ?? []);
  const unknown = names.filter((name) => find(name).length === 0 && !isKnownAspect(name));
  if (unknown.length > 0) throw new CatalogError('malformed', `aspects: unknown aspect ${unknown.join(', ')}`);
  return new Set(names.flatMap(find));
}
