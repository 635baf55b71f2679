import { aspectsOf } from '../../../model/aspect.ts';
import { visibleAssignments, withoutEpoch } from '../../../model/entity/assignments.ts';
import type { StoredAspect } from '../../../model/entity/draft.ts';
import type { PropertyStates } from '../../../model/entity/property-state.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { EntityDocument } from '../../store/port.ts';
import type { CatalogParts } from '../parts.ts';
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

/** Reads one entity. @returns `undefined` when it does not exist; a soft-deleted one is returned. */
export async function readEntity(
  parts: CatalogParts,
  urn: ParsedUrn,
  aspects?: ReadonlySet<string>,
): Promise<EntityView | undefined> {
  const { stored, parent } = await loadLife(parts.store, urn);
  if (!isVisible(stored, parent)) return undefined;
  const [view] = await viewEntities(parts, [stored], aspects);
  return view;
}

/** Reads entities, those that exist, each once, in the order of the URNs. */
export async function readEntities(
  parts: CatalogParts,
  urns: readonly string[],
  aspects?: ReadonlySet<string>,
): Promise<EntityView[]> {
  const wanted = new Set(urns);
  const stored = new Map((await parts.store.entities.getMany([...wanted])).map((document) => [document.urn, document]));
  const documents = [...wanted].flatMap((urn) => stored.get(urn) ?? []);
  return viewEntities(parts, await onlyVisible(parts.store, documents), aspects);
}

/** Documents as the interface shows them, with the named aspects, or all. */
export async function viewEntities(
  parts: CatalogParts,
  documents: readonly EntityDocument[],
  aspects?: ReadonlySet<string>,
): Promise<EntityView[]> {
  const wantsAssignments = aspects === undefined || aspects.has('structuredProperties');
  const named = documents.flatMap(({ assignments }) => assignments.map(({ propertyUrn }) => propertyUrn));
  const needed = wantsAssignments && named.length > 0;
  const states: PropertyStates = needed ? await (await parts.registry.view()).properties(named) : new Map();
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
