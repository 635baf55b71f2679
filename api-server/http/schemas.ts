import * as z from 'zod';
import { statusSchema } from '../../model/aspect.ts';
import { structuredPropertiesSchema } from '../../model/assignment.ts';
import { definitionSchema } from '../../model/definition.ts';
import { patchOperationSchema, patchSchema } from '../../model/patch.ts';

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
  .union([patchSchema, z.array(patchOperationSchema)])
  .meta({ id: 'PatchBody', description: 'A patch, or its operations alone' });

/** Either is read for any body; these are offered for patches. */
export const PATCH_TYPES = ['application/json-patch+json', 'application/json'];

function wrapped(aspect: z.ZodType): z.ZodType {
  return z.object({ value: aspect, systemMetadata: z.record(z.string(), z.unknown()).optional() });
}

/** Answer to a write of one aspect. */
export function writeResponse(version: 'v2' | 'v3', aspect?: string): z.ZodType {
  const body = wrapped(BODIES[aspect ?? ''] ?? anyAspect);
  if (version === 'v2') return z.object({ urn: z.string(), aspects: z.record(z.string(), body) });
  return aspect === undefined
    ? z.object({ urn: z.string() }).catchall(body)
    : z.object({ urn: z.string(), [aspect]: body });
}

/** Answer to a read of one aspect. */
export function readResponse(version: 'v2' | 'v3', aspect?: string): z.ZodType {
  return version === 'v3' ? writeResponse(version, aspect) : wrapped(BODIES[aspect ?? ''] ?? anyAspect);
}

/** What an owner mark says: which resource something belongs to. */
export const resourceFields = {
  source: z.string().min(1).describe('Name of the source'),
  kind: z.string().min(1),
  namespace: z.string().min(1),
  name: z.string().min(1),
};

export const ownedSchema = z.object({
  ...resourceFields,
  deletionPolicy: z.string(),
  urn: z.string().describe('The entity that the mark is on'),
  propertyUrn: z.string().optional().describe('Absent: the mark is on the definition'),
});

export function entityResponse(version: 'v2' | 'v3'): z.ZodType {
  return writeResponse(version);
}

export function ownedEntityResponse(version: 'v2' | 'v3'): z.ZodType {
  const owners = z.array(ownedSchema).optional().describe('Owner marks, with owners=true');
  if (version === 'v2') return z.object({ urn: z.string(), aspects: z.record(z.string(), wrapped(anyAspect)), owners });
  return z.object({ urn: z.string(), owners }).catchall(wrapped(anyAspect));
}

/** Answer to a batch: version 2 names the entities only. */
export function batchResponse(version: 'v2' | 'v3'): z.ZodType {
  return z.array(version === 'v2' ? z.object({ urn: z.string() }) : entityResponse(version));
}

export function listResponse(version: 'v2' | 'v3'): z.ZodType {
  const entities = z.array(entityResponse(version));
  const scrollId = z.string().optional().describe('For the next page; absent on the last');
  if (version === 'v2') return z.object({ results: entities, scrollId });
  return z.object({ entities, scrollId, totalCount: z.number().int() });
}
