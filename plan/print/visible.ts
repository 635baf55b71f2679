/**
 * Text from elsewhere on one line: nothing in it can end the line, move a cursor or turn the direction of writing. What
 * is longer than `longest` characters is cut.
 */
export function visible(text: string, longest = 200): string {
  if (text === '') return '""';
  const characters = [...text];
  const cut = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
