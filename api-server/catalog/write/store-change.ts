import { randomUUID } from 'node:crypto';
import type { Change, Effect } from '../../../model/entity/change.ts';
import { searchNameCollision } from '../../../model/entity/definitions.ts';
import { draftOf, type EntityDraft } from '../../../model/entity/draft.ts';
import { excessOf, measureJson } from '../../../model/json-measure.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { hasPassed, pause } from '../../../process/clock.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError, invalid, missing } from '../errors.ts';
import { type CatalogParts, MAX_ENTITY_BYTES, type RequestContext } from '../parts.ts';
import { type Life, loadLife } from '../read/entity-life.ts';
import { currentOf, decideChange, tellWarnings } from './decide-change.ts';
import { claimSearchName, readyToRelease } from './search-name-claims.ts';
import { aboveFloor, greatestVersion, keepVersionFloor, versionFloor } from './version-floors.ts';

/**
 * How long a batch's mark is kept on an entity, in ms: far longer than a crashed batch waits to be rolled forward, also
 * where the clock was wrong by a day.
 */
const BATCH_MARK_LIFETIME = 3 * 24 * 3600 * 1000;

export interface StoreOptions {
  /**
   * The batch that the change is of, and the incarnation that it was checked for, or `nothing`. It is made once; its
   * warnings were told when it was checked.
   */
  readonly batch?: { readonly id: string; readonly checkedFor: string };
  /** Anything but a document for which this holds is left as it is. */
  readonly isMeant?: (current: EntityDocument | undefined) => boolean;
}

/**
 * Read, decide, replace if unchanged; again until it succeeds. Writers of one entity in this process take turns, so that
 * nobody loses again and again; of another process one may win in between.
 * @returns the document afterwards, whether it was written or left as it is; a tombstone after a deletion; `undefined`
 * when there is none.
 * @throws CatalogError naming every violated rule, `timeout` after the request's deadline, `too-large`; StoreError
 * `fenced`. Nothing is written then.
 */
export function storeChange(
  parts: CatalogParts,
  change: Change,
  context: RequestContext,
  options: StoreOptions = {},
): Promise<EntityDocument | undefined> {
  return parts.turns.run(change.urn.urn, () => storeInTurn(parts, change, context, options));
}

async function storeInTurn(
  parts: CatalogParts,
  change: Change,
  context: RequestContext,
  { batch, isMeant = () => true }: StoreOptions,
): Promise<EntityDocument | undefined> {
  const { urn } = change;
  // Perhaps the turn came too late.
  refuseLate(parts, urn, context);
  for (let attempt = 0; ; attempt += 1) {
    const life = await loadLife(parts.store, urn);
    const { stored } = life;
    if (batch !== undefined && stored?.batches.some(({ id }) => id === batch.id)) return stored;
    const current = currentOf(change, life);
    if (!isMeant(current)) return current;
    // Deleted since, and perhaps created again: the batch must not bring the earlier one back.
    if (isOvertaken(batch, current)) throw missing(urn.urn);
    const decision = await decideChange(parts, change, life, context, await parts.registry.view());
    // A batch marks also what it does not change: rolled forward later, it must not change it then.
    if (decision.kind === 'leave' && batch === undefined) {
      if (current !== undefined) await prepare(parts, urn, current, decision.effects);
      return current;
    }
    const draft = decision.kind === 'leave' ? draftOf(current) : decision.draft;
    if (draft !== undefined) checkSize(urn, draft);
    const floor = await floorOf(parts, urn, life, current);
    const next = nextDocument(parts, urn, draft, life, current, floor, batch?.id);
    const afterwards = await prepare(parts, urn, next, decision.effects);
    if (draft === undefined && current !== undefined) await keepVersionFloor(parts.store, current);
    refuseLate(parts, urn, context);
    const { entities } = parts.store;
    const isStored =
      stored === undefined
        ? await entities.insert(next, context.fence)
        : await entities.replace(next, stored, context.fence);
    if (isStored) {
      parts.written();
      if (batch === undefined) tellWarnings(parts, urn, decision);
      await afterwards();
      return next;
    }
    // Two writers that collide wait for different times, or they would go on colliding.
    if (attempt > 2) await pause(parts, Math.random() * Math.min(50, 2 ** attempt));
  }
}

