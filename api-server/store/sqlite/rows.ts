export type Row = Record<string, unknown>;

/**
 * Reads so many rows that say their size as `bytes`, up to the one that reaches `maxBytes`.
 * @param read `undefined` passes a row over.
 */
export function readWithin<T>(
  rows: Iterable<Row>,
  maxBytes: number,
  read: (row: Row) => T | undefined,
  limit = Number.POSITIVE_INFINITY,
): T[] {
  const all: T[] = [];
  let bytes = 0;
  if (limit <= 0) return all;
  for (const row of rows) {
    const one = read(row);
    if (one === undefined) continue;
    all.push(one);
    bytes += Number(row.bytes);
    if (bytes >= maxBytes || all.length >= limit) break;
  }
  return all;
}
