import { VALUE_TYPES, type ValueType } from '../../../model/value-type.ts';
import type { Property } from '../catalogue/property.ts';

/** Which properties are listed; kept in the address of the page. What is absent restricts nothing. */
export interface PropertiesSearch {
  readonly q?: string;
  readonly type?: ValueType;
  readonly state?: 'live' | 'removed';
}

export function readPropertiesSearch({ q, type, state }: Readonly<Record<string, unknown>>): PropertiesSearch {
  const valueType = VALUE_TYPES.find((each) => each === type);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(valueType === undefined ? {} : { type: valueType }),
    ...(state === 'live' || state === 'removed' ? { state } : {}),
  };
}

/** Those of which name, title and description have all the words. */
export function searchProperties(properties: readonly Property[], search: PropertiesSearch): readonly Property[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/u);
  return properties.filter(({ name, title, definition, valueType, removed }) => {
    if (search.type !== undefined && search.type !== valueType) return false;
    if (search.state !== undefined && (search.state === 'removed') !== removed) return false;
    const text = `${name} ${title} ${definition.description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
