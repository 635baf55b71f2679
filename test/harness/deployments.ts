import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MongodbStore } from '../../api-server/store/mongodb/store.ts';
import { type Backends, pairsOf, tierOfRun } from '../tiers.ts';
import { embeddedDeployment } from './embedded-deployment.ts';
import { dropDatabase, newDatabase } from './mongodb-database.ts';
import { mongodbPart } from './mongodb-server.ts';
import { type OpenedCatalogue, openedCatalogue } from './opened-catalogue.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openTypesenseIndex } from './typesense-index.ts';
import { TYPESENSE_API_KEY, typesensePart } from './typesense-server.ts';

/** Backends of one catalogue, empty at first, for the processes of a test. */
export interface Deployment {
  /** For what a process keeps beside the catalogue, such as its log. */
  readonly folder: string;
  /** What tells a process where the catalogue is. */
  readonly environment: Readonly<Record<string, string>>;
  /** One process alone works on it. */
  readonly embedded: boolean;
  /** The catalogue as no process sees it, to compare store and index. */
  open(): Promise<OpenedCatalogue>;
  /** Removes the catalogue. */
  remove(): Promise<void>;
}

export type NewDeployment = () => Promise<Deployment>;

/**
 * On which pairs of backends a test file runs now: PROPLANE_TEST_BACKENDS narrows that to `embedded` or `servers`, and a
 * tier to what it has of the file.
 */
export function pairsOfRun(): Backends[] {
  const { PROPLANE_TEST_BACKENDS: only } = process.env;
  const tier = tierOfRun();
  const file = expect.getState().testPath ?? '';
  const pairs = tier === undefined ? (['embedded', 'servers'] as const) : pairsOf(tier, file);
  return pairs.filter((pair) => only === undefined || pair === only);
}

/**
 * Runs the tests of `body` on each pair of backends; one that this machine cannot have is skipped with the reason.
 * @param body `embedded` tells it how much it can ask for: the servers of tests are slow ones.
 */
export async function onEachDeployment(
  body: (newDeployment: NewDeployment, kind: { readonly embedded: boolean }) => void,
): Promise<void> {
  const runs = pairsOfRun();
  if (runs.includes('embedded')) describe('on SQLite', () => body(embeddedDeployment, { embedded: true }));
  if (!runs.includes('servers')) return;
  const [mongodb, typesense] = await Promise.all([mongodbPart(), typesensePart()]);
  const missing = 'missing' in mongodb ? mongodb.missing : 'missing' in typesense ? typesense.missing : undefined;
  if ('address' in mongodb && 'address' in typesense) {
    describe('on MongoDB and Typesense', () =>
      body(() => serverDeployment(mongodb.address, typesense.address), { embedded: false }));
  } else describe.skip(`on MongoDB and Typesense: ${missing}`, () => it('does the same', () => {}));
}

/** A block of tests that start a MongoDB and a Typesense of their own; skipped with the reason where there are none. */
export async function describeWithServers(title: string, body: () => void): Promise<void> {
  const parts = [await mongodbPart(), await typesensePart()];
  const missing = parts.flatMap((part) => ('missing' in part ? [part.missing] : []));
  if (missing.length === 0) describe(title, body);
  else describe.skip(`${title} (${missing.join('; ')})`, body);
}

/** @param mongodb address of the server, whatever database it names. */
export async function serverDeployment(mongodb: string, typesense: string): Promise<Deployment> {
  const { path: folder, remove } = await temporaryFolder();
  const database = newDatabase();
  const prefix = `test-${randomUUID()}`;
  const index = await openTypesenseIndex(typesense, { prefix });
  return {
    folder,
    environment: { DATA_DIR: folder, ...environmentOf(mongodb, database, typesense, prefix) },
    embedded: false,
    async open() {
      const store = await MongodbStore.open({ uri: mongodb, database });
      const search = await index.again();
      return openedCatalogue(store, search);
    },
    async remove() {
      await dropDatabase(mongodb, database);
      await index.close();
      await remove();
    },
  };
}

/**
 * What tells a process where a catalogue is that all test files of a run share, on the servers that they share. It goes
 * with them; on servers that the environment names it stays.
 */
export async function sharedServersEnvironment(): Promise<Record<string, string>> {
  const [mongodb, typesense] = [await mongodbPart(), await typesensePart()];
  if ('missing' in mongodb || 'missing' in typesense) throw new Error('there are no servers');
  return environmentOf(mongodb.address, newDatabase(), typesense.address, `test-${randomUUID()}`);
}

function environmentOf(mongodb: string, database: string, typesense: string, prefix: string): Record<string, string> {
  return {
    MONGODB_URI: withDatabase(mongodb, database),
    TYPESENSE_URL: typesense,
    TYPESENSE_API_KEY,
    TYPESENSE_PREFIX: prefix,
  };
}

function withDatabase(uri: string, database: string): string {
  const address = new URL(uri);
  address.pathname = `/${database}`;
  return address.toString();
}
