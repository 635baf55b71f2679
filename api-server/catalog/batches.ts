import { randomUUID } from 'node:crypto';
import { parseUrn } from '../../model/urn.ts';
import type { EntityDocument } from '../store/port.ts';
import type { EntityWrite } from './entity-write.ts';
import { CatalogError } from './errors.ts';
import { type CatalogParts, MAX_ENTITY_BYTES, type RequestContext } from './parts.ts';
import { changingProperties, writeChecked } from './write-entity.ts';

/**
 * A batch is all or nothing although no transaction spans its entities: when it has been checked it is written down
 * whole, then carried out, then its record removed. A crash in between leaves the record; it is carried out by whoever
 * finds it, without checking again. Each entity remembers the batch, so that it is written once.
 */

const KIND = 'batch';
const CONCURRENT_WRITES = 64;

interface BatchBody {
  readonly at: number;
  readonly actor: string;
  readonly writes: readonly (Omit<EntityWrite, 'urn'> & { readonly urn: string })[];
}

/** Writes the batch down. @returns its id. @throws CatalogError `too-large` beyond 12 MiB. */
export async function recordBatch(
  parts: CatalogParts,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<string> {
  const body: BatchBody = {
    at: parts.now(),
    actor: context.actor,
    writes: writes.map((write) => ({ ...write, urn: write.urn.urn })),
  };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > MAX_ENTITY_BYTES) {
    throw new CatalogError(
      'too-large',
      `The batch has ${bytes} bytes; the limit is ${MAX_ENTITY_BYTES}. Send it in parts.`,
    );
  }
  const id = randomUUID();
  await parts.store.records.put(KIND, id, body, undefined);
  return id;
}

/**
 * Carries a recorded batch out and removes its record. Every write that was begun has ended when it returns or throws.
 * @throws CatalogError `timeout` when the time is over; what is left is carried out later.
 */
export async function carryOut(
  parts: CatalogParts,
  batch: string,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const documents: EntityDocument[] = [];
  for (let start = 0; start < writes.length; start += CONCURRENT_WRITES) {
    const chunk = writes.slice(start, start + CONCURRENT_WRITES);
    const outcomes = await Promise.allSettled(chunk.map((write) => writeChecked(parts, write, context, batch)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw unfinished(outcome.reason);
      if (outcome.value !== undefined && outcome.value.deleted === undefined) documents.push(outcome.value);
    }
  }
  const record = await parts.store.records.get(KIND, batch);
  if (record !== undefined) await parts.store.records.delete(KIND, batch, record.revision);
  return documents;
}

function unfinished(reason: unknown): unknown {
  if (!(reason instanceof CatalogError)) return reason;
  return new CatalogError(
    reason.code,
    'The time of the request is over; the batch was accepted and is carried out all the same',
  );
}

/** Carries out what crashes and time-outs have cut: batches written down before `before` (ms). */
export async function rollForwardBatches(parts: CatalogParts, before: number): Promise<void> {
  for (const { id, body } of await parts.store.records.list<BatchBody>(KIND, undefined, 1000)) {
    if (body.at >= before) continue;
    const writes = body.writes.map((write) => ({ ...write, urn: parseUrn(write.urn) }));
    const context = { actor: body.actor, deadline: Number.POSITIVE_INFINITY };
    parts.log.info({ batch: id, entities: writes.length }, 'carrying out a batch that was cut');
    const urns = writes.map(({ urn }) => urn);
    await changingProperties(parts, urns, () => carryOut(parts, id, writes, context));
  }
}
