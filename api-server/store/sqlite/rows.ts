export type Row = Record<string, unknown>;

/** Reads rows that say their size as `bytes`, up to the one that reaches `maxBytes`. */
export function readWithin<T>(rows: Iterable<Row>, maxBytes: number, read: (row: Row) => T): T[] {
  const all: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    all.push(read(row));
    bytes += Number(row.bytes);
    if (bytes >= maxBytes) break;
  }
  return all;
}
