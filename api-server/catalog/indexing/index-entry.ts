import { beginningOf } from '../../../model/beginning-of.ts';
import { entityFieldsOf, WORDS_FIELD } from '../../../model/entity-fields.ts';
import { MAX_INDEXED_CHARACTERS, MAX_INDEXED_TEXT, MAX_INDEXED_VALUES } from '../../../model/limits.ts';
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
 * What the index has to know of a document, as far as it is searched. It depends on the document alone: assignments carry their epoch and type, and
 * what is visible is decided when a query is resolved.
 */
export function indexChangeOf(document: EntityDocument): IndexChange {
  const { urn, incarnation, revision } = document;
  if (document.deleted !== undefined) return { kind: 'drop', urn, incarnation, revision };
  const aspects = Object.fromEntries(Object.entries(document.aspects).map(([name, { value }]) => [name, value]));
  const own = Map.groupBy(entityFieldsOf(parseUrn(urn), aspects), ([name]) =>
    name === WORDS_FIELD ? 'words' : 'others',
  );
  const toField = ([name, values]: [string, string[]]): Indexed => ({
    field: entityField(name),
    type: 'string',
    values,
  });
  const assigned = document.assignments.map(
    ({ epoch, valueType, values }): Indexed => ({
      field: propertyField(epoch),
      type: valueType,
      values: values.values().map((value) => indexedValue(value, valueType)),
    }),
  );
  // the words last: of them there can be most
  const fields = [...(own.get('others') ?? []).map(toField), ...assigned, ...(own.get('words') ?? []).map(toField)];
  return {
    kind: 'put',
    entry: {
      urn,
      incarnation,
      revision,
      entityType: document.entityType,
      removed: document.aspects.status?.value.removed === true,
      fields: withinLimits(fields),
    },
  };
}

type Indexed = Omit<IndexField, 'values'> & { readonly values: Iterable<string | number> };

/** As much of the fields as is indexed of one entity (model/limits.ts). */
function withinLimits(fields: readonly Indexed[]): IndexField[] {
  let count = 0;
  let characters = 0;
  return fields.map(({ field, type, values: all }) => {
    const values: (string | number)[] = [];
    for (const one of all) {
      const value = typeof one === 'string' ? beginningOf(one, MAX_INDEXED_TEXT) : one;
      const length = typeof value === 'string' ? value.length : 0;
      if (count === MAX_INDEXED_VALUES || characters + length > MAX_INDEXED_CHARACTERS) break;
      values.push(value);
      count += 1;
      characters += length;
    }
    return { field, type, values };
  });
}

function indexedValue(value: TypedValue, valueType: ValueType): string | number {
  if ('double' in value) return value.double;
  return valueType === 'date' ? (daysOf(value.string) ?? 0) : value.string;
}
