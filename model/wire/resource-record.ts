import * as z from 'zod';
import { MAX_NAME_LENGTH, MAX_NAMED_RESOURCES } from '../limits.ts';
import { nextPageSchema } from './next-page.ts';

/** Characters of a path with a line, and of a reason. */
const MAX_LOCATION_LENGTH = 8192;

const nameFields = { kind: z.string(), namespace: z.string(), name: z.string() };
/** Of what is sent. */
const given = z.string().min(1).max(MAX_NAME_LENGTH);
const givenName = { kind: given, namespace: given, name: given };
const source = given;
/** Whatever its operator reports; the server keeps it as it is. */
const status = z.record(z.string(), z.unknown());
const location = z.string().max(MAX_LOCATION_LENGTH).exactOptional();

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

export const resourceRecordsSchema = z.object({ resources: z.array(resourceRecordSchema), next: nextPageSchema });

/** Resources that a source has seen. */
export const registrationSchema = z.strictObject({
  source,
  resources: z
    .array(z.strictObject({ ...givenName, specHash: z.string().max(MAX_NAME_LENGTH), location }))
    .max(MAX_NAMED_RESOURCES),
});

/** How a resource is. */
export const reportSchema = z.strictObject({ source, status, location });

/** Deletions that an operator does not dare to carry out before a person confirms them. */
export const heldDeletionsSchema = z.object({
  source: z.string(),
  id: z.string().describe('Another set of resources has another id'),
  resources: z.array(
    z.object({
      ...nameFields,
      reason: z.string().describe('Why it is not deleted unasked'),
      confirmed: z.boolean().describe('Somebody has confirmed; the deletion is not through yet'),
    }),
  ),
  confirmed: z.boolean().describe('Each of them is'),
});

/** What a source holds back now; what is confirmed already stays so. */
export const holdingSchema = z.strictObject({
  source,
  resources: z
    .array(z.strictObject({ ...givenName, reason: z.string().max(MAX_LOCATION_LENGTH).default('') }))
    .max(MAX_NAMED_RESOURCES),
});

const HOW_TO_CONFIRM =
  'a JSON body (content-type: application/json) says what is confirmed: {"source": …} with one of "id" (of the set that GET /resources/held-deletions shows), "resources" ([{kind, namespace, name}]) and "all": true';

/**
 * Which held deletions a person confirms. Never without a body: a page of elsewhere can have a browser send a request,
 * but not one of JSON.
 */
export const confirmationSchema = z
  .strictObject(
    {
      source,
      id: z.string().exactOptional().describe('The very set that was shown; another one stays held'),
      resources: z.array(z.strictObject(givenName)).exactOptional().describe('These'),
      all: z.literal(true).exactOptional().describe('Whatever is held now'),
    },
    { error: ({ code }) => (code === 'invalid_type' ? HOW_TO_CONFIRM : undefined) },
  )
  .refine(({ id, resources, all }) => [id, resources, all].filter((one) => one !== undefined).length === 1, {
    error: HOW_TO_CONFIRM,
  });

export type ResourceName = Readonly<z.output<typeof resourceNameSchema>>;
export type ResourceRecord = Readonly<z.output<typeof resourceRecordSchema>>;
export type Registration = z.output<typeof registrationSchema>;
export type Confirmation = Readonly<z.output<typeof confirmationSchema>>;
export type HeldDeletions = Readonly<z.output<typeof heldDeletionsSchema>>;
export type Holding = Readonly<z.input<typeof holdingSchema>>;
