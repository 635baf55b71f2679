import type { FindCursor } from 'mongodb';

/** At most `limit` of what a cursor finds, in one answer where they fit into it. MongoDB takes a limit of 0 for none. */
export async function page<T>(cursor: FindCursor<T>, limit: number): Promise<T[]> {
  return limit === 0 ? [] : cursor.limit(limit).batchSize(limit).toArray();
}

/**
 * The same, up to the one that reaches `maxBytes`. The server sends at most 16 MiB at a time and waits to be asked for
 * more, so no more than that is held beside them.
 */
export async function pageWithin<T>(
  cursor: FindCursor<T>,
  limit: number,
  maxBytes: number,
  sizeOf: (one: T) => number,
): Promise<T[]> {
  const all: T[] = [];
  if (limit === 0) return all;
  let bytes = 0;
  for await (const one of cursor.limit(limit).batchSize(limit)) {
    all.push(one);
    bytes += sizeOf(one);
    if (bytes >= maxBytes) break;
  }
  return all;
}
