import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';
import { quotedVisibly, visibleLines } from '../process/text.ts';

/** What was asked for goes to standard output; everything else, such as remarks, to standard error. */

let worksOn = false;

/**
 * A reader that has seen enough (`| head`) closes its end. Then a command that reads has nothing more to do, and ends
 * without a word; one that has called `workOn` ends its work.
 */
export function endWithTheReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!worksOn) process.exit();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** What changes the catalogue is not to be left half done because nobody reads what it prints. */
export function workOn(): void {
  worksOn = true;
}

/** Stands for the character that begins a colour, until it is written: nothing from elsewhere can know it. */
const COLOUR = `<${randomUUID()}>`;
const ESCAPE = '\u001b';

/** Text as a terminal may get it: of what is not letters only line ends and our own colours. */
export function shown(text: string): string {
  return visibleLines(text).replaceAll(COLOUR, ESCAPE);
}

export function print(text: string): void {
  process.stdout.write(`${shown(text)}\n`);
}

export function printJson(value: unknown): void {
  print(quotedVisibly(JSON.stringify(value, null, 2)));
}

/** One JSON array, item by item as they come. */
export async function printJsonArray(items: AsyncIterable<unknown>): Promise<void> {
  let before = '[';
  for await (const item of items) {
    process.stdout.write(`${before}\n  ${quotedVisibly(JSON.stringify(item))}`);
    before = ',';
  }
  print(before === '[' ? '[]' : '\n]');
}

export function remark(text: string): void {
  process.stderr.write(`${shown(text)}\n`);
}

/** Colours a text for `print` or `remark`: only in a terminal, and as NO_COLOR and FORCE_COLOR say. */
export function coloured(
  colour: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(colour, visibleLines(text), { stream }).replaceAll(ESCAPE, COLOUR);
}
