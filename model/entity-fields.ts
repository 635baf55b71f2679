import { domainsOf, ownersOf } from './access/resource-facts.ts';
import { beginningOf } from './beginning-of.ts';
import { MAX_INDEXED_TEXT } from './limits.ts';
import { listOf } from './list-of.ts';
import { keyAspectOf, type ParsedUrn } from './urn.ts';

/**
 * The fields of an entity itself that a query may name, beside its structured properties. All are strings; an entity
 * that lacks one simply does not have it.
 */
export const ENTITY_FIELDS = [
  'urn',
  '_entityType',
  'id',
  'name',
  'displayName',
  'qualifiedName',
  'description',
  'platform',
  'origin',
  'orchestrator',
  'flowId',
  'cluster',
  'flow',
  'jobId',
  'parent',
  'fieldPath',
  'fieldPaths',
  'typeNames',
  'valueType',
  'cardinality',
  'entityTypes',
  'version',
  'showInSearchFilters',
  'removed',
  'username',
  'owners',
  'domains',
] as const;

/** Lower-cased words of the entity's names and descriptions: what a bare term of the query string looks through. */
export const WORDS_FIELD = 'words';

const TEXT_FIELDS: readonly string[] = [
  'name',
  'displayName',
  'qualifiedName',
  'description',
  'flowId',
  'fieldPath',
  'id',
];

type Aspects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Values of each field for an entity with these aspects, texts as far as they are searched.
 * @returns only fields with at least one value; `words` among them.
 */
export function entityFieldsOf(urn: ParsedUrn, aspects: Aspects): Map<string, string[]> {
  const sets = new Map<string, Set<string>>();
  const add = (field: string, given: unknown): void => {
    if (typeof given !== 'string') return;
    const value = beginningOf(given, MAX_INDEXED_TEXT);
    const values = sets.get(field);
    if (values === undefined) sets.set(field, new Set([value]));
    else values.add(value);
  };
  add('urn', urn.urn);
  add('_entityType', urn.entityType.name);
  for (const [field, value] of Object.entries(keyAspectOf(urn))) add(field, value);
  for (const platform of [...(sets.get('platform') ?? [])])
    add('platform', platform.replace(/^urn:li:dataPlatform:/u, ''));
  add('removed', String(aspects.status?.removed === true));
  const described = [
    aspects.datasetProperties,
    aspects.editableDatasetProperties,
    aspects.dataFlowInfo,
    aspects.dataJobInfo,
    aspects.propertyDefinition,
  ];
  for (const aspect of described) {
    for (const field of [
      'name',
      'displayName',
      'qualifiedName',
      'description',
      'valueType',
      'cardinality',
      'version',
    ]) {
      add(field, aspect?.[field]);
    }
  }
  if (aspects.structuredPropertySettings?.showInSearchFilters === true) add('showInSearchFilters', 'true');
  for (const type of listOf(aspects.propertyDefinition?.entityTypes)) add('entityTypes', type);
  for (const type of listOf(aspects.subTypes?.typeNames)) add('typeNames', type);
  for (const owner of ownersOf(aspects.ownership)) add('owners', owner);
  for (const domain of domainsOf(aspects.domains)) add('domains', domain);
  for (const field of listOf(aspects.schemaMetadata?.fields))
    add('fieldPaths', (field as { fieldPath?: unknown })?.fieldPath);
  const fields = new Map([...sets].map(([field, values]) => [field, [...values]]));
  const words = new Set(TEXT_FIELDS.flatMap((field) => fields.get(field) ?? []).flatMap(wordsOf));
  if (words.size > 0) fields.set(WORDS_FIELD, [...words]);
  return fields;
}

/** Lower-cased runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
