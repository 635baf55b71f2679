import { randomUUID } from 'node:crypto';
import type { CatalogParts } from '../catalog/parts.ts';
import type { StoredRecord } from '../store/port.ts';
import { forgetJob, hasEnded, type Job, type JobKind, listJobs, saveJob } from './job.ts';

/** How a kind of job is done. */
export interface JobWork {
  /** Whether what made the job necessary has happened: the job is written down before it. */
  hasHappened(job: Job): Promise<boolean>;
  /** How much there is to do. */
  count(job: Job): Promise<number>;
  /** Does a part, from the job's cursor. Must be harmless when it is done twice. */
  step(job: Job): Promise<{ readonly removed: number; readonly cursor?: string; readonly finished: boolean }>;
}

/** How long a job stays with a runner that died, in ms; renewed with every step. */
const LEASE = 10_000;
const LOOK_INTERVAL = 1_000;
/** How soon a job whose reason has not happened yet is looked at again, in ms. */
const SOON = 50;
/** How long a job can be looked at after its end, in ms. */
const KEPT = 24 * 3600 * 1000;
const RETRY = 5_000;

/** Takes jobs, one at a time, and carries them through. Any number of runners share the work by the jobs' leases. */
export class JobRunner {
  readonly #parts: CatalogParts;
  readonly #work: Readonly<Record<JobKind, JobWork>>;
  readonly #holder = randomUUID();
  /** The store belongs to this process alone, so a job that runs at the start has lost its runner. */
  readonly #exclusive: boolean;
  #stopped = false;
  #soon = false;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  constructor(parts: CatalogParts, work: Readonly<Record<JobKind, JobWork>>, exclusive: boolean) {
    this.#parts = parts;
    this.#work = work;
    this.#exclusive = exclusive;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There may be a new job. */
  wake(): void {
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        const taken = await this.#take();
        if (taken !== undefined) {
          await this.#carry(taken);
          continue;
        }
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'jobs cannot be worked on now; they go on later');
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#soon ? SOON : LOOK_INTERVAL);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The oldest job that waits and that nobody holds; jobs that have ended long ago are forgotten on the way. */
  async #take(): Promise<StoredRecord<Job> | undefined> {
    const now = this.#parts.now();
    this.#soon = false;
    const records = await listJobs(this.#parts.store);
    for (const record of records) {
      if (hasEnded(record.body) && (record.body.ended ?? 0) < now - KEPT) await forgetJob(this.#parts.store, record);
    }
    const free = records
      .filter(({ body }) => !hasEnded(body) && body.notBefore <= now && this.#isFree(body, now))
      .sort((one, other) => one.body.created - other.body.created);
    for (const { id, revision, body } of free) {
      if (!(await this.#work[body.kind].hasHappened(body))) {
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

  /** The request that wrote the job down may still be about to give it its reason; afterwards there is none. */
  async #wait(job: Job, revision: string): Promise<void> {
    const now = this.#parts.now();
    this.#soon = true;
    if (now <= job.created + 2 * this.#parts.settings.requestTimeout) return;
    await saveJob(this.#parts.store, { ...job, state: 'done', remaining: 0, ended: now }, revision);
  }

  /** What is left is counted, because a runner that died may have removed more than it has said. */
  async #counted(job: Job): Promise<Job> {
    const remaining = await this.#work[job.kind].count(job);
    const begins = job.state === 'settling' || job.total === 0;
    const total = begins ? job.removed + remaining : job.total;
    return { ...job, total, remaining, removed: Math.max(0, total - remaining) };
  }

  #isFree({ lease }: Job, now: number): boolean {
    if (lease === undefined || lease.until < now || lease.holder === this.#holder) return true;
    return this.#exclusive;
  }

  #lease(): NonNullable<Job['lease']> {
    return { holder: this.#holder, until: this.#parts.now() + LEASE };
  }

  /** Step by step; each is saved, and saving fails when another runner has taken the job. */
  async #carry({ revision, body }: StoredRecord<Job>): Promise<void> {
    let job = body;
    let current: string | undefined = revision;
    const work = this.#work[job.kind];
    while (!this.#stopped && current !== undefined && job.state === 'running') {
      try {
        const { removed, cursor, finished } = await work.step(job);
        const { cursor: _passed, ...rest } = job;
        const progress = { ...rest, removed: job.removed + removed, remaining: Math.max(0, job.remaining - removed) };
        job = finished
          ? this.#endPass(progress)
          : { ...progress, lease: this.#lease(), ...(cursor === undefined ? {} : { cursor }) };
      } catch (error) {
        const { lease: _given, ...rest } = job;
        job = { ...rest, state: 'waiting', notBefore: this.#parts.now() + RETRY, error: String(error) };
        this.#parts.log.warn({ err: error, job: job.id }, 'a job met an error and is tried again');
      }
      current = await saveJob(this.#parts.store, job, current);
    }
    // Stopped in the middle: given back at once, so that nobody has to wait for the lease.
    if (current !== undefined && job.state === 'running') {
      const { lease: _given, ...rest } = job;
      await saveJob(this.#parts.store, rest, current);
    }
  }

  /** A writer that read before the deletion may still be writing: what it leaves is found by a second pass. */
  #endPass({ lease: _given, error: _past, ...job }: Job): Job {
    const now = this.#parts.now();
    if (job.pass === 1) {
      const notBefore = job.created + 2 * this.#parts.settings.requestTimeout;
      return { ...job, state: 'settling', pass: 2, remaining: 0, notBefore: Math.max(now, notBefore) };
    }
    this.#parts.log.info({ job: job.id, removed: job.removed }, 'job done');
    return { ...job, state: 'done', remaining: 0, ended: now };
  }
}
