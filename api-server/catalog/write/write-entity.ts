import { searchNameOf } from '../../../model/search-name.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { type Violation, violation } from '../../../model/violation.ts';
import { invalid, refuse } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import type { RegistryView } from '../registry/registry.ts';
import type { EntityDraft } from './entity-draft.ts';
import { type Decided, decideWrite, type EntityWrite, involvedProperties } from './entity-write.ts';
import { claimSearchName } from './search-name-claims.ts';

/** What a write is decided by, beside what the entity is. */
export interface WriteContext extends RequestContext {
  readonly registry: RegistryView;
}

/** Runs `work` as a registry change when it touches structured properties. */
export function changingProperties<T>(
  parts: CatalogParts,
  urns: readonly ParsedUrn[],
  work: () => Promise<T>,
): Promise<T> {
  const properties = urns.filter(({ entityType }) => entityType.name === 'structuredProperty').map(({ urn }) => urn);
  return properties.length === 0 ? work() : parts.registry.change(properties, work);
}

/** What a write makes of an entity. @throws CatalogError naming every violated rule; nothing is changed anywhere. */
export async function checkWrite(
  parts: CatalogParts,
  write: EntityWrite,
  current: EntityDraft | undefined,
  context: WriteContext,
): Promise<Decided> {
  const states = await context.registry.properties(involvedProperties(write, current));
  const stamp = { time: parts.now(), actor: context.actor };
  const decided = decideWrite(write, current, states, parts.settings, stamp);
  refuse(decided.violations, decided.unmet);
  return decided;
}

/**
 * Does what has to be done before what a change makes of an entity reaches the store.
 * @param definesProperty whether the change writes a definition.
 * @throws CatalogError when the definition of another property has the search name.
 */
export async function beforeStored(
  parts: CatalogParts,
  urn: ParsedUrn,
  definesProperty: boolean,
  current: EntityDraft | undefined,
  draft: EntityDraft,
): Promise<void> {
  const holder = definesProperty ? await claimSearchName(parts, urn) : undefined;
  if (holder !== undefined) throw invalid([collision(urn, holder)]);
  const ended = current?.definitionState?.epoch;
  if (ended !== undefined && draft.definitionState?.epoch !== ended) {
    await parts.ensureJob({ kind: 'collection', subject: urn.urn, remains: ended });
  }
}

/** The definition of another property has the search name. */
export function collision(urn: ParsedUrn, holder: string): Violation {
  const name = searchNameOf(urn.id);
  return violation(
    'search-name-collision',
    'qualifiedName',
    `Structured property search field '${name}' collides with existing property ${holder}`,
  );
}
