import type { FieldName, QueryNode, Span } from './ast.ts';
import { readBrackets, readComparison } from './ranges.ts';
import { isStar, literalOf, type Scanner } from './scanner.ts';

/**
 * Reads one value (a word, quoted text, a comparison or a range) up to the next clause. `start` is where its clause
 * starts: at the field name, or at the value itself.
 */
export function readValue(scanner: Scanner, field: FieldName | undefined, start: number): QueryNode {
  refuseWhatIsNoValue(scanner, 'a value is missing');
  const valueStart = scanner.position;
  const node = readBareValue(scanner, field, start);
  const valueSpan = { start: valueStart, end: scanner.position };
  endValue(scanner);
  return field?.name === '_exists_' ? existence(scanner, node, valueSpan) : node;
}

/** Complains if an operator, a stray bracket or nothing stands where a value should. */
export function refuseWhatIsNoValue(scanner: Scanner, missing: string): void {
  if (scanner.atEnd) throw scanner.error(`${missing} at the end`);
  if (scanner.next === '/') throw scanner.error('regular expressions are not supported; quote or escape the slash');
  const culprit = scanner.peekOperator('reserved') ?? ('()]}:^~'.includes(scanner.next) ? scanner.next : undefined);
  if (culprit !== undefined) throw scanner.error(`${missing} before ${culprit}; quote or escape it if it is text`);
}

/** Reads what may stand directly behind a value: a boost; then a blank, a closing parenthesis or the end. */
export function endValue(scanner: Scanner): void {
  scanner.takeOperator('boost');
  if (scanner.next === '~') {
    const what = scanner.text[scanner.position - 1] === '"' ? 'proximity' : 'fuzzy';
    throw scanner.error(`${what} search (~) is not supported; quote or escape the ~ if it is text`);
  }
  if (scanner.next === '^') throw scanner.error('a boost is ^ and a number; quote or escape the ^ if it is text');
  if (scanner.next === ':') {
    throw scanner.error('a colon inside a value or behind quotes; put the whole value in quotes or write \\:');
  }
  const end = scanner.position;
  scanner.skipBlanks();
  if (scanner.position === end && !scanner.atEnd && scanner.next !== ')') {
    throw scanner.error(`a blank is missing before ${scanner.next}; quote or escape it if it is text`);
  }
}

function readBareValue(scanner: Scanner, field: FieldName | undefined, start: number): QueryNode {
  const owner = field === undefined ? {} : { field };
  const span = () => ({ start, end: scanner.position });
  switch (scanner.next) {
    case '"': {
      const { text } = scanner.quoted();
      return { kind: 'term', ...owner, text, quoted: true, span: span() };
    }
    case '[':
    case '{': {
      const bounds = readBrackets(scanner);
      return { kind: 'range', ...owner, ...bounds, span: span() };
    }
    case '<':
    case '>': {
      const bounds = readComparison(scanner);
      return { kind: 'range', ...owner, ...bounds, span: span() };
    }
  }
  const word = scanner.word();
  if (word === undefined) throw scanner.error('a value is missing');
  const text = literalOf(word);
  if (text !== undefined) return { kind: 'term', ...owner, text, quoted: false, span: span() };
  if (!isStar(word)) return { kind: 'wildcard', ...owner, pattern: word.parts, span: span() };
  return field === undefined ? { kind: 'everything', span: span() } : { kind: 'exists', field, span: span() };
}

/** The node for `_exists_:name`. */
function existence(scanner: Scanner, value: QueryNode, span: Span): QueryNode {
  if (value.kind !== 'term' || value.text === '') {
    throw scanner.error('a field name must follow _exists_:', span.start, span.end);
  }
  return { kind: 'exists', field: { name: value.text, span }, span: value.span };
}
