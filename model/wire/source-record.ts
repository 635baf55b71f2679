import * as z from 'zod';

const text = z.string().min(1);
const manifests = z.array(text).describe('Globs, each absolute');

/** Where a source has its resources from. Another place under the same name has other resources, or fewer. */
export const placeSchema = z.strictObject({ host: text, manifests });

/** Who works on a source, for people, and so that the next one on that machine can tell whether it is gone. */
const holderSchema = z.strictObject({
  id: text.describe('Of one life of an operator'),
  place: placeSchema,
  pid: z.number().int(),
  processes: z
    .string()
    .describe('Names the processes among which pid is unique: those of one machine since it started'),
});

/** What the server keeps of a source, and shows. */
export const sourceRecordSchema = z
  .object({
    name: z.string(),
    lease: z.string().describe('Of this record; with created and term it is the fence of whoever works on the source'),
    created: z.number().int(),
    term: z.number().int().describe('How often it has changed hands'),
    holder: holderSchema
      .loose()
      .extend({ since: z.number(), until: z.number().describe('Unless it is renewed, ms since 1970') })
      .exactOptional()
      .describe('Absent: nobody works on it'),
    place: placeSchema.loose().exactOptional().describe('Where what is recorded of it was last seen whole'),
  })
  .meta({ id: 'Source' });

export const sourceRecordsSchema = z.object({ sources: z.array(sourceRecordSchema) });

/** A wish to work on a source, or to go on with it. */
export const leaseRequestSchema = z.strictObject({
  holder: holderSchema,
  ms: z.number().int().min(1).max(3_600_000).describe('It is kept for so long without being renewed'),
  instead: text.exactOptional().describe('Id of a holder that is known to be gone'),
});

export const leaseReleaseSchema = z.strictObject({ holder: text.describe('Its id') });

export type SourcePlace = Readonly<z.output<typeof placeSchema>>;
export type SourceHolder = Readonly<z.output<typeof holderSchema>>;
export type LeaseRequest = Readonly<z.output<typeof leaseRequestSchema>>;
export type SourceRecord = Readonly<z.output<typeof sourceRecordSchema>>;
