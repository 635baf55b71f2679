import type { Plan } from '../plan-shape.ts';
import { type Item, type Line, outlineOf, type Section } from './outline.ts';
import { visible } from './visible.ts';
import { number, summaryLine, summaryRows } from './words.ts';

/** A comment on GitHub has at most 65,536 characters; some are left for what a pipeline puts around it. */
const GREATEST_LENGTH = 60_000;
/** Longer sections are folded. */
const MOST_OPEN_ITEMS = 10;
/** Of one item; a dataset can have a value of every property. */
const MOST_DETAILS = 40;
/** For what closes a section and says what was left out. */
const RESERVE = 400;

/**
 * A plan as GitHub and GitLab show it in a comment. All data is in code spans, never in a table, so that no value can be
 * taken for markup; what does not fit is counted.
 */
export function printMarkdown(plan: Plan, greatestLength = GREATEST_LENGTH): string {
  const rows = summaryRows(plan);
  const page = new Page(greatestLength - RESERVE);
  page.add(
    `### Proplane plan: ${summaryLine(plan)}`,
    '',
    `Against ${code(plan.against)}, source ${code(plan.source)}`,
    '',
  );
  if (rows.length > 0)
    page.add('| | |', '|---|---:|', ...rows.map(([words, count]) => `| ${words} | ${number(count)} |`), '');
  for (const section of outlineOf(plan)) addSection(page, section);
  if (page.left > 0)
    page.close(`Cut to fit into a comment: ${number(page.left)} more are told by \`proplane plan\` itself.`, '');
  return page.text;
}

function addSection(page: Page, { title, items }: Section): void {
  const folded = items.length > MOST_OPEN_ITEMS;
  const heading = `${title} (${number(items.length)})`;
  if (folded) page.close(`<details><summary>${heading}</summary>`, '');
  else page.close(`**${heading}**`, '');
  const left = items.filter((item) => !page.add(...itemLines(item))).length;
  if (left > 0) page.close(`- … and ${number(left)} more`);
  page.left += left;
  page.close('');
  if (folded) page.close('</details>', '');
}

function itemLines({ symbol, head, details }: Item): string[] {
  const shown = details
    .slice(0, MOST_DETAILS)
    .map((detail) => `  - ${detail.symbol === '' ? '' : `\`${detail.symbol}\` `}${lineOf(detail.line)}`);
  const more = details.length > MOST_DETAILS ? [`  - … and ${number(details.length - MOST_DETAILS)} more`] : [];
  return [`- \`${symbol}\` ${lineOf(head)}`, ...shown, ...more];
}

function lineOf(line: Line): string {
  return line
    .map((part) => (typeof part === 'string' ? part : code(part.data, part.longest)))
    .join('')
    .trimEnd();
}

/** A code span (CommonMark 6.1): its fence is longer than any run of backticks inside, so nothing inside can end it. */
function code(text: string, longest?: number): string {
  const shown = visible(text, longest);
  const fence = '`'.repeat(
    [...shown.matchAll(/`+/gu)].reduce((longest, [run]) => Math.max(longest, run.length), 0) + 1,
  );
  const pad = /^[` ]|[` ]$/u.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Lines up to a length. */
class Page {
  /** How many items were left out. */
  left = 0;
  readonly #room: number;
  #text = '';

  constructor(room: number) {
    this.#room = room;
  }

  get text(): string {
    return `${this.#text.trimEnd()}\n`;
  }

  /** Adds all lines or none. @returns whether they fit. */
  add(...lines: readonly string[]): boolean {
    const text = lines.map((line) => `${line}\n`).join('');
    if (this.#text.length + text.length > this.#room) return false;
    this.#text += text;
    return true;
  }

  /** Adds lines for which there is always room. */
  close(...lines: readonly string[]): void {
    this.#text += lines.map((line) => `${line}\n`).join('');
  }
}
