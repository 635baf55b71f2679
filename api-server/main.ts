import { runRole } from '../process/run-role.ts';
import { readApiServerConfig } from './config.ts';
import { startApiServer } from './server.ts';

await runRole('api-server', async (log) => {
  const server = await startApiServer(readApiServerConfig(process.env), log);
  log.info({ url: server.url }, 'ready');
  return server;
});
