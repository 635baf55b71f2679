import type { styleText } from 'node:util';
import type { Plan } from '../plan-shape.ts';
import { type Line, outlineOf, type Sign } from './outline.ts';
import { visible } from './visible.ts';
import { summaryLine } from './words.ts';

const COLOURS: Readonly<Record<Sign, Parameters<typeof styleText>[0]>> = {
  '+': 'green',
  '~': 'yellow',
  '-': 'red',
  '!': 'magenta',
  '=': 'gray',
  x: 'red',
  '?': 'cyan',
};

type Style = Parameters<typeof styleText>[0];

/** A plan for people. @param styled gives a text its colour; by default there are none. */
export function printText(plan: Plan, styled: (style: Style, text: string) => string = (_style, text) => text): string {
  const marked = (symbol: Sign | ''): string => (symbol === '' ? ' ' : styled(COLOURS[symbol], symbol));
  const lines = [`Plan against ${visible(plan.against)}, source ${visible(plan.source)}`, ''];
  for (const { title, items } of outlineOf(plan)) {
    lines.push(styled('bold', title));
    for (const { symbol, head, details } of items) {
      lines.push(`  ${marked(symbol)} ${textOf(head)}`);
      for (const detail of details) lines.push(`      ${marked(detail.symbol)} ${textOf(detail.line)}`);
    }
    lines.push('');
  }
  lines.push(styled('bold', summaryLine(plan)));
  return lines.join('\n');
}

function textOf(line: Line): string {
  return line.map((part) => (typeof part === 'string' ? part : visible(part.data, part.longest))).join('');
}
