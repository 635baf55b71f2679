import * as z from 'zod';
import { assignmentSchema } from '../../model/assignment.ts';
import type { ExportedThing } from '../../model/export-line.ts';
import { VALUE_TYPES } from '../../model/value-type.ts';
import { JOB_KINDS } from '../jobs/job.ts';

/**
 * Shapes of what an export holds, as the store keeps it (`store/port.ts`). Rules are not checked: what was stored once is
 * trusted.
 */

const id = z.string().min(1);
const stamp = z.strictObject({ time: z.number(), actor: z.string() });
const anything = z.record(z.string(), z.unknown());

const aspect = z.strictObject({ value: anything, version: z.number().int().min(1), created: stamp, modified: stamp });

const ownerMark = z.strictObject({
  source: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  deletionPolicy: z.string(),
});

const entity = z.strictObject({
  incarnation: id,
  revision: z.number().int().min(1),
  aspects: z.record(z.string(), aspect),
  assignments: z.array(assignmentSchema.extend({ epoch: id, valueType: z.enum(VALUE_TYPES) })),
  definitionState: z.strictObject({ epoch: id, greatestVersion: z.string().optional() }).optional(),
  parentIncarnation: id.optional(),
  owners: z.record(z.string(), ownerMark),
  batches: z.array(z.strictObject({ id, at: z.number() })),
});

const resource = z.strictObject({
  source: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  generation: z.number().int(),
  created: z.number(),
  specHash: z.string(),
  location: z.string().optional(),
  status: anything.optional(),
});

export const BODY_SHAPES: Readonly<Record<ExportedThing['kind'], z.ZodType>> = {
  entity,
  resource,
  endedEpoch: z.strictObject({ propertyUrn: id }),
  batch: z.strictObject({ at: z.number(), actor: z.string(), writes: z.array(z.looseObject({ urn: id })) }),
  job: z.strictObject({ kind: z.enum(JOB_KINDS).exclude(['system-update']), subject: id, remains: id }),
};
