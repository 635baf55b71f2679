import { styleText } from 'node:util';
import { compareText } from '../../model/resource/identity.ts';
import { age, cut, padded, plain } from '../../process/text.ts';
import type { ResourceRow } from '../snapshot.ts';
import type { SourceProblem } from '../source/port.ts';
import { COLOURS, MARKS, ROW_STATES, summary } from './row-states.ts';

export interface TableOptions {
  /** Lines that the table may take; as many as it needs when absent. */
  readonly height?: number;
  readonly colour?: boolean;
  /** Milliseconds since 1970-01-01T00:00:00Z, to tell ages by. */
  readonly now?: number;
}

const GREATEST_NAME = 48;
const GREATEST_REASON = 20;
const MOST_PROBLEMS = 5;

/** All resources as a table, those first that are not ready, and the problems of their source below it. */
export function resourceTable(
  rows: readonly ResourceRow[],
  problems: readonly SourceProblem[],
  width: number,
  { height = Number.POSITIVE_INFINITY, colour = false, now = Date.now() }: TableOptions = {},
): string {
  const below = [...problemLines(problems, width, colour), cut(summary(rows), width)];
  const room = Math.max(0, height - below.length - 1);
  const shown = firstRows(rows, rows.length <= room ? room : Math.max(0, room - 1));
  const columns = layOut(shown, width);
  const lines = shown.map((row) => rowLine(row, columns, width, colour, now));
  if (shown.length < rows.length && room > 0) lines.push(cut(`  and ${rows.length - shown.length} more`, width));
  return [cut(headerLine(columns), width), ...lines, ...below].slice(0, height).join('\n');
}

interface Columns {
  readonly kind: number;
  readonly name: number;
  readonly reason: number;
  readonly age: number;
  readonly message: number;
}

/** What the columns need; the message takes what is left, and all shrink in a very narrow terminal. */
function layOut(rows: readonly ResourceRow[], width: number): Columns {
  const need = (texts: string[], least: number, most: number) =>
    Math.min(
      most,
      texts.reduce((longest, text) => Math.max(longest, [...text].length), least),
    );
  const room = Math.floor(width / 3);
  const kind = need(
    rows.map((row) => row.kind),
    4,
    room,
  );
  const name = need(rows.map(nameOf), 4, Math.min(GREATEST_NAME, room));
  const reason = need(
    rows.map((row) => row.reason),
    6,
    Math.min(GREATEST_REASON, Math.floor(room / 2)),
  );
  const used = 2 + kind + name + reason + 4 + 4 * 2;
  return { kind, name, reason, age: 4, message: Math.max(0, width - used) };
}

function headerLine({ kind, name, reason, age: ageWidth, message }: Columns): string {
  const cells = [
    padded('KIND', kind),
    padded('NAME', name),
    padded('REASON', reason),
    padded('AGE', ageWidth),
    cut('MESSAGE', message),
  ];
  return `  ${cells.join('  ')}`.trimEnd();
}

function rowLine(row: ResourceRow, columns: Columns, width: number, colour: boolean, now: number): string {
  const { kind, name, reason, age: ageWidth, message } = columns;
  const cells = [
    padded(plain(row.kind), kind),
    padded(nameOf(row), name),
    padded(plain(row.reason), reason),
    padded(age(now - row.created), ageWidth),
    cut(plain(row.message), message),
  ];
  const rest = cut(` ${cells.join('  ')}`, width - 1).trimEnd();
  return `${styled(COLOURS[row.state], MARKS[row.state], colour)}${rest}`;
}

function problemLines(problems: readonly SourceProblem[], width: number, colour: boolean): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const lines = errors.slice(0, MOST_PROBLEMS).map(({ location, message }) => {
    const place = location === undefined ? '' : `${location}: `;
    return styled('red', cut(plain(`! ${place}${message}`), width), colour);
  });
  const more = errors.length - lines.length;
  return more === 0 ? lines : [...lines, cut(`! and ${more} more problems`, width)];
}

function nameOf({ namespace, name }: ResourceRow): string {
  return plain(`${namespace}/${name}`);
}

/** By state, then by name; of very many rows only those are put in order that are shown. */
function firstRows(rows: readonly ResourceRow[], count: number): ResourceRow[] {
  const byState = Map.groupBy(rows, ({ state }) => state);
  const first: ResourceRow[] = [];
  for (const state of ROW_STATES)
    for (const each of smallest(byState.get(state) ?? [], count - first.length)) first.push(each);
  return first;
}

function smallest(rows: readonly ResourceRow[], count: number): ResourceRow[] {
  if (rows.length <= count) return rows.toSorted(compareRows);
  const first: ResourceRow[] = [];
  for (const row of count === 0 ? [] : rows) {
    if (first.length === count && compareRows(row, first[count - 1]!) >= 0) continue;
    const behind = first.findIndex((one) => compareRows(row, one) < 0);
    first.splice(behind < 0 ? first.length : behind, 0, row);
    first.length = Math.min(first.length, count);
  }
  return first;
}

function compareRows(one: ResourceRow, other: ResourceRow): number {
  return (
    compareText(one.kind, other.kind) ||
    compareText(one.namespace, other.namespace) ||
    compareText(one.name, other.name)
  );
}

function styled(style: 'red' | (typeof COLOURS)[keyof typeof COLOURS], text: string, colour: boolean): string {
  // The caller decides: whether a stream is a terminal is not for this function to guess.
  return colour ? styleText(style, text, { validateStream: false }) : text;
}
