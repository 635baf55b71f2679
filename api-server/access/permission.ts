import { type AnyOf, TO_SEE, toRead } from '../../model/access/entity-needs.ts';
import { Grants, isToldByUrn } from '../../model/access/grants.ts';
import { PRIVILEGES, type PrivilegeName } from '../../model/access/privileges.ts';
import { FACT_ASPECTS, factsOf, type ResourceFacts, wholeOf } from '../../model/access/resource-facts.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { effectivePolicies } from '../auth/policies.ts';
import { CatalogError } from '../catalog/errors.ts';
import { isVisible } from '../catalog/read/entity-life.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { namedEntities } from '../store/pages.ts';

/** What the caller of a request may do. It is looked up once a request: the policies are as its registry view has them. */
export async function grantsOf(request: CatalogRequest): Promise<Grants> {
  request.grants ??= lookUp(request);
  return request.grants;
}

async function lookUp(request: CatalogRequest): Promise<Grants> {
  const { caller, parts } = request;
  if (caller.unlimited === true) return new Grants(caller, []);
  return new Grants(caller, await effectivePolicies(parts, await request.registry()));
}

/** @throws CatalogError `unauthorized` when none of the privileges is held. */
export async function demand(request: CatalogRequest, anyOf: AnyOf): Promise<void> {
  const grants = await grantsOf(request);
  if (!grants.holds(anyOf)) throw refusal(request, anyOf);
}

/** One privilege of the list has to be held on the entity. */
export interface EntityNeed {
  readonly urn: ParsedUrn;
  readonly anyOf: AnyOf;
}

/**
 * It says the same of an entity that does not exist: nobody learns of one that he may not see.
 * @throws CatalogError `unauthorized` naming the first entity on which none is held.
 */
export async function demandOn(request: CatalogRequest, needs: readonly EntityNeed[]): Promise<void> {
  const grants = await grantsOf(request);
  const open = needs.filter(({ urn, anyOf }) => !grants.holds(anyOf) && !grants.holdsOn(anyOf, factsOf(urn)));
  const facts = await storedFacts(
    request,
    open.filter(({ anyOf }) => needsStoredFacts(grants, anyOf)).map(({ urn }) => urn),
  );
  const refused = open.find(({ urn, anyOf }) => {
    const stored = facts.get(urn.urn);
    return stored === undefined || !grants.holdsOn(anyOf, stored);
  });
  if (refused !== undefined) throw refusal(request, refused.anyOf, refused.urn.urn);
}

/** Those of the entities that the caller may see. */
export async function visibleAmong<T extends { readonly urn: string }>(
  request: CatalogRequest,
  entities: readonly T[],
): Promise<readonly T[]> {
  const grants = await grantsOf(request);
  if (grants.holds(TO_SEE)) return entities;
  const urns = [...new Set(entities.map(({ urn }) => urn))].map(parseUrn);
  const isSeen = (urn: ParsedUrn, facts: ResourceFacts) => grants.holdsOn(toRead(urn), facts);
  const [seen, open] = partition(urns, (urn) => isSeen(urn, factsOf(urn)));
  const stored = await storedFacts(request, needsStoredFacts(grants, TO_SEE) ? open : []);
  const visible = new Set<string>(seen.map(({ urn }) => urn));
  for (const urn of open) {
    const facts = stored.get(urn.urn);
    if (facts !== undefined && isSeen(urn, facts)) visible.add(urn.urn);
  }
  return entities.filter(({ urn }) => visible.has(urn));
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const { first = [], second = [] } = Object.groupBy(all, (one) => (isFirst(one) ? 'first' : 'second'));
  return [first, second];
}

function needsStoredFacts(grants: Grants, anyOf: AnyOf): boolean {
  const extent = grants.extentOf(anyOf);
  return extent !== 'everywhere' && extent.some((scope) => !isToldByUrn(scope));
}

/** Of those that exist, by URN. */
async function storedFacts(
  { parts: { store } }: CatalogRequest,
  urns: readonly ParsedUrn[],
): Promise<Map<string, ResourceFacts>> {
  const wholes = new Set(urns.map((urn): string => wholeOf(urn).urn));
  const aspects = new Map<string, Parameters<typeof factsOf>[1]>();
  if (wholes.size === 0) return new Map();
  for await (const document of namedEntities(store.entities, wholes)) {
    if (!isVisible(document, undefined)) continue;
    const named = Object.entries(document.aspects).filter(([name]) => FACT_ASPECTS.has(name));
    aspects.set(document.urn, Object.fromEntries(named));
  }
  return new Map(
    urns.flatMap((urn) => {
      const known = aspects.get(wholeOf(urn).urn);
      return known === undefined ? [] : [[urn.urn, factsOf(urn, known)] as const];
    }),
  );
}

function refusal({ caller, parts, address }: CatalogRequest, anyOf: AnyOf, on?: string): CatalogError {
  const labels = [...new Set(anyOf)].map((name: PrivilegeName) => PRIVILEGES[name].label);
  const place = on === undefined ? '' : ` on ${on}`;
  parts.auth.audit.note({
    actor: caller.actor,
    action: 'useWithoutPrivilege',
    outcome: 'refused',
    detail: labels.join(' or '),
    ...(on === undefined ? {} : { subject: on }),
    ...(address === undefined ? {} : { address }),
  });
  return new CatalogError(
    'unauthorized',
    `${caller.actor} is not authorized: it needs the privilege ${labels.join(' or ')}${place}. ` +
      'Somebody who may manage policies can grant it.',
  );
}
