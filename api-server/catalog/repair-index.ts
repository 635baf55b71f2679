import type { IndexChange } from '../search/port.ts';
import { indexChangeOf } from './index-entry.ts';
import type { CatalogParts } from './parts.ts';

const PAGE = 200;

/**
 * Compares the whole index with the store and mends what differs. Needed because a slow write can still arrive after the
 * indexer that sent it has lost its lease, and because an engine can lose its data.
 * @param between runs after each page, so that new writes need not wait for the end; false ends the repair.
 * @returns how many entries were mended.
 */
export async function repairIndex(parts: CatalogParts, between: () => Promise<boolean>): Promise<number> {
  return (await mendEntities(parts, between)) + (await dropStrangers(parts, between));
}

/** Entities whose entry is missing or another version. */
async function mendEntities({ store, search }: CatalogParts, between: () => Promise<boolean>): Promise<number> {
  let mended = 0;
  let after: string | undefined;
  do {
    const documents = await store.entities.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    const urns = documents.map(({ urn }) => urn);
    const indexed = new Map((await search.versions(urns)).map((version) => [version.urn, version]));
    const wrong = documents.filter((document) => {
      const version = indexed.get(document.urn);
      if (document.deleted !== undefined) return version !== undefined;
      return version?.incarnation !== document.incarnation || version.revision !== document.revision;
    });
    if (wrong.length > 0) await search.apply(wrong.map(indexChangeOf));
    mended += wrong.length;
    if (documents.length < PAGE) break;
    after = urns.at(-1);
  } while (await between());
  return mended;
}

/** Entries of which the store has no document, not even a tombstone. */
async function dropStrangers({ store, search }: CatalogParts, between: () => Promise<boolean>): Promise<number> {
  let dropped = 0;
  let after: string | undefined;
  do {
    const entries = await search.scan(after, PAGE);
    const known = new Set((await store.entities.getMany(entries.map(({ urn }) => urn))).map(({ urn }) => urn));
    const strangers = entries.filter(({ urn }) => !known.has(urn));
    if (strangers.length > 0) await search.apply(strangers.map((entry): IndexChange => ({ kind: 'drop', ...entry })));
    dropped += strangers.length;
    if (entries.length < PAGE) break;
    after = entries.at(-1)?.urn;
  } while (await between());
  return dropped;
}
