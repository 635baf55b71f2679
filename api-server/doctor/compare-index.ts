import { DatabaseSync } from 'node:sqlite';

/** Entries of the search index that are not as the store says, apart from what waits in the outbox. */
export interface IndexDifferences {
  readonly missing: number;
  readonly strangers: number;
  readonly waiting: number;
}

/** @returns `undefined` when there is no index yet, or another release's. */
export function compareIndex(path: string): IndexDifferences | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  const count = (sql: string) => Number(database.prepare(`SELECT count(*) AS count FROM ${sql}`).get()?.count);
  try {
    const current = database.prepare('SELECT generation FROM search_generations WHERE is_current').get();
    if (current === undefined) return undefined;
    const entries = `search_entries_${Number(current.generation)}`;
    return {
      missing: count(
        `entities e LEFT JOIN ${entries} s ON s.urn = e.urn WHERE e.deleted IS NULL AND e.dirty IS NULL
         AND (s.urn IS NULL OR s.incarnation <> e.incarnation OR s.revision <> e.revision)`,
      ),
      strangers: count(
        `${entries} s LEFT JOIN entities e ON e.urn = s.urn
         WHERE e.urn IS NULL OR (e.deleted IS NOT NULL AND e.dirty IS NULL)`,
      ),
      waiting: count('entities WHERE dirty IS NOT NULL'),
    };
  } catch {
    // No such tables, or they are damaged, which the look at the file has told.
    return undefined;
  } finally {
    database.close();
  }
}
