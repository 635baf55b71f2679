import type { Logger } from 'pino';
import { type Clock, SYSTEM_CLOCK } from '../process/clock.ts';
import { KeyedLock } from '../process/keyed-lock.ts';
import { closeServer, listen } from '../process/listening.ts';
import { VERSION } from '../process/version.ts';
import { ensureAdministrator, type FirstAdministrator } from './auth/first-administrator.ts';
import { authSettingsOf, openAuth } from './auth/open-auth.ts';
import { serviceAccounts } from './auth/service-accounts.ts';
import { openBackends } from './backends.ts';
import { Housekeeping } from './catalog/housekeeping.ts';
import { Indexer } from './catalog/indexing/indexer.ts';
import { Lease } from './catalog/indexing/lease.ts';
import type { CatalogParts } from './catalog/parts.ts';
import { Registry } from './catalog/registry/registry.ts';
import type { ApiServerConfig } from './config.ts';
import { createServer } from './create-server.ts';
import { ensureJob } from './jobs/job.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { jobWorks } from './jobs/job-works.ts';

/** How long an indexer that died keeps its lease, in ms. */
const INDEXER_LEASE = 3_000;

export interface RunningApiServer {
  /** `http://host:port` that it answers on. */
  readonly url: string;
  /** Whether who asks has to show who he is. */
  readonly isProtected: boolean;
  /** Made at this start, because there was none: a person has to be told, once. */
  readonly administrator?: FirstAdministrator;
  /** Ends requests that are under way, then the indexer, then the backends. */
  stop(): Promise<void>;
}

/** Starts the API server on the backends that its configuration names. */
export async function startApiServer(
  config: ApiServerConfig,
  log: Logger,
  clock: Clock = SYSTEM_CLOCK,
): Promise<RunningApiServer> {
  const settings = { ...authSettingsOf(config), authenticators: await serviceAccounts(config, clock, log) };
  const backends = await openBackends(config, log, clock);
  const { store, search, exclusive } = backends;
  const { now } = clock;
  const registry = new Registry(store, now);
  const auth = openAuth(settings, { ...clock, store, registry, log });
  let indexer: Indexer | undefined;
  let jobs: JobRunner | undefined;
  const parts: CatalogParts = {
    store,
    search,
    ...clock,
    log,
    registry,
    turns: new KeyedLock(),
    settings: {
      namespaceWord: config.NAMESPACE_WORD,
      entityTypesCheck: config.ENTITY_TYPES_CHECK,
      requestTimeout: config.REQUEST_TIMEOUT_S * 1000,
    },
    written: () => indexer?.wake(),
    async ensureJob(job) {
      await ensureJob(store, job, now());
      jobs?.wake();
    },
    jobsChanged: () => jobs?.wake(),
    backendStates: () => backends.states(),
    storeHealth: backends.health,
    auth,
  };
  const housekeeping = new Housekeeping(parts);
  await housekeeping.start(exclusive);
  const administrator = auth.enabled ? await ensureAdministrator(parts, config) : undefined;
  const lease = new Lease({ store, name: 'indexer', duration: INDEXER_LEASE, clock, exclusive });
  indexer = new Indexer(parts, lease);
  indexer.start();
  jobs = new JobRunner(parts, jobWorks(parts), exclusive);
  jobs.start();
  const server = await createServer(parts, VERSION, config.ALLOWED_HOSTS);
  const stop = async () => {
    await closeServer(server);
    await jobs.stop();
    await housekeeping.stop();
    await indexer.stop();
    await auth.stop();
    await backends.close();
  };
  try {
    await listen(server, config.HOST, config.API_PORT, 'API_PORT');
  } catch (error) {
    await stop();
    throw error;
  }
  const isProtected = auth.enabled;
  return { url: server.listeningOrigin, isProtected, ...(administrator === undefined ? {} : { administrator }), stop };
}
