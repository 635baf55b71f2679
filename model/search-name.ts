import { type Definition, valueTypeOfDefinition } from './definition.ts';

/**
 * The public search names of the interface. A property has exactly one at a time; names of the reference catalogue, so
 * dots of the qualified name are underscores, and names that differ only in those collide.
 */

const PREFIX = 'structuredProperties.';
const VERSIONED = '_versioned.';
/** Suffix of the reference catalogue's exact (case-sensitive) sub-field. */
const EXACT = '.keyword';

/** What definitions compete for: the qualified name with underscores, version ignored. */
export function searchNameOf(qualifiedName: string): string {
  return qualifiedName.replaceAll('.', '_');
}

/** The field name under which the query string finds the property now. */
export function publicFieldOf(definition: Definition): string {
  const name = searchNameOf(definition.qualifiedName);
  if (definition.version === undefined) return `${PREFIX}${name}`;
  return `${PREFIX}${VERSIONED}${name}.${definition.version}.${valueTypeOfDefinition(definition)}`;
}

export interface PublicField {
  /** As {@link searchNameOf} makes it. */
  readonly searchName: string;
  /** The public name without an exact suffix, to be compared with {@link publicFieldOf}. */
  readonly field: string;
  /** The name ended in `.keyword`: compare strings with their case. */
  readonly exact: boolean;
}

/** Reads a field name of the query string; `undefined` when it is not under `structuredProperties.`. */
export function readPublicField(name: string): PublicField | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  // A property may be named `keyword`.
  const exact = name.endsWith(EXACT) && name.length >= PREFIX.length + EXACT.length;
  const field = exact ? name.slice(0, -EXACT.length) : name;
  const rest = field.slice(PREFIX.length);
  const versioned = rest.startsWith(VERSIONED) ? /^(.*)\.([^.]*)\.([^.]*)$/su.exec(rest.slice(VERSIONED.length)) : null;
  return { searchName: versioned?.[1] ?? rest, field, exact };
}
