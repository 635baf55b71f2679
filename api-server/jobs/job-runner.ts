import { randomUUID } from 'node:crypto';
import { WakeablePause } from '../catalog/indexing/wakeable-pause.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { StoredRecord } from '../store/port.ts';
import { findOpenJob, forgetJobs, hasEnded, type Job, type JobKind, listOpenJobs, putAway, saveJob } from './job.ts';

/** How a kind of job is done. */
export interface JobWork {
  /** Whether what made the job necessary has happened, where the job is written down before it. */
  hasHappened?(job: Job): Promise<boolean>;
  /** How many entities there are left to process. */
  count(job: Job): Promise<number>;
  /** Does a part, from the job's cursor. Must be harmless when it is done twice. */
  step(job: Job): Promise<JobStep>;
  /** A second pass follows, once no request that was under way at the job's beginning can still be writing. */
  readonly settles: boolean;
  /** The job fails after so many attempts without progress; without it, it is tried for ever. */
  readonly maxAttempts?: number;
  /** Drops what the job has begun; a kind with it can be cancelled. */
  abandon?(job: Job): Promise<void>;
}

export interface JobStep {
  readonly processed: number;
  readonly cursor?: string;
  readonly finished: boolean;
  readonly result?: object;
}

export type JobWorks = Readonly<Record<JobKind, JobWork>>;

/** How long a job stays with a runner that died, in ms; renewed at every third of it. */
const LEASE = 10_000;
const LOOK_INTERVAL = 1_000;
/** How soon a job whose reason has not happened yet is looked at again, in ms. */
const SOON = 50;
/** How long a job can be looked at after its end, in ms. */
const KEPT = 24 * 3600 * 1000;
const FORGET_INTERVAL = 600_000;
const RETRY = 5_000;
/** So that a long job does not keep all others waiting. */
const AT_ONCE = 3;

/** Takes jobs and carries them through. Any number of runners share the work by the jobs' leases. */
export class JobRunner {
  readonly #parts: CatalogParts;
  readonly #works: JobWorks;
  readonly #holder = randomUUID();
  /** The store belongs to this process alone, so a job that runs at the start has lost its runner. */
  readonly #exclusive: boolean;
  readonly #carried = new Map<string, Promise<void>>();
  #stopped = false;
  #soon = false;
  #nextForgetting = 0;
  #running: Promise<void> | undefined;
  readonly #pause = new WakeablePause();

  constructor(parts: CatalogParts, works: JobWorks, exclusive: boolean) {
    this.#parts = parts;
    this.#works = works;
    this.#exclusive = exclusive;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There may be a new job. */
  wake(): void {
    this.#pause.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
    await Promise.all(this.#carried.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        this.#pause.look();
        for (let taken = await this.#take(); taken !== undefined; taken = await this.#take()) this.#begin(taken);
      } catch (error) {
        this.#tellTrouble(error);
      }
      await this.#pause.take(this.#soon ? SOON : LOOK_INTERVAL);
    }
  }

  #begin(taken: StoredRecord<Job>): void {
    const carrying = this.#carry(taken)
      .catch((error: unknown) => this.#tellTrouble(error))
      .finally(() => {
        this.#carried.delete(taken.id);
        this.wake();
      });
    this.#carried.set(taken.id, carrying);
  }

  #tellTrouble(error: unknown): void {
    this.#parts.log.warn({ err: error }, 'jobs cannot be worked on now; they go on later');
  }

