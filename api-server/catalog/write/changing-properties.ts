import type { ParsedUrn } from '../../../model/urn.ts';
import type { CatalogParts } from '../parts.ts';

/** Runs `work` as a registry change when it touches structured properties. */
export function changingProperties<T>(
  { registry }: CatalogParts,
  urns: readonly ParsedUrn[],
  work: () => Promise<T>,
): Promise<T> {
  const properties = urns.filter(({ entityType }) => entityType.name === 'structuredProperty').map(({ urn }) => urn);
  return properties.length === 0 ? work() : registry.change(properties, work);
}
