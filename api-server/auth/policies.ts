import { DEFAULT_POLICIES, type KnownPolicy } from '../../model/access/default-policies.ts';
import { type Policy, policySchema } from '../../model/access/policy.ts';
import { MAX_POLICIES } from '../../model/limits.ts';
import { checkShape } from '../../model/shape.ts';
import { CatalogError, refusedBy, valid } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type RegistryView, recordKey } from '../catalog/registry/registry.ts';
import { changeRecord } from '../store/change-record.ts';
import { removeRecord } from './expiring.ts';
import { demandManager, inTurn } from './managers.ts';

/** Records of policies that were made or changed by the API; the id is the policy's. */
export const POLICY_RECORDS = 'policy';

/** The policies that hold: what every installation has, under what files say, under what is stored. */
export class Policies {
  /** Those that are not stored. */
  readonly #given: ReadonlyMap<string, KnownPolicy>;
  /** By the records that they are made of, which the registry keeps for as long as nobody changes one. */
  readonly #merged = new WeakMap<readonly Policy[], readonly KnownPolicy[]>();

  /** @param fromFiles they replace those of the same id that every installation has. */
  constructor(fromFiles: readonly Policy[]) {
    const given = fromFiles.map((policy): KnownPolicy => ({ ...policy, origin: 'file', editable: false }));
    this.#given = new Map([...DEFAULT_POLICIES, ...given].map((policy) => [policy.id, policy]));
  }

  async effective(registry: RegistryView): Promise<readonly KnownPolicy[]> {
    const stored = await registry.records<Policy>(POLICY_RECORDS);
    const known = this.#merged.get(stored) ?? this.with(stored);
    this.#merged.set(stored, known);
    return known;
  }

  /** What would hold if these were stored. */
  with(stored: readonly Policy[]): readonly KnownPolicy[] {
    const policies = new Map(this.#given);
    for (const policy of stored) {
      if (this.given(policy.id)?.editable === false) continue;
      policies.set(policy.id, { ...policy, origin: 'stored', editable: true });
    }
    return [...policies.values()];
  }

  /** The one that holds while none of the id is stored. */
  given(id: string): KnownPolicy | undefined {
    return this.#given.get(id);
  }
}

export function effectivePolicies({ auth }: CatalogParts, registry: RegistryView): Promise<readonly KnownPolicy[]> {
  return auth.policies.effective(registry);
}

/** The policy of an id. @throws CatalogError `missing`. */
export async function readPolicy(parts: CatalogParts, id: string): Promise<KnownPolicy> {
  const policy = (await effectivePolicies(parts, await parts.registry.view())).find((each) => each.id === id);
  if (policy === undefined) throw missingPolicy(id);
  return policy;
}

/**
 * Makes a policy, or replaces the one of its id.
 * @param body without the id, or with the same.
 * @throws CatalogError `invalid` naming every violated rule.
 */
export async function putPolicy(parts: CatalogParts, id: string, body: object): Promise<KnownPolicy> {
  const policy = valid(checkShape(policySchema, { ...body, id }));
  await changePolicies(parts, id, (stored) => {
    if (stored.length >= MAX_POLICIES && !stored.some((each) => each.id === id)) {
      throw new CatalogError('too-large', `There are ${MAX_POLICIES} policies already.`);
    }
    return [...stored.filter((each) => each.id !== id), policy];
  });
  return { ...policy, origin: 'stored', editable: true };
}

/**
 * Deletes a policy. One that every installation has is as it was then.
 * @throws CatalogError `missing`; `invalid` when it cannot be deleted.
 */
export async function deletePolicy(parts: CatalogParts, id: string): Promise<void> {
  await changePolicies(parts, id, (stored) => {
    const left = stored.filter((each) => each.id !== id);
    if (left.length < stored.length) return left;
    if (parts.auth.policies.given(id) === undefined) throw missingPolicy(id);
    throw refusedBy('not-editable', `The policy ${id} is one that every installation has: make it INACTIVE instead.`);
  });
}

/** @param next the stored policies, with another one of the id, or without it. */
async function changePolicies(
  parts: CatalogParts,
  id: string,
  next: (stored: readonly Policy[]) => readonly Policy[],
): Promise<void> {
  const { auth, registry, store } = parts;
  if (auth.policies.given(id)?.editable === false) {
    const why = auth.policies.given(id)?.origin === 'file' ? 'comes from a file of the server' : 'is fixed';
    throw refusedBy('not-editable', `The policy ${id} ${why}: it cannot be changed.`);
  }
  await inTurn(parts, async () => {
    const left = next(await (await registry.view()).records<Policy>(POLICY_RECORDS));
    await demandManager(parts, { policies: auth.policies.with(left) });
    const policy = left.find((each) => each.id === id);
    await registry.change([recordKey(POLICY_RECORDS, id)], async () => {
      if (policy === undefined) await removeRecord(store.records, POLICY_RECORDS, id);
      else await changeRecord(store.records, { kind: POLICY_RECORDS, id }, () => policy);
    });
  });
}

function missingPolicy(id: string): CatalogError {
  return new CatalogError('missing', `There is no policy ${id}.`);
}
