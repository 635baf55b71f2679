import { searchNameOf } from '../../../model/search-name.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { aboutEntity, type Violation, violation } from '../../../model/violation.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError, invalid, missing, refuse } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { isVisible, loadLife } from '../read/entity-life.ts';
import { checkDeadline } from '../request-deadline.ts';
import { carryOut, recordBatch } from './batches.ts';
import { changeEntity, checkChange, definesProperty, type EntityChange, namedProperties } from './entity-change.ts';
import type { EntityDraft } from './entity-draft.ts';
import type { EntityWrite } from './entity-write.ts';
import { checkSize } from './entity-writer.ts';
import { mergePatches, mergeWrites } from './merge-changes.ts';
import type { EntityPatch } from './patch-entity.ts';
import { claimSearchName, unclaimSearchName } from './search-name-claims.ts';
import { changingProperties, collision } from './write-entity.ts';

/**
 * Writes entities, all or none: every write is checked before the first one happens, and what a crash cuts is carried
 * out by whoever finds it.
 * @returns the documents after the writes, in the order of the (merged) writes.
 * @throws CatalogError naming every violated rule of every write; nothing is written then.
 */
export async function writeEntities(
  parts: CatalogParts,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  return changeEntities(parts, mergeWrites(writes), context);
}

/** As {@link writeEntities}, for patches; those of one entity are applied in their order. */
export async function patchEntities(
  parts: CatalogParts,
  patches: readonly EntityPatch[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  return changeEntities(parts, mergePatches(patches), context);
}

async function changeEntities(
  parts: CatalogParts,
  changes: readonly EntityChange[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const [first] = changes;
  if (first === undefined) return [];
  return changingProperties(
    parts,
    changes.map(({ urn }) => urn),
    async () => {
      if (changes.length === 1) return [await changeEntity(parts, first, context)];
      const checked = await checkAll(parts, changes, context);
      const batch = await recordBatch(parts, checked, context);
      return carryOut(parts, batch, checked, context);
    },
  );
}

/**
 * Checks every change against what there is now, and claims the search names of all definitions.
 * @returns the changes with their assignments bound to epochs and their entities to incarnations.
 */
async function checkAll(
  parts: CatalogParts,
  changes: readonly EntityChange[],
  request: RequestContext,
): Promise<EntityChange[]> {
  const context = { ...request, registry: await parts.registry.view() };
  const violations: Violation[] = [...collisionsWithin(changes)];
  const unmet: Violation[] = [];
  const checked: EntityChange[] = [];
  const changedProperties = new Set<string>();
  for (const change of changes) {
    checkDeadline(parts, request);
    const { urn } = change;
    const { stored, parent } = await loadLife(parts.store, urn);
    const current = isVisible(stored, parent) ? stored : undefined;
    if (urn.entityType.name === 'schemaField' && parent === undefined) throw missing(urn.key[0] ?? '');
    try {
      const { draft, bound } = await checkChange(parts, change, current, context);
      checkSize(urn, draft);
      if (changesValues(current, draft)) changedProperties.add(urn.urn);
      checked.push(bound);
    } catch (error) {
      if (!(error instanceof CatalogError) || (error.code !== 'invalid' && error.code !== 'precondition')) throw error;
      (error.code === 'invalid' ? violations : unmet).push(...aboutEntity(urn.urn, error.violations));
    }
  }
  violations.push(...changedWithin(changes, changedProperties));
  refuse(violations, unmet);
  await claimAll(parts, checked);
  return checked;
}

/** Whether values of a property are others, or hidden, after a change of it. */
function changesValues(current: EntityDraft | undefined, draft: EntityDraft): boolean {
  const isRemoved = (entity: EntityDraft | undefined) => entity?.aspects.status?.value.removed === true;
  if (draft.definitionState === undefined) return false;
  return draft.definitionState.epoch !== current?.definitionState?.epoch || isRemoved(draft) !== isRemoved(current);
}

/** Claims the search names of all definitions, or none. */
async function claimAll(parts: CatalogParts, changes: readonly EntityChange[]): Promise<void> {
  const claimed: ParsedUrn[] = [];
  const collisions: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const holder = await claimSearchName(parts, urn);
    if (holder === undefined) claimed.push(urn);
    else collisions.push(...aboutEntity(urn.urn, [collision(urn, holder)]));
  }
  if (collisions.length === 0) return;
  for (const urn of claimed) await unclaimSearchName(parts, urn);
  throw invalid(collisions);
}

function collisionsWithin(changes: readonly EntityChange[]): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const name = searchNameOf(urn.id);
    const other = first.get(name);
    if (other === undefined) first.set(name, urn.urn);
    else
      violations.push(
        violation(
          'search-name-collision',
          urn.urn,
          `Structured property search field '${name}' collides within the same batch with ${other}`,
        ),
      );
  }
  return violations;
}

/** What a batch does to a property, others of its changes cannot be checked against. */
function* changedWithin(
  changes: readonly EntityChange[],
  changedProperties: ReadonlySet<string>,
): Generator<Violation> {
  for (const change of changes) {
    for (const property of new Set(namedProperties(change)).intersection(changedProperties)) {
      yield violation(
        'changed-in-same-request',
        change.urn.urn,
        `${property} changes in the same request: send its values in a request of their own, after that`,
      );
    }
  }
}
