import type { IndexChange, IndexEntries, IndexedVersion } from '../../search/port.ts';
import { isDamaged } from '../../store/errors.ts';
import { namedEntities } from '../../store/pages.ts';
import type { EntityDocument, EntityStore } from '../../store/port.ts';
import { indexChangeOf } from './index-entry.ts';

/** Brings entries of an index to what the store says, page by page, in order of the URNs. */

const PAGE = 200;
/** An entity that is written all the time is left to the outbox. */
const MAX_ROUNDS = 5;

export interface MendedPage {
  readonly mended: number;
  /** Entities whose documents are damaged, and that the index does not have. */
  readonly unindexed: readonly string[];
  /** Where the next page begins; absent: this was the last. */
  readonly last?: string;
}

/**
 * Puts or drops the entries of a page of documents where they are missing or of another version. Damaged documents keep
 * the entries that they have.
 */
export async function mendEntities(
  store: EntityStore,
  entries: IndexEntries,
  after: string | undefined,
): Promise<MendedPage> {
  const { documents, damaged } = await listReadable(store, after);
  const mended = new Set<string>();
  let suspects: readonly EntityDocument[] = documents;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const indexed = new Map((await entries.versions(suspects.map(urnOf))).map((version) => [version.urn, version]));
    const differs = (document: EntityDocument) => isWrong(document, indexed.get(document.urn));
    suspects = suspects.filter(differs);
    if (suspects.length === 0) break;
    // Read again, because they may have been written and indexed between the two looks.
    const wrong = (await readable(store, suspects.map(urnOf))).filter(differs);
    await entries.apply(wrong.flatMap((document) => mending(document, indexed.get(document.urn))));
    for (const { urn } of wrong) mended.add(urn);
    // And once more, because a later version or a deletion may have been indexed just before.
    suspects = await readable(store, wrong.map(urnOf));
  }
  const indexed = new Set((await entries.versions(damaged)).map(urnOf));
  const unindexed = damaged.filter((urn) => !indexed.has(urn));
  return pageOf(damaged.at(-1) ?? documents.at(-1)?.urn, mended.size, unindexed);
}

/** Drops the entries of a page that have no document in the store, not even a tombstone. */
export async function dropStrangers(
  store: EntityStore,
  entries: IndexEntries,
  after: string | undefined,
): Promise<MendedPage> {
  const page = await entries.scan(after, PAGE);
  const known = new Set((await store.versions(page.map(urnOf))).map(urnOf));
  const strangers = page.filter(({ urn }) => !known.has(urn));
  await entries.apply(strangers.map(dropOf));
  // One of them may have been created meanwhile, and its new entry be dropped with the old one.
  await entries.apply((await readable(store, strangers.map(urnOf))).map(indexChangeOf));
  return pageOf(page.length < PAGE ? undefined : page.at(-1)?.urn, strangers.length);
}

/** Those of the documents that exist and are whole. */
async function readable(store: EntityStore, urns: readonly string[]): Promise<EntityDocument[]> {
  try {
    return await Array.fromAsync(namedEntities(store, urns));
  } catch (error) {
    if (!isDamaged(error) || !urns.includes(error.about)) throw error;
    return await readable(
      store,
      urns.filter((urn) => urn !== error.about),
    );
  }
}

/** A page of documents, or, where one of them is damaged, those before it and then it alone. */
async function listReadable(
  store: EntityStore,
  after: string | undefined,
): Promise<{ readonly documents: readonly EntityDocument[]; readonly damaged: readonly string[] }> {
  for (let limit = PAGE; ; limit = Math.floor(limit / 2)) {
    try {
      const documents = await store.list({ limit, ...(after === undefined ? {} : { after }) });
      return { documents, damaged: [] };
    } catch (error) {
      if (!isDamaged(error)) throw error;
      if (limit === 1) return { documents: [], damaged: [error.about] };
    }
  }
}

function isWrong(document: EntityDocument, version: IndexedVersion | undefined): boolean {
  if (document.deleted !== undefined) return version !== undefined;
  return version?.incarnation !== document.incarnation || version.revision !== document.revision;
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

function urnOf({ urn }: { readonly urn: string }): string {
  return urn;
}

function pageOf(last: string | undefined, mended: number, unindexed: readonly string[] = []): MendedPage {
  return { mended, unindexed, ...(last === undefined ? {} : { last }) };
}