function refuseLate({ monotonic }: CatalogParts, { urn }: ParsedUrn, { deadline }: RequestContext): void {
  if (monotonic() > deadline)
    throw new CatalogError('timeout', `The request took too long; nothing of ${urn} was changed. Try again.`);
}

function isOvertaken(batch: StoreOptions['batch'], current: EntityDocument | undefined): boolean {
  return batch !== undefined && batch.checkedFor !== 'nothing' && batch.checkedFor !== current?.incarnation;
}

/** @returns its bytes. @throws CatalogError `too-large`; for too many bytes it names the largest aspect. */
export function checkSize({ urn }: ParsedUrn, draft: EntityDraft): number {
  const text = JSON.stringify(draft);
  const bytes = Buffer.byteLength(text);
  const excess = excessOf(measureJson(text));
  if (excess !== undefined) throw new CatalogError('too-large', `${urn} would have ${excess}`);
  if (bytes <= MAX_ENTITY_BYTES) return bytes;
  const sizes = Object.entries(draft.aspects).map(([name, { value }]): [string, number] => [
    name,
    Buffer.byteLength(JSON.stringify(name === 'structuredProperties' ? draft.assignments : value)),
  ]);
  const [name, size] = sizes.sort(([, one], [, other]) => other - one)[0] ?? ['', 0];
  throw new CatalogError(
    'too-large',
    `${urn} would have ${bytes} bytes, ${size} of them in aspect ${name}; the limit is ${MAX_ENTITY_BYTES}`,
  );
}

/**
 * Does what has to be done before a change reaches the store.
 * @returns what has to be done after it.
 * @throws CatalogError `invalid` when the definition of another property has the search name.
 */
async function prepare(
  parts: CatalogParts,
  urn: ParsedUrn,
  { incarnation }: EntityDocument,
  effects: readonly Effect[],
): Promise<() => Promise<void>> {
  let afterwards = async () => {};
  for (const effect of effects) {
    if (effect.kind === 'claim') {
      const holder = await claimSearchName(parts, urn);
      if (holder !== undefined) throw invalid([searchNameCollision(urn, holder)]);
    } else if (effect.kind === 'release') {
      afterwards = await readyToRelease(parts, urn);
    } else {
      const remains = effect.epoch ?? incarnation;
      await parts.ensureJob({ kind: effect.job, subject: urn.urn, remains });
    }
  }
  return afterwards;
}

/** The greatest version that no new aspect may have. */
async function floorOf(
  { store }: CatalogParts,
  { urn }: ParsedUrn,
  { stored }: Life,
  current?: EntityDocument,
): Promise<number> {
  if (current !== undefined) return current.versionFloor ?? 0;
  return stored === undefined ? versionFloor(store, urn) : greatestVersion(stored);
}

/** @param draft `undefined`: what comes is a tombstone. */
function nextDocument(
  parts: CatalogParts,
  urn: ParsedUrn,
  draft: EntityDraft | undefined,
  { stored, parent }: Life,
  current: EntityDocument | undefined,
  floor: number,
  batch: string | undefined,
): EntityDocument {
  const now = parts.now();
  // Those of an earlier life too: a batch that wrote it must not write the later one.
  const batches = (stored?.batches ?? []).filter(({ at }) => !hasPassed(at, BATCH_MARK_LIFETIME, now));
  return {
    urn: urn.urn,
    entityType: urn.entityType.name,
    incarnation: current?.incarnation ?? randomUUID(),
    // Goes on over a tombstone: within one stored document a greater revision is always the later one.
    revision: (stored?.revision ?? 0) + 1,
    ...draftOf(draft),
    ...aboveFloor(draftOf(draft), current, floor),
    ...(draft === undefined ? { deleted: now } : {}),
    ...(draft === undefined || parent === undefined ? {} : { parentIncarnation: parent.incarnation }),
    batches: batch === undefined ? batches : [...batches, { id: batch, at: now }],
  };
}
