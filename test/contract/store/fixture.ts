import type { EntityDocument, Fence, Store } from '../../../api-server/store/port.ts';
import type { StoredAssignment } from '../../../model/entity/draft.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';

export interface OpenedStore {
  /** Empty when it is opened. */
  readonly store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>;
  close(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** Runs a test on an empty store of its own. */
export function onEmptyStore(open: OpenStore, test: (opened: OpenedStore) => Promise<void>): () => Promise<void> {
  return async () => {
    const opened = await open();
    try {
      await test(opened);
    } finally {
      await opened.close();
    }
  };
}

export function urnOf(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
}

export function propertyOf(name: string): string {
  return `urn:li:structuredProperty:${name}`;
}

/** The first document of the dataset `name`; whatever is not said is ordinary. */
export function documentOf(name: string, rest: Partial<EntityDocument> = {}): EntityDocument {
  return {
    urn: urnOf(name),
    entityType: 'dataset',
    incarnation: 'life1',
    revision: 1,
    aspects: {},
    assignments: [],
    owners: {},
    batches: [],
    ...rest,
  };
}

/** One of about so many bytes. */
export function sizedDocument(name: string, bytes: number): EntityDocument {
  const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
  const stored = { value: { text: 'x'.repeat(bytes) }, version: 1, created: stamp, modified: stamp };
  return documentOf(name, { aspects: { datasetProperties: stored } });
}

/** What comes after a document. */
export function nextOf(document: EntityDocument, rest: Partial<EntityDocument> = {}): EntityDocument {
  return { ...document, revision: document.revision + 1, ...rest };
}

export function tombstoneOf(document: EntityDocument, deleted: number): EntityDocument {
  return nextOf(document, { deleted, aspects: {}, assignments: [], owners: {} });
}

export function assignmentOf(name: string, epoch = 'epoch1', text = 'x'): StoredAssignment {
  return { propertyUrn: propertyOf(name), values: [{ string: text }], epoch, valueType: 'string' };
}

export function markOf(name: string, rest: Partial<OwnerMark> = {}): OwnerMark {
  return { source: 'git', kind: 'DatasetProperties', namespace: 'shop', name, deletionPolicy: 'Remove', ...rest };
}

/** Of the leader of the source `git` after so many transitions of the Lease `lease1`. */
export function fenceOf(transitions: number, rest: Partial<Fence> = {}): Fence {
  return { source: 'git', shard: '', lease: 'lease1', created: 1000, transitions, ...rest };
}

export async function insertAll(store: Store, ...documents: EntityDocument[]): Promise<void> {
  for (const document of documents) await store.entities.insert(document);
}

/** Takes the dirty mark from all documents. */
export async function cleanAll(store: Store): Promise<void> {
  await store.entities.clean(await store.entities.dirty(10_000));
}
