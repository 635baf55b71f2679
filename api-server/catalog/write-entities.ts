import { searchNameOf } from '../../model/search-name.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { aboutEntity, type Violation, violation } from '../../model/violation.ts';
import type { EntityDocument } from '../store/port.ts';
import { carryOut, recordBatch } from './batches.ts';
import { isVisible, loadLife } from './entity-life.ts';
import { aspectNames, decideWrite, type EntityWrite, involvedProperties } from './entity-write.ts';
import { checkSize } from './entity-writer.ts';
import { CatalogError, invalid, missing } from './errors.ts';
import type { CatalogParts, RequestContext } from './parts.ts';
import { claimSearchName, unclaimSearchName } from './search-name-claims.ts';
import { changingProperties, collision, writeEntity } from './write-entity.ts';

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
  const merged = mergeByUrn(writes);
  const [first] = merged;
  if (first === undefined) return [];
  return changingProperties(
    parts,
    merged.map(({ urn }) => urn),
    async () => {
      if (merged.length === 1) return [await writeEntity(parts, first, context)];
      const checked = await checkAll(parts, merged, context);
      const batch = await recordBatch(parts, checked, context);
      return carryOut(parts, batch, checked, context);
    },
  );
}

/**
 * Checks every write against what there is now, and claims the search names of all definitions.
 * @returns the writes with their assignments bound to epochs and their entities to incarnations.
 */
async function checkAll(
  parts: CatalogParts,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<EntityWrite[]> {
  const stamp = { time: parts.now(), actor: context.actor };
  const view = await parts.registry.view();
  const violations: Violation[] = [...collisionsWithin(writes)];
  const checked: EntityWrite[] = [];
  for (const write of writes) {
    const { stored, parent } = await loadLife(parts.store, write.urn);
    const current = isVisible(stored, parent) ? stored : undefined;
    if (write.urn.entityType.name === 'schemaField' && parent === undefined) throw missing(write.urn.key[0] ?? '');
    const states = await view.properties(involvedProperties(write, current));
    const decided = decideWrite(write, current, states, parts.settings, stamp);
    violations.push(...aboutEntity(write.urn.urn, decided.violations));
    checkSize(write.urn, decided.draft);
    const { checkedAssignments } = decided;
    const bound = { ...write, checkedFor: current?.incarnation ?? 'nothing' };
    checked.push(checkedAssignments === undefined ? bound : { ...bound, checkedAssignments });
  }
  if (violations.length > 0) throw invalid(violations);
  await claimAll(parts, checked);
  return checked;
}

/** Claims the search names of all definitions, or none. */
async function claimAll(parts: CatalogParts, writes: readonly EntityWrite[]): Promise<void> {
  const claimed: ParsedUrn[] = [];
  const collisions: Violation[] = [];
  for (const write of writes.filter(({ definition }) => definition !== undefined)) {
    const holder = await claimSearchName(parts, write.urn);
    if (holder === undefined) claimed.push(write.urn);
    else collisions.push(...aboutEntity(write.urn.urn, [collision(write, holder)]));
  }
  if (collisions.length === 0) return;
  for (const urn of claimed) await unclaimSearchName(parts, urn);
  throw invalid(collisions);
}

function collisionsWithin(writes: readonly EntityWrite[]): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { urn, definition } of writes) {
    if (definition === undefined) continue;
    const name = searchNameOf(urn.id);
    const other = first.get(name);
    if (other === undefined) first.set(name, urn.urn);
    else
      violations.push(
        violation(urn.urn, `Structured property search field '${name}' collides within the same batch with ${other}`),
      );
  }
  return violations;
}

/** Several writes of one entity in one request are one write; an aspect that is named twice is a mistake. */
function mergeByUrn(writes: readonly EntityWrite[]): EntityWrite[] {
  const merged = new Map<string, EntityWrite>();
  for (const write of writes) {
    const earlier = merged.get(write.urn.urn);
    if (earlier === undefined) {
      merged.set(write.urn.urn, write);
      continue;
    }
    const twice = aspectNames(write).filter((name) => aspectNames(earlier).includes(name));
    if (twice.length > 0) {
      throw new CatalogError('malformed', `${write.urn.urn} has the aspect ${twice.join(', ')} twice in one request`);
    }
    const condition = earlier.condition === 'upsert' ? 'upsert' : write.condition;
    merged.set(write.urn.urn, { ...earlier, ...write, plain: { ...earlier.plain, ...write.plain }, condition });
  }
  return [...merged.values()];
}
