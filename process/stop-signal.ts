import { inspect } from 'node:util';
import { visibleLines } from './text.ts';

/** After this long a second signal means that somebody is tired of waiting, in ms. */
const PATIENCE = 1_000;

/**
 * Runs `stop` once on SIGINT or SIGTERM, then ends the process: with 0 when it stopped cleanly. A signal that follows at
 * once is the same one again (npm forwards what the terminal has sent to the whole group already); a later one ends the
 * process without waiting.
 */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    if (stopping !== undefined) {
      if (performance.now() - stopping > PATIENCE) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    stopping = performance.now();
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(visibleLines(inspect(error)));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
}
