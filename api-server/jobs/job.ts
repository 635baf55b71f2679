import { allRecords } from '../store/pages.ts';
import type { Store, StoredRecord } from '../store/port.ts';

/**
 * Long work, written down so that any replica can go on where another died. A job removes what is hidden already, or
 * rebuilds what can be rebuilt: it may be interrupted anywhere and done twice.
 */

export const JOB_KINDS = ['cascade', 'collection', 'fields', 'system-update'] as const;

/**
 * - `cascade`: assignments of a hard-deleted property.
 * - `collection`: assignments of an epoch that a breaking change has ended.
 * - `fields`: schema fields of a hard-deleted dataset.
 * - `system-update`: a new search index with fields of only what remains. One at a time.
 */
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * `waiting` for somebody to take it, `running`, `settling` (a first pass is over; a second follows for writers that were
 * late), `cancelling` (what it has begun is being dropped); then `done`, `failed` or `cancelled`.
 */
export const JOB_STATES = ['waiting', 'running', 'settling', 'cancelling', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface Job {
  /** Made of what it is about, so that it is written down once. */
  readonly id: string;
  readonly kind: JobKind;
  /** URN of the property or dataset; of a system update, `index`. */
  readonly subject: string;
  /** The epoch or the incarnation whose remains are removed; the id of the rebuild. */
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
  /** Entities that there were to process when the pass began. */
  readonly total: number;
  /** Entities processed so far (their remains removed, or put into the new index), in all passes. */
  readonly processed: number;
  /** What is left, as far as is known. */
  readonly remaining: number;
  /** How often it has failed since its last progress, and why. */
  readonly attempts?: number;
  readonly error?: string;
  /** What a job that has ended has to tell. */
  readonly result?: object;
}

const KIND = 'job';
/** Ended jobs are records of another kind, so that who looks for work does not meet them. */
const ENDED_KIND = 'endedJob';

export type NewJob = Pick<Job, 'kind' | 'subject' | 'remains'>;

/**
 * Writes a job down, or lets one that is there begin anew. It is written before what makes it necessary, so that a crash
 * in between leaves a job without work and never work without a job.
 */
export async function ensureJob(store: Store, given: NewJob, now: number): Promise<void> {
  const id = `${given.kind}:${given.remains}`;
  for (;;) {
    const record = await findOpenJob(store, id);
    const job = { ...newJob(id, given, now), processed: record?.body.processed ?? 0 };
    if ((await saveJob(store, job, record?.revision)) !== undefined) return;
  }
}

/** Writes the one job of its kind down, unless one is there that has not ended. @returns that one, or the new one. */
export async function ensureOnlyJob(store: Store, given: NewJob, now: number): Promise<Job> {
  const id = given.kind;
  for (;;) {
    const record = await findOpenJob(store, id);
    if (record !== undefined && !hasEnded(record.body) && record.body.state !== 'cancelling') return record.body;
    const job = newJob(id, given, now);
    if ((await saveJob(store, job, record?.revision)) !== undefined) return job;
  }
}

function newJob(id: string, given: NewJob, now: number): Job {
  const nothing = { total: 0, processed: 0, remaining: 0 };
  return { id, ...given, state: 'waiting', created: now, notBefore: now, pass: 1, ...nothing };
}

/** A job that has not ended, or that has and was not put away yet. */
export function findOpenJob(store: Store, id: string): Promise<StoredRecord<Job> | undefined> {
  return store.records.get<Job>(KIND, id);
}

/** A job that has not ended, or the last of this id that has. */
export async function readJob(store: Store, id: string): Promise<Job | undefined> {
  return ((await findOpenJob(store, id)) ?? (await store.records.get<Job>(ENDED_KIND, id)))?.body;
}

/** All jobs that have not ended, by id; also those that have ended and were not put away yet. */
export function listOpenJobs(store: Store): Promise<StoredRecord<Job>[]> {
  return listRecords(store, KIND);
}

/** All jobs that are kept, the newest first. */
export async function listJobs(store: Store): Promise<Job[]> {
  const byId = new Map<string, Job>();
  for (const kind of [ENDED_KIND, KIND]) for (const { id, body } of await listRecords(store, kind)) byId.set(id, body);
  return [...byId.values()].sort((one, other) => other.created - one.created);
}

function listRecords(store: Store, kind: string): Promise<StoredRecord<Job>[]> {
  return Array.fromAsync(allRecords<Job>(store, kind));
}

/** @returns the record's new revision, or `undefined` when somebody else has changed the job. */
export function saveJob(store: Store, job: Job, expected: string | undefined): Promise<string | undefined> {
  return store.records.put(KIND, job.id, job, expected);
}

/** Puts a job that has ended where it can be looked at. */
export async function putAway(store: Store, { id, revision, body }: StoredRecord<Job>): Promise<void> {
  const earlier = await store.records.get<Job>(ENDED_KIND, id);
  await store.records.put(ENDED_KIND, id, body, earlier?.revision);
  await store.records.delete(KIND, id, revision);
}

/** Forgets jobs that ended before `before` (ms). */
export async function forgetJobs(store: Store, before: number): Promise<void> {
  for (const { id, revision, body } of await listRecords(store, ENDED_KIND)) {
    if ((body.ended ?? 0) < before) await store.records.delete(ENDED_KIND, id, revision);
  }
}

export function hasEnded({ state }: Pick<Job, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
