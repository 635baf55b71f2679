import type { PatternPart } from './query/ast.ts';

/** Is told of steps that a test takes, each about a look at one character. What it throws ends the test. */
export type Spend = (steps: number) => void;

/** What a test costs however short the text is. */
const STEPS_OF_A_TEST = 64;
/** A shorter literal is left to the language: its search looks at each character so many times at most. */
const SHORT = 32;

/**
 * A test whether a whole text matches the pattern, by code points. Both are well-formed Unicode.
 *
 * The pattern is cut at its `*`. What stands first and last has to be at the ends of the text, the pieces between are
 * looked for from left to right: whatever comes first leaves most for the rest, so nothing is tried twice. Pieces without
 * `?` cost one pass over the text together. A piece with `?` is tried at each place, which costs up to (length of the
 * text) times (length of the piece): who cannot bound that counts the steps.
 */
export function patternMatcher(pattern: readonly PatternPart[], spend: Spend = () => {}): (text: string) => boolean {
  const pieces = piecesOf(pattern).map((parts) => pieceOf(parts, spend));
  const [first, ...others] = pieces;
  const last = others.pop();
  if (first === undefined) return (text) => text === '';
  return (text) => {
    spend(text.length + STEPS_OF_A_TEST);
    let from = first.after(text, 0);
    if (last === undefined) return from === text.length;
    const end = from === -1 ? -1 : last.before(text, text.length);
    for (const piece of others) if (from !== -1) from = piece.find(text, from);
    return from !== -1 && from <= end;
  };
}

/** What stands between the `*`; one more than there are of those. */
function piecesOf(pattern: readonly PatternPart[]): Exclude<PatternPart, '*'>[][] {
  const pieces: Exclude<PatternPart, '*'>[][] = [[]];
  for (const part of pattern) {
    if (part === '*') pieces.push([]);
    else pieces.at(-1)?.push(part);
  }
  return pieces;
}

/** Places are in code units; -1: nowhere. */
interface Piece {
  /** Where a match that begins here ends. */
  after(text: string, from: number): number;
  /** Where a match that ends here begins. */
  before(text: string, end: number): number;
  /** Where the first match that begins here or later ends. */
  find(text: string, from: number): number;
}

function pieceOf(parts: readonly Exclude<PatternPart, '*'>[], spend: Spend): Piece {
  const literals = parts.map((part) => (part === '?' ? undefined : part.literal));
  return literals.every((literal) => literal !== undefined)
    ? literalPiece(literals.join(''))
    : openPiece(literals, spend);
}

function literalPiece(literal: string): Piece {
  const { length } = literal;
  const indexOf = length <= SHORT ? (text: string, from: number) => text.indexOf(literal, from) : finderOf(literal);
  return {
    after: (text, from) => (text.startsWith(literal, from) ? from + length : -1),
    before: (text, end) => (text.endsWith(literal) ? end - length : -1),
    find(text, from) {
      const at = indexOf(text, from);
      return at === -1 ? -1 : at + length;
    },
  };
}

/** `indexOf` by Knuth, Morris and Pratt: never goes back in the text, where the language's own takes (text × literal) steps. */
function finderOf(literal: string): (text: string, from: number) => number {
  // at each place: how much of the literal's start ends there
  const borders = new Int32Array(literal.length);
  for (let at = 1, matched = 0; at < literal.length; at++) {
    const unit = literal.charCodeAt(at);
    while (matched > 0 && literal.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (literal.charCodeAt(matched) === unit) matched += 1;
    borders[at] = matched;
  }
  return (text, from) => {
    for (let at = from, matched = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && literal.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (literal.charCodeAt(matched) === unit) matched += 1;
      if (matched === literal.length) return at + 1 - matched;
    }
    return -1;
  };
}

const ANY_ONE = -1;

/** A piece with `?`, which are `undefined` here. */
function openPiece(literals: readonly (string | undefined)[], spend: Spend): Piece {
  const units = Int32Array.from(
    literals.flatMap((literal) =>
      literal === undefined ? [ANY_ONE] : Array.from({ length: literal.length }, (_, at) => literal.charCodeAt(at)),
    ),
  );
  const after = (text: string, from: number): number => {
    let at = from;
    let step = 0;
    for (; step < units.length && at < text.length; step++) {
      if (units[step] === ANY_ONE) at += widthAt(text, at);
      else if (units[step] === text.charCodeAt(at)) at += 1;
      else break;
    }
    spend(step);
    return step === units.length ? at : -1;
  };
  return {
    after,
    before(text, end) {
      let at = end;
      for (let step = units.length - 1; step >= 0; step--) {
        if (at <= 0) return -1;
        at -= units[step] === ANY_ONE && isPair(text, at - 2) ? 2 : 1;
        if (units[step] !== ANY_ONE && units[step] !== text.charCodeAt(at)) return -1;
      }
      return at;
    },
    find(text, from) {
      for (let at = from; at < text.length; at += widthAt(text, at)) {
        const end = after(text, at);
        if (end !== -1) return end;
      }
      return -1;
    },
  };
}

function widthAt(text: string, at: number): 1 | 2 {
  return isPair(text, at) ? 2 : 1;
}

/** Whether one character is written here with two code units. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
