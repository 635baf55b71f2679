import * as z from 'zod';

const nameFields = { kind: z.string(), namespace: z.string(), name: z.string() };
/** Of what is sent. */
const givenName = { kind: z.string().min(1), namespace: z.string().min(1), name: z.string().min(1) };
const source = z.string().min(1);
/** Whatever its operator reports; the server keeps it as it is. */
const status = z.record(z.string(), z.unknown());
const location = z.string().exactOptional();

/** What a resource is called, in the path of a request. */
export const resourceNameSchema = z.object(givenName);

/** What the server keeps of a resource, and shows. */
export const resourceRecordSchema = z
  .object({
    ...nameFields,
    source: z.string(),
    generation: z.number().int().describe('Grows with each change of the spec'),
    created: z.number().describe('When the server first recorded it, ms'),
    location: location.describe('file:line'),
    status: status.exactOptional().describe('Conditions and counts that the operator reports'),
  })
  .meta({ id: 'ResourceRecord' });

export const resourceRecordsSchema = z.object({ resources: z.array(resourceRecordSchema) });

/** Resources that a source has seen. */
export const registrationSchema = z.strictObject({
  source,
  resources: z.array(z.strictObject({ ...givenName, specHash: z.string(), location })),
});

/** How a resource is. */
export const reportSchema = z.strictObject({ source, status, location });

/** Deletions that an operator does not dare to carry out before a person confirms them. */
export const heldDeletionsSchema = z.object({
  source: z.string(),
  id: z.string().describe('Another set of resources has another id, and has to be confirmed anew'),
  resources: z.array(z.object(nameFields)),
  reason: z.string(),
  confirmed: z.boolean(),
});

/** What a source holds back now. */
export const holdingSchema = z.strictObject({
  source,
  resources: z.array(z.strictObject(givenName)),
  reason: z.string().default(''),
});

export type ResourceName = Readonly<z.output<typeof resourceNameSchema>>;
export type ResourceRecord = Readonly<z.output<typeof resourceRecordSchema>>;
export type Registration = z.output<typeof registrationSchema>;
export type HeldDeletions = Readonly<z.output<typeof heldDeletionsSchema>>;
