import type { ParsedUrn } from '../urn.ts';
import type { PrivilegeName } from './privileges.ts';

/**
 * What has to be held on an entity for what is done with it: one privilege of each list. As with the reference catalogue,
 * with two differences: over every door a structured property needs the same, and who may only create overwrites nothing.
 */
export type AnyOf = readonly [PrivilegeName, ...PrivilegeName[]];

/** Who manages all of a kind needs nothing on the single one. */
const MANAGING: Readonly<Record<string, PrivilegeName>> = {
  structuredProperty: 'MANAGE_STRUCTURED_PROPERTIES',
  corpuser: 'MANAGE_USERS_AND_GROUPS',
  corpGroup: 'MANAGE_USERS_AND_GROUPS',
};

/** What lets an entity of any type be seen. */
export const TO_SEE: AnyOf = ['VIEW_ENTITY_PAGE', 'GET_ENTITY_PRIVILEGE', 'EDIT_ENTITY', 'DELETE_ENTITY'];

/** What lets every structured property be seen. */
export const TO_SEE_PROPERTIES: AnyOf = ['VIEW_STRUCTURED_PROPERTIES_PAGE', 'MANAGE_STRUCTURED_PROPERTIES'];

/** What lets all users and groups be seen. */
export const TO_SEE_USERS: AnyOf = ['MANAGE_USERS_AND_GROUPS'];

export function toRead({ entityType }: ParsedUrn): AnyOf {
  if (entityType.name === 'structuredProperty') return [...TO_SEE, ...TO_SEE_PROPERTIES];
  return managed(entityType.name, TO_SEE);
}

export function toKnowOf(urn: ParsedUrn): AnyOf {
  return [...toRead(urn), 'EXISTS_ENTITY_PRIVILEGE', 'SEARCH_PRIVILEGE'];
}

export interface Writing {
  /** Canonical names. */
  readonly aspects: readonly string[];
  /** It is refused when one of them is there. */
  readonly onlyNew: boolean;
  /** It makes the entity when that is not there. */
  readonly makes: boolean;
}

export function toWrite({ entityType }: ParsedUrn, { aspects, onlyNew, makes }: Writing): AnyOf[] {
  const whole = managed(entityType.name, onlyNew ? ['EDIT_ENTITY', 'CREATE_ENTITY'] : ['EDIT_ENTITY']);
  if (aspects.length === 0) return [managed(entityType.name, ['EDIT_ENTITY', 'CREATE_ENTITY'])];
  if (isOnly(aspects, 'structuredProperties')) {
    const values: AnyOf = ['EDIT_ENTITY_PROPERTIES', ...whole];
    // A schema field is made by its first value.
    if (!makes || entityType.name === 'schemaField') return [values];
    return [values, managed(entityType.name, ['EDIT_ENTITY', 'CREATE_ENTITY'])];
  }
  return isOnly(aspects, 'status') ? [[...whole, 'DELETE_ENTITY']] : [whole];
}

export function toDelete({ entityType }: ParsedUrn): AnyOf {
  return managed(entityType.name, ['DELETE_ENTITY']);
}

/** @param aspects canonical names. */
export function toDeleteAspects({ entityType }: ParsedUrn, aspects: readonly string[]): AnyOf {
  const whole = managed(entityType.name, ['EDIT_ENTITY', 'DELETE_ENTITY']);
  return isOnly(aspects, 'structuredProperties') ? ['EDIT_ENTITY_PROPERTIES', ...whole] : whole;
}

function managed(entityType: string, anyOf: AnyOf): AnyOf {
  const managing = MANAGING[entityType];
  return managing === undefined ? anyOf : [...anyOf, managing];
}

function isOnly(aspects: readonly string[], name: string): boolean {
  return aspects.length > 0 && aspects.every((aspect) => aspect === name);
}
