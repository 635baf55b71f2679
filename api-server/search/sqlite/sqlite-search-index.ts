import { extname } from 'node:path';
import { MAX_MATCHING_VALUES, MAX_SEARCH_TIME } from '../port.ts';
import { ThreadedSearchIndex } from '../threads/threaded-search-index.ts';
import type { IndexFileOptions } from './index-file.ts';

/** Two, so that one that takes its time does not hold up all others. */
const SEARCHERS = 2;
/** Longer than who waits for the lock sleeps between two looks (store/sqlite/group-commit.ts), in ms. */
const PAUSE = 10;

/**
 * The search index in an SQLite file, which it may share with the store. `node:sqlite` blocks, so its connections live in
 * threads: one that writes, and some that read what is committed.
 */
export class SqliteSearchIndex extends ThreadedSearchIndex {
  /** Opens the file, creating it and the tables where needed. `maxMatchingValues`: another limit, for tests. */
  static async open({
    path,
    maxMatchingValues = MAX_MATCHING_VALUES,
  }: {
    readonly path: string;
    readonly maxMatchingValues?: number;
  }): Promise<SqliteSearchIndex> {
    const writing: IndexFileOptions = { path, maxMatchingValues, readOnly: false };
    const index = new SqliteSearchIndex({
      // in development this file is TypeScript, and so is the worker
      module: new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
      writing,
      searching: { ...writing, readOnly: true },
      searchers: SEARCHERS,
      callsEach: 1,
      longestSearch: MAX_SEARCH_TIME,
      pause: PAUSE,
    });
    try {
      await index.begin();
    } catch (error) {
      await index.close();
      throw error;
    }
    return index;
  }
}
