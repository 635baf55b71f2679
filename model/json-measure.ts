import { MAX_ASPECT_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES, MAX_WRAPPING_DEPTH } from './limits.ts';

/** What there is in a JSON text. It is counted before the text is parsed: parsing is what costs memory. */
export interface JsonMeasure {
  /** Objects, lists, texts, numbers, true, false and null. */
  readonly values: number;
  /** Different names of members, or a few less; 0 where the text is too short for {@link MAX_JSON_NAMES} of them. */
  readonly names: number;
  /** Objects and lists inside one another. */
  readonly depth: number;
  /** A text in it has half a surrogate pair, as an escape: it could not be kept as it is. */
  readonly isBroken: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;

/** Of a body, or of a line of an export. */
const MOST_DEPTH = MAX_ASPECT_DEPTH + MAX_WRAPPING_DEPTH;

/** A member takes at least so many characters: `"a":1,`. */
const SHORTEST_MEMBER = 6;
const NAME_BITS = 20;
/** Another one in each process, so that nobody can choose names that look the same. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/**
 * Counts what is in a JSON text, in one pass that ends where it is too much: the counts are then of what was read. Those of
 * what is no JSON mean nothing.
 */
export function measureJson(text: string): JsonMeasure {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let isBroken = false;
  let isEmpty = false;
  let nameStart = 0;
  let nameEnd = 0;
  const names = text.length < MAX_JSON_NAMES * SHORTEST_MEMBER ? undefined : new NameCounter();
  for (let at = 0; at < text.length && values <= MAX_JSON_VALUES && depth <= MOST_DEPTH; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= BLANK) continue;
    if (isEmpty) {
      isEmpty = false;
      if (code !== CLOSE_LIST && code !== CLOSE_OBJECT) values += 1;
    }
    if (code === QUOTE) {
      nameStart = at + 1;
      for (at += 1; at < text.length; at += 1) {
        const inside = text.charCodeAt(at);
        if (inside === QUOTE) break;
        if (inside !== BACKSLASH) continue;
        at += 1;
        if (text.charCodeAt(at) !== SMALL_U) continue;
        const escaped = surrogateAt(text, at);
        if (escaped === 'pair') at += 6;
        else if (escaped === 'half') isBroken = true;
      }
      nameEnd = at;
    } else if (code === COMMA) values += 1;
    else if (code === COLON) names?.add(text, nameStart, nameEnd);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      isEmpty = true;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return { values, names: names?.count ?? 0, depth: deepest, isBroken };
}

/** Why a JSON text is more than one request may have, if it is. */
export function excessOf({ values, names }: Pick<JsonMeasure, 'values' | 'names'>): string | undefined {
  if (values > MAX_JSON_VALUES) return `more than ${MAX_JSON_VALUES} values in its JSON`;
  if (names > MAX_JSON_NAMES) return `more than ${MAX_JSON_NAMES} different names of fields in its JSON`;
  return undefined;
}

/** Why a JSON text of a body, or of a line, cannot be taken, if it cannot. */
export function unusable({ depth, isBroken }: JsonMeasure): string | undefined {
  if (depth > MOST_DEPTH) return `it is nested deeper than ${MOST_DEPTH} levels`;
  return isBroken ? 'a text in it is not well-formed Unicode: half of a surrogate pair' : undefined;
}

/** @param at of the `u` of an escape. */
function surrogateAt(text: string, at: number): 'pair' | 'half' | undefined {
  const first = text.slice(at + 1, at + 3).toLowerCase();
  if (first < 'd8' || first > 'df') return undefined;
  const next = text.slice(at + 5, at + 9).toLowerCase();
  return first < 'dc' && next >= '\\udc' && next <= '\\udf' ? 'pair' : 'half';
}

/** Counts different names by a bit for each of their hashes: of 50,000 it misses a few hundred. */
class NameCounter {
  count = 0;
  readonly #seen = new Uint8Array(2 ** (NAME_BITS - 3));
  add(text: string, start: number, end: number): void {
    let hash = SEED;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const bit = (hash ^ (hash >>> 15)) & (2 ** NAME_BITS - 1);
    const place = bit >>> 3;
    const mask = 1 << (bit & 7);
    const byte = this.#seen[place] ?? 0;
    if ((byte & mask) !== 0) return;
    this.#seen[place] = byte | mask;
    this.count += 1;
  }
}
