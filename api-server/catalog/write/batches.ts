import { randomUUID } from 'node:crypto';
import { changeOf } from '../../../model/entity/write-or-patch.ts';
import { parseUrn } from '../../../model/urn.ts';
import { aboutEntity } from '../../../model/violation.ts';
import { allRecords } from '../../store/pages.ts';
import type { EntityDocument, Fence } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import { type CatalogParts, MAX_ENTITY_BYTES, type RequestContext } from '../parts.ts';
import { refusalOf } from '../refusal.ts';
import { changingProperties } from './changing-properties.ts';
import type { CheckedChange } from './check-batch.ts';
import { storeChange } from './store-change.ts';

/**
 * A batch is all or nothing although no transaction spans its entities: when it has been checked it is written down
 * whole, then carried out, then its record removed. A crash in between leaves the record; it is carried out by whoever
 * finds it: values that were written whole are not checked again, patches are applied to what there is by then. Each
 * entity remembers the batch, so that it is written once.
 */

const KIND = 'batch';
const CONCURRENT_WRITES = 64;

interface BatchBody {
  readonly at: number;
  readonly actor: string;
  readonly fence?: Fence;
  readonly writes: readonly Recorded<CheckedChange>[];
}

/** A change with its URN as text. */
type Recorded<Change> = Change extends CheckedChange ? Omit<Change, 'urn'> & { readonly urn: string } : never;

/** Writes the batch down. @returns its id. @throws CatalogError `too-large` beyond 12 MiB, StoreError `fenced`. */
export async function recordBatch(
  parts: CatalogParts,
  changes: readonly CheckedChange[],
  context: RequestContext,
): Promise<string> {
  const body: BatchBody = {
    at: parts.now(),
    actor: context.actor,
    ...(context.fence === undefined ? {} : { fence: context.fence }),
    writes: changes.map((change) => ({ ...change, urn: change.urn.urn })),
  };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > MAX_ENTITY_BYTES) {
    throw new CatalogError(
      'too-large',
      `The batch has ${bytes} bytes; the limit is ${MAX_ENTITY_BYTES}. Send it in parts.`,
    );
  }
  const id = randomUUID();
  await parts.store.records.put(KIND, id, body, undefined, context.fence);
  return id;
}

/**
 * Carries a recorded batch out and removes its record. What has overtaken a change wins: that change is left out. Every
 * write that was begun has ended when it returns or throws.
 * @throws CatalogError `timeout` when the time is over; what is left is carried out later. `invalid`, `precondition` or
 * `fenced` when changes were left out since they could not be made any more; the others were made.
 */
export async function carryOut(
  parts: CatalogParts,
  batch: string,
  changes: readonly CheckedChange[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const documents: EntityDocument[] = [];
  const overtaken: CatalogError[] = [];
  for (let start = 0; start < changes.length; start += CONCURRENT_WRITES) {
    const chunk = changes.slice(start, start + CONCURRENT_WRITES);
    const outcomes = await Promise.allSettled(chunk.map((change) => carryOutOne(parts, change, context, batch)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw unfinished(outcome.reason);
      if (outcome.value instanceof CatalogError) overtaken.push(outcome.value);
      else if (outcome.value !== undefined && outcome.value.deleted === undefined) documents.push(outcome.value);
    }
  }
  const record = await parts.store.records.get(KIND, batch);
  if (record !== undefined) await parts.store.records.delete(KIND, batch, record.revision);
  const [first] = overtaken;
  if (first !== undefined) throw partlyDone(first, overtaken);
  return documents;
}

/** @returns the entity afterwards; `undefined` when it is gone; an error when the change cannot be made any more. */
async function carryOutOne(
  parts: CatalogParts,
  { checkedFor, ...change }: CheckedChange,
  context: RequestContext,
  batch: string,
): Promise<EntityDocument | CatalogError | undefined> {
  try {
    return await storeChange(parts, changeOf({ ...change, condition: 'upsert' }), context, {
      batch: { id: batch, checkedFor },
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined || refusal.code === 'timeout' || refusal.code === 'unavailable') throw error;
    const { urn } = change.urn;
    parts.log.warn({ urn, batch, reason: refusal.message }, 'a change of a batch was overtaken');
    if (refusal.code === 'missing') return parts.store.entities.get(urn);
    return new CatalogError(refusal.code, `${urn}: ${refusal.message}`, aboutEntity(urn, refusal.violations));
  }
}

function partlyDone({ code }: CatalogError, overtaken: readonly CatalogError[]): CatalogError {
  const reasons = overtaken.map(({ message }) => message).join('; ');
  return new CatalogError(
    code,
    `Somebody wrote in between, so these were left out, the others were written: ${reasons}`,
    overtaken.flatMap(({ violations }) => violations),
  );
}

function unfinished(reason: unknown): unknown {
  if (!(reason instanceof CatalogError)) return reason;
  return new CatalogError(
    reason.code,
    'The time of the request is over; the batch was accepted and is carried out all the same',
    reason.violations,
  );
}

/**
 * Carries out what crashes and time-outs have cut.
 * @param isOver whether no request can still be at work on a batch that was written down then (ms).
 */
export async function rollForwardBatches(parts: CatalogParts, isOver: (at: number) => boolean): Promise<void> {
  for await (const { id, body } of allRecords<BatchBody>(parts.store, KIND)) {
    if (!isOver(body.at)) continue;
    const changes = body.writes.map((change) => ({ ...change, urn: parseUrn(change.urn) }) as CheckedChange);
    const fenced = body.fence === undefined ? {} : { fence: body.fence };
    const context = { actor: body.actor, deadline: Number.POSITIVE_INFINITY, ...fenced };
    parts.log.info({ batch: id, entities: changes.length }, 'carrying out a batch that was cut');
    const urns = changes.map(({ urn }) => urn);
    try {
      await changingProperties(parts, urns, () => carryOut(parts, id, changes, context));
    } catch (error) {
      // Nobody waits for the answer; what was left out has been logged.
      if (!(error instanceof CatalogError) || error.code === 'timeout') throw error;
    }
  }
}
