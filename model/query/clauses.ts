import type { QueryNode, Span } from './ast.ts';

/** One clause of a list without AND or OR between its members. */
export interface Clause {
  readonly node: QueryNode;
  /** Marked with `+`. */
  readonly required: boolean;
  /** Marked with `-`, `!` or NOT; `node` is the negation already. */
  readonly excluded: boolean;
}

/**
 * What clauses put side by side mean, as in Lucene's classic query parser with the default operator OR
 * (https://lucene.apache.org/core/9_0_0/queryparser/org/apache/lucene/queryparser/classic/package-summary.html): with a
 * required clause the plain ones only raise the score there, so here they restrict nothing.
 */
export function combineClauses(clauses: readonly Clause[]): QueryNode {
  const plain = clauses.filter((clause) => !clause.required && !clause.excluded);
  const strict = clauses.filter((clause) => clause.required || clause.excluded).map((clause) => clause.node);
  if (plain.length === 0 || clauses.some((clause) => clause.required)) return join('and', strict);
  return join('and', [
    join(
      'or',
      plain.map((clause) => clause.node),
    ),
    ...strict,
  ]);
}

/** The operands (at least one) under one operator; a single one stands for itself. */
export function join(kind: 'and' | 'or', operands: readonly QueryNode[]): QueryNode {
  const [first] = operands;
  if (first === undefined) throw new Error('an operator needs an operand');
  return operands.length === 1 ? first : { kind, operands, span: hull(operands) };
}

function hull(nodes: readonly QueryNode[]): Span {
  return {
    start: nodes.reduce((first, { span }) => Math.min(first, span.start), Number.POSITIVE_INFINITY),
    end: nodes.reduce((last, { span }) => Math.max(last, span.end), 0),
  };
}
