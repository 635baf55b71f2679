import type { Logger } from 'pino';
import { createDirectoryOperator } from '../operator/directory-operator.ts';
import { createTerminalView } from '../operator/terminal/terminal-view.ts';
import type { StartConfig } from './config.ts';

/** How often the terminal is brought up to date, in ms. */
const RENDER_INTERVAL = 250;

/** What the process prints about itself before the table: addresses, and what it has loaded. */
const BANNER_LINES = 9;

/** Starts the operator over the folder of manifests and shows in the terminal how far the resources are. */
export function startOperator(config: StartConfig, host: string, log: Logger): { stop(): Promise<void> } {
  const operator = createDirectoryOperator({
    host,
    manifests: config.MANIFESTS,
    sourceName: config.SOURCE_NAME,
    resyncSeconds: config.RESYNC_INTERVAL_S,
    concurrency: config.CONCURRENCY,
    adoptsUnowned: config.ADOPT_EXISTING,
    confirmDeletions: config.CONFIRM_DELETIONS,
    log,
  });
  const view = createTerminalView({
    stream: process.stdout,
    isTTY: process.stdout.isTTY === true,
    linesAbove: BANNER_LINES,
  });
  const timer = setInterval(() => view.render(operator.snapshot()), RENDER_INTERVAL);
  operator.on((event) => view.tell(event));
  operator.start().catch((error: unknown) => log.error({ err: error }, 'the operator could not start'));
  return {
    async stop() {
      clearInterval(timer);
      view.close();
      await operator.stop();
    },
  };
}
