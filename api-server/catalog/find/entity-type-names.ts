import { ENTITY_TYPES, findEntityType } from '../../../model/entity-type.ts';

const ENUM_NAMES = new Map(
  ENTITY_TYPES.map(({ name }) => [
    name,
    // Written as one word in URNs only.
    name === 'corpuser' ? 'CORP_USER' : name.replace(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase(),
  ]),
);

/** How GraphQL spells an entity type: `dataFlow` is DATA_FLOW. */
export function enumNameOf(entityType: string): string {
  return ENUM_NAMES.get(entityType) ?? entityType;
}

/** The entity type that is spelt so by GraphQL or by URNs; a text that is neither stays as it is. */
export function typeNameOf(text: string): string {
  return findEntityType(text.replaceAll('_', ''))?.name ?? text;
}
