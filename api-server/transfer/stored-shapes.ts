import * as z from 'zod';
import { assignmentSchema } from '../../model/assignment.ts';
import type { ExportedThing } from '../../model/export-line.ts';
import { VALUE_TYPES } from '../../model/value-type.ts';
import { JOB_KINDS } from '../../model/wire/job.ts';
import { ownerMarkSchema } from '../../model/wire/owner-mark.ts';
import { resourceRecordSchema } from '../../model/wire/resource-record.ts';

/**
 * Shapes of what an export holds, as the store keeps it (`store/port.ts`). Rules are not checked: what was stored once is
 * trusted.
 */

const id = z.string().min(1);
const stamp = z.strictObject({ time: z.number(), actor: z.string() });
const anything = z.record(z.string(), z.unknown());

const aspect = z.strictObject({ value: anything, version: z.number().int().min(1), created: stamp, modified: stamp });

const entity = z.strictObject({
  incarnation: id,
  revision: z.number().int().min(1),
  aspects: z.record(z.string(), aspect),
  assignments: z.array(assignmentSchema.extend({ epoch: id, valueType: z.enum(VALUE_TYPES) })),
  definitionState: z.strictObject({ epoch: id, greatestVersion: z.string().optional() }).optional(),
  parentIncarnation: id.optional(),
  versionFloor: z.number().int().min(1).optional(),
  owners: z.record(z.string(), z.strictObject(ownerMarkSchema.shape)),
  batches: z.array(z.strictObject({ id, at: z.number() })),
});

export const BODY_SHAPES: Readonly<Record<ExportedThing['kind'], z.ZodType>> = {
  entity,
  resource: z.strictObject({ ...resourceRecordSchema.shape, specHash: z.string() }),
  endedEpoch: z.strictObject({ propertyUrn: id }),
  batch: z.strictObject({ at: z.number(), actor: z.string(), writes: z.array(z.looseObject({ urn: id })) }),
  job: z.strictObject({ kind: z.enum(JOB_KINDS).exclude(['system-update']), subject: id, remains: id }),
};
