import { type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { EntityDocument, Store, StoredVersion } from '../../store/port.ts';

/** An entity's document, and for a schema field which life of its dataset there is. */
export interface Life {
  /** Tombstones included. */
  readonly stored: EntityDocument | undefined;
  /** Live, or `undefined`. */
  readonly parent: StoredVersion | undefined;
}

export async function loadLife(store: Store, urn: ParsedUrn): Promise<Life> {
  if (urn.entityType.name !== 'schemaField') return { stored: await store.entities.get(urn.urn), parent: undefined };
  const parentUrn = parseUrn(urn.key[0] ?? '').urn;
  const [stored, [parent]] = await Promise.all([store.entities.get(urn.urn), store.entities.versions([parentUrn])]);
  return { stored, parent: parent?.deleted === undefined ? parent : undefined };
}

/**
 * Whether the document is an entity that can be seen. A schema field lives as long as its dataset: it is hidden, and
 * collected later, when that was deleted since, even if a dataset of the same name was created again.
 */
export function isVisible<S extends Shadow>(document: S | undefined, parent: StoredVersion | undefined): document is S {
  if (document === undefined || document.deleted !== undefined) return false;
  return document.parentIncarnation === undefined || document.parentIncarnation === parent?.incarnation;
}

/** What decides whether a document can be seen. */
export type Shadow = Pick<EntityDocument, 'urn' | 'incarnation' | 'deleted' | 'parentIncarnation'>;

export function shadowOf({ urn, incarnation, deleted, parentIncarnation }: Shadow): Shadow {
  return {
    urn,
    incarnation,
    ...(deleted === undefined ? {} : { deleted }),
    ...(parentIncarnation === undefined ? {} : { parentIncarnation }),
  };
}

/** Those of the documents that can be seen, in their order. */
export async function onlyVisible<S extends Shadow>(store: Store, documents: readonly S[]): Promise<S[]> {
  const parentUrns = new Set(documents.map(parentUrnOf).filter((urn) => urn !== undefined));
  const parents = new Map((await store.entities.versions([...parentUrns])).map((parent) => [parent.urn, parent]));
  return documents.filter((document) => {
    const parent = parents.get(parentUrnOf(document) ?? '');
    return isVisible(document, parent?.deleted === undefined ? parent : undefined);
  });
}

function parentUrnOf(document: Shadow): string | undefined {
  return document.parentIncarnation === undefined ? undefined : parseUrn(document.urn).key[0];
}
