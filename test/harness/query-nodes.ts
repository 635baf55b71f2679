import fc from 'fast-check';
import type { PatternPart, QueryNode } from '../../model/query/ast.ts';

/** Query nodes without their spans, to compare by: tests say what was read, not where. */
export type BareNode =
  | { kind: 'everything' }
  | { kind: 'term'; field?: string; text: string; quoted: boolean }
  | { kind: 'wildcard'; field?: string; pattern: readonly PatternPart[] }
  | { kind: 'range'; field?: string; lower?: BareBound; upper?: BareBound }
  | { kind: 'exists'; field: string }
  | { kind: 'and' | 'or'; operands: BareNode[] }
  | { kind: 'not'; operand: BareNode };

export interface BareBound {
  value: string;
  inclusive: boolean;
}

export function withoutSpans(node: QueryNode): BareNode {
  switch (node.kind) {
    case 'everything':
      return { kind: 'everything' };
    case 'term':
      return { kind: 'term', ...owner(node), text: node.text, quoted: node.quoted };
    case 'wildcard':
      return { kind: 'wildcard', ...owner(node), pattern: node.pattern };
    case 'range':
      return {
        kind: 'range',
        ...owner(node),
        ...(node.lower && { lower: { value: node.lower.value, inclusive: node.lower.inclusive } }),
        ...(node.upper && { upper: { value: node.upper.value, inclusive: node.upper.inclusive } }),
      };
    case 'exists':
      return { kind: 'exists', field: node.field.name };
    case 'not':
      return { kind: 'not', operand: withoutSpans(node.operand) };
    default:
      return { kind: node.kind, operands: node.operands.map(withoutSpans) };
  }
}

/** The node with made-up spans. */
export function withSpans(node: BareNode): QueryNode {
  const span = { start: 0, end: 0 };
  const named = 'field' in node && node.field !== undefined ? { field: { name: node.field, span } } : {};
  switch (node.kind) {
    case 'everything':
      return { kind: 'everything', span };
    case 'term':
      return { kind: 'term', ...named, text: node.text, quoted: node.quoted, span };
    case 'wildcard':
      return { kind: 'wildcard', ...named, pattern: node.pattern, span };
    case 'range':
      return {
        kind: 'range',
        ...named,
        ...(node.lower && { lower: { ...node.lower, span } }),
        ...(node.upper && { upper: { ...node.upper, span } }),
        span,
      };
    case 'exists':
      return { kind: 'exists', field: { name: node.field, span }, span };
    case 'not':
      return { kind: 'not', operand: withSpans(node.operand), span };
    default:
      return { kind: node.kind, operands: node.operands.map(withSpans), span };
  }
}

/** Trees as the parser makes them: operators have two operands at least, patterns are joined and hold a wildcard. */
export function anyQueryNode(names: fc.Arbitrary<string>, texts: fc.Arbitrary<string>): fc.Arbitrary<BareNode> {
  const words = texts.filter((text) => text !== '');
  const field = fc.option(names, { nil: undefined }).map((name) => (name === undefined ? {} : { field: name }));
  const bound = fc
    .option(fc.record({ value: texts, inclusive: fc.boolean() }), { nil: undefined })
    .map((value) => value && { ...value });
  const leaf = fc.oneof(
    fc.constant<BareNode>({ kind: 'everything' }),
    fc.tuple(field, words).map(([owner, text]): BareNode => ({ kind: 'term', ...owner, text, quoted: false })),
    fc.tuple(field, texts).map(([owner, text]): BareNode => ({ kind: 'term', ...owner, text, quoted: true })),
    fc.tuple(field, anyPattern(words)).map(([owner, pattern]): BareNode => ({ kind: 'wildcard', ...owner, pattern })),
    fc.tuple(field, bound, bound).map(
      ([owner, lower, upper]): BareNode => ({
        kind: 'range',
        ...owner,
        ...(lower && { lower }),
        ...(upper && { upper }),
      }),
    ),
    names.map((name): BareNode => ({ kind: 'exists', field: name })),
  );
  return fc.letrec<{ node: BareNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant('not' as const), operand: tie('node') }),
    ),
  })).node;
}

/** Patterns with a wildcard that is not a lone `*`, neighbouring literals and runs of `*` joined. */
export function anyPattern(words: fc.Arbitrary<string>): fc.Arbitrary<readonly PatternPart[]> {
  const part = fc.oneof(
    fc.constant<PatternPart>('*'),
    fc.constant<PatternPart>('?'),
    words.map((literal): PatternPart => ({ literal })),
  );
  return fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.filter((one, index) => !isJoinedWith(parts[index - 1], one)))
    .filter((parts) => parts.some((one) => typeof one === 'string') && !(parts.length === 1 && parts[0] === '*'));
}

function isJoinedWith(before: PatternPart | undefined, part: PatternPart): boolean {
  return (before === '*' && part === '*') || (typeof before === 'object' && typeof part === 'object');
}

function owner(node: { field?: { name: string } }): { field?: string } {
  return node.field === undefined ? {} : { field: node.field.name };
}
