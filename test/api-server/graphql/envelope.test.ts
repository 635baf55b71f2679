import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { CatalogError, type CatalogErrorCode, invalid } from '../../../api-server/catalog/errors.ts';
import { createServer } from '../../../api-server/create-server.ts';
import { ERROR_TYPES, errorItem, GRAPHQL_ERROR_TABLE } from '../../../api-server/graphql/errors.ts';
import { SearchError } from '../../../api-server/search/errors.ts';
import { StoreError } from '../../../api-server/store/errors.ts';
import { QuerySyntaxError } from '../../../model/query/errors.ts';
import { InvalidUrnError } from '../../../model/urn.ts';
import { violation } from '../../../model/violation.ts';
import { dataset, override } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  await server.catalog.dataset('x');
});
afterAll(() => server.close());

describe('an answer', () => {
  it('has data and empty extensions, and no errors', async () => {
    expect((await graphql.send(`{ dataset(urn: "${dataset('x')}") { name } }`)).body).toEqual({
      data: { dataset: { name: 'x' } },
      extensions: {},
    });
  });

  it('comes from every address of the endpoint', async () => {
    for (const path of [
      '/api/graphql',
      '/api/v2/graphql',
      '/gms/api/graphql',
      '/gms/api/v2/graphql',
      '//api/graphql/',
    ]) {
      expect(await new Graphql(server, path).data('{ __typename }')).toEqual({ __typename: 'Query' });
    }
  });

  it('carries the errors of fields beside the data of the others, with HTTP 200', async () => {
    const document = `{ __typename bad: dataset(urn: "nonsense") { urn } }`;
    const { status, body } = await graphql.send(document);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { __typename: 'Query', bad: null },
      errors: [
        {
          message: 'Invalid urn!: nonsense (expected urn:li:<entityType>:<id>)',
          locations: [{ line: 1, column: 14 }],
          path: ['bad'],
          extensions: { code: 400, type: 'BAD_REQUEST', classification: 'DataFetchingException' },
        },
      ],
      extensions: {},
    });
  });

  it.each([
    ['{', 'InvalidSyntax', 'Syntax Error: Expected Name, found <EOF>.'],
    ['', 'InvalidSyntax', 'Syntax Error: Unexpected <EOF>.'],
    ['{"kind": "Document", "definitions": []}', 'InvalidSyntax', 'Syntax Error'],
    ['[1]', 'InvalidSyntax', 'Syntax Error'],
    ['{ nothing }', 'ValidationError', 'Cannot query field "nothing" on type "Query".'],
    ['{ dataset { urn } }', 'ValidationError', 'Field "dataset" argument "urn"'],
    ['subscription { x }', 'ValidationError', 'subscription'],
    [
      'query($n: Int!) { scrollAcrossEntities(input: {query: "*", count: $n}) { count } }',
      'ValidationError',
      'Variable "$n"',
    ],
  ])('to a document that cannot be carried out has no data: %s', async (document, classification, message) => {
    const { status, body } = await graphql.send(document);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: null, extensions: {} });
    expect(body.errors?.length).toBeGreaterThan(0);
    for (const error of body.errors ?? []) {
      expect(error.extensions).toEqual({ code: 400, type: 'BAD_REQUEST', classification });
      expect(error).not.toHaveProperty('path');
    }
    expect(body.errors?.[0]?.message).toContain(message);
  });

  it('is to the operation that is named', async () => {
    const document = 'query one { a: __typename } query two { b: __typename }';
    const operation = async (operationName: unknown) =>
      (await graphql.send(document, undefined, { operationName })).body;
    expect((await operation('two')).data).toEqual({ b: 'Query' });
    expect((await operation('three')).errors?.[0]?.message).toBe('Unknown operation named "three".');
    expect((await operation(null)).errors?.[0]).toMatchObject({
      message: 'Must provide operation name if query contains multiple operations.',
      extensions: { code: 400, classification: 'ValidationError' },
    });
    const anonymous = await graphql.send('{ __typename }', {}, { operationName: 'three' });
    expect(anonymous.body.errors?.[0]?.message).toBe('Unknown operation named "three".');
  });
});

describe('a request that is none', () => {
  it.each([
    ['no JSON', '{"query": ', 'Invalid JSON format'],
    ['no query', { variables: {} }, 'Validation Error'],
    ['a query that is no text', { query: 5 }, 'Validation Error'],
    ['several at once', [{ query: '{ __typename }' }], 'Validation Error'],
    ['variables that are no object', { query: '{ __typename }', variables: 'x' }, 'Validation Error'],
  ])('gets 400 in the shape of all errors: %s', async (_what, body, error) => {
    const answer = await server.post('/api/graphql', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error, message: expect.any(String) });
  });

  it('by GET gets 405', async () => {
    const { status, body } = await server.get('/api/graphql?query={__typename}');
    expect({ status, body }).toEqual({
      status: 405,
      body: { error: 'Method Not Allowed', message: 'No endpoint GET /api/graphql; there is POST.' },
    });
  });

  it('takes further fields of the body, which some clients send', async () => {
    const answer = await graphql.send('{ __typename }', null, { extensions: {}, operationName: '' });
    expect(answer.body.data).toEqual({ __typename: 'Query' });
  });
});

