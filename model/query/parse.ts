import { MAX_SEARCH_TEXT } from '../limits.ts';
import type { FieldName, QueryNode } from './ast.ts';
import { type Clause, combineClauses, join } from './clauses.ts';
import { isStar, literalOf, Scanner } from './scanner.ts';
import { endValue, readValue, refuseWhatIsNoValue } from './value.ts';

/** Groups and negations inside one another. Keeps the recursion here, and of whoever walks the tree, shallow. */
export const MAX_QUERY_DEPTH = 50;

/**
 * Reads a query in the query-string syntax of Elasticsearch
 * (https://www.elastic.co/guide/en/elasticsearch/reference/7.17/query-dsl-query-string-query.html#query-string-syntax):
 * `field:value`, `field:"value"`, wildcards `*` and `?`, `field:>5`, `field:[a TO b}`, `_exists_:field`, AND/&&, OR/||,
 * NOT/!/-, +, groups, `field:(a OR b)`. NOT binds tighter than AND, AND tighter than clauses side by side, those tighter
 * than OR. Boosts are read and dropped. Fuzzy, proximity and regular expressions are refused.
 *
 * @throws {QuerySyntaxError} with the column of the problem
 * @example parseQuery('structuredProperties.retention:>=90 AND _exists_:platform')
 */
export function parseQuery(text: string): QueryNode {
  const scanner = new Scanner(text);
  if (text.length > MAX_SEARCH_TEXT) {
    throw scanner.error(`the query is longer than ${MAX_SEARCH_TEXT} characters`, MAX_SEARCH_TEXT, text.length);
  }
  scanner.skipBlanks();
  if (scanner.atEnd) return { kind: 'everything', span: { start: 0, end: text.length } };
  const node = new QueryParser(scanner).expression(undefined);
  if (!scanner.atEnd) throw scanner.error(`the ${scanner.next} closes nothing; quote or escape it if it is text`);
  return node;
}

/** Recursive descent; `field` is the field that a group stands under, as in `field:(a OR b)`. */
class QueryParser {
  readonly #scanner: Scanner;
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  expression(field: FieldName | undefined): QueryNode {
    const alternatives = [this.#sideBySide(field)];
    while (this.#scanner.takeOperator('or')) alternatives.push(this.#sideBySide(field));
    return join('or', alternatives);
  }

  /** Stops, behind blanks, at OR, a closing parenthesis or the end. */
  #sideBySide(field: FieldName | undefined): QueryNode {
    const clauses: Clause[] = [];
    do {
      clauses.push(this.#conjunction(field));
    } while (!this.#scanner.atEnd && this.#scanner.next !== ')' && this.#scanner.peekOperator('or') === undefined);
    return combineClauses(clauses);
  }

  #conjunction(field: FieldName | undefined): Clause {
    const clauses: Clause[] = [];
    do {
      clauses.push(this.#signed(field));
      this.#scanner.skipBlanks();
    } while (this.#scanner.takeOperator('and'));
    const [first] = clauses;
    if (first !== undefined && clauses.length === 1) return first;
    return {
      node: join(
        'and',
        clauses.map((clause) => clause.node),
      ),
      required: clauses.some((clause) => clause.required),
      excluded: false,
    };
  }

  #signed(field: FieldName | undefined): Clause {
    const scanner = this.#scanner;
    const negations: number[] = [];
    scanner.skipBlanks();
    const required = scanner.take('+');
    for (;;) {
      scanner.skipBlanks();
      if (scanner.take('+')) continue;
      const start = scanner.position;
      if (!scanner.takeOperator('not')) break;
      this.#enter(start);
      negations.push(start);
    }
    let node = this.#clause(field);
    for (const start of negations.toReversed()) {
      this.#depth--;
      node = { kind: 'not', operand: node, span: { start, end: node.span.end } };
    }
    return { node, required, excluded: !required && negations.length > 0 };
  }

  #clause(field: FieldName | undefined): QueryNode {
    const scanner = this.#scanner;
    if (scanner.next === '(') return this.#group(field);
    if (scanner.next === ':') throw scanner.error('a field name is missing before the colon');
    if (scanner.next === '<' || scanner.next === '>') return readValue(scanner, field, scanner.position);
    refuseWhatIsNoValue(scanner, 'a term is missing');
    const start = scanner.position;
    const name = scanner.word();
    const end = scanner.position;
    scanner.skipBlanks();
    if (name === undefined || !scanner.take(':')) {
      scanner.position = start;
      return readValue(scanner, field, start);
    }
    scanner.skipBlanks();
    if (isStar(name)) return this.#everything(start);
    const literal = literalOf(name);
    if (literal === undefined) throw scanner.error('wildcards in a field name are not supported', start, end);
    const named = { name: literal, span: name.span };
    return scanner.next === '(' ? this.#group(named) : readValue(scanner, named, start);
  }

  /** What stands behind `*:`. */
  #everything(start: number): QueryNode {
    if (!this.#scanner.take('*')) throw this.#scanner.error('behind *: only * can stand, as in *:*');
    endValue(this.#scanner);
    return { kind: 'everything', span: { start, end: this.#scanner.position } };
  }

  #group(field: FieldName | undefined): QueryNode {
    const scanner = this.#scanner;
    const open = scanner.position;
    scanner.take('(');
    this.#enter(open);
    const node = this.expression(field);
    this.#depth--;
    if (!scanner.take(')')) throw scanner.error('the ( is never closed', open);
    scanner.takeOperator('boost');
    return node;
  }

  #enter(position: number): void {
    this.#depth++;
    if (this.#depth > MAX_QUERY_DEPTH) {
      throw this.#scanner.error(`more than ${MAX_QUERY_DEPTH} groups and negations inside one another`, position);
    }
  }
}
