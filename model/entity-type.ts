/**
 * The kinds of entity that the catalogue knows, with the key aspect that a URN of the kind spells out.
 * Names are those of the reference catalogue, so that its clients find what they look for.
 */

export interface EntityTypeInfo {
  /** Canonical name, as it stands in URNs, paths and `entityTypes`. */
  readonly name: string;
  readonly keyAspect: string;
  /** Fields of the key aspect. One: the whole id. More: a tuple `(a,b,c)`. */
  readonly keyFields: readonly string[];
  /** Whether structured properties can be put on it. */
  readonly holdsProperties: boolean;
}

function entityType(
  name: string,
  keyAspect: string,
  keyFields: readonly string[],
  holdsProperties = true,
): EntityTypeInfo {
  return { name, keyAspect, keyFields, holdsProperties };
}

export const ENTITY_TYPES: readonly EntityTypeInfo[] = [
  entityType('dataset', 'datasetKey', ['platform', 'name', 'origin']),
  entityType('dataFlow', 'dataFlowKey', ['orchestrator', 'flowId', 'cluster']),
  entityType('dataJob', 'dataJobKey', ['flow', 'jobId']),
  entityType('schemaField', 'schemaFieldKey', ['parent', 'fieldPath']),
  entityType('chart', 'chartKey', ['dashboardTool', 'chartId']),
  entityType('dashboard', 'dashboardKey', ['dashboardTool', 'dashboardId']),
  entityType('container', 'containerKey', ['guid']),
  entityType('dataProduct', 'dataProductKey', ['id']),
  entityType('domain', 'domainKey', ['id']),
  entityType('glossaryTerm', 'glossaryTermKey', ['name']),
  entityType('glossaryNode', 'glossaryNodeKey', ['name']),
  entityType('tag', 'tagKey', ['name'], false),
  entityType('corpuser', 'corpUserKey', ['username']),
  entityType('corpGroup', 'corpGroupKey', ['name']),
  entityType('dataPlatform', 'dataPlatformKey', ['platformName'], false),
  entityType('dataType', 'dataTypeKey', ['id'], false),
  entityType('entityType', 'entityTypeKey', ['id'], false),
  entityType('structuredProperty', 'structuredPropertyKey', ['id'], false),
];

/** Not what is part of something else, or a word of the model itself. */
const NOT_SEARCHED: readonly string[] = ['schemaField', 'structuredProperty', 'dataPlatform', 'dataType', 'entityType'];

/** What a search over entity types means when it names none. */
export const SEARCHED_TYPES: readonly EntityTypeInfo[] = ENTITY_TYPES.filter(
  ({ name }) => !NOT_SEARCHED.includes(name),
);

const byLowerName = new Map(ENTITY_TYPES.map((info) => [info.name.toLowerCase(), info]));

/** Looks an entity type up by its name, ignoring case. */
export function findEntityType(name: string): EntityTypeInfo | undefined {
  return byLowerName.get(name.toLowerCase());
}

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
