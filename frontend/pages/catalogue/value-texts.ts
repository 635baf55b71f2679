import type { Definition } from '../../../model/definition.ts';
import type { TypedValue } from '../../../model/typed-value.ts';
import { checkValue, parseNumber } from '../../../model/value-rules.ts';
import type { ValueType } from '../../../model/value-type.ts';
import { entityTypeNameOfUrn, valueTypeOf } from '../../../model/vocabulary.ts';
import { nameEntity } from './named-entity.ts';

/** What is wrong with the texts of a value's fields, by their place. */
export type Problems = ReadonlyMap<number, string>;

/** A value as people write and read it: `30`, not `30.0`. */
export function textOfValue(value: TypedValue): string {
  return 'double' in value ? String(value.double) : value.string;
}

/** A text that is no number stays one: whoever checks it says so. */
export function valueOfText(text: string, valueType: ValueType): TypedValue {
  const number = valueType === 'number' ? parseNumber(text) : undefined;
  return number === undefined ? { string: text } : { double: number };
}

/** What a facet counts, as people write it: numbers are counted as `30.0`, entities by their URN. */
export function textOfCounted(value: string, valueType: ValueType): string {
  if (valueType === 'number') return String(Number(value));
  return valueType === 'urn' ? nameEntity(value).name : value;
}

/**
 * Reads the fields of an editor by the rules of the property; blank fields are no values.
 * @returns the values, with what is wrong by the place of its field. Whether they are allowed is said by the server.
 */
export function readTexts(
  texts: readonly string[],
  definition: Definition,
): { readonly values: readonly TypedValue[]; readonly problems: Problems } {
  const valueType = valueTypeOf(definition.valueType);
  const allowedTypes = definition.typeQualifier?.allowedTypes?.map(entityTypeNameOfUrn);
  const rule = allowedTypes === undefined ? { valueType } : { valueType, allowedTypes };
  const values: TypedValue[] = [];
  const problems = new Map<number, string>();
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const checked = checkValue(rule, valueOfText(text, valueType));
    if ('value' in checked) values.push(checked.value);
    else problems.set(index, withoutPrefix(checked.problem));
  }
  return { values, problems };
}

/** At which field of the editor each violation of one property's values belongs; what is about none of them, at -1. */
export function problemsOf(
  violations: readonly { readonly path: string; readonly message: string }[],
  texts: readonly string[],
): Problems {
  const places = [...texts.keys()].filter((index) => texts[index]!.trim() !== '');
  const problems = new Map<number, string>();
  for (const { path, message } of violations) {
    const match = /\.values\[(\d+)\]/u.exec(path);
    const place = match === null ? -1 : (places[Number(match[1])] ?? -1);
    const said = problems.get(place);
    problems.set(place, said === undefined ? withoutPrefix(message) : `${said}; ${withoutPrefix(message)}`);
  }
  return problems;
}

/** The field shows which property and value it is. */
function withoutPrefix(message: string): string {
  return message.replace(/^Property: \S+?, /u, '').replace(/^value: /u, '');
}
