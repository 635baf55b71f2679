import type { PatternPart } from './query/ast.ts';

const ANY_RUN = -1;
const ANY_ONE = -2;

/**
 * A test whether a whole text matches the pattern, by code points. Needs at most (length of the text) times (length of
 * the pattern) steps, whatever they are: a regular expression would backtrack much longer on `*a*a*a*b`.
 */
export function patternMatcher(pattern: readonly PatternPart[]): (text: string) => boolean {
  const tokens = pattern.flatMap((part) => {
    if (part === '*') return [ANY_RUN];
    return part === '?' ? [ANY_ONE] : codePoints(part.literal);
  });
  return (text) => matches(tokens, codePoints(text));
}

function matches(tokens: readonly number[], characters: readonly number[]): boolean {
  let token = 0;
  let character = 0;
  // where to go on after a mismatch: behind the last `*`, which then takes one character more
  let retryToken = -1;
  let retryCharacter = 0;
  while (character < characters.length) {
    if (tokens[token] === ANY_RUN) {
      retryToken = ++token;
      retryCharacter = character;
    } else if (tokens[token] === ANY_ONE || tokens[token] === characters[character]) {
      token++;
      character++;
    } else if (retryToken !== -1) {
      token = retryToken;
      character = ++retryCharacter;
    } else {
      return false;
    }
  }
  while (tokens[token] === ANY_RUN) token++;
  return token === tokens.length;
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
