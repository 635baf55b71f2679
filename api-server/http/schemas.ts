import * as z from 'zod';
import { statusSchema } from '../../model/aspect.ts';
import { structuredPropertiesSchema } from '../../model/assignment.ts';
import { definitionSchema } from '../../model/definition.ts';
import { patchOperationSchema, patchSchema } from '../../model/patch.ts';
import { sentList } from '../../model/sent-list.ts';
import {
  aspectAnswer,
  entityAnswerSchema,
  entityPageSchema,
  ownedEntityAnswerSchema,
  ownersOfEntity,
  scrollIdSchema,
} from '../../model/wire/entity-answer.ts';

/**
 * Schemas of bodies, for the served OpenAPI document. Request bodies are checked by the catalogue itself, which names
 * every violated rule; answers are checked against these schemas by tests.
 */

const anyAspect = z.record(z.string(), z.unknown());

/** An aspect bare, or wrapped in `value` with optional siblings. */
function bareOrWrapped(aspect: z.ZodType): z.ZodType {
  return z.union([aspect, z.object({ value: aspect })]);
}

const BODIES: Readonly<Record<string, z.ZodType>> = {
  propertyDefinition: definitionSchema,
  structuredProperties: structuredPropertiesSchema,
  status: statusSchema,
};

export function aspectRequest(aspect?: string): z.ZodType {
  return bareOrWrapped(BODIES[aspect ?? ''] ?? anyAspect);
}

export const patchRequest: z.ZodType = z
  .union([patchSchema, sentList(patchOperationSchema)])
  .meta({ id: 'PatchBody', description: 'A patch, or its operations alone' });

/** Either is read for any body; these are offered for patches. */
export const PATCH_TYPES = ['application/json-patch+json', 'application/json'];

/** Answer to a write of one aspect. */
export function writeResponse(version: 'v2' | 'v3', aspect?: string): z.ZodType {
  const body = aspectAnswer(BODIES[aspect ?? ''] ?? anyAspect);
  if (version === 'v2') return z.object({ urn: z.string(), aspects: z.record(z.string(), body) });
  return aspect === undefined ? entityAnswerSchema : z.object({ urn: z.string(), [aspect]: body });
}

/** Answer to a read of one aspect. */
export function readResponse(version: 'v2' | 'v3', aspect?: string): z.ZodType {
  return version === 'v3' ? writeResponse(version, aspect) : aspectAnswer(BODIES[aspect ?? ''] ?? anyAspect);
}

export function entityResponse(version: 'v2' | 'v3'): z.ZodType {
  return writeResponse(version);
}

export function ownedEntityResponse(version: 'v2' | 'v3'): z.ZodType {
  if (version === 'v3') return ownedEntityAnswerSchema;
  const aspects = z.record(z.string(), aspectAnswer(anyAspect));
  return z.object({ urn: z.string(), aspects, owners: ownersOfEntity });
}

/** Answer to a batch: version 2 names the entities only. */
export function batchResponse(version: 'v2' | 'v3'): z.ZodType {
  return z.array(version === 'v2' ? z.object({ urn: z.string() }) : entityResponse(version));
}

export function listResponse(version: 'v2' | 'v3'): z.ZodType {
  if (version === 'v3') return entityPageSchema;
  return z.object({ results: z.array(entityResponse(version)), scrollId: scrollIdSchema });
}
