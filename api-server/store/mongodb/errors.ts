import { types } from 'node:util';
import { MongoAPIError, MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { StoreError } from '../errors.ts';

/**
 * Codes with which a server says that it cannot answer now: it stops, is no longer the primary, does not reach the
 * others, or a majority did not confirm a write in time. Messages differ between servers, codes do not. From MongoDB's
 * list of error codes.
 */
const OUTAGES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

const DUPLICATE_KEY = 11_000;
const OUT_OF_DISK_SPACE = 14_031;

/** Codes of Node for what happens to sockets, such as EPIPE and ERR_STREAM_DESTROYED. */
const OF_THE_SYSTEM = /^(?:E(?!RR_)|ERR_(?:STREAM|SOCKET|SSL|TLS))/u;

/** Whether a write failed because another document has the same key. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * @param address of the server, without credentials.
 * @returns a StoreError when MongoDB is away or its disk is full; an error that says who refused when it refused; otherwise the same error.
 */
export function storeErrorOf(error: unknown, address: string): unknown {
  if (isOutage(error)) {
    const message = `MongoDB at ${address} does not answer: ${error.message}`;
    return new StoreError('unavailable', message, { cause: error });
  }
  if (!(error instanceof MongoServerError)) return error;
  if (error.code === OUT_OF_DISK_SPACE) {
    const message = `The disk of MongoDB at ${address} is full: make room. Nothing is written until then; reads go on`;
    return new StoreError('unwritable', message, { cause: error });
  }
  return new Error(`MongoDB at ${address} refuses: ${error.message}`, { cause: error });
}

function isOutage(error: unknown): error is Error {
  // A bulk write presents what the driver throws as an answer of the server.
  if (error instanceof MongoBulkWriteError && isOutage(error.errorResponse)) return true;
  if (error instanceof MongoServerError) return OUTAGES.has(error.code);
  // An API error is a mistake of ours. All else that the driver throws is about the network; some errors of sockets and
  // of the look-up of names come through as the system has them, under jest with another class `Error` than ours.
  if (error instanceof MongoError) return !(error instanceof MongoAPIError);
  return types.isNativeError(error) && 'code' in error && OF_THE_SYSTEM.test(String(error.code));
}
