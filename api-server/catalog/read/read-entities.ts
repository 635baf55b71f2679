import { setImmediate as nextTurn } from 'node:timers/promises';
import { aspectsOf } from '../../../model/aspect.ts';
import { visibleAssignments, withoutEpoch } from '../../../model/entity/assignments.ts';
import type { StoredAspect } from '../../../model/entity/draft.ts';
import type { PropertyStates } from '../../../model/entity/property-state.ts';
import { MAX_ANSWER_BYTES } from '../../../model/limits.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import { namedEntities } from '../../store/pages.ts';
import { type EntityDocument, READ_BYTES } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts } from '../parts.ts';
import { type CatalogRequest, checkDeadline } from '../request.ts';
import { isVisible, loadLife, onlyVisible, type Shadow, shadowOf } from './entity-life.ts';

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

/** Documents that are read from the store before others get their turn. */
const READ_AT_ONCE = 100;

const VERSIONS_AT_ONCE = 1000;

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

/** What a request keeps of the entities that it reads. */
export interface Showing<T> {
  /** All when absent. */
  readonly aspects?: ReadonlySet<string> | undefined;
  /** The form in which an entity is kept; `undefined`: it is left out. */
  readonly show: (view: EntityView) => T | undefined;
  /** Bytes of that form. Absent: it holds the whole document. */
  readonly bytesOf?: (shown: T) => number;
  /** Bytes of documents with which the reading ends, whatever is kept of them. */
  readonly maxRead?: number;
}

/** Entities as they were read. */
export const WHOLE = { show: (view: EntityView): EntityView => view };

export interface ShownEntities<T> {
  readonly entities: T[];
  /** How many of those that are named were looked at: fewer than all when the answer is full. */
  readonly reached: number;
}

/** Documents that every request may read before it has to wait for its turn, in bytes. */
const READ_FREELY = 1024 * 1024;

/**
 * Reads entities, those that exist, in the order in which they are named, each named once, until the answer is full. One
 * that is named with an incarnation is gone in every other.
 * @throws CatalogError `timeout`; `too-large` when the answer was full before; `unavailable` when too many large answers
 * are made at this time.
 */
export async function readEntities<T>(
  request: CatalogRequest,
  wanted: readonly { readonly urn: string; readonly incarnation?: string }[],
  { aspects, show, bytesOf, maxRead = Number.POSITIVE_INFINITY }: Showing<T>,
): Promise<ShownEntities<T>> {
  const { parts } = request;
  const entities: T[] = [];
  let read = 0;
  let reached = 0;
  if (wanted.length > 0 && request.held >= MAX_ANSWER_BYTES)
    throw tooLarge('Nothing more of the entities asked for fits');
  while (reached < wanted.length && read < maxRead && request.held < MAX_ANSWER_BYTES) {
    // The embedded store answers at once: without this, nobody else would be served until all is read.
    if (reached > 0) await nextTurn();
    if (read > READ_FREELY) await request.admitLargeAnswer();
    checkDeadline(parts, request);
    const batch = wanted.slice(reached, reached + READ_AT_ONCE);
    const found = await parts.store.entities.getMany(
      batch.map(({ urn }) => urn),
      READ_BYTES,
    );
    // What was parsed in one go becomes text in another.
    if (found.bytes > READ_FREELY) await nextTurn();
    const incarnations = new Map(batch.map(({ urn, incarnation }) => [urn, incarnation]));
    const meant = found.documents.filter(
      ({ urn, incarnation }) => (incarnations.get(urn) ?? incarnation) === incarnation,
    );
    const views = await viewEntities(request, await onlyVisible(parts.store, meant), aspects);
    const shown = views.map(show).filter((one) => one !== undefined);
    for (const each of shown) entities.push(each);
    request.held += bytesOf === undefined ? found.bytes : shown.reduce((sum, one) => sum + bytesOf(one), 0);
    read += found.bytes;
    reached += found.reached;
  }
  return { entities, reached };
}

/** The same where all of them are needed. @throws CatalogError `too-large` when they do not fit into one answer. */
export async function readAllEntities<T>(
  request: CatalogRequest,
  wanted: readonly { readonly urn: string }[],
  showing: Showing<T>,
): Promise<T[]> {
  const { entities, reached } = await readEntities(request, wanted, showing);
  if (reached < wanted.length) throw tooLarge(`Only the first ${reached} of the ${wanted.length} entities fit`);
  return entities;
}

/** Those of the named entities that exist: nothing of them is read but that. */
export async function existingEntities(
  request: CatalogRequest,
  wanted: readonly { readonly urn: string; readonly incarnation: string }[],
): Promise<string[]> {
  const { parts } = request;
  const existing: string[] = [];
  for (let at = 0; at < wanted.length; at += VERSIONS_AT_ONCE) {
    if (at > 0) await nextTurn();
    checkDeadline(parts, request);
    const batch = wanted.slice(at, at + VERSIONS_AT_ONCE);
    const shadows = await onlyVisible(
      parts.store,
      await shadowsOf(
        parts,
        batch.map(({ urn }) => urn),
      ),
    );
    const incarnations = new Map(shadows.map(({ urn, incarnation }) => [urn, incarnation]));
    for (const { urn, incarnation } of batch) if (incarnations.get(urn) === incarnation) existing.push(urn);
  }
  return existing;
}

/** Only a schema field has to be read: which life of its dataset it belongs to is in its document. */
async function shadowsOf({ store: { entities } }: CatalogParts, urns: readonly string[]): Promise<Shadow[]> {
  const others = await entities.versions(urns.filter((urn) => !isSchemaField(urn)));
  const fields = namedEntities(entities, urns.filter(isSchemaField));
  return [...others, ...(await Array.fromAsync(fields, shadowOf))];
}

function isSchemaField(urn: string): boolean {
  return urn.startsWith('urn:li:schemaField:');
}

/** @param what begins the message. */
export function tooLarge(what: string): CatalogError {
  return new CatalogError(
    'too-large',
    `${what} into one answer of ${MAX_ANSWER_BYTES} bytes: ask for fewer, or for fewer aspects, at a time`,
  );
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
