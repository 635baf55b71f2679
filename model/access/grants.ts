import type { Caller } from './caller.ts';
import type { Criterion, Policy } from './policy.ts';
import type { PrivilegeName } from './privileges.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** Entities on which a privilege is held: those that meet all criteria, and one of whose owners is one of these, if any. */
export interface Scope {
  readonly criteria: readonly Criterion[];
  /** URNs of the caller and of the groups, where only owners hold it. */
  readonly owners?: readonly string[];
}

/** Where privileges are held: in one scope or another; none: nowhere. */
export type Extent = 'everywhere' | readonly Scope[];

/** What a caller holds by the policies that are active. */
export class Grants {
  readonly caller: Caller;
  readonly #policies: readonly Policy[];

  constructor(caller: Caller, policies: readonly Policy[]) {
    this.caller = caller;
    this.#policies = policies.filter((policy) => policy.state === 'ACTIVE' && isMeant(policy.actors, caller));
  }

  /** Whether one of the privileges is held: of type PLATFORM, or of type METADATA on every entity. */
  holds(anyOf: readonly PrivilegeName[]): boolean {
    return (
      this.caller.unlimited === true ||
      this.#granting(anyOf).some((policy) => policy.type === 'PLATFORM' || scopeOf(policy, this.caller) === undefined)
    );
  }

  /** Whether one of the privileges is held on an entity. */
  holdsOn(anyOf: readonly PrivilegeName[], facts: ResourceFacts): boolean {
    const extent = this.extentOf(anyOf);
    return extent === 'everywhere' || extent.some((scope) => isWithin(scope, facts));
  }

  /** Where one of the privileges is held. */
  extentOf(anyOf: readonly PrivilegeName[]): Extent {
    if (this.holds(anyOf)) return 'everywhere';
    return this.#granting(anyOf)
      .map((policy) => scopeOf(policy, this.caller))
      .filter((scope) => scope !== undefined);
  }

  #granting(anyOf: readonly PrivilegeName[]): Policy[] {
    return this.#policies.filter(({ privileges }) => privileges.some((name) => anyOf.includes(name)));
  }
}

function isMeant({ users, groups, roles, allUsers, resourceOwners }: Policy['actors'], caller: Caller): boolean {
  return isNamed({ users, groups, roles, allUsers }, caller) || resourceOwners;
}

function isNamed(
  { users, groups, roles, allUsers }: Omit<Policy['actors'], 'resourceOwners'>,
  caller: Caller,
): boolean {
  return (
    allUsers ||
    users.includes(caller.actor) ||
    groups.some((group) => caller.groups.includes(group)) ||
    roles.some((role) => caller.roles.includes(role))
  );
}

/** @returns `undefined` for every entity. */
function scopeOf({ actors, resources }: Policy, caller: Caller): Scope | undefined {
  const criteria = resources?.filter ?? [];
  if (isNamed(actors, caller)) return criteria.length === 0 ? undefined : { criteria };
  return { criteria, owners: [caller.actor, ...caller.groups] };
}

/** Whether the scope can be told by the URN alone. */
export function isToldByUrn({ criteria, owners }: Scope): boolean {
  return owners === undefined && criteria.every(({ field }) => field !== 'DOMAIN');
}

export function isWithin({ criteria, owners }: Scope, facts: ResourceFacts): boolean {
  if (owners !== undefined && !facts.owners.some((owner) => owners.includes(owner))) return false;
  return criteria.every(({ field, condition, values }) => {
    const texts = textsOf(field, facts);
    return values.some((value) =>
      texts.some((text) => (condition === 'EQUALS' ? text === value : text.startsWith(value))),
    );
  });
}

function textsOf(field: Criterion['field'], facts: ResourceFacts): readonly string[] {
  return { TYPE: facts.types, URN: facts.urns, PLATFORM: facts.platforms, DOMAIN: facts.domains }[field];
}
