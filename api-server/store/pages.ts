import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EntityDocument, type EntityStore, READ_BYTES, type Store, type StoredRecord } from './port.ts';

/** In one answer of the store. */
const ENTITIES_AT_ONCE = 100;
const RECORDS_AT_ONCE = 500;

/**
 * All documents of a type, or of all, in URN order behind `after`, tombstones included, page by page as they are read.
 * Others are served between the pages: the embedded store answers at once.
 */
export async function* allEntities(
  store: Store,
  { entityType, after: from }: { readonly entityType?: string; readonly after?: string | undefined } = {},
): AsyncGenerator<EntityDocument> {
  let after = from;
  for (;;) {
    const page = await store.entities.list({
      limit: ENTITIES_AT_ONCE,
      ...(entityType === undefined ? {} : { entityType }),
      ...(after === undefined ? {} : { after }),
    });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.urn;
    await nextTurn();
  }
}

/** Those of the documents that exist, tombstones included, in the order in which they are named, part by part. */
export async function* namedEntities(store: EntityStore, urns: Iterable<string>): AsyncGenerator<EntityDocument> {
  let left = [...new Set(urns)];
  while (left.length > 0) {
    const { documents, reached } = await store.getMany(left.slice(0, ENTITIES_AT_ONCE), READ_BYTES);
    yield* documents;
    left = left.slice(reached);
    if (left.length > 0) await nextTurn();
  }
}

/** All records of a kind in the order of their ids behind `after`, as {@link allEntities}. */
export async function* allRecords<T>(store: Store, kind: string, from?: string): AsyncGenerator<StoredRecord<T>> {
  let after = from;
  for (;;) {
    const page = await store.records.list<T>(kind, after, RECORDS_AT_ONCE);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.id;
    await nextTurn();
  }
}
