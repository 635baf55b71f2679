import type { RangeBound } from './ast.ts';
import { isStar, literalOf, type Scanner, type Word } from './scanner.ts';

export interface Bounds {
  readonly lower?: RangeBound;
  readonly upper?: RangeBound;
}

/** `>5`, `>=5`, `<5`, `<=5`; the scanner stands before the sign. */
export function readComparison(scanner: Scanner): Bounds {
  const start = scanner.position;
  const side = scanner.next === '>' ? 'lower' : 'upper';
  scanner.position++;
  const inclusive = scanner.take('=');
  const sign = scanner.text.slice(start, scanner.position);
  scanner.skipBlanks();
  const operator = scanner.peekOperator('reserved');
  if (operator !== undefined) throw scanner.error(`a value is missing between ${sign} and ${operator}`);
  const bound = readBound(scanner, () => scanner.word(), inclusive);
  if (bound === undefined) throw scanner.error(`a value is missing behind ${sign}`);
  if (bound === 'open') throw scanner.error(`a wildcard cannot stand behind ${sign}; quote or escape it`, start);
  return { [side]: bound };
}

/** `[a TO b]`, `{a TO b}` or a mix; the scanner stands before the bracket. */
export function readBrackets(scanner: Scanner): Bounds {
  const lowerInclusive = scanner.next === '[';
  scanner.position++;
  scanner.skipBlanks();
  if (scanner.peekOperator('to')) throw scanner.error('the lower bound before TO is missing');
  const lower = readBound(scanner, () => scanner.bound(), lowerInclusive);
  if (lower === undefined) throw scanner.error('the lower bound is missing; a range is written [a TO b]');
  scanner.skipBlanks();
  if (!scanner.takeOperator('to')) throw scanner.error('TO is missing; a range is written [a TO b]');
  scanner.skipBlanks();
  const upper = readBound(scanner, () => scanner.bound(), true);
  if (upper === undefined) throw scanner.error('the upper bound behind TO is missing');
  scanner.skipBlanks();
  const upperInclusive = scanner.take(']');
  if (!upperInclusive && !scanner.take('}')) throw scanner.error('a closing bracket ] or } is missing');
  return {
    ...(lower === 'open' ? {} : { lower }),
    ...(upper === 'open' ? {} : { upper: { ...upper, inclusive: upperInclusive } }),
  };
}

/** Undefined if nothing is there, `open` for a lone `*`. */
function readBound(
  scanner: Scanner,
  readWord: () => Word | undefined,
  inclusive: boolean,
): RangeBound | 'open' | undefined {
  if (scanner.next === '"') {
    const { text, span } = scanner.quoted();
    return { value: text, inclusive, span };
  }
  const word = readWord();
  if (word === undefined) return undefined;
  const value = literalOf(word);
  if (value !== undefined) return { value, inclusive, span: word.span };
  if (isStar(word)) return 'open';
  throw scanner.error('a bound cannot hold wildcards; quote or escape them', word.span.start, word.span.end);
}
