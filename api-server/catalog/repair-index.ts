import type { IndexChange, IndexedVersion } from '../search/port.ts';
import type { EntityDocument } from '../store/port.ts';
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
    const isWrong = (document: EntityDocument) => {
      const version = indexed.get(document.urn);
      if (document.deleted !== undefined) return version !== undefined;
      return version?.incarnation !== document.incarnation || version.revision !== document.revision;
    };
    const suspects = documents.filter(isWrong).map(({ urn }) => urn);
    // Read again, because they may have been written and indexed between the two looks.
    const wrong = suspects.length === 0 ? [] : (await store.entities.getMany(suspects)).filter(isWrong);
    if (wrong.length > 0) await search.apply(wrong.flatMap((document) => mending(document, indexed.get(document.urn))));
    mended += wrong.length;
    if (documents.length < PAGE) break;
    after = urns.at(-1);
  } while (await between());
  return mended;
}

/** An entry can be ahead of its document when the store was restored from a backup: then it has to go first. */
function mending(document: EntityDocument, version: IndexedVersion | undefined): IndexChange[] {
  const isAhead = version?.incarnation === document.incarnation && version.revision >= document.revision;
  return isAhead ? [dropOf(version), indexChangeOf(document)] : [indexChangeOf(document)];
}

/** The index ignores a change that is not later than what it has. */
function dropOf({ urn, incarnation, revision }: IndexedVersion): IndexChange {
  return { kind: 'drop', urn, incarnation, revision: revision + 1 };
}

/** Entries of which the store has no document, not even a tombstone. */
async function dropStrangers({ store, search }: CatalogParts, between: () => Promise<boolean>): Promise<number> {
  let dropped = 0;
  let after: string | undefined;
  do {
    const entries = await search.scan(after, PAGE);
    const known = new Set((await store.entities.getMany(entries.map(({ urn }) => urn))).map(({ urn }) => urn));
    const strangers = entries.filter(({ urn }) => !known.has(urn));
    if (strangers.length > 0) await search.apply(strangers.map(dropOf));
    dropped += strangers.length;
    if (entries.length < PAGE) break;
    after = entries.at(-1)?.urn;
  } while (await between());
  return dropped;
}
