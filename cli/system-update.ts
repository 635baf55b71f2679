import * as z from 'zod';
import type { HttpClient } from '../client/http-client.ts';
import { beginSystemUpdate } from '../client/jobs.ts';
import type { ShownJob } from '../model/wire/job.ts';
import { counted, visible } from '../process/text.ts';
import { followJob, requireDone } from './follow-job.ts';
import { Patience, type PatienceOptions } from './patience.ts';

/** What the chart's hook and people set; the second spelling of the first is the reference catalogue's older one. */
export const systemUpdateEnvironment = z
  .object({
    SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: z.stringbool().optional(),
    ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: z.stringbool().optional(),
    ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: z.stringbool().default(false),
  })
  .transform((given) => ({
    reindexes:
      (given.SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX ?? given.ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX ?? false) &&
      given.ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE,
  }));

/**
 * Waits for the server, begins a system update or joins the one under way, and follows it to its end, over restarts of
 * the server too. The job goes on when the follower ends.
 * @throws Error when the job failed or was cancelled, AnyHttpError when the server stays away.
 */
export async function runSystemUpdate(client: HttpClient, options: PatienceOptions): Promise<ShownJob> {
  const patience = new Patience(options);
  try {
    await patience.try(() => client.send({ method: 'GET', path: '/ready' }));
    const begun = await patience.try(() => beginSystemUpdate(client));
    const job = await followJob(client, begun, patience, options);
    requireDone(job, 'The system update');
    return job;
  } finally {
    options.progress.end();
  }
}

/** More lines nobody reads. */
const MOST_LINES = 40;

/** The outcome in lines for people. */
export function describeOutcome({ result }: ShownJob): string[] {
  if (result === undefined) return ['The search index was rebuilt'];
  const kept = result.kept.map(({ propertyUrn, field, entities, why }) => {
    return `  kept     ${field ?? propertyUrn ?? 'a field'} (${why}, ${counted(entities, 'entity', 'entities')})`;
  });
  const removed = result.removed.map(({ field, propertyUrn }) => `  removed  ${propertyUrn ?? field}`);
  return [
    `The search index was rebuilt: ${counted(result.entities, 'entity', 'entities')}`,
    ...atMost(kept).map(visible),
    ...atMost(removed).map(visible),
  ];
}

function atMost(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `  … and ${lines.length - MOST_LINES} more; --json lists all`];
}
