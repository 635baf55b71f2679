import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError, missing } from '../errors.ts';
import { type CatalogParts, MAX_ENTITY_BYTES, type RequestContext } from '../parts.ts';
import { isVisible, loadLife } from '../read/entity-life.ts';
import { draftOf, type EntityDraft } from './entity-draft.ts';

/** How long a batch's mark is kept on an entity, in ms: far longer than a crashed batch waits to be rolled forward. */
const BATCH_MARK_LIFETIME = 24 * 3600 * 1000;

/**
 * Decides what an entity becomes, from what it is now (`undefined`: it does not exist). Called again when somebody else
 * wrote in between, so it must not do anything but decide.
 */
export type Decision = (current: EntityDocument | undefined) => EntityDraft | Promise<EntityDraft>;

/**
 * Read, decide, replace if unchanged; again until it succeeds. A decision that returns the draft of what there is
 * writes nothing.
 * @returns the document after the write.
 * @throws CatalogError `timeout` after the request's deadline, `too-large`, `missing` for a schema field without its
 * dataset, StoreError `fenced`, and whatever `decide` throws; nothing is written then.
 */
export async function updateEntity(
  parts: CatalogParts,
  urn: ParsedUrn,
  context: RequestContext,
  decide: Decision,
  batch?: string,
): Promise<EntityDocument> {
  for (let attempt = 0; ; attempt += 1) {
    const { stored, parent } = await loadLife(parts.store, urn);
    if (urn.entityType.name === 'schemaField' && parent === undefined) throw missing(parseUrn(urn.key[0] ?? '').urn);
    const current = isVisible(stored, parent) ? stored : undefined;
    if (batch !== undefined && stored?.batches.some(({ id }) => id === batch)) return stored;
    const before = draftOf(current);
    const draft = await decide(current);
    // A batch marks also what it does not change: rolled forward later, it must not change it then.
    if (batch === undefined && current !== undefined && sameDraft(draft, before)) return current;
    checkSize(urn, draft);
    const next = nextDocument(parts, urn, draft, stored, current, parent, batch);
    if (parts.now() > context.deadline) {
      throw new CatalogError('timeout', `The request took too long; nothing was written to ${urn.urn}. Try again.`);
    }
    const { entities } = parts.store;
    const done =
      stored === undefined
        ? await entities.insert(next, context.fence)
        : await entities.replace(next, stored, context.fence);
    if (done) {
      parts.written();
      return next;
    }
    // Two writers that collide wait for different times, or they would go on colliding.
    if (attempt > 2) await sleep(Math.random() * Math.min(50, 2 ** attempt));
  }
}

/** What a deletion depends on. */
export interface DeletionOptions {
  /** Only a document for which this holds is deleted. */
  readonly isMeant?: (stored: EntityDocument) => boolean;
  /** Runs before each attempt with what is to be deleted. */
  readonly before?: (stored: EntityDocument) => Promise<void>;
}

/**
 * Replaces an entity by its tombstone.
 * @returns false when there was nothing to delete.
 * @throws CatalogError `timeout`, StoreError `fenced`; nothing is deleted then.
 */
export async function deleteEntityDocument(
  parts: CatalogParts,
  urn: ParsedUrn,
  context: RequestContext,
  { isMeant = () => true, before = async () => {} }: DeletionOptions = {},
): Promise<boolean> {
  for (;;) {
    const stored = await parts.store.entities.get(urn.urn);
    if (stored === undefined || stored.deleted !== undefined || !isMeant(stored)) return false;
    await before(stored);
    const tombstone: EntityDocument = {
      urn: stored.urn,
      entityType: stored.entityType,
      incarnation: stored.incarnation,
      revision: stored.revision + 1,
      deleted: parts.now(),
      aspects: {},
      assignments: [],
      owners: {},
      // Kept: a batch that wrote the entity before the deletion must not write it again when it is rolled forward.
      batches: stored.batches,
    };
    if (parts.now() > context.deadline)
      throw new CatalogError('timeout', 'The request took too long; nothing was deleted.');
    if (await parts.store.entities.replace(tombstone, stored, context.fence)) {
      parts.written();
      return true;
    }
  }
}

function nextDocument(
  parts: CatalogParts,
  urn: ParsedUrn,
  draft: EntityDraft,
  stored: EntityDocument | undefined,
  current: EntityDocument | undefined,
  parent: EntityDocument | undefined,
  batch: string | undefined,
): EntityDocument {
  const now = parts.now();
  // Those of an earlier life too: a batch that wrote it must not write the later one.
  const batches = (stored?.batches ?? []).filter(({ at }) => at > now - BATCH_MARK_LIFETIME);
  return {
    urn: urn.urn,
    entityType: urn.entityType.name,
    incarnation: current?.incarnation ?? randomUUID(),
    // Goes on over a tombstone: within one stored document a greater revision is always the later one.
    revision: (stored?.revision ?? 0) + 1,
    ...draft,
    ...(parent === undefined ? {} : { parentIncarnation: parent.incarnation }),
    batches: batch === undefined ? batches : [...batches, { id: batch, at: now }],
  };
}

/** Decisions hand back the parts that they did not change as they got them. */
function sameDraft(one: EntityDraft, other: EntityDraft): boolean {
  return (
    one.aspects === other.aspects &&
    one.assignments === other.assignments &&
    one.owners === other.owners &&
    one.definitionState === other.definitionState
  );
}

/** @throws CatalogError `too-large`, naming the largest aspect. */
export function checkSize({ urn }: ParsedUrn, draft: EntityDraft): void {
  const bytes = Buffer.byteLength(JSON.stringify(draft));
  if (bytes <= MAX_ENTITY_BYTES) return;
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
