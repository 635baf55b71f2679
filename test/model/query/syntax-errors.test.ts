import { describe, expect, it } from '@jest/globals';
import { MAX_SEARCH_TEXT } from '../../../model/limits.ts';
import { QuerySyntaxError } from '../../../model/query/errors.ts';
import { MAX_QUERY_DEPTH, parseQuery } from '../../../model/query/parse.ts';

function errorOf(query: string): QuerySyntaxError {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error;
    throw error;
  }
  throw new Error(`${query} was read`);
}

const refused: [query: string, message: RegExp][] = [
  ['retention:[30 TO', /^column 17: the upper bound behind TO is missing$/],
  ['retention:[30 TO 5', /^column 19: a closing bracket \] or } is missing$/],
  ['x:[1 TO 5 AND y:z', /^column 11: a closing bracket \] or } is missing$/],
  ['x:[1 TO 5)', /^column 11: a closing bracket/],
  ['x:[1 5]', /^column 6: TO is missing/],
  ['x:[1 to 5]', /^column 6: TO is missing/],
  ['x:[]', /^column 4: the lower bound is missing/],
  ['x:[ TO 5]', /^column 5: the lower bound before TO is missing$/],
  ['x:[1 TO ]', /^column 9: the upper bound behind TO is missing$/],
  ['x:[1* TO 5]', /^column 4: a bound cannot hold wildcards/],
  ['x:"abc', /^column 3: the quote that opens here is never closed$/],
  ['x:["abc TO 5]', /^column 4: the quote that opens here/],
  ['(a OR b', /^column 1: the \( is never closed$/],
  ['a OR (b AND (c)', /^column 6: the \( is never closed$/],
  ['a)', /^column 2: the \) closes nothing/],
  ['x:a]', /^column 4: a blank is missing before \]; quote or escape it/],
  ['a }', /^column 3: a term is missing before }/],
  ['()', /^column 2: a term is missing before \)/],
  ['x:()', /^column 4: a term is missing before \)/],
  ['a AND', /^column 6: a term is missing at the end$/],
  ['a OR ', /^column 6: a term is missing at the end$/],
  ['NOT', /^column 4: a term is missing at the end$/],
  ['a -', /^column 4: a term is missing at the end$/],
  ['AND a', /^column 1: a term is missing before AND/],
  ['a AND OR b', /^column 7: a term is missing before OR/],
  ['a || && b', /^column 6: a term is missing before &&/],
  ['a AND NOT)', /^column 10: a term is missing before \)/],
  ['x:', /^column 3: a value is missing at the end$/],
  ['x: AND y:z', /^column 4: a value is missing before AND/],
  ['x:NOT', /^column 3: a value is missing before NOT/],
  ['(x:)', /^column 4: a value is missing before \)/],
  ['x::y', /^column 3: a value is missing before :/],
  [':x', /^column 1: a field name is missing before the colon$/],
  ['a :b :c', /^column 6: a field name is missing before the colon$/],
  ['x:urn:li:y', /^column 6: a colon inside a value .*quotes or write \\:$/],
  ['urn:li:y', /^column 7: a colon inside a value/],
  ['"x":y', /^column 4: a colon inside a value or behind quotes/],
  ['_exists_:x:y', /^column 11: a colon inside a value/],
  ['x*:y', /^column 1: wildcards in a field name/],
  ['*:y', /^column 3: behind \*: only \* can stand/],
  ['_exists_:', /^column 10: a value is missing at the end$/],
  ['_exists_:*', /^column 10: a field name must follow _exists_:$/],
  ['_exists_:a*', /^column 10: a field name must follow _exists_:$/],
  ['_exists_:""', /^column 10: a field name must follow _exists_:$/],
  ['_exists_:>5', /^column 10: a field name must follow _exists_:$/],
  ['x:>', /^column 4: a value is missing behind >$/],
  ['x:>= AND y', /^column 6: a value is missing between >= and AND$/],
  ['x:(>)', /^column 5: a value is missing behind >$/],
  ['x:>*', /^column 3: a wildcard cannot stand behind >; quote or escape it$/],
  ['x:>5*', /^column 4: a bound cannot hold wildcards/],
  ['x:roam~', /^column 7: fuzzy search \(~\) is not supported/],
  ['roam~0.8', /^column 5: fuzzy search/],
  ['x:"a b"~5', /^column 8: proximity search \(~\) is not supported/],
  ['~a', /^column 1: a term is missing before ~/],
  ['x:/a.c/', /^column 3: regular expressions are not supported/],
  ['/a/', /^column 1: regular expressions are not supported/],
  ['a AND x:(b OR /c/)', /^column 15: regular expressions are not supported/],
  ['a^', /^column 2: a boost is \^ and a number/],
  ['a^b', /^column 2: a boost is \^ and a number/],
  ['^2', /^column 1: a term is missing before \^/],
  ['x:a"b"', /^column 4: a blank is missing before "/],
  ['x:"a"b', /^column 6: a blank is missing before b/],
  ['x:a(b)', /^column 4: a blank is missing before \(/],
  ['x:a[1]', /^column 4: a blank is missing before \[/],
  ['x:a\\', /^column 4: no character follows the backslash$/],
  ['x:"a\\', /^column 5: no character follows the backslash$/],
];

describe('parseQuery refuses', () => {
  it.each(refused)('%j', (query, message) => {
    expect(errorOf(query).message).toMatch(message);
  });

  it('counts columns in characters, spans in code units', () => {
    const error = errorOf('🦊🦊 AND )');
    expect(error.column).toBe(8);
    expect(error.span).toEqual({ start: 9, end: 10 });
  });

  it('a text that is too long, pointing behind the last allowed character', () => {
    expect(() => parseQuery('a'.repeat(MAX_SEARCH_TEXT))).not.toThrow();
    expect(errorOf('a'.repeat(MAX_SEARCH_TEXT + 1)).message).toBe(
      `column ${MAX_SEARCH_TEXT + 1}: the query is longer than ${MAX_SEARCH_TEXT} characters`,
    );
  });

  it.each(['(', 'x:(', '-', '!', 'NOT ', 'NOT (', '+(', '-x:('])(
    '%j repeated as often as the length allows',
    (opening) => {
      const often = Math.floor(MAX_SEARCH_TEXT / opening.length);
      expect(errorOf(opening.repeat(often)).message).toMatch(/^column \d+: more than 50 groups and negations inside/);
    },
  );

  it('one level more than the depth that is allowed', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(() => parseQuery(nested(MAX_QUERY_DEPTH))).not.toThrow();
    expect(errorOf(nested(MAX_QUERY_DEPTH + 1)).column).toBe(MAX_QUERY_DEPTH + 1);
  });

  it('no long list of clauses that is not deep', () => {
    expect(() => parseQuery('-a '.repeat(5_000))).not.toThrow();
    expect(() => parseQuery(`${'(a) OR '.repeat(2_000)}a`)).not.toThrow();
  });
});
