import * as z from 'zod';
import { nextPageSchema } from './next-page.ts';
import { openEnum } from './open-enum.ts';

/**
 * - `cascade`: assignments of a hard-deleted property.
 * - `collection`: assignments of an epoch that a breaking change has ended.
 * - `fields`: schema fields of a hard-deleted dataset.
 * - `system-update`: a new search index with fields of only what remains. One at a time.
 */
export const JOB_KINDS = ['cascade', 'collection', 'fields', 'system-update'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * `waiting` for somebody to take it, `running`, `settling` (a first pass is over; a second follows for writers that were
 * late), `cancelling` (what it has begun is being dropped); then `done`, `failed` or `cancelled`.
 */
export const JOB_STATES = ['waiting', 'running', 'settling', 'cancelling', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export function hasEnded({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Why a field of a property's values is in the index. */
const KEPT_WHY = ['live', 'soft deleted', 'not collected yet'] as const;

const systemUpdateResultSchema = z
  .object({
    entities: z.number().int().describe('Entities that the new index holds'),
    kept: z.array(
      z.object({
        propertyUrn: z.string().exactOptional(),
        field: z.string().exactOptional().describe('Public search name'),
        entities: z.number().int().describe('How many have the field'),
        why: openEnum(KEPT_WHY),
      }),
    ),
    removed: z.array(z.object({ field: z.string(), propertyUrn: z.string().exactOptional() })),
  })
  .describe('Of a system update: which fields of properties were kept, why, and which were removed');

/** A job as the server shows it; not told: what only its runner needs. */
export const jobSchema = z
  .object({
    id: z.string(),
    kind: openEnum(JOB_KINDS).describe(
      'cascade: of a hard-deleted property; collection: of an ended epoch; fields: of a dataset; system-update: a new index',
    ),
    subject: z.string().describe('URN of the property or dataset; of a system update, index'),
    state: openEnum(JOB_STATES).describe('settling: a second pass follows, for writers that were late'),
    pass: z.number().int(),
    created: z.number().describe('ms since 1970'),
    started: z.number().exactOptional(),
    ended: z.number().exactOptional(),
    total: z.number().int().describe('Entities that there were to process when the pass began'),
    processed: z.number().int(),
    remaining: z.number().int(),
    perSecond: z.number().exactOptional().describe('Processed a second, since the start'),
    secondsLeft: z.number().exactOptional().describe('An estimate'),
    attempts: z.number().int().exactOptional().describe('How often it has failed since its last progress'),
    error: z.string().exactOptional().describe('Of the last attempt'),
    result: systemUpdateResultSchema.exactOptional(),
  })
  .meta({ id: 'Job' });

export const jobsSchema = z.object({ jobs: z.array(jobSchema), next: nextPageSchema });

export type ShownJob = z.output<typeof jobSchema>;
export type SystemUpdateResult = z.output<typeof systemUpdateResultSchema>;
