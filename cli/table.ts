import { coloured } from './output.ts';

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
 * @param least least widths, such as those of an earlier part of the same table.
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

/** The age of something in one unit, as kubectl shows it: `45s`, `12m`, `3h`, `9d`. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** One line that a terminal shows as it is: text from elsewhere must not move the cursor or change the direction. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

function cut(text: string, width: number): string {
  if (lengthOf(text) <= width) return text;
  return `${[...text].slice(0, width - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
