import { searchNameOf } from '../../model/search-name.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { type Violation, violation } from '../../model/violation.ts';
import type { EntityDocument } from '../store/port.ts';
import { decideWrite, type EntityWrite, involvedProperties } from './entity-write.ts';
import { updateEntity } from './entity-writer.ts';
import { CatalogError, invalid, missing } from './errors.ts';
import type { CatalogParts, RequestContext } from './parts.ts';
import { claimSearchName } from './search-name-claims.ts';

/** Runs `work` as a registry change when it touches structured properties. */
export function changingProperties<T>(
  parts: CatalogParts,
  urns: readonly ParsedUrn[],
  work: () => Promise<T>,
): Promise<T> {
  const properties = urns.filter(({ entityType }) => entityType.name === 'structuredProperty').map(({ urn }) => urn);
  return properties.length === 0 ? work() : parts.registry.change(properties, work);
}

/** Checks and writes one entity. */
export function writeEntity(
  parts: CatalogParts,
  write: EntityWrite,
  context: RequestContext,
  batch?: string,
): Promise<EntityDocument> {
  return writeDerived(parts, write.urn, () => write, context, batch);
}

/**
 * Carries out a write of a batch that was checked whole. It is not checked again: what has overtaken it wins, and the
 * write is left out.
 * @returns the entity afterwards; `undefined` when the write was left out and there is none.
 */
export async function writeChecked(
  parts: CatalogParts,
  write: EntityWrite,
  context: RequestContext,
  batch: string,
): Promise<EntityDocument | undefined> {
  try {
    return await writeDerived(parts, write.urn, (current) => checkedWrite(write, current), context, batch);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code === 'timeout') throw error;
    parts.log.warn({ urn: write.urn.urn, batch, reason: error.message }, 'a write of a batch was overtaken');
    return parts.store.entities.get(write.urn.urn);
  }
}

function checkedWrite(write: EntityWrite, current: EntityDocument | undefined): EntityWrite {
  // Deleted since, and perhaps created again: the batch must not bring the earlier one back.
  if (write.checkedFor !== 'nothing' && write.checkedFor !== current?.incarnation) throw missing(write.urn.urn);
  return { ...write, condition: 'upsert' };
}

/** As {@link writeEntity}, for a write that depends on what the entity is now. */
export function writeDerived(
  parts: CatalogParts,
  urn: ParsedUrn,
  derive: (current: EntityDocument | undefined) => EntityWrite,
  context: RequestContext,
  batch?: string,
): Promise<EntityDocument> {
  const stamp = { time: parts.now(), actor: context.actor };
  const decide = async (current: EntityDocument | undefined) => {
    const write = derive(current);
    const view = await parts.registry.view();
    const states = await view.properties(involvedProperties(write, current));
    const decided = decideWrite(write, current, states, parts.settings, stamp);
    if (decided.violations.length > 0) throw invalid(decided.violations);
    for (const { path, message } of decided.warnings) parts.log.warn({ urn: write.urn.urn, path }, message);
    const holder = write.definition === undefined ? undefined : await claimSearchName(parts, write.urn);
    if (holder !== undefined) throw invalid([collision(write, holder)]);
    const ended = current?.definitionState?.epoch;
    if (ended !== undefined && decided.draft.definitionState?.epoch !== ended) {
      await parts.ensureJob({ kind: 'collection', subject: urn.urn, remains: ended });
    }
    return decided.draft;
  };
  return updateEntity(parts, urn, context, decide, batch);
}

/** The definition of another property has the search name. */
export function collision(write: EntityWrite, holder: string): Violation {
  const name = searchNameOf(write.urn.id);
  return violation(
    'qualifiedName',
    `Structured property search field '${name}' collides with existing property ${holder}`,
  );
}
