import { styleText } from 'node:util';
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

/** A plan for people. @param colour whether the reader's terminal shows colours. */
export function printText(plan: Plan, colour: boolean): string {
  const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
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
