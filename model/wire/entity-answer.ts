import * as z from 'zod';
import { ownedThingSchema } from './owner-mark.ts';

const anyAspect = z.record(z.string(), z.unknown());

/** An aspect inside an entity. */
export function aspectAnswer<A extends z.ZodType>(aspect: A) {
  return z.object({ value: aspect, systemMetadata: z.record(z.string(), z.unknown()).exactOptional() });
}

/** An entity as version 3 of the interface shows it: its aspects by name, beside its URN. */
export const entityAnswerSchema = z.object({ urn: z.string() }).catchall(aspectAnswer(anyAspect));

export const ownersOfEntity = z.array(ownedThingSchema).exactOptional().describe('Owner marks, with owners=true');

export const ownedEntityAnswerSchema = entityAnswerSchema.extend({ owners: ownersOfEntity });

export const scrollIdSchema = z.string().exactOptional().describe('For the next page; absent on the last');

export const entityPageSchema = z.object({
  entities: z.array(entityAnswerSchema),
  scrollId: scrollIdSchema,
  totalCount: z.number().int(),
});
