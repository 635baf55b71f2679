import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type RunningApiServer, startApiServer } from '../api-server/server.ts';
import { startFrontend } from '../frontend/server.ts';
import { SYSTEM_CLOCK } from '../process/clock.ts';
import { openLogFile } from '../process/log.ts';
import { makePrivateFolder } from '../process/private-files.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { onStopSignal } from '../process/stop-signal.ts';
import { visibleLines } from '../process/text.ts';
import { VERSION } from '../process/version.ts';
import { type StartConfig, startEnvironment } from './config.ts';
import { ownServer } from './own-server.ts';

/** Starts every role in one process, the way a laptop runs Proplane. What not every start needs is loaded when it does. */

const running: { stop(): Promise<void> }[] = [];

/** Last started, first stopped: nobody loses what it leans on. */
async function stopAll(): Promise<void> {
  for (const part of running.splice(0).reverse()) await part.stop();
}

/** By this the roles of one process know each other; nobody else needs it. */
function withSystemSecret(config: StartConfig): StartConfig {
  return {
    ...config,
    DATAHUB_SYSTEM_CLIENT_SECRET: config.DATAHUB_SYSTEM_CLIENT_SECRET ?? randomBytes(32).toString('hex'),
  };
}

/** Who may come in; and once, what nobody but the person at this screen knows. */
function describeAccess({ isProtected, administrator }: RunningApiServer): string {
  if (!isProtected)
    return 'everybody who reaches it may do everything (METADATA_SERVICE_AUTH_ENABLED=true asks who it is)';
  if (administrator?.password === undefined) return 'only who logs in, or has an access token';
  const { username, password, file } = administrator;
  return `log in as ${username} with the password ${password} (shown this once; ${file} has it)`;
}

/** Names of folders and files can hold anything. */
function tell(text: string): void {
  console.log(visibleLines(text));
}

try {
  const config = withSystemSecret(readEnvironment(startEnvironment, process.env));
  const logFile = config.LOG_FILE ?? join(config.DATA_DIR, 'proplane.log');
  makePrivateFolder(config.DATA_DIR);
  const { log, close } = openLogFile({
    level: config.LOG_LEVEL,
    path: logFile,
    maxBytes: Math.round(config.LOG_FILE_MIB * 1024 * 1024),
    files: config.LOG_FILES,
  });
  running.push({ stop: close });
  onStopSignal(stopAll);
  const api = await startApiServer(config, log.child({ role: 'api-server' }));
  running.push(api);
  const server = ownServer(api.url, config);
  const frontend = await startFrontend(
    { ...config, PROPLANE_HOST: api.url },
    log.child({ role: 'frontend' }),
    SYSTEM_CLOCK,
  );
  running.push(frontend);
  tell(`Proplane ${VERSION}
  API server   ${api.url}
  API docs     ${api.url}/openapi/ui
  Frontend     ${frontend.url}
  Data         ${config.DATA_DIR}
  Log          ${logFile}
  Access       ${describeAccess(api)}
`);
  if (config.CATALOGUE.length > 0) {
    const [{ loadCatalogue }, { createHttpClient }] = await Promise.all([
      import('../cli/upsert.ts'),
      import('../client/http-client.ts'),
    ]);
    const count = await loadCatalogue(createHttpClient(server), config.CATALOGUE);
    tell(`${count} datasets and dataFlows loaded from ${config.CATALOGUE.join(', ')}`);
  }
  if (config.SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX && config.ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE) {
    const { startSystemUpdate } = await import('./system-update.ts');
    running.push(startSystemUpdate(server, log.child({ role: 'system-update' })));
  }
  if (config.MANIFESTS.length > 0) {
    const { startOperator } = await import('./operator.ts');
    running.push(startOperator(config, server, log.child({ role: 'operator' })));
  }
} catch (error) {
  console.error(visibleLines(error instanceof Error ? error.message : String(error)));
  await stopAll();
  process.exit(1);
}
