import { type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { EntityDocument, Store } from '../../store/port.ts';

/** An entity's document, and for a schema field the live dataset that it belongs to. */
export interface Life {
  /** Tombstones included. */
  readonly stored: EntityDocument | undefined;
  /** Live, or `undefined`. */
  readonly parent: EntityDocument | undefined;
}

export async function loadLife(store: Store, urn: ParsedUrn): Promise<Life> {
  if (urn.entityType.name !== 'schemaField') return { stored: await store.entities.get(urn.urn), parent: undefined };
  const parentUrn = parseUrn(urn.key[0] ?? '').urn;
  const documents = await store.entities.getMany([urn.urn, parentUrn]);
  const parent = documents.find((document) => document.urn === parentUrn);
  return {
    stored: documents.find((document) => document.urn === urn.urn),
    parent: parent?.deleted === undefined ? parent : undefined,
  };
}

/**
 * Whether the document is an entity that can be seen. A schema field lives as long as its dataset: it is hidden, and
 * collected later, when that was deleted since, even if a dataset of the same name was created again.
 */
export function isVisible(
  document: EntityDocument | undefined,
  parent: EntityDocument | undefined,
): document is EntityDocument {
  if (document === undefined || document.deleted !== undefined) return false;
  return document.parentIncarnation === undefined || document.parentIncarnation === parent?.incarnation;
}

/** Those of the documents that can be seen, in their order. */
export async function onlyVisible(store: Store, documents: readonly EntityDocument[]): Promise<EntityDocument[]> {
  const parentUrns = new Set(documents.map(parentUrnOf).filter((urn) => urn !== undefined));
  const parents = new Map((await store.entities.getMany([...parentUrns])).map((parent) => [parent.urn, parent]));
  return documents.filter((document) => {
    const parent = parents.get(parentUrnOf(document) ?? '');
    return isVisible(document, parent?.deleted === undefined ? parent : undefined);
  });
}

function parentUrnOf(document: EntityDocument): string | undefined {
  return document.parentIncarnation === undefined ? undefined : parseUrn(document.urn).key[0];
}
