import type { CollectionCreateSchema } from 'typesense';
import { COUNTED, ORDERED } from './field-columns.ts';

/** Raised with what the documents hold: another version has collections of its own, which the repair of the index fills. */
export const SCHEMA_VERSION = 3;

/** By how many bytes the engine orders URNs: of a text that it sorts by it takes 2,000 characters, here hex digits. */
export const ORDERED_BYTES = 900;
export const URN_LEVELS = ORDERED_BYTES / 4;
/** Fewer, because a filter on the dictionary has to fit into an address. */
export const TEXT_LEVELS = 16;

/** An entry. Its `urn`, `incarnation` and `revision` are only stored. */
export const ENTRIES: Omit<CollectionCreateSchema, 'name'> = {
  fields: [
    /** The document's id once more, where it can be counted: to get the ids of all that a filter finds. */
    { name: 'key', type: 'string', facet: true },
    /** All that is said of the entity: terms.ts. */
    { name: 'terms', type: 'string[]' },
    /** The URN in hex digits, as far as it is ordered. */
    { name: 'order', type: 'string', sort: true },
    /** The URN as a `textPath`. */
    { name: 'path', type: 'int64[]' },
    { name: `${COUNTED}.*`, type: 'string[]', facet: true, optional: true },
    { name: `${ORDERED}.*`, type: 'int64[]', optional: true },
  ],
};

/** A distinct value of a field: the dictionary. Its id is the value's term; a string's `text` is only stored. */
export const VALUES: Omit<CollectionCreateSchema, 'name'> = {
  fields: [
    { name: 'field', type: 'string' },
    /** The text as a `textPath`, or the number's order. */
    { name: 'path', type: 'int64[]' },
    /** The folded text as a `textPath`. */
    { name: 'folded', type: 'int64[]', optional: true },
  ],
};
