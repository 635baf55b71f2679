import { randomUUID } from 'node:crypto';
import { hasEnded } from '../../model/wire/job.ts';
import { every, hasPassed } from '../../process/clock.ts';
import { isOpenTo, type LeaseBody } from '../catalog/indexing/lease.ts';
import { WakeablePause } from '../catalog/indexing/wakeable-pause.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { StoredRecord } from '../store/port.ts';
import { type DueJob, dueJobs, forgetDue, noteAllDue } from './due-jobs.ts';
import { findOpenJob, forgetJobs, type Job, openJobs, putAway, saveJob } from './job.ts';
import {
  advanced,
  attemptFailed,
  begunWith,
  cancelled,
  done,
  longestPutOff,
  passEnded,
  withoutLease,
} from './job-states.ts';
import type { JobWorks } from './job-work.ts';

/** How long a job stays with a runner that died, in ms; renewed at every third of it. */
const LEASE = 10_000;
const LOOK_INTERVAL = 1_000;
/** How soon a job whose reason has not happened yet is looked at again, in ms. */
const SOON = 50;
/** How long a job can be looked at after its end, in ms. */
const KEPT = 24 * 3600 * 1000;
const FORGET_INTERVAL = 600_000;
/** How soon a job is found that was not noted as due, because of a crash or by an earlier release, in ms. */
const NOTE_INTERVAL = 60_000;
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
  #nextNoting = 0;
  #running: Promise<void> | undefined;
  readonly #pause: WakeablePause;

  constructor(parts: CatalogParts, works: JobWorks, exclusive: boolean) {
    this.#parts = parts;
    this.#works = works;
    this.#exclusive = exclusive;
    this.#pause = new WakeablePause(parts);
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

  #begin(taken: DueJob): void {
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

  /** The job that is due longest and that nobody holds; those that have ended are put away on the way. */
  async #take(): Promise<DueJob | undefined> {
    if (this.#stopped || this.#carried.size >= AT_ONCE) return undefined;
    const now = this.#parts.now();
    this.#soon = false;
    await this.#tidy();
    const { store, settings } = this.#parts;
    const putOff = longestPutOff(settings.requestTimeout);
    for await (const due of dueJobs(store, now, putOff, (id) => findOpenJob(store, id))) {
      const { id, revision, body, dueId } = due;
      await this.#clear(due, now).catch((error: unknown) => this.#tellTrouble(error));
      if (hasEnded(body) || body.state === 'cancelling' || !this.#isFree(body, now)) continue;
      if ((await this.#works[body.kind].hasHappened?.(body)) === false) {
        await this.#wait(body, revision);
        continue;
      }
      const begun = { ...begunWith(body, await this.#works[body.kind].count(body), now), lease: this.#lease() };
      const saved = await saveJob(this.#parts.store, begun, revision);
      if (saved !== undefined) return { id, revision: saved, body: begun, dueId };
    }
    return undefined;
  }

  /** Puts a job away that has ended, and ends one that was cancelled and that nobody works on. */
  async #clear(record: DueJob, now: number): Promise<void> {
    if (hasEnded(record.body)) await putAway(this.#parts.store, record);
    else if (record.body.state === 'cancelling' && this.#isFree(record.body, now)) await this.#cancel(record);
  }

  async #tidy(): Promise<void> {
    const { store, now, monotonic } = this.#parts;
    const at = monotonic();
    if (at >= this.#nextNoting) {
      this.#nextNoting = at + NOTE_INTERVAL;
      await noteAllDue(store, openJobs(store));
    }
    if (at < this.#nextForgetting) return;
    this.#nextForgetting = at + FORGET_INTERVAL;
    await forgetJobs(store, (ended) => hasPassed(ended, KEPT, now()));
  }

  /** The request that wrote the job down may still be about to give it its reason; afterwards there is none. */
  async #wait(job: Job, revision: string): Promise<void> {
    const now = this.#parts.now();
    this.#soon = true;
    if (!hasPassed(job.created, 2 * this.#parts.settings.requestTimeout, now)) return;
    await saveJob(this.#parts.store, done(job, now), revision);
  }

  async #cancel({ revision, body }: StoredRecord<Job>): Promise<void> {
    await this.#works[body.kind].abandon?.(body);
    await saveJob(this.#parts.store, cancelled(body, this.#parts.now()), revision);
  }

  #isFree({ id, lease }: Job, now: number): boolean {
    const asker = { holder: this.#holder, duration: LEASE, isAbandoned: this.#exclusive };
    return !this.#carried.has(id) && isOpenTo(lease, now, asker);
  }

  #lease(): LeaseBody {
    return { holder: this.#holder, until: this.#parts.now() + LEASE };
  }

  /** Step by step; each is saved, and saving fails when another runner has taken the job, or somebody cancelled it. */
  async #carry({ revision, body, dueId }: DueJob): Promise<void> {
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
    if (job.state === 'running') await saveJob(this.#parts.store, withoutLease(job), current);
    else if (!hasEnded(job)) await forgetDue(this.#parts.store, dueId);
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
    const callOff = every(this.#parts, LEASE / 3, () => {
      renewing = renewing.then(renew).catch(() => undefined);
    });
    return async () => {
      callOff();
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
    const { log, now, settings } = this.#parts;
    const work = this.#works[job.kind];
    try {
      const step = await work.step(job);
      if (!step.finished) return { ...advanced(job, step), lease: this.#lease() };
      const next = passEnded(advanced(job, step), work, now(), settings.requestTimeout);
      if (next.state === 'done') log.info({ job: job.id, processed: next.processed }, 'job done');
      return next;
    } catch (error) {
      const next = attemptFailed(job, error, work, now());
      const told = { err: error, job: job.id, attempts: next.attempts };
      if (next.state === 'failed') log.error(told, 'a job has failed');
      else log.warn(told, 'a job met an error and is tried again');
      return next;
    }
  }
}
