import type { EntityDocument, Store, StoredRecord } from './port.ts';

/** In one answer of the store. Documents may be large, records are small. */
const ENTITIES_AT_ONCE = 100;
const RECORDS_AT_ONCE = 500;

/** All documents of a type, or of all, in URN order behind `after`, tombstones included, page by page as they are read. */
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
    yield* page;
    if (page.length < ENTITIES_AT_ONCE) return;
    after = page.at(-1)?.urn;
  }
}

/** All records of a kind in the order of their ids behind `after`, page by page as they are read. */
export async function* allRecords<T>(store: Store, kind: string, from?: string): AsyncGenerator<StoredRecord<T>> {
  let after = from;
  for (;;) {
    const page = await store.records.list<T>(kind, after, RECORDS_AT_ONCE);
    yield* page;
    if (page.length < RECORDS_AT_ONCE) return;
    after = page.at(-1)?.id;
  }
}
