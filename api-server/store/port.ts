import type { EntityDraft } from '../../model/entity/draft.ts';
import type { Fence } from '../../model/wire/fence.ts';
import type { OwnedThing } from '../../model/wire/owner-mark.ts';

export type { Fence, OwnedThing };

/**
 * Bytes of documents or records, as they are stored, that end a page of the store: what is read is parsed in one go, and
 * nobody else is served meanwhile.
 */
export const READ_BYTES = 2 * 1024 * 1024;

/**
 * Where the catalogue is kept. One document an entity, replaced only when its (incarnation, revision) is unchanged; no
 * transaction spans two documents, so that a standalone MongoDB, a replica set and SQLite can all do it.
 *
 * What was changed on the disk is never answered as if it had been written: a read that meets it rejects with StoreError
 * `damaged`. An engine without checksums of its own (SQLite; MongoDB has them) keeps one beside each document.
 */
export interface Store {
  readonly entities: EntityStore;
  readonly records: RecordStore;
  readonly fences: FenceStore;
  /** Rejects when the backend cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface EntityStore {
  /** The document, tombstones included; `undefined` when there is none. */
  get(urn: string): Promise<EntityDocument | undefined>;
  /**
   * Those of the documents that exist, tombstones included, in the order in which they are named.
   * @param maxBytes it ends with the document that reaches them.
   */
  getMany(urns: readonly string[], maxBytes: number): Promise<DocumentsRead>;
  /** What those documents are that exist, tombstones included, in no particular order; the documents are not read. */
  versions(urns: readonly string[]): Promise<StoredVersion[]>;
  /**
   * Documents in code-point order of their URNs after `after` (exclusive), tombstones included. A page ends early with
   * the document that reaches {@link READ_BYTES}, so the end is where a page is empty.
   */
  list(request: ListRequest): Promise<EntityDocument[]>;
  /** How many documents, tombstones included, come after a URN (exclusive); all when there is none. */
  count(after?: string): Promise<number>;
  /**
   * Stores a first document and marks it dirty.
   * @param fence checked as late as the backend can: see {@link FenceStore}.
   * @returns false when the URN has one. @throws StoreError `fenced`; nothing is written then.
   */
  insert(document: EntityDocument, fence?: Fence): Promise<boolean>;
  /**
   * Replaces a document and marks it dirty. @param fence as in `insert`.
   * @returns false when (incarnation, revision) is no longer `expected`. @throws StoreError `fenced`.
   */
  replace(document: EntityDocument, expected: DocumentVersion, fence?: Fence): Promise<boolean>;
  /**
   * The outbox: documents that the search index does not have yet, longest waiting first. It ends early with the document
   * that reaches {@link READ_BYTES}. A damaged one is left out, so that it keeps no other waiting.
   */
  dirty(limit: number): Promise<EntityDocument[]>;
  countDirty(): Promise<number>;
  /** Takes the dirty mark from those documents that are still in the given version. */
  clean(versions: readonly (DocumentVersion & { readonly urn: string })[]): Promise<void>;
  /**
   * Removes clean tombstones of deletions before `before` (ms), and of those after `after`, which a clock that was wrong
   * has stamped. @returns how many.
   */
  purge(before: number, limit: number, after?: number): Promise<number>;
  /** URNs of the live entities that hold an assignment of the property, of any epoch or of one, in URN order. */
  holders(request: HoldersRequest): Promise<string[]>;
  countHolders(propertyUrn: string, epoch?: string): Promise<number>;
  /** Owner marks of live entities, in the order of (urn, propertyUrn). */
  owners(request: OwnersRequest): Promise<OwnedThing[]>;
}

/** Small documents beside the entities: the registry, claims, batches, leases, what an operator reports. */
export interface RecordStore {
  get<T>(kind: string, id: string): Promise<StoredRecord<T> | undefined>;
  /**
   * Writes a record if its revision is still `expected` (`undefined`: if there is none).
   * @param fence as for entities.
   * @returns the record's new revision, or `undefined` when it was another. @throws StoreError `fenced`.
   */
  put(
    kind: string,
    id: string,
    body: unknown,
    expected: string | undefined,
    fence?: Fence,
  ): Promise<string | undefined>;
  /** @returns false when the record's revision is not `expected`. @throws StoreError `fenced`. */
  delete(kind: string, id: string, expected: string, fence?: Fence): Promise<boolean>;
  /**
   * Records of a kind in code-point order of their ids, after `after` (exclusive). A page ends early with the record that
   * reaches {@link READ_BYTES}, so the end is where a page is empty.
   */
  list<T>(kind: string, after: string | undefined, limit: number, maxBytes?: number): Promise<StoredRecord<T>[]>;
}

/**
 * The highest fence of each source and shard. Every write that carries a fence checks it against the one that stands: in
 * SQLite in the transaction of the write; in MongoDB by a read right before it, so that one round trip is left in which
 * a fence can be raised unseen.
 */
export interface FenceStore {
  /** Keeps the fence if it supersedes the one that stands. @throws StoreError `fenced` when it is lower. */
  raise(fence: Fence): Promise<void>;
  /** By source, then shard, in code-point order. */
  list(): Promise<Fence[]>;
}

export interface StoredRecord<T> {
  readonly id: string;
  /** Random, another with each write and never used again, so that a late write cannot mistake a new record for its own. */
  readonly revision: string;
  readonly body: T;
}

export interface DocumentVersion {
  /** Random id of one life of the entity, from creation to deletion. */
  readonly incarnation: string;
  /** Grows by one with each write. */
  readonly revision: number;
}

/** What a document is, without what is in it. */
export interface StoredVersion extends DocumentVersion {
  readonly urn: string;
  /** A tombstone: when the entity was deleted (ms). */
  readonly deleted?: number;
}

export interface DocumentsRead {
  readonly documents: EntityDocument[];
  /** Of all of them, as they are stored, more or less. */
  readonly bytes: number;
  /** How many of the names were looked for; the others are for another read. */
  readonly reached: number;
}

export interface EntityDocument extends DocumentVersion, EntityDraft {
  readonly urn: string;
  readonly entityType: string;
  /** A tombstone: when the entity was deleted (ms). */
  readonly deleted?: number;
  /** Of a schema field: the incarnation of the dataset that it belongs to. */
  readonly parentIncarnation?: string;
  /** New aspects begin above it: the greatest version of those that were removed, and of earlier lives. */
  readonly versionFloor?: number;
  /** Batches that have written this entity lately, so that a batch which is rolled forward writes it once. */
  readonly batches: readonly { readonly id: string; readonly at: number }[];
}

export interface ListRequest {
  readonly entityType?: string;
  readonly after?: string;
  readonly limit: number;
  /** Instead of {@link READ_BYTES}. */
  readonly maxBytes?: number;
}

export interface HoldersRequest {
  readonly propertyUrn: string;
  readonly epoch?: string;
  readonly after?: string;
  readonly limit: number;
}

export interface OwnersRequest {
  readonly source?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly urn?: string;
  /** The last thing of the page before. */
  readonly after?: { readonly urn: string; readonly propertyUrn: string };
  readonly limit: number;
}
