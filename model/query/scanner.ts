import type { PatternPart, Span } from './ast.ts';
import { QuerySyntaxError } from './errors.ts';

/** A word as written, without quotes: escapes resolved, wildcards told apart from escaped ones. */
export interface Word {
  readonly parts: readonly PatternPart[];
  readonly span: Span;
}

/** Literal text with the place it came from. */
export interface Literal {
  readonly text: string;
  readonly span: Span;
}

/** The blanks of Lucene's query parser: others (a no-break space, say) belong to the word they stand in. */
const BLANKS = /[ \t\r\n\u3000]*/y;
const WORD_END = ' \t\r\n\u3000()[]{}":^~';
const BOUND_END = ' \t\r\n\u3000]}';

/** Operators as they are written; the letters only count as one when a word ends behind them. */
const OPERATORS = {
  and: /&&|AND(?=[ \t\r\n\u3000()[\]{}":^~]|$)/y,
  or: /\|\||OR(?=[ \t\r\n\u3000()[\]{}":^~]|$)/y,
  not: /[-!]|NOT(?=[ \t\r\n\u3000()[\]{}":^~]|$)/y,
  /** Words and signs that are no text unless quoted or escaped. */
  reserved: /&&|\|\||(?:AND|OR|NOT)(?=[ \t\r\n\u3000()[\]{}":^~]|$)/y,
  to: /TO(?=[ \t\r\n\u3000\]}"]|$)/y,
  boost: /\^(?:\d+(?:\.\d*)?|\.\d+)/y,
} as const;

/** Walks over the query text; knows characters, not grammar. Offsets are UTF-16 code units. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character at the position; an empty string at the end. */
  get next(): string {
    const code = this.text.codePointAt(this.position);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** The error to throw for a problem at `start`, by default here. */
  error(problem: string, start = this.position, end = start + 1): QuerySyntaxError {
    return new QuerySyntaxError(this.text, { start, end: Math.min(end, this.text.length) }, problem);
  }

  skipBlanks(): void {
    this.#match(BLANKS);
  }

  /** Steps over `character` if it is next. */
  take(character: string): boolean {
    if (!this.text.startsWith(character, this.position)) return false;
    this.position += character.length;
    return true;
  }

  /** Steps over the operator if it is next. */
  takeOperator(operator: keyof typeof OPERATORS): boolean {
    return this.#match(OPERATORS[operator]);
  }

  /** The operator as written if it is next. */
  peekOperator(operator: keyof typeof OPERATORS): string | undefined {
    const start = this.position;
    const found = this.takeOperator(operator);
    const written = this.text.slice(start, this.position);
    this.position = start;
    return found ? written : undefined;
  }

  /** A word up to the next blank or bracket, quote, colon, `^` or `~`; undefined if there is none here. */
  word(): Word | undefined {
    return this.#run(WORD_END);
  }

  /** One end of a range in brackets, unquoted: up to the next blank or closing bracket. */
  bound(): Word | undefined {
    return this.#run(BOUND_END);
  }

  /** Text in double quotes; only the backslash is special in it. */
  quoted(): Literal {
    const start = this.position;
    this.position++;
    let text = '';
    while (!this.take('"')) {
      if (this.atEnd) throw this.error('the quote that opens here is never closed', start, this.text.length);
      text += this.#character();
    }
    return { text, span: { start, end: this.position } };
  }

  #run(end: string): Word | undefined {
    const start = this.position;
    const parts: PatternPart[] = [];
    let literal = '';
    while (!this.atEnd && !end.includes(this.next)) {
      if (this.next !== '*' && this.next !== '?') {
        literal += this.#character();
        continue;
      }
      if (literal !== '') parts.push({ literal });
      literal = '';
      // `**` says what `*` says
      if (this.next === '?' || parts.at(-1) !== '*') parts.push(this.next === '*' ? '*' : '?');
      this.position++;
    }
    if (literal !== '') parts.push({ literal });
    return parts.length === 0 ? undefined : { parts, span: { start, end: this.position } };
  }

  /** The next character, or the one behind a backslash. */
  #character(): string {
    if (this.take('\\') && this.atEnd) throw this.error('no character follows the backslash', this.position - 1);
    const character = this.next;
    this.position += character.length;
    return character;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }
}

/** The text of a word without wildcards; undefined if there is one. */
export function literalOf(word: Word): string | undefined {
  const [only] = word.parts;
  return word.parts.length === 1 && typeof only === 'object' ? only.literal : undefined;
}

/** Whether a word is a lone, unescaped `*`. */
export function isStar(word: Word): boolean {
  return word.parts.length === 1 && word.parts[0] === '*';
}
