import * as z from 'zod';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { type Checked, checkShape } from '../shape.ts';
import { nextPageSchema } from './next-page.ts';

/** Which resource a definition or an assignment belongs to. */
export const ownerMarkSchema = z.object({
  source: z.string().describe('Name of the source'),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  deletionPolicy: z.string(),
});

/** A mark and what it is on. */
export const ownedThingSchema = ownerMarkSchema.extend({
  urn: z.string().describe('The entity that the mark is on'),
  propertyUrn: z.string().exactOptional().describe('Absent: the mark is on the definition'),
});

export const ownersPageSchema = z.object({
  owners: z.array(ownedThingSchema),
  next: nextPageSchema,
});

export type OwnerMark = Readonly<z.output<typeof ownerMarkSchema>>;
export type OwnedThing = Readonly<z.output<typeof ownedThingSchema>>;

/** In lower case, as requests have it. */
export const OWNER_HEADER = 'x-proplane-owner';

/** `source=…&kind=…&namespace=…&name=…&deletionPolicy=…`, form-encoded. */
export function printOwnerMark({ source, kind, namespace, name, deletionPolicy }: OwnerMark): string {
  return new URLSearchParams({ source, kind, namespace, name, deletionPolicy }).toString();
}

const part = z.string('missing').min(1, 'missing').max(MAX_NAME_LENGTH);
const parameters = z.object({ source: part, kind: part, namespace: part, name: part, deletionPolicy: part });

/** Reads what `printOwnerMark` writes; none of the five may be empty. */
export function parseOwnerMark(header: string): Checked<OwnerMark> {
  return checkShape(parameters, Object.fromEntries(new URLSearchParams(header)));
}
