import { foldCase } from '../fold.ts';
import type { IndexEntry } from '../port.ts';
import type { TypesenseDocument } from './connection.ts';
import { countedText } from './counted-value.ts';
import { COUNTED, columnOf, ORDERED } from './field-columns.ts';
import { orderOf } from './number-order.ts';
import { ORDERED_BYTES, TEXT_LEVELS, URN_LEVELS } from './schema.ts';
import { dictionaryTerm, fieldTerm, foldedTerm, removedTerm, typeTerm, urnTerm, valueTerm } from './terms.ts';
import { textPath } from './text-order.ts';

/** What the engine holds of an entry: schema.ts. */
export function entryDocument({
  urn,
  incarnation,
  revision,
  entityType,
  removed,
  fields,
}: IndexEntry): TypesenseDocument {
  const id = urnTerm(urn);
  const terms = new Set([id, typeTerm(entityType), ...(removed ? [removedTerm] : [])]);
  const columns: Record<string, readonly string[] | readonly bigint[]> = {};
  for (const [field, given] of Map.groupBy(fields, ({ field }) => field)) {
    const values = given.flatMap((one) => one.values);
    if (values.length === 0) continue;
    terms.add(fieldTerm(field));
    for (const value of values) {
      terms.add(valueTerm(field, value));
      if (typeof value === 'string') terms.add(foldedTerm(field, value));
    }
    // some servers would count a value twice that is there twice
    columns[columnOf(COUNTED, field)] = [...new Set(values.map((value) => countedText(field, value)))];
    const numbers = values.filter((value) => typeof value === 'number');
    if (numbers.length > 0) columns[columnOf(ORDERED, field)] = numbers.map(orderOf);
  }
  return {
    id,
    key: id,
    urn,
    incarnation,
    revision,
    order: orderText(urn),
    path: textPath(urn, URN_LEVELS),
    terms: [...terms],
    ...columns,
  };
}

/** Hex digits, because the engine sorts letters without case and accents. Long URNs with the same start have the same. */
export function orderText(urn: string): string {
  return Buffer.from(urn).subarray(0, ORDERED_BYTES).toString('hex');
}

/** The distinct values of entries, as the dictionary holds them. */
export function valueDocuments(entries: readonly IndexEntry[]): TypesenseDocument[] {
  const found = new Map<string, TypesenseDocument>();
  for (const { fields } of entries) {
    for (const { field, values } of fields) {
      for (const value of values) {
        const id = valueTerm(field, value);
        if (!found.has(id)) found.set(id, { id, ...valueColumns(field, value) });
      }
    }
  }
  return [...found.values()];
}

function valueColumns(field: string, value: string | number): TypesenseDocument {
  if (typeof value === 'number') return { field: dictionaryTerm(field, 'number'), path: [orderOf(value)] };
  return {
    field: dictionaryTerm(field, 'string'),
    path: textPath(value, TEXT_LEVELS),
    folded: textPath(foldCase(value), TEXT_LEVELS),
    text: value,
  };
}
