import * as z from 'zod';
import { findAspect, isKnownAspect } from '../../model/aspect.ts';
import { ENTITY_TYPES, type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { CatalogError } from '../catalog/errors.ts';

/** Parameters of the entity routes. Unknown query parameters are ignored, as with the reference catalogue. */

const maybe = z.enum(['true', 'false'], { error: 'must be true or false' }).optional();
/** Absent: false. */
const flag = maybe.transform((text) => text === 'true');

/** The most entities of one page; a greater `count` is capped, as with the reference catalogue. */
const MAX_PAGE = 1000;

const names = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (Array.isArray(given) ? given : [given]).flatMap((text) => text.split(',')).filter((name) => name !== ''),
  );

export const entityTypeParameter = z.string().describe('Name of an entity type, such as dataset; case is ignored');
export const urnParameter = urnParameterOf(`(?:${ENTITY_TYPES.map(({ name }) => name).join('|')})`);
export const aspectParameter = z.string().describe('Name of an aspect, such as status; case is ignored');

const systemMetadataQuery = z.object({
  systemMetadata: flag.describe('Whether to return system metadata'),
});

export const aspectQuery = systemMetadataQuery.extend({
  version: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Version of the aspect; 0 is the present one; earlier ones are not kept'),
});

export const writeQuery = systemMetadataQuery.extend({
  async: maybe
    .transform((text) => (text === undefined ? undefined : text === 'true'))
    .describe('true: answered with 202; the write is done all the same'),
  createIfNotExists: flag.describe('true: refused when the aspect is there already; false by default'),
  createIfEntityNotExists: flag.describe('true: an entity that does not exist is created'),
});

const readQuery = systemMetadataQuery.extend({
  aspects: names.optional().describe('Aspects to return; repeatable; all when absent'),
  aspectNames: names.optional().describe('The same as aspects'),
});

const owners = flag.describe('true: the owner marks on an entity are returned as `owners`');

export const entityQuery = readQuery.extend({ owners });

export const batchGetQuery = systemMetadataQuery.extend({ owners });

export const deleteQuery = readQuery.extend({
  aspects: names.optional().describe('Delete only these aspects; the whole entity when absent'),
  clear: flag.describe('true: delete all aspects but the key'),
});

export const listQuery = readQuery.extend({
  count: z.coerce
    .number()
    .int()
    .min(0)
    .default(10)
    .transform((count) => Math.min(count, MAX_PAGE))
    .describe(`Entities on a page, at most ${MAX_PAGE}`),
  query: z.string().default('*').describe('Query-string syntax, see docs/search.md'),
  scrollId: z.string().optional().describe('From the page before'),
  sort: z.literal('urn', { error: 'entities are sorted by urn' }).optional().describe('Sort field: urn'),
  sortOrder: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
  includeSoftDelete: flag.describe('Whether soft-deleted entities are listed'),
});

/** The pattern is for the document; a URN that breaks it is refused by `parseUrn`, which says more. */
export function urnParameterOf(entityType: string) {
  return z.string().meta({ description: 'URN of the entity, percent-encoded', pattern: `^urn:li:${entityType}:` });
}

/** Where a request about an entity points. */
export interface EntityPath {
  /** Absent: what the URN says. */
  readonly entityType?: string;
  readonly urn: string;
}

export interface AspectPath extends EntityPath {
  readonly aspect: string;
}

export type BatchGetQuery = z.output<typeof batchGetQuery>;
export type AspectQuery = z.output<typeof aspectQuery>;
export type WriteQuery = z.output<typeof writeQuery>;
export type EntityQuery = z.output<typeof entityQuery>;
export type DeleteQuery = z.output<typeof deleteQuery>;
export type ListQuery = z.output<typeof listQuery>;

/** The aspects that a request names, by both of its parameters; `undefined` when it names none. */
export function requestedAspects({ aspects, aspectNames }: z.output<typeof readQuery>): string[] | undefined {
  const both = [...(aspects ?? []), ...(aspectNames ?? [])];
  return both.length === 0 ? undefined : both;
}

/**
 * Canonical names of the aspects that a request asks for, of several types in one where the request is about several;
 * `undefined`: all. Names of aspects that other types have are ignored.
 * @throws CatalogError for names that are no aspect of any type.
 */
export function canonicalAspects(
  entityTypes: readonly EntityTypeInfo[],
  names: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const find = (name: string) => entityTypes.flatMap((entityType) => findAspect(entityType, name) ?? []);
  const unknown = names.filter((name) => find(name).length === 0 && !isKnownAspect(name));
  if (unknown.length > 0) throw new CatalogError('malformed', `aspects: unknown aspect ${unknown.join(', ')}`);
  return new Set(names.flatMap(find));
}

/** The entity type that a path names. */
export function requireEntityType(name: string): EntityTypeInfo {
  const entityType = findEntityType(name);
  if (entityType === undefined) throw new CatalogError('malformed', `Unknown entity type ${name}`);
  return entityType;
}

/** The URN of a path, which has to be of the entity type that the path names, if it names one. */
export function urnOf({ entityType, urn }: EntityPath): ParsedUrn {
  const type = entityType === undefined ? undefined : requireEntityType(entityType);
  const parsed = parseUrn(urn);
  if (type === undefined || parsed.entityType.name === type.name) return parsed;
  throw new CatalogError('malformed', `${urn} is a ${parsed.entityType.name}, not a ${type.name}`);
}
