import { readEnvironment } from '../process/read-environment.ts';
import { runRole } from '../process/run-role.ts';
import { operatorEnvironment } from './config.ts';
import { createDirectoryOperator } from './directory-operator.ts';

await runRole('operator', async (log) => {
  const config = readEnvironment(operatorEnvironment, process.env);
  const operator = createDirectoryOperator({
    host: config.PROPLANE_HOST,
    ...(config.PROPLANE_TOKEN === undefined ? {} : { token: config.PROPLANE_TOKEN }),
    manifests: config.MANIFESTS,
    sourceName: config.SOURCE_NAME,
    resyncSeconds: config.RESYNC_INTERVAL_S,
    concurrency: config.CONCURRENCY,
    confirmDeletions: config.CONFIRM_DELETIONS,
    log,
  });
  // Not awaited: the server may take its time, and a signal to stop must be heard meanwhile.
  operator.start().catch((error: unknown) => log.error({ error }, 'the operator could not start'));
  return operator;
});
