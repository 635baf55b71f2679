import { readEnvironment } from '../process/read-environment.ts';
import { runRole } from '../process/run-role.ts';
import { apiServerEnvironment } from './config.ts';
import { startApiServer } from './server.ts';

await runRole('api-server', async (log) => {
  const server = await startApiServer(readEnvironment(apiServerEnvironment, process.env), log);
  const { administrator } = server;
  if (administrator !== undefined) {
    const { username, file } = administrator;
    log.info({ username, file }, 'the first administrator was made; the password is in the file, or as configured');
  }
  log.info({ url: server.url }, 'ready');
  return server;
});