  /** The oldest job that waits and that nobody holds; those that have ended are put away on the way. */
  async #take(): Promise<StoredRecord<Job> | undefined> {
    if (this.#stopped || this.#carried.size >= AT_ONCE) return undefined;
    const now = this.#parts.now();
    this.#soon = false;
    await this.#forget(now);
    const records = await listOpenJobs(this.#parts.store);
    for (const record of records) await this.#clear(record, now).catch((error: unknown) => this.#tellTrouble(error));
    const free = records
      .filter(({ body }) => !hasEnded(body) && body.state !== 'cancelling')
      .filter(({ body }) => body.notBefore <= now && this.#isFree(body, now))
      .sort((one, other) => one.body.created - other.body.created);
    for (const { id, revision, body } of free) {
      if ((await this.#works[body.kind].hasHappened?.(body)) === false) {
        await this.#wait(body, revision);
        continue;
      }
      const begun = {
        ...(await this.#counted(body)),
        state: 'running' as const,
        started: body.started ?? now,
        lease: this.#lease(),
      };
      const saved = await saveJob(this.#parts.store, begun, revision);
      if (saved !== undefined) return { id, revision: saved, body: begun };
    }
    return undefined;
  }

  /** Puts a job away that has ended, and ends one that was cancelled and that nobody works on. */
  async #clear(record: StoredRecord<Job>, now: number): Promise<void> {
    if (hasEnded(record.body)) await putAway(this.#parts.store, record);
    else if (record.body.state === 'cancelling' && this.#isFree(record.body, now)) await this.#cancel(record);
  }

  async #forget(now: number): Promise<void> {
    if (now < this.#nextForgetting) return;
    this.#nextForgetting = now + FORGET_INTERVAL;
    await forgetJobs(this.#parts.store, now - KEPT);
  }

  /** The request that wrote the job down may still be about to give it its reason; afterwards there is none. */
  async #wait(job: Job, revision: string): Promise<void> {
    const now = this.#parts.now();
    this.#soon = true;
    if (now <= job.created + 2 * this.#parts.settings.requestTimeout) return;
    await saveJob(this.#parts.store, { ...job, state: 'done', remaining: 0, ended: now }, revision);
  }

  async #cancel({ revision, body }: StoredRecord<Job>): Promise<void> {
    await this.#works[body.kind].abandon?.(body);
    const { lease: _given, ...job } = body;
    await saveJob(this.#parts.store, { ...job, state: 'cancelled', ended: this.#parts.now() }, revision);
  }

  /** What is left is counted, because a runner that died may have done more than it has said. */
  async #counted(job: Job): Promise<Job> {
    const remaining = await this.#works[job.kind].count(job);
    const begins = job.state === 'settling' || job.total === 0;
    const total = begins ? job.processed + remaining : job.total;
    return { ...job, total, remaining, processed: Math.max(0, total - remaining) };
  }

  #isFree({ id, lease }: Job, now: number): boolean {
    if (this.#carried.has(id)) return false;
    if (lease === undefined || lease.until < now || lease.holder === this.#holder) return true;
    return this.#exclusive;
  }

  #lease(): NonNullable<Job['lease']> {
    return { holder: this.#holder, until: this.#parts.now() + LEASE };
  }

  /** Step by step; each is saved, and saving fails when another runner has taken the job, or somebody cancelled it. */
  async #carry({ revision, body }: StoredRecord<Job>): Promise<void> {
    let job = body;
    let current: string | undefined = revision;
    while (!this.#stopped && current !== undefined && job.state === 'running') {
      const endKeeping = this.#keepLease(job, current);
      job = await this.#advance(job);
      current = await endKeeping();
      if (current !== undefined) current = await saveJob(this.#parts.store, job, current);
    }
    if (current === undefined) return await this.#yield(job);
    // What cannot be dropped now is dropped by the next job of the kind.
    if (job.state === 'failed') await this.#works[job.kind].abandon?.(job).catch(() => undefined);
    // Stopped in the middle: given back at once, so that nobody has to wait for the lease.
    if (job.state === 'running') {
      const { lease: _given, ...rest } = job;
      await saveJob(this.#parts.store, rest, current);
    }
  }

  /**
   * Renews the lease while a step takes long, so that nobody takes the job over from a runner that is alive.
   * @returns how to end that; it gives the revision to save the step with, `undefined` when the job was lost.
   */
  #keepLease(job: Job, revision: string): () => Promise<string | undefined> {
    let current: string | undefined = revision;
    let renewing = Promise.resolve();
    const renew = async () => {
      if (current !== undefined) current = await saveJob(this.#parts.store, { ...job, lease: this.#lease() }, current);
    };
    const timer = setInterval(() => {
      renewing = renewing.then(renew).catch(() => undefined);
    }, LEASE / 3);
    return async () => {
      clearInterval(timer);
      await renewing;
      return current;
    };
  }

  /** The job is no longer this runner's: another has it, or it was cancelled, which this runner then completes. */
  async #yield({ id }: Job): Promise<void> {
    const record = await findOpenJob(this.#parts.store, id);
    const isMine = record?.body.lease?.holder === this.#holder;
    if (record?.body.state === 'cancelling' && isMine) await this.#cancel(record);
  }

  async #advance(job: Job): Promise<Job> {
    try {
      const { processed, cursor, finished, result } = await this.#works[job.kind].step(job);
      const { cursor: _passed, attempts: _failed, error: _past, ...rest } = job;
      const progress = {
        ...rest,
        processed: job.processed + processed,
        remaining: Math.max(0, job.remaining - processed),
        ...(result === undefined ? {} : { result }),
      };
      if (finished) return this.#endPass(progress);
      return { ...progress, lease: this.#lease(), ...(cursor === undefined ? {} : { cursor }) };
    } catch (error) {
      return this.#failed(job, error);
    }
  }

  #failed({ lease: _given, ...job }: Job, cause: unknown): Job {
    const now = this.#parts.now();
    const attempts = (job.attempts ?? 0) + 1;
    const error = cause instanceof Error ? cause.message : String(cause);
    const { maxAttempts } = this.#works[job.kind];
    if (maxAttempts === undefined || attempts < maxAttempts) {
      this.#parts.log.warn({ err: cause, job: job.id }, 'a job met an error and is tried again');
      return { ...job, state: 'waiting', notBefore: now + RETRY, attempts, error };
    }
    this.#parts.log.error({ err: cause, job: job.id, attempts }, 'a job has failed');
    return { ...job, state: 'failed', ended: now, attempts, error };
  }

  /** A writer that read before the deletion may still be writing: what it leaves is found by a second pass. */
  #endPass({ lease: _given, ...job }: Job): Job {
    const now = this.#parts.now();
    if (job.pass === 1 && this.#works[job.kind].settles) {
      const notBefore = job.created + 2 * this.#parts.settings.requestTimeout;
      return { ...job, state: 'settling', pass: 2, remaining: 0, notBefore: Math.max(now, notBefore) };
    }
    this.#parts.log.info({ job: job.id, processed: job.processed }, 'job done');
    return { ...job, state: 'done', remaining: 0, ended: now };
  }
}
