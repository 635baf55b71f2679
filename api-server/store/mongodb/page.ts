import type { FindCursor } from 'mongodb';

/** At most `limit` of what a cursor finds, in one answer where they fit into it. MongoDB takes a limit of 0 for none. */
export async function page<T>(cursor: FindCursor<T>, limit: number): Promise<T[]> {
  return limit === 0 ? [] : cursor.limit(limit).batchSize(limit).toArray();
}
