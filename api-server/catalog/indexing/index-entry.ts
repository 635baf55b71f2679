import { entityFieldsOf } from '../../../model/entity-fields.ts';
import type { TypedValue } from '../../../model/typed-value.ts';
import { parseUrn } from '../../../model/urn.ts';
import { daysOf } from '../../../model/value-rules.ts';
import type { ValueType } from '../../../model/value-type.ts';
import type { IndexChange, IndexField } from '../../search/port.ts';
import type { EntityDocument } from '../../store/port.ts';

const PROPERTY = 'p:';

/** Physical name of the index field that holds a property's values of one epoch. */
export function propertyField(epoch: string): string {
  return `${PROPERTY}${epoch}`;
}

/** The epoch in a physical name; `undefined` for a field of the entity itself. */
export function epochOfField(field: string): string | undefined {
  return field.startsWith(PROPERTY) ? field.slice(PROPERTY.length) : undefined;
}

/** Physical name of the index field that holds a field of the entity itself. */
export function entityField(name: string): string {
  return `e:${name}`;
}

/**
 * What the index has to know of a document. It depends on the document alone: assignments carry their epoch and type, and
 * what is visible is decided when a query is resolved.
 */
export function indexChangeOf(document: EntityDocument): IndexChange {
  const { urn, incarnation, revision } = document;
  if (document.deleted !== undefined) return { kind: 'drop', urn, incarnation, revision };
  const aspects = Object.fromEntries(Object.entries(document.aspects).map(([name, { value }]) => [name, value]));
  const own: IndexField[] = [...entityFieldsOf(parseUrn(urn), aspects)].map(([name, values]) => ({
    field: entityField(name),
    type: 'string',
    values,
  }));
  const assigned: IndexField[] = document.assignments.map(({ epoch, valueType, values }) => ({
    field: propertyField(epoch),
    type: valueType,
    values: values.map((value) => indexedValue(value, valueType)),
  }));
  return {
    kind: 'put',
    entry: {
      urn,
      incarnation,
      revision,
      entityType: document.entityType,
      removed: document.aspects.status?.value.removed === true,
      fields: [...own, ...assigned],
    },
  };
}

function indexedValue(value: TypedValue, valueType: ValueType): string | number {
  if ('double' in value) return value.double;
  return valueType === 'date' ? (daysOf(value.string) ?? 0) : value.string;
}
