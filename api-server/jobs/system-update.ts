import { randomUUID } from 'node:crypto';
import type { SystemUpdateResult } from '../../model/wire/job.ts';
import { indexChangeOf } from '../catalog/indexing/index-entry.ts';
import { dropStrangers, mendEntities } from '../catalog/indexing/mend-index.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { Rebuild } from '../search/port.ts';
import { endedEpochs, forgetEndedEpoch } from './ended-epochs.ts';
import { describeIndex, removedFields } from './index-fields.ts';
import { ensureOnlyJob, type Job, type NewJob } from './job.ts';
import type { JobStep, JobWork } from './job-work.ts';

const ENTITIES_AT_ONCE = 200;
const MAX_ATTEMPTS = 5;

/**
 * The phases of a system update, in order; the cursor is `<phase>:<URN where it goes on>`. While the rebuild is there the
 * indexer writes to both indexes, so what is filled in cannot fall behind; what was written or deleted between the look
 * at the store and the filling is caught up by comparing revisions. Then the names of the fields are noted, and the new
 * index takes over.
 */
const PHASES = ['fill', 'compare', 'clean', 'note', 'swap'] as const;
type Phase = (typeof PHASES)[number];

/** A new search index with fields of only what remains, while reads, writes and searches go on. */
export function systemUpdate(parts: CatalogParts): JobWork {
  return {
    settles: false,
    maxAttempts: MAX_ATTEMPTS,
    async count({ cursor }) {
      const [phase, after] = placeOf(cursor);
      return phase === 'fill' ? parts.store.entities.count(after) : 0;
    },
    async step(job) {
      const rebuild = await parts.search.rebuild(job.remains);
      if (rebuild.state === 'finished') return finish(parts, job);
      if (rebuild.state === 'begun' && job.cursor !== undefined) {
        // What was filled is gone. The place is forgotten first: the next step may not know that it began anew.
        await parts.search.abandonRebuild(job.remains);
        return { processed: 0, finished: false };
      }
      const [phase, after] = placeOf(job.cursor);
      return steps[phase](parts, rebuild, job, after);
    },
    abandon: (job) => parts.search.abandonRebuild(job.remains),
  };
}

/** Begins a system update, or joins the one that is under way. */
export async function ensureSystemUpdate({ store, now }: CatalogParts): Promise<Job> {
  const job: NewJob = { kind: 'system-update', subject: 'index', remains: randomUUID() };
  return ensureOnlyJob(store, job, now());
}

type Step = (parts: CatalogParts, rebuild: Rebuild, job: Job, after: string | undefined) => Promise<JobStep>;

const steps: Readonly<Record<Phase, Step>> = {
  async fill({ store }, rebuild, _job, after) {
    const limit = ENTITIES_AT_ONCE;
    const documents = await store.entities.list({ limit, ...(after === undefined ? {} : { after }) });
    await rebuild.apply(documents.filter(({ deleted }) => deleted === undefined).map(indexChangeOf));
    return goOn('fill', documents.at(-1)?.urn, documents.length);
  },
  async compare({ store }, rebuild, _job, after) {
    return goOn('compare', (await mendEntities(store.entities, rebuild, after)).last);
  },
  async clean({ store }, rebuild, _job, after) {
    return goOn('clean', (await dropStrangers(store.entities, rebuild, after)).last);
  },
  async note({ store, search }, rebuild) {
    const removed = removedFields(await search.fields(), await rebuild.fields(), await endedEpochs(store));
    const result: SystemUpdateResult = { entities: 0, kept: [], removed };
    return { ...goOn('note', undefined), result };
  },
  async swap(parts, rebuild, job) {
    await rebuild.finish();
    return finish(parts, job);
  },
};

/** The rest of it, when the new index answers; also after a crash in the moment of the swap. */
async function finish(parts: CatalogParts, { result }: Job): Promise<JobStep> {
  const kept = await describeIndex(parts);
  const keptEpochs = new Set(kept.epochs);
  for (const epoch of (await endedEpochs(parts.store)).keys()) {
    if (!keptEpochs.has(epoch)) await forgetEndedEpoch(parts.store, epoch);
  }
  const outcome: SystemUpdateResult = { entities: kept.entities, kept: kept.fields, removed: result?.removed ?? [] };
  return { processed: 0, finished: true, result: outcome };
}

/** @param last where the phase goes on; without it the next one begins. */
function goOn(phase: Phase, last: string | undefined, processed = 0): JobStep {
  const next = last === undefined ? PHASES[PHASES.indexOf(phase) + 1] : phase;
  return { processed, finished: false, cursor: `${next}:${last ?? ''}` };
}

function placeOf(cursor = 'fill:'): [phase: Phase, after: string | undefined] {
  const at = cursor.indexOf(':');
  const after = cursor.slice(at + 1);
  return [cursor.slice(0, at) as Phase, after === '' ? undefined : after];
}
