import { visible as onOneLine } from '../../process/text.ts';

/**
 * Text from elsewhere on one line: nothing in it can end the line, move a cursor or turn the direction of writing. What
 * is longer than `longest` characters is cut.
 */
export function visible(text: string, longest = 200): string {
  if (text === '') return '""';
  const characters = [...text];
  const cut = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
  return onOneLine(cut);
}
