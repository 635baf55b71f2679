import type { Logger } from 'pino';
import { SYSTEM_CLOCK } from '../process/clock.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { directoryOperatorEnvironment } from './config.ts';
import { credentialsOf } from './credentials.ts';
import { createDirectoryOperator } from './directory-operator.ts';
import { OperatorMetrics } from './metrics/operator-metrics.ts';
import { createOperatorServer } from './operator-server.ts';

/** The operator over a folder of manifests, as a process of its own. @throws Error that names what is wrong */
export async function startDirectoryRole(log: Logger): Promise<{ stop(): Promise<void> }> {
  const config = readEnvironment(directoryOperatorEnvironment, process.env);
  let isStarted = false;
  const metrics = new OperatorMetrics({ concurrency: config.CONCURRENCY, rows: () => operator.snapshot().rows });
  const operator = createDirectoryOperator({
    host: config.PROPLANE_HOST,
    credentials: credentialsOf(config, SYSTEM_CLOCK),
    manifests: config.MANIFESTS,
    sourceName: config.SOURCE_NAME,
    resyncSeconds: config.RESYNC_INTERVAL_S,
    concurrency: config.CONCURRENCY,
    adoptsUnowned: config.ADOPT_EXISTING,
    confirmDeletions: config.CONFIRM_DELETIONS,
    holdDeletionsAbove: config.HOLD_DELETIONS_ABOVE,
    metrics,
    log,
    clock: SYSTEM_CLOCK,
  });
  const server = await createOperatorServer({
    host: config.HOST,
    allowedHosts: config.ALLOWED_HOSTS,
    port: config.OPERATOR_PORT,
    registry: metrics.registry,
    isAlive: () => true,
    isReady: () => isStarted,
  });
  // Not awaited: the server may take its time, and a signal to stop must be heard meanwhile.
  operator.start().then(
    () => {
      isStarted = true;
    },
    (error: unknown) => log.error({ err: error }, 'the operator could not start'),
  );
  return {
    async stop() {
      await operator.stop();
      await server.stop();
    },
  };
}
