import { cut, plain } from '../process/text.ts';
import { coloured, print, remark } from './output.ts';

type Colour = Parameters<typeof coloured>[0];

export interface Cell {
  readonly text: string;
  readonly colour?: Colour;
}

/** The last column of a terminal is as wide as what is left, but not less. */
const LEAST_LAST = 20;

/**
 * Rows below a head, in columns as wide as what they hold. The last one is cut at the edge of a terminal, and whole
 * elsewhere.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | Cell)[])[],
  width = process.stdout.columns,
): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  const plainRows = cells.map((row) => row.map((cell) => ({ ...cell, text: plain(cell.text) })));
  const widths = head.map((title, at) => {
    return plainRows.reduce((most, row) => Math.max(most, lengthOf(row[at]?.text ?? '')), lengthOf(title));
  });
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST_LAST, width - before);
  const line = (row: readonly Cell[]) =>
    row
      .map(({ text, colour }, at) => {
        const shown =
          at === head.length - 1 ? cut(text, room) : text.padEnd(text.length + widths[at]! - lengthOf(text));
        return colour === undefined ? shown : coloured(colour, shown);
      })
      .join('  ')
      .trimEnd();
  return [line(head.map((text) => ({ text, colour: 'dim' as const }))), ...plainRows.map(line)].join('\n');
}

/** Prints a table; where there is nothing to show, a remark says so. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | Cell)[])[]): void {
  if (rows.length === 0) remark('none');
  else print(table(head, rows));
}

function lengthOf(text: string): number {
  return [...text].length;
}
