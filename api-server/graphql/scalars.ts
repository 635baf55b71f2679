import { GraphQLBoolean, GraphQLError, GraphQLInt, Kind, type ValueNode } from 'graphql';

/**
 * Clients of the reference catalogue send booleans and whole numbers as texts too: `"negated": "false"`,
 * `"start": "0"`. The schema language has one `Boolean` and one `Int`, which belong to the library, so their way of
 * reading is replaced; what they are called and how they write stays as it was.
 */

const { parseValue: readBoolean, parseLiteral: readBooleanLiteral } = GraphQLBoolean;
const { parseValue: readInt, parseLiteral: readIntLiteral } = GraphQLInt;

export const LENIENT_SCALARS = {
  Boolean: {
    parseValue: (value: unknown) => readBoolean(typeof value === 'string' ? booleanIn(value) : value),
    parseLiteral: (node: ValueNode) =>
      node.kind === Kind.STRING ? readBoolean(booleanIn(node.value)) : readBooleanLiteral(node),
  },
  Int: {
    parseValue: (value: unknown) => readInt(typeof value === 'string' ? numberIn(value) : value),
    parseLiteral: (node: ValueNode) =>
      node.kind === Kind.STRING ? readInt(numberIn(node.value)) : readIntLiteral(node),
  },
  Long: {
    serialize: (value: unknown) => {
      if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value);
      throw new GraphQLError('Long: not a number');
    },
  },
};

/** @returns the text itself when it is neither: the library's message then says what was sent. */
function booleanIn(text: string): unknown {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : text;
}

function numberIn(text: string): unknown {
  return /^[+-]?\d{1,10}$/u.test(text) ? Number(text) : text;
}
