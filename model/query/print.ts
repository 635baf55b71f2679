import type { FieldName, PatternPart, QueryNode, RangeBound } from './ast.ts';

const SPECIAL = /[ \t\r\n\u3000+\-!()[\]{}":^~*?\\/&|<>=]/g;
const RESERVED = /^(?:AND|OR|NOT|TO)$/;

/**
 * The query as text that `parseQuery` reads back to the same tree (spans aside). Expects a tree as `parseQuery` makes
 * them: no operator with fewer than two operands, no empty field name or unquoted text, runs of `*` and neighbouring
 * literals in a pattern joined.
 */
export function printQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'everything':
      return '*';
    case 'term':
      return prefix(node.field) + (node.quoted ? quote(node.text) : escapeWord(node.text));
    case 'wildcard':
      return prefix(node.field) + node.pattern.map(printPart).join('');
    case 'exists':
      return `_exists_:${escapeWord(node.field.name)}`;
    case 'range':
      return `${prefix(node.field)}${printRange(node.lower, node.upper)}`;
    case 'not':
      return `NOT ${group(node.operand, 'and', 'or')}`;
    case 'and':
      return node.operands.map((operand) => group(operand, 'and', 'or')).join(' AND ');
    case 'or':
      return node.operands.map((operand) => group(operand, 'or')).join(' OR ');
  }
}

/** Text as one unquoted word without wildcards. */
export function escapeWord(text: string): string {
  return RESERVED.test(text) ? `\\${text}` : text.replace(SPECIAL, '\\$&');
}

function prefix(field: FieldName | undefined): string {
  return field === undefined ? '' : `${escapeWord(field.name)}:`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function printPart(part: PatternPart): string {
  return typeof part === 'string' ? part : part.literal.replace(SPECIAL, '\\$&');
}

function printRange(lower: RangeBound | undefined, upper: RangeBound | undefined): string {
  const open = lower === undefined || lower.inclusive ? '[' : '{';
  const close = upper === undefined || upper.inclusive ? ']' : '}';
  const [from, to] = [lower, upper].map((bound) => (bound === undefined ? '*' : quote(bound.value)));
  return `${open}${from} TO ${to}${close}`;
}

function group(node: QueryNode, ...kinds: QueryNode['kind'][]): string {
  return kinds.includes(node.kind) ? `(${printQuery(node)})` : printQuery(node);
}
