import { MOST_APART } from '../../process/clock.ts';
import { allRecords } from '../store/pages.ts';
import type { Store, StoredRecord } from '../store/port.ts';
import type { Job } from './job.ts';

/**
 * When each open job is due: records whose ids begin with that time, so that who looks for work reads what can be taken,
 * and not all that waits. Such a record may be left behind by a job that has ended or is due at another time; whoever
 * meets it removes it. It may be missing after a crash, or when an earlier release wrote the job: `noteAllDue` mends that.
 */
const KIND = 'dueJob';
const AT_ONCE = 20;
/** A job may be written a moment after it was noted; this is far longer, in ms. */
const BEING_WRITTEN = 60_000;

/** An open job, and the record by which it was found. */
export type DueJob = StoredRecord<Job> & { readonly dueId: string };

export async function noteDue(store: Store, job: Job): Promise<void> {
  await store.records.put(KIND, dueIdOf(job), {}, undefined);
}

export async function forgetDue(store: Store, dueId: string): Promise<void> {
  const record = await store.records.get(KIND, dueId);
  if (record !== undefined) await store.records.delete(KIND, dueId, record.revision);
}

/** Notes every open job that is not noted. */
export async function noteAllDue(store: Store, jobs: AsyncIterable<StoredRecord<Job>>): Promise<void> {
  const noted = new Set(await Array.fromAsync(allRecords(store, KIND), ({ id }) => id));
  for await (const { body } of jobs) if (!noted.has(dueIdOf(body))) await noteDue(store, body);
}

type Find = (id: string) => Promise<StoredRecord<Job> | undefined>;

/**
 * The open jobs that are due at `now` (ms), the longest due first, whoever works on them; then those that were put off for
 * longer than anybody does, by a clock that was wrong.
 * @param longest how long a job is put off at most, in ms.
 */
export async function* dueJobs(store: Store, now: number, longest: number, find: Find): AsyncGenerator<DueJob> {
  yield* jobsDueWithin(store, [Number.NEGATIVE_INFINITY, now], now, find);
  yield* jobsDueWithin(store, [now + longest + MOST_APART, Number.POSITIVE_INFINITY], now, find);
}

async function* jobsDueWithin(
  store: Store,
  [from, to]: readonly [number, number],
  now: number,
  find: Find,
): AsyncGenerator<DueJob> {
  let after = from > 0 ? textOfTime(from) : undefined;
  for (;;) {
    const page = await store.records.list(KIND, after, AT_ONCE);
    for (const { id: dueId } of page) {
      const time = Number(dueId.slice(0, DIGITS));
      if (time > to) return;
      const record = await find(dueId.slice(DIGITS + 1));
      if (record !== undefined && dueIdOf(record.body) === dueId) yield { ...record, dueId };
      else if (record !== undefined || time < now - BEING_WRITTEN) await forgetDue(store, dueId);
    }
    if (page.length === 0) return;
    after = page.at(-1)?.id;
  }
}

/** More than any time in ms has: texts of it are in the order of the times. */
const DIGITS = 16;

function dueIdOf({ id, notBefore }: Job): string {
  return `${textOfTime(notBefore)}:${id}`;
}

function textOfTime(time: number): string {
  return String(Math.ceil(time)).padStart(DIGITS, '0');
}
