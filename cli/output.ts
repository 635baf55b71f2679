import { styleText } from 'node:util';

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

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** One JSON array, item by item as they come. */
export async function printJsonArray(items: AsyncIterable<unknown>): Promise<void> {
  let before = '[';
  for await (const item of items) {
    process.stdout.write(`${before}\n  ${JSON.stringify(item)}`);
    before = ',';
  }
  print(before === '[' ? '[]' : '\n]');
}

export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Colours a text of standard output: only in a terminal, and as NO_COLOR and FORCE_COLOR say. */
export function coloured(colour: 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}
