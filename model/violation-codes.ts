/**
 * Every rule that an input can break, by the code that programs tell it by, and what it means when it is broken. A code,
 * once released, keeps its meaning: clients and conditions of resources go by it, and never by the message.
 */
export const VIOLATION_CODES = {
  'wrong-shape': 'The document has not the shape that it is to have: a field is missing, or its value cannot be.',
  'unknown-field': 'The document has a field that there is not.',
  'unknown-aspect': 'Entities of this type have no such aspect.',
  'unknown-entity-type': 'There is no such entity type.',
  'unknown-data-type': 'There is no such data type.',
  'missing-entity': 'The entity, or the dataset of a schema field, does not exist.',
  'unknown-property': 'The property has no definition.',
  'invalid-urn': 'A URN cannot be read, or is of another entity type than belongs there.',
  'invalid-name': 'The name of a property has spaces in it, or characters that are no Unicode.',
  'invalid-version': 'The version of a definition is not 14 digits.',
  'invalid-patch': 'An operation of a patch cannot be applied to what is there.',
  'failed-test': 'What an operation `test` of a patch expects is not there.',
  duplicate: 'Two parts of one request are about the same thing.',
  'key-mismatch': 'A field of the key aspect says something else than the URN.',
  'immutable-name': 'The qualified name is not the one in the URN: it never changes.',
  'value-type-changed': 'Breaking change: the values are to be of another type.',
  'cardinality-narrowed': 'Breaking change: entities may have several values, and are to have one.',
  'allowed-values-introduced': 'Breaking change: any value is allowed, and only some are to be.',
  'allowed-value-removed': 'Breaking change: a value that is allowed is not to be any more.',
  'search-name-collision': 'Another property has the name by which this one would be found.',
  'soft-deleted': 'The property is soft deleted: restore it first.',
  'immutable-value': 'The property is immutable: a value of it, once set, neither changes nor goes.',
  'wrong-entity-type': 'The property is not meant for entities of this type.',
  'wrong-type': 'The value is not of the type that the definition says.',
  'not-allowed': 'The value is none of those that the definition allows.',
  'too-many-values': 'The definition has cardinality SINGLE, and several values were given.',
  'changed-in-same-request': 'The request changes a property and also sends values of it.',
  'already-exists': 'What is to be made is there already.',
  'unmet-precondition': 'A condition that the request makes does not hold.',
  'not-cancellable': 'The job has ended, or is of a kind that cannot be cancelled.',
  'import-refused': 'The catalogue is not empty, or another import is under way or has come to another line.',
} as const satisfies Readonly<Record<string, string>>;

export type ViolationCode = keyof typeof VIOLATION_CODES;
