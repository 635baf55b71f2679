import { DEFAULT_POLICIES, type KnownPolicy } from '../../model/access/default-policies.ts';
import type { Policy } from '../../model/access/policy.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { RegistryView } from '../catalog/registry/registry.ts';

export const POLICY_RECORDS = 'policy';

/** The policies that hold: what every installation has, under what files say, under what is stored. */
export async function effectivePolicies(_parts: CatalogParts, registry: RegistryView): Promise<KnownPolicy[]> {
  const policies = new Map(DEFAULT_POLICIES.map((policy) => [policy.id, policy]));
  for (const policy of await registry.records<Policy>(POLICY_RECORDS)) {
    if (policies.get(policy.id)?.editable === false) continue;
    policies.set(policy.id, { ...policy, origin: 'stored', editable: true });
  }
  return [...policies.values()];
}
