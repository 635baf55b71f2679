import type { Logger } from 'pino';
import { openOutputLog } from './log.ts';
import { onStopSignal } from './stop-signal.ts';
import { visibleLines } from './text.ts';

/**
 * Runs one role as a process of its own: logs as JSON lines on standard output, stops on SIGINT and SIGTERM. A start that
 * fails says why in one line and exits with 1.
 */
export async function runRole(name: string, start: (log: Logger) => Promise<{ stop(): Promise<void> }>): Promise<void> {
  const log = openOutputLog(name, process.env.LOG_LEVEL || 'info');
  try {
    const running = await start(log);
    onStopSignal(() => running.stop());
  } catch (error) {
    console.error(visibleLines(`${name}: ${error instanceof Error ? error.message : String(error)}`));
    process.exit(1);
  }
}