describe('the table of errors', () => {
  const failed = (original: Error) => new GraphQLError('x', { path: ['a'], originalError: original });
  const shown = (original: Error) => {
    const reported: Error[] = [];
    const { message, extensions } = errorItem(failed(original), (fault) => reported.push(fault));
    return { message, code: extensions.code, type: extensions.type, reported: reported.length };
  };

  it('tells the violated rules by their codes', () => {
    const error = invalid([{ ...violation('unknown-field', 'a', 'b'), field: 'c' }]);
    const { extensions } = errorItem(failed(error), () => {});
    expect(extensions.violations).toEqual([{ code: 'unknown-field', path: 'a', message: 'b' }]);
  });

  it.each(Object.entries(GRAPHQL_ERROR_TABLE))('gives a refusal %s the type %s and its number', (code, type) => {
    expect(shown(new CatalogError(code as CatalogErrorCode, 'why', []))).toEqual({
      message: 'why',
      code: ERROR_TYPES[type],
      type,
      reported: code === 'damaged' ? 1 : 0,
    });
  });

  it.each([
    [new InvalidUrnError('x', 'why'), 400],
    [new QuerySyntaxError('x', { start: 0, end: 1 }, 'why'), 400],
    [new SearchError('too-large', 'why'), 400],
    [new SearchError('unavailable', 'secret'), 503],
    [new StoreError('unavailable', 'secret'), 503],
    [new CatalogError('timeout', 'why'), 504],
    [new CatalogError('missing', 'why'), 404],
  ])('gives %s the code %d', (error, code) => {
    expect(shown(error)).toMatchObject({ code, reported: 0 });
    expect(shown(error).message).not.toContain('secret');
  });

  it('has the numbers that clients of the reference catalogue know', () => {
    expect(ERROR_TYPES).toEqual({
      BAD_REQUEST: 400,
      UNAUTHORIZED: 403,
      NOT_FOUND: 404,
      CONFLICT: 409,
      SERVER_ERROR: 500,
      SERVICE_UNAVAILABLE: 503,
      DEADLINE_EXCEEDED: 504,
    });
  });

  it('hides what went wrong inside, and reports it', () => {
    expect(shown(new TypeError('secret'))).toEqual({
      message: 'An unknown error occurred.',
      code: 500,
      type: 'SERVER_ERROR',
      reported: 1,
    });
  });
});

describe('a fault', () => {
  it('is logged with the request, and its message is not in the answer', async () => {
    const { parts } = server.catalog;
    const lines: unknown[][] = [];
    const log: typeof parts.log = override(parts.log, {
      child: (() => log) as never,
      error: ((...line: unknown[]) => lines.push(line)) as never,
    });
    const search = override(parts.search, { search: () => Promise.reject(new Error('secret')) });
    const broken = await createServer({ ...parts, search, log }, '1');
    const payload = { query: '{ scrollAcrossEntities(input: {query: "*"}) { count } }' };
    const answer = await broken.inject({ method: 'POST', url: '/api/graphql', payload });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      data: { scrollAcrossEntities: null },
      errors: [{ message: 'An unknown error occurred.', extensions: { code: 500, type: 'SERVER_ERROR' } }],
    });
    expect(lines).toMatchObject([[{ err: { message: 'secret' } }, 'a field of a GraphQL request failed']]);
    await broken.close();
  });

  it('of a backend that is away is 503, and of a request that took too long 504', async () => {
    const { parts } = server.catalog;
    const ask = async (changes: object) => {
      const other = await createServer({ ...parts, ...changes }, '1');
      const payload = { query: '{ scrollAcrossEntities(input: {query: "*"}) { count } }' };
      const answer = await other.inject({ method: 'POST', url: '/api/graphql', payload });
      await other.close();
      return answer.json().errors[0].extensions;
    };
    const away = { search: () => Promise.reject(new SearchError('unavailable', 'x')) };
    expect(await ask({ search: override(parts.search, away) })).toMatchObject({
      code: 503,
      type: 'SERVICE_UNAVAILABLE',
    });
    let time = 0;
    expect(await ask({ monotonic: () => (time += 60_000) })).toMatchObject({ code: 504, type: 'DEADLINE_EXCEEDED' });
  });
});
