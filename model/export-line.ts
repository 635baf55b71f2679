import * as z from 'zod';

/**
 * The lines of an export: a header, a line for each thing that is moved, and an end, without which the export was cut.
 * Each is a JSON object. The form is kept: a later release reads what an earlier one wrote.
 */

export const NDJSON = 'application/x-ndjson';

export const EXPORT_FORMAT = 'proplane-export';
export const EXPORT_VERSION = 1;

export const exportHeaderSchema = z.strictObject({
  kind: z.literal('header'),
  format: z.literal(EXPORT_FORMAT, { error: 'this is no export of Proplane' }),
  version: z.literal(EXPORT_VERSION, {
    error: `this release reads version ${EXPORT_VERSION} of the format: import with the release that wrote it, or a newer one`,
  }),
  id: z.uuid().describe('Another with each export'),
  begun: z.number().describe('Milliseconds since 1970-01-01T00:00:00Z'),
  namespaceWord: z.string().describe('The word <ns> that URNs of data types and entity types have'),
  entities: z.number().int().describe('About how many follow; for people who wait'),
});

export const exportEndSchema = z.strictObject({
  kind: z.literal('end'),
  lines: z.number().int().describe('Of the whole export, header and end included'),
});

/** What is moved, besides header and end. */
export const THING_KINDS = ['entity', 'resource', 'endedEpoch', 'batch', 'job'] as const;

export const exportedThingSchema = z.strictObject({
  kind: z.enum(THING_KINDS),
  /** URN of an entity; otherwise the id of the record. */
  id: z.string().min(1),
  body: z.record(z.string(), z.unknown()),
});

export type ExportHeader = z.output<typeof exportHeaderSchema>;
export type ExportEnd = z.output<typeof exportEndSchema>;
export type ExportedThing = z.output<typeof exportedThingSchema>;

/** Where an export goes on behind its header or a thing. */
export function cursorOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind}:${id}`;
}
