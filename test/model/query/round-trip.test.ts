import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QuerySyntaxError } from '../../../model/query/errors.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { escapeWord, printQuery } from '../../../model/query/print.ts';
import { anyQueryNode, withoutSpans, withSpans } from '../../harness/query-nodes.ts';

/** Mostly what means something in the syntax, and whole words of it. */
const pieces = fc.oneof(
  { arbitrary: fc.constantFrom(...'+-!()[]{}"^~*?\\/&|<>=: \t\u3000abxAT50.🦊'), weight: 4 },
  { arbitrary: fc.constantFrom('AND', 'OR', 'NOT', 'TO', ' AND ', '&&', '||', 'x:', '_exists_:', '>='), weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 2 }), weight: 1 },
);
const texts = fc.array(pieces, { maxLength: 8 }).map((list) => list.join(''));
const names = texts.filter((name) => name !== '' && name !== '_exists_');

describe('printQuery', () => {
  it('writes what parseQuery reads back to the same tree', () => {
    fc.assert(
      fc.property(anyQueryNode(names, texts), (node) => {
        expect(withoutSpans(parseQuery(printQuery(withSpans(node))))).toEqual(node);
      }),
      { numRuns: 1_000 },
    );
  });

  it('escapes any text to one word of exactly that text', () => {
    fc.assert(
      fc.property(
        texts.filter((text) => text !== ''),
        (text) => {
          expect(parseQuery(`x:${escapeWord(text)}`)).toMatchObject({ kind: 'term', text, quoted: false });
        },
      ),
    );
  });

  it('leaves plain queries as a person writes them', () => {
    const query = 'x.y_z:a AND (NOT _exists_:b OR c:["1" TO "2"} OR d:e*f?) AND "g h"';
    expect(printQuery(parseQuery(query))).toBe(query);
  });
});

describe('parseQuery', () => {
  it('reads any text, or refuses it at a place inside it', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (list) => {
        const text = list.join('');
        try {
          const node = parseQuery(text);
          expect(withoutSpans(parseQuery(printQuery(node)))).toEqual(withoutSpans(node));
        } catch (error) {
          if (!(error instanceof QuerySyntaxError)) throw error;
          expect(error.column).toBe([...text.slice(0, error.span.start)].length + 1);
          expect(error.span.end).toBeLessThanOrEqual(text.length);
          expect(error.span.start).toBeLessThanOrEqual(error.span.end);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
