import type { Logger } from 'pino';
import { noProgress } from '../cli/progress.ts';
import { describeOutcome, runSystemUpdate } from '../cli/system-update.ts';
import { createHttpClient, type HttpClientOptions } from '../client/http-client.ts';
import { SYSTEM_CLOCK } from '../process/clock.ts';

/** Runs the system update in the background of a start, as an upgrade of the chart does; its outcome is in the log. */
export function startSystemUpdate(server: HttpClientOptions, log: Logger): { stop(): Promise<void> } {
  const client = createHttpClient(server);
  let stopped = false;
  const following = runSystemUpdate(client, { clock: SYSTEM_CLOCK, progress: noProgress, patience: 0 }).then(
    (job) => log.info({ outcome: describeOutcome(job) }, 'system update done'),
    (error: unknown) => stopped || log.error({ err: error }, 'the system update did not end well'),
  );
  return {
    async stop() {
      stopped = true;
      client.close();
      await following;
    },
  };
}
