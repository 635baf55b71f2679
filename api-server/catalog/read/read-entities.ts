import { setImmediate as nextTurn } from 'node:timers/promises';
import { aspectsOf } from '../../../model/aspect.ts';
import { visibleAssignments, withoutEpoch } from '../../../model/entity/assignments.ts';
import type { StoredAspect } from '../../../model/entity/draft.ts';
import type { PropertyStates } from '../../../model/entity/property-state.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { EntityDocument } from '../../store/port.ts';
import { type CatalogRequest, checkDeadline } from '../request.ts';
import { isVisible, loadLife, onlyVisible } from './entity-life.ts';

/** An entity as the interface shows it. */
export interface EntityView {
  readonly urn: string;
  /** By canonical name; only what the entity has. */
  readonly aspects: Readonly<Record<string, AspectView>>;
  /** Owner marks as the store has them. */
  readonly owners: EntityDocument['owners'];
}

export interface AspectView {
  readonly value: Readonly<Record<string, unknown>>;
  /** Absent for a key aspect, which is never written. */
  readonly stored?: StoredAspect;
}

/** Documents that are read from the store before others get their turn. They may be large. */
const READ_AT_ONCE = 100;

/** Reads one entity. @returns `undefined` when it does not exist; a soft-deleted one is returned. */
export async function readEntity(
  request: CatalogRequest,
  urn: ParsedUrn,
  aspects?: ReadonlySet<string>,
): Promise<EntityView | undefined> {
  const { stored, parent } = await loadLife(request.parts.store, urn);
  if (!isVisible(stored, parent)) return undefined;
  const [view] = await viewEntities(request, [stored], aspects);
  return view;
}

/**
 * Reads entities, those that exist, each once, in the order in which they are named; with the named aspects, or all. One
 * that is named with an incarnation is gone in every other.
 * @throws CatalogError `timeout`.
 */
export async function readEntities(
  request: CatalogRequest,
  named: readonly { readonly urn: string; readonly incarnation?: string }[],
  aspects?: ReadonlySet<string>,
): Promise<EntityView[]> {
  const { parts } = request;
  const wanted = [...new Map(named.map((each) => [each.urn, each])).values()];
  const views: EntityView[] = [];
  for (let at = 0; at < wanted.length; at += READ_AT_ONCE) {
    // The embedded store answers at once: without this, nobody else would be served until all is read.
    if (at > 0) await nextTurn();
    checkDeadline(parts, request);
    const batch = wanted.slice(at, at + READ_AT_ONCE);
    const found = await parts.store.entities.getMany(batch.map(({ urn }) => urn));
    const byUrn = new Map(found.map((document) => [document.urn, document]));
    const documents = batch.flatMap(({ urn, incarnation }) => {
      const document = byUrn.get(urn);
      return document === undefined || (incarnation ?? document.incarnation) !== document.incarnation ? [] : [document];
    });
    views.push(...(await viewEntities(request, await onlyVisible(parts.store, documents), aspects)));
  }
  return views;
}

/** Documents as the interface shows them, with the named aspects, or all. */
export async function viewEntities(
  request: CatalogRequest,
  documents: readonly EntityDocument[],
  aspects?: ReadonlySet<string>,
): Promise<EntityView[]> {
  const wantsAssignments = aspects === undefined || aspects.has('structuredProperties');
  const named = documents.flatMap(({ assignments }) => assignments.map(({ propertyUrn }) => propertyUrn));
  const needed = wantsAssignments && named.length > 0;
  const states: PropertyStates = needed ? await (await request.registry()).properties(named) : new Map();
  return documents.map((document) => viewEntity(document, states, aspects));
}

function viewEntity(
  document: EntityDocument,
  states: PropertyStates,
  wanted: ReadonlySet<string> | undefined,
): EntityView {
  const urn = parseUrn(document.urn);
  const aspects: Record<string, AspectView> = {};
  for (const name of aspectsOf(urn.entityType)) {
    if (wanted !== undefined && !wanted.has(name)) continue;
    const stored = document.aspects[name];
    if (name === urn.entityType.keyAspect) aspects[name] = { value: keyAspectOf(urn) };
    else if (stored !== undefined && name === 'structuredProperties') {
      aspects[name] = {
        stored,
        value: { properties: visibleAssignments(document.assignments, states).map(withoutEpoch) },
      };
    } else if (stored !== undefined) aspects[name] = { stored, value: stored.value };
  }
  return { urn: document.urn, aspects, owners: document.owners };
}
