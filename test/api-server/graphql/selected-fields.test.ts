import { expect, it } from '@jest/globals';
import { buildSchema, graphql } from 'graphql';
import { selectedFields } from '../../../api-server/graphql/selected-fields.ts';

const schema = buildSchema('type Query { a: A other: A } type A { b: A c: A x: Int y: Int z: Int }');

/** What is asked for below `a { b }`. */
async function below(source: string): Promise<string[]> {
  let found: string[] = [];
  const a = (_args: unknown, _context: unknown, info: Parameters<typeof selectedFields>[0]) => {
    found = [...selectedFields(info, ['b'])].sort();
  };
  const { errors } = await graphql({ schema, source, rootValue: { a } });
  expect(errors).toBeUndefined();
  return found;
}

it.each([
  ['at the end of the path only', '{ a { x b { x c { y } } c { z } } other { b { z } } }', ['c', 'x']],
  ['nothing where the path is not asked for', '{ a { c { x } } }', []],
  ['under aliases', '{ a { b { q: x } second: b { y } } }', ['x', 'y']],
  ['of a field that is asked for twice', '{ a { b { x } } a { b { __typename } } }', ['__typename', 'x']],
  [
    'in fragments, wherever they are',
    '{ ...f } fragment f on Query { a { ...g ... on A { b { y } } } } fragment g on A { b { ...h } x } fragment h on A { z }',
    ['y', 'z'],
  ],
  [
    'in a fragment that is spread twice',
    '{ a { ...g b { ...h ...h } } } fragment g on A { b { ...h } } fragment h on A { z }',
    ['z'],
  ],
  ['whatever directives say', '{ a { b { x y @skip(if: true) } } }', ['x', 'y']],
])('fields are found %s', async (_what, document, fields) => {
  expect(await below(document)).toEqual(fields);
});
