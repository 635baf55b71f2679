import * as z from 'zod';
import { ENTITY_TYPES } from '../../model/entity-type.ts';

/** Parameters of the entity routes. Unknown query parameters are ignored, as with the reference catalogue. */

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');

const names = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (Array.isArray(given) ? given : [given]).flatMap((text) => text.split(',')).filter((name) => name !== ''),
  );

export const entityTypeParameter = z.string().describe('Name of an entity type, such as dataset; case is ignored');
export const urnParameter = urnParameterOf(`(?:${ENTITY_TYPES.map(({ name }) => name).join('|')})`);
export const aspectParameter = z.string().describe('Name of an aspect, such as status; case is ignored');

export const systemMetadataQuery = z.object({
  systemMetadata: flag.optional().describe('Whether to return system metadata'),
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
  async: flag.optional().describe('true: answered with 202; the write is done all the same'),
  createIfNotExists: flag.optional().describe('true: refused when the aspect is there already; false by default'),
  createIfEntityNotExists: flag.optional().describe('true: an entity that does not exist is created'),
});

export const readQuery = systemMetadataQuery.extend({
  aspects: names.optional().describe('Aspects to return; repeatable; all when absent'),
  aspectNames: names.optional().describe('The same as aspects'),
});

export const entityQuery = readQuery.extend({
  owners: flag.optional().describe('true: the owner marks on the entity are returned as `owners`'),
});

export const deleteQuery = readQuery.extend({
  aspects: names.optional().describe('Delete only these aspects; the whole entity when absent'),
  clear: flag.optional().describe('true: delete all aspects but the key'),
});

export const listQuery = readQuery.extend({
  count: z.coerce.number().int().min(0).default(10).describe('Entities on a page, at most 1000'),
  query: z.string().default('*').describe('Query-string syntax, see docs/search.md'),
  scrollId: z.string().optional().describe('From the page before'),
  sort: z.literal('urn', { error: 'entities are sorted by urn' }).optional().describe('Sort field: urn'),
  sortOrder: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
  includeSoftDelete: flag.optional().describe('Whether soft-deleted entities are listed'),
});

/** The pattern is for the document; a URN that breaks it is refused by `parseUrn`, which says more. */
export function urnParameterOf(entityType: string) {
  return z.string().meta({ description: 'URN of the entity, percent-encoded', pattern: `^urn:li:${entityType}:` });
}

/** The aspects that a request names, by both of its parameters; `undefined` when it names none. */
export function requestedAspects({ aspects, aspectNames }: z.output<typeof readQuery>): string[] | undefined {
  const both = [...(aspects ?? []), ...(aspectNames ?? [])];
  return both.length === 0 ? undefined : both;
}
