import { type AnyOf, toDelete, toDeleteAspects, toKnowOf, toRead, toWrite } from '../../model/access/entity-needs.ts';
import type { EntityPatch } from '../../model/entity/patch.ts';
import { rewriting } from '../../model/entity/rewrite.ts';
import { aspectNames, type EntityWrite } from '../../model/entity/write.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import type { OwnerMark } from '../../model/wire/owner-mark.ts';
import { guardedOn } from '../access/guarded.ts';
import { demand, demandOn, type EntityNeed, grantsOf, visibleAmong } from '../access/permission.ts';
import { visibleCondition } from '../access/visible-condition.ts';
import * as aggregate from '../catalog/find/aggregate-entities.ts';
import * as find from '../catalog/find/find-entities.ts';
import * as read from '../catalog/read/read-entities.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import * as change from '../catalog/write/change-entities.ts';
import { changingProperties } from '../catalog/write/changing-properties.ts';
import * as remove from '../catalog/write/delete-entity.ts';
import { storeChange } from '../catalog/write/store-change.ts';
import type { EntityDocument } from '../store/port.ts';
import { TO_MANAGE_RESOURCES, TO_SEE_RESOURCES } from './resources.ts';

/** What is done with entities, each with what it needs. */

export const readEntity = guardedOn(
  (urn: ParsedUrn, _aspects?: ReadonlySet<string>) => [{ urn, anyOf: toRead(urn) }],
  read.readEntity,
);

/** Whether an entity exists, or an aspect of it: only the named aspects of it are read. */
export const lookForEntity = guardedOn(
  (urn: ParsedUrn, _aspects: ReadonlySet<string>) => [{ urn, anyOf: toKnowOf(urn) }],
  read.readEntity,
);

/** The values that an entity has, for those who may change them. */
export const readValuesToChange = guardedOn(
  (urn: ParsedUrn) => needs(urn, toWrite(urn, { aspects: ['structuredProperties'], onlyNew: false, makes: false })),
  (request, urn) => read.readEntity(request, urn, new Set(['structuredProperties'])),
);

/** Those that the caller may see; others are as if they did not exist. */
export async function readAllEntities<T>(
  request: CatalogRequest,
  wanted: readonly { readonly urn: string }[],
  showing: read.Showing<T>,
): Promise<T[]> {
  return read.readAllEntities(request, await visibleAmong(request, wanted), showing);
}

export async function findEntities<T>(
  request: CatalogRequest,
  asked: find.FindEntitiesRequest,
  showing: Pick<read.Showing<T>, 'show' | 'bytesOf'>,
): Promise<find.EntityPage<T>> {
  return find.findEntities(request, await onlyVisible(request, asked), showing, (hits) => visibleAmong(request, hits));
}

export async function countFacet(
  request: CatalogRequest,
  name: string,
  selection: find.EntitySelection,
  limit: number,
): Promise<aggregate.Facet> {
  return aggregate.countFacet(request, name, await onlyVisible(request, selection), limit);
}

/** What is not seen is not counted. */
async function onlyVisible<S extends find.EntitySelection>(request: CatalogRequest, selection: S): Promise<S> {
  const visible = visibleCondition(await grantsOf(request));
  if (visible.kind === 'all') return selection;
  return { ...selection, condition: { kind: 'and', of: [selection.condition, visible] } };
}

export async function writeEntities(
  request: CatalogRequest,
  writes: readonly EntityWrite[],
): Promise<EntityDocument[]> {
  await demandMarks(request, writes);
  return guardedWrite(request, writes);
}

const guardedWrite = guardedOn(
  (writes: readonly EntityWrite[]) => writes.flatMap(needsOfWrite),
  (request, writes) => change.writeEntities(request.parts, writes, request),
);

export async function patchEntities(
  request: CatalogRequest,
  patches: readonly EntityPatch[],
): Promise<EntityDocument[]> {
  await demandMarks(request, patches);
  return guardedPatch(request, patches);
}

const guardedPatch = guardedOn(
  (patches: readonly EntityPatch[]) => patches.flatMap(needsOfPatch),
  (request, patches) => change.patchEntities(request.parts, patches, request),
);

type Rewritten = Parameters<typeof rewriting>[1];

/** Makes a structured property, or another definition of it, out of what it is. */
export async function rewriteProperty(
  request: CatalogRequest,
  urn: ParsedUrn,
  aspects: Rewritten,
  owner: OwnerMark | undefined,
): Promise<void> {
  await demandMarks(request, [owner === undefined ? {} : { owner }]);
  await guardedRewrite(request, urn, aspects, owner);
}

const guardedRewrite = guardedOn(
  (urn: ParsedUrn, _aspects: Rewritten, _owner: OwnerMark | undefined) =>
    needs(urn, toWrite(urn, { aspects: ['propertyDefinition'], onlyNew: false, makes: true })),
  (request, urn, aspects, owner) =>
    changingProperties(request.parts, [urn], () => storeChange(request.parts, rewriting(urn, aspects, owner), request)),
);

export const deleteEntity = guardedOn(
  (urn: ParsedUrn) => [{ urn, anyOf: toDelete(urn) }],
  (request, urn) => remove.deleteEntity(request.parts, urn, request),
);

export const deleteAspects = guardedOn(
  (urn: ParsedUrn, aspects: ReadonlySet<string>) => [{ urn, anyOf: toDeleteAspects(urn, [...aspects]) }],
  (request, urn, aspects) => remove.deleteAspects(request.parts, urn, aspects, request),
);

/** Where what is read is read with much else: who may not see it is told so. */
export function demandToRead(request: CatalogRequest, urn: ParsedUrn): Promise<void> {
  return demandOn(request, [{ urn, anyOf: toRead(urn) }]);
}

/** Before owner marks are shown with entities. */
export function demandToSeeMarks(request: CatalogRequest): Promise<void> {
  return demand(request, TO_SEE_RESOURCES);
}

/** A mark locks others out: only those who manage resources may leave one. */
async function demandMarks(request: CatalogRequest, changes: readonly { readonly owner?: OwnerMark }[]): Promise<void> {
  if (changes.some(({ owner }) => owner !== undefined)) await demand(request, TO_MANAGE_RESOURCES);
}

function needsOfWrite(write: EntityWrite): EntityNeed[] {
  const { urn, onlyNew = false, condition } = write;
  return needs(urn, toWrite(urn, { aspects: aspectNames(write), onlyNew, makes: condition === 'upsert' }));
}

function needsOfPatch({ urn, patches, condition }: EntityPatch): EntityNeed[] {
  const aspects = patches.map(({ aspect }) => aspect);
  return needs(urn, toWrite(urn, { aspects, onlyNew: false, makes: condition === 'upsert' }));
}

function needs(urn: ParsedUrn, lists: readonly AnyOf[]): EntityNeed[] {
  return lists.map((anyOf) => ({ urn, anyOf }));
}
