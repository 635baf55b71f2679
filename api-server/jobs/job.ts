import { hasEnded, type JobKind, type JobState, type ShownJob } from '../../model/wire/job.ts';
import type { LeaseBody } from '../catalog/indexing/lease.ts';
import { changeRecord } from '../store/change-record.ts';
import { allRecords } from '../store/pages.ts';
import type { Store, StoredRecord } from '../store/port.ts';
import { type DueJob, forgetDue, noteDue } from './due-jobs.ts';

/**
 * Long work, written down so that any replica can go on where another died. A job removes what is hidden already, or
 * rebuilds what can be rebuilt: it may be interrupted anywhere and done twice.
 */

/** What the server shows of it, and what only its runner needs. */
export interface Job extends Readonly<Omit<ShownJob, 'perSecond' | 'secondsLeft'>> {
  /** Made of what it is about, so that it is written down once. */
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  /** The epoch or the incarnation whose remains are removed; the id of the rebuild. */
  readonly remains: string;
  /** Not taken before, in ms since 1970-01-01T00:00:00Z. */
  readonly notBefore: number;
  readonly pass: 1 | 2;
  readonly lease?: LeaseBody;
  /** Where the pass goes on. */
  readonly cursor?: string;
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
  await changeJob(store, id, (standing) => ({ ...newJob(id, given, now), processed: standing?.processed ?? 0 }));
}

/** Writes the one job of its kind down, unless one is there that has not ended. @returns that one, or the new one. */
export function ensureOnlyJob(store: Store, given: NewJob, now: number): Promise<Job> {
  const id = given.kind;
  return changeJob(store, id, (standing) =>
    standing !== undefined && !hasEnded(standing) && standing.state !== 'cancelling'
      ? standing
      : newJob(id, given, now),
  );
}

/** Changes a job that has not ended, as `changeRecord` does. */
export async function changeJob(
  store: Store,
  id: string,
  next: (standing: Job | undefined) => Job | Promise<Job>,
): Promise<Job> {
  const job = await changeRecord(store.records, { kind: KIND, id }, next);
  await noteDue(store, job);
  return job;
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
export function openJobs(store: Store): AsyncGenerator<StoredRecord<Job>> {
  return allRecords<Job>(store, KIND);
}

/** All jobs that are kept, the newest first. */
export async function listJobs(store: Store): Promise<Job[]> {
  const byId = new Map<string, Job>();
  for (const kind of [ENDED_KIND, KIND]) {
    for await (const { id, body } of allRecords<Job>(store, kind)) byId.set(id, body);
  }
  return [...byId.values()].sort((one, other) => other.created - one.created);
}

/** @returns the record's new revision, or `undefined` when somebody else has changed the job. */
export async function saveJob(store: Store, job: Job, expected: string | undefined): Promise<string | undefined> {
  // While it runs, and when it has ended, it is found by the time at which it was due.
  const isPutOff = job.state === 'waiting' || job.state === 'settling';
  const [revision] = await Promise.all([
    store.records.put(KIND, job.id, job, expected),
    isPutOff ? noteDue(store, job) : undefined,
  ]);
  return revision;
}

/** Puts a job that has ended where it can be looked at. */
export async function putAway(store: Store, { id, revision, body, dueId }: DueJob): Promise<void> {
  const earlier = await store.records.get<Job>(ENDED_KIND, id);
  await store.records.put(ENDED_KIND, id, body, earlier?.revision);
  if (await store.records.delete(KIND, id, revision)) await forgetDue(store, dueId);
}

/** Forgets jobs of which it says so by when they ended (ms). */
export async function forgetJobs(store: Store, isOver: (ended: number) => boolean): Promise<void> {
  for await (const { id, revision, body } of allRecords<Job>(store, ENDED_KIND)) {
    if (isOver(body.ended ?? 0)) await store.records.delete(ENDED_KIND, id, revision);
  }
}
