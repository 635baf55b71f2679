import type { Span } from './ast.ts';

/**
 * A query text that cannot be read, or (raised by whoever resolves the names) one that cannot be answered. The message
 * starts with the place: `column 17: a closing bracket ] or } is missing`.
 */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError';
  /** 1-based, in code points: what a person counts on the screen. */
  readonly column: number;
  readonly span: Span;

  /** `text` is the whole query, `problem` the message without the place. */
  constructor(text: string, span: Span, problem: string) {
    const column = columnAt(text, span.start);
    super(`column ${column}: ${problem}`);
    this.column = column;
    this.span = span;
  }
}

function columnAt(text: string, offset: number): number {
  let column = 1;
  for (const _character of text.slice(0, offset)) column++;
  return column;
}
