import { MongoClient, type MongoClientOptions } from 'mongodb';

/**
 * How every operation reads and writes, and how long it may take. An option of the same name in the address is
 * overruled: the catalogue relies on them.
 *
 * Durability: a write is answered when a majority has it in its journal, and a read sees only such writes. All reads go
 * to the primary. So what was answered once is never taken back by an election.
 *
 * Retries: the driver repeats a read or a write once after a network error or a change of the primary. On a replica set
 * and a sharded cluster the server knows a repeated write by its number and answers as at the first time, so `false`
 * of a write with a revision in its filter always means that another writer was there. A standalone server has no such
 * numbers and no write is repeated: a lost answer is an error, never `false`.
 *
 * Times: with the server gone an operation fails after `serverSelectionTimeoutMS`; with the server hanging, the
 * monitor finds out after `heartbeatFrequencyMS` + `connectTimeoutMS` and cuts what waits off, and the one repetition
 * fails after `serverSelectionTimeoutMS`. The driver's option `timeoutMS` has no effect in this version.
 */
const OPTIONS: MongoClientOptions = {
  appName: 'proplane',
  readPreference: 'primary',
  readConcernLevel: 'majority',
  w: 'majority',
  journal: true,
  wtimeoutMS: 5_000,
  retryReads: true,
  retryWrites: true,
  maxPoolSize: 50,
  waitQueueTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  socketTimeoutMS: 10_000,
};

/** When the address names none. */
const DATABASE = 'proplane';

/**
 * A client that is not yet connected.
 * @throws Error when the address cannot be read; the driver's own error may repeat the password, so it is dropped.
 */
export function clientOf(uri: string): MongoClient {
  try {
    return new MongoClient(uri, OPTIONS);
  } catch {
    throw new Error(
      'the address of MongoDB cannot be read: it is mongodb://USER:PASSWORD@HOST:PORT/DATABASE or mongodb+srv://…, special characters in user and password percent-encoded, and only options that the driver knows',
    );
  }
}

/** Hosts and ports, without credentials. */
export function addressOf({ options }: MongoClient): string {
  return options.srvHost ?? options.hosts.join(',');
}

/** The database that the address names. */
export function databaseOf(uri: string): string {
  const name = /^[^/]+:\/\/[^/]+\/([^?]+)/u.exec(uri)?.[1];
  return name === undefined ? DATABASE : decodeURIComponent(name);
}
