import { findAspect } from '../../model/aspect.ts';
import { unknownAspect } from '../../model/entity/parse-aspects.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { invalid } from './errors.ts';

/** The canonical name of an aspect. @throws CatalogError `invalid` when entities of the type have no such aspect. */
export function requireAspect(urn: ParsedUrn, name: string): string {
  const aspect = findAspect(urn.entityType, name);
  if (aspect === undefined) throw invalid([unknownAspect(urn, name)]);
  return aspect;
}
