import type { Store, StoredRecord } from '../store/port.ts';

/**
 * Long work, written down so that any replica can go on where another died. A job removes what is hidden already, or
 * rebuilds what can be rebuilt: it may be interrupted anywhere and done twice.
 */

export const JOB_KINDS = ['cascade', 'collection', 'fields'] as const;

/**
 * - `cascade`: assignments of a hard-deleted property.
 * - `collection`: assignments of an epoch that a breaking change has ended.
 * - `fields`: schema fields of a hard-deleted dataset.
 */
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * `waiting` for somebody to take it, `running`, `settling` (a first pass is over; a second follows for writers that were
 * late), then `done`.
 */
export const JOB_STATES = ['waiting', 'running', 'settling', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface Job {
  /** Made of what it is about, so that it is written down once. */
  readonly id: string;
  readonly kind: JobKind;
  /** URN of the property or dataset. */
  readonly subject: string;
  /** The epoch or the incarnation whose remains are removed. */
  readonly remains: string;
  readonly state: JobState;
  /** Times are milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
  readonly started?: number;
  readonly ended?: number;
  /** Not taken before. */
  readonly notBefore: number;
  readonly pass: 1 | 2;
  readonly lease?: { readonly holder: string; readonly until: number };
  /** Where the pass goes on. */
  readonly cursor?: string;
  /** What there was to do when the pass began. */
  readonly total: number;
  /** What was removed so far, in all passes. */
  readonly removed: number;
  /** What is left, as far as is known. */
  readonly remaining: number;
  readonly error?: string;
}

const KIND = 'job';
const PAGE = 500;

export type NewJob = Pick<Job, 'kind' | 'subject' | 'remains'>;

/**
 * Writes a job down, or lets one that is there begin anew. It is written before what makes it necessary, so that a crash
 * in between leaves a job without work and never work without a job.
 */
export async function ensureJob(store: Store, { kind, subject, remains }: NewJob, now: number): Promise<void> {
  const id = `${kind}:${remains}`;
  for (;;) {
    const record = await readJob(store, id);
    const removed = record?.body.removed ?? 0;
    const job: Job = {
      id,
      kind,
      subject,
      remains,
      state: 'waiting',
      created: now,
      notBefore: now,
      pass: 1,
      total: 0,
      removed,
      remaining: 0,
    };
    if ((await saveJob(store, job, record?.revision)) !== undefined) return;
  }
}

export function readJob(store: Store, id: string): Promise<StoredRecord<Job> | undefined> {
  return store.records.get<Job>(KIND, id);
}

/** All jobs that are kept, by id. */
export async function listJobs(store: Store): Promise<StoredRecord<Job>[]> {
  const found: StoredRecord<Job>[] = [];
  for (;;) {
    const page = await store.records.list<Job>(KIND, found.at(-1)?.id, PAGE);
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** @returns the record's new revision, or `undefined` when somebody else has changed the job. */
export function saveJob(store: Store, job: Job, expected: string | undefined): Promise<string | undefined> {
  return store.records.put(KIND, job.id, job, expected);
}

export async function forgetJob(store: Store, { id, revision }: StoredRecord<Job>): Promise<void> {
  await store.records.delete(KIND, id, revision);
}

export function hasEnded({ state }: Job): boolean {
  return state === 'done';
}
