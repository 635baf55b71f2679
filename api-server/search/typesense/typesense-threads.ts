import { extname } from 'node:path';
import { ThreadedSearchIndex } from '../threads/threaded-search-index.ts';
import type { TypesenseOptions } from './typesense-search-index.ts';

/** Mostly they wait for the server. */
const CALLS_EACH = 100;
/** Longer than a request to a server that is silent and its repetition take, in ms. */
const LONGEST_SEARCH = 30_000;

/**
 * The index in a Typesense server, in threads of this process: what the engine cannot compare is compared here, value by
 * value, and so are hashes and filters of all sizes made. Also when the server is away.
 */
export function typesenseInThreads(options: TypesenseOptions): ThreadedSearchIndex {
  return new ThreadedSearchIndex({
    // in development this file is TypeScript, and so is the worker
    module: new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
    writing: options,
    searching: options,
    searchers: 1,
    callsEach: CALLS_EACH,
    longestSearch: LONGEST_SEARCH,
    pause: 0,
  });
}
