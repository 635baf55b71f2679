import { SYSTEM_CLOCK } from '../process/clock.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { runRole } from '../process/run-role.ts';
import { frontendEnvironment } from './config.ts';
import { startFrontend } from './server.ts';

await runRole('frontend', async (log) => {
  const frontend = await startFrontend(readEnvironment(frontendEnvironment, process.env), log, SYSTEM_CLOCK);
  log.info({ url: frontend.url }, 'ready');
  return frontend;
});
