import type { Logger } from 'pino';
import { createDirectoryOperator } from '../operator/directory-operator.ts';
import { renderChanges } from '../operator/terminal/render-changes.ts';
import { createTerminalView } from '../operator/terminal/terminal-view.ts';
import { SYSTEM_CLOCK } from '../process/clock.ts';
import type { StartConfig } from './config.ts';
import type { OwnServer } from './own-server.ts';

/** What the process prints about itself before the table: addresses, and what it has loaded. */
const BANNER_LINES = 10;

/** Starts the operator over the folder of manifests and shows in the terminal how far the resources are. */
export function startOperator(config: StartConfig, server: OwnServer, log: Logger): { stop(): Promise<void> } {
  const operator = createDirectoryOperator({
    host: server.host,
    credentials: { authorization: server.authorization },
    manifests: config.MANIFESTS,
    sourceName: config.SOURCE_NAME,
    resyncSeconds: config.RESYNC_INTERVAL_S,
    concurrency: config.CONCURRENCY,
    adoptsUnowned: config.ADOPT_EXISTING,
    confirmDeletions: config.CONFIRM_DELETIONS,
    holdDeletionsAbove: config.HOLD_DELETIONS_ABOVE,
    log,
    clock: SYSTEM_CLOCK,
  });
  const isTTY = process.stdout.isTTY === true;
  const view = createTerminalView({ stream: process.stdout, isTTY, linesAbove: BANNER_LINES });
  const rendering = renderChanges(operator, view.render, isTTY, SYSTEM_CLOCK);
  operator.on((event) => view.tell(event));
  operator.start().catch((error: unknown) => log.error({ err: error }, 'the operator could not start'));
  return {
    async stop() {
      rendering.stop();
      view.close();
      await operator.stop();
    },
  };
}
