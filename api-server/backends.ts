import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type Clock, pause } from '../process/clock.ts';
import { BackendGuard, type BackendState } from './backend-guard.ts';
import type { ApiServerConfig } from './config.ts';
import { BackgroundInspection } from './doctor/inspect-in-background.ts';
import { SearchError } from './search/errors.ts';
import type { SearchIndex } from './search/port.ts';
import { SqliteSearchIndex } from './search/sqlite/sqlite-search-index.ts';
import { messageOf } from './search/threads/worker-client.ts';
import { typesenseInThreads } from './search/typesense/typesense-threads.ts';
import { StoreError } from './store/errors.ts';
import { StoreHealth } from './store/health.ts';
import type { Store } from './store/port.ts';
import { lockDataFolder } from './store/sqlite/data-lock.ts';
import { isDamage } from './store/sqlite/errors.ts';
import { SqliteStore } from './store/sqlite/store.ts';

/** How long a start waits for a store that is away, in ms, and how often it tries. */
const PATIENCE = 60_000;
const RETRY = 1_000;
/** How long a start waits for the look at the embedded file, in ms; a larger one is looked at while requests come. */
const FIRST_LOOK = 2_000;

/** What a process keeps the catalogue in. */
export interface Backends {
  readonly store: Store;
  readonly search: SearchIndex;
  /** How the store is, as the calls to it have shown. */
  readonly health: StoreHealth;
  /** No other process works on them. */
  readonly exclusive: boolean;
  /** How the guarded ones are; the embedded ones need no guard. */
  states(): BackendState[];
  close(): Promise<void>;
}

/**
 * Opens MongoDB and Typesense when the configuration names them, otherwise the embedded pair. Typesense may be away,
 * MongoDB is waited for.
 * @throws Error when only one of them is named, or the store cannot be opened.
 */
export async function openBackends(config: ApiServerConfig, log: Logger, clock: Clock): Promise<Backends> {
  const { MONGODB_URI, TYPESENSE_URL, TYPESENSE_API_KEY, TYPESENSE_PREFIX } = config;
  if (MONGODB_URI === undefined && TYPESENSE_URL === undefined) return openEmbedded(config.DATA_DIR, log, clock);
  if (MONGODB_URI === undefined || TYPESENSE_URL === undefined || TYPESENSE_API_KEY === undefined) {
    throw new Error(
      'MONGODB_URI, TYPESENSE_URL and TYPESENSE_API_KEY go together: set all of them, or none to use the embedded store',
    );
  }
  // Where there is no MongoDB, nobody waits for its driver to be loaded.
  const { MongodbStore } = await import('./store/mongodb/store.ts');
  const store = await patiently(() => MongodbStore.open({ uri: MONGODB_URI }), log, clock);
  const search = typesenseInThreads({ url: TYPESENSE_URL, apiKey: TYPESENSE_API_KEY, prefix: TYPESENSE_PREFIX });
  return guarded(store, search, log);
}

async function openEmbedded(folder: string, log: Logger, clock: Clock): Promise<Backends> {
  const unlock = lockDataFolder(folder);
  const path = join(folder, 'proplane.db');
  const health = new StoreHealth(log);
  const { store, search } = await openFile(path, health).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const inspection = new BackgroundInspection(path);
  health.checking();
  const checked = inspection.outcome.then(
    (found) => health.checked(found),
    (error: unknown) => log.error({ err: error }, 'the file of the store could not be checked'),
  );
  // A small file is known before the first request; what a large one has is told when it is found.
  await Promise.race([checked, pause(clock, FIRST_LOOK)]);
  return {
    store: health.watch(store),
    search: health.watchSearch(search),
    health,
    exclusive: true,
    states: () => [],
    async close() {
      await inspection.stop();
      await search.close();
      await store.close();
      unlock();
    },
  };
}

/** @throws Error that says what to do when the file is damaged. */
async function openFile(path: string, health: StoreHealth): Promise<{ store: SqliteStore; search: SearchIndex }> {
  let store: SqliteStore | undefined;
  try {
    store = SqliteStore.open({ path, tellDamaged: (error) => health.tellDamaged(error) });
    return { store, search: await SqliteSearchIndex.open({ path }) };
  } catch (error) {
    await store?.close();
    const isOfIndex = error instanceof SearchError && error.code === 'damaged';
    if (!isOfIndex && !isDamage(error)) throw error;
    const folder = dirname(path);
    throw new Error(
      `${path} is damaged (${messageOf(error)}): \`proplane doctor --data-dir ${folder}\` says what is, and how to restore`,
      { cause: error },
    );
  }
}

function guarded(store: Store, search: SearchIndex, log: Logger): Backends {
  const storeGuard = new BackendGuard({
    name: 'store',
    isOutage: (error) => error instanceof StoreError && error.code === 'unavailable',
    refusal: (message) => new StoreError('unavailable', message),
    log,
  });
  const searchGuard = new BackendGuard({
    name: 'search',
    isOutage: (error) => error instanceof SearchError && error.code === 'unavailable',
    refusal: (message) => new SearchError('unavailable', message),
    log,
  });
  const health = new StoreHealth(log);
  const guardedSearch = searchGuard.guard(search, ['ping', 'close']);
  return {
    store: health.watch({
      entities: storeGuard.guard(store.entities),
      records: storeGuard.guard(store.records),
      fences: storeGuard.guard(store.fences),
      ping: () => store.ping(),
      close: () => store.close(),
    }),
    health,
    search: {
      apply: guardedSearch.apply,
      versions: guardedSearch.versions,
      scan: guardedSearch.scan,
      fields: guardedSearch.fields,
      search: guardedSearch.search,
      aggregate: guardedSearch.aggregate,
      rebuild: async (id) => searchGuard.guard(await guardedSearch.rebuild(id)),
      abandonRebuild: guardedSearch.abandonRebuild,
      ping: guardedSearch.ping,
      close: guardedSearch.close,
    },
    exclusive: false,
    states: () => [storeGuard.state, searchGuard.state],
    async close() {
      await search.close();
      await store.close();
    },
  };
}

async function patiently<T>(open: () => Promise<T>, log: Logger, clock: Clock): Promise<T> {
  const until = clock.monotonic() + PATIENCE;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof StoreError) || clock.monotonic() > until) throw error;
      log.warn({ err: error }, 'waiting for the store');
      await pause(clock, RETRY);
    }
  }
}
