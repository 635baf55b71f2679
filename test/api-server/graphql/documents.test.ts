import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { KnownDocuments } from '../../../api-server/graphql/documents.ts';
import { KEPT_DOCUMENT_BYTES, MAX_ANSWER, MAX_TOKENS } from '../../../api-server/graphql/limits.ts';
import { dataset } from '../../harness/catalog.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open();
  await server.catalog.write(dataset('x'), { datasetProperties: { name: 'x', description: 'y'.repeat(1_000_000) } });
});
afterAll(() => server.close());

const READ = 'query Read($urn: String!) { dataset(urn: $urn) { urn name } }';

describe('a document that was read before', () => {
  it.each([
    ['that is right', { query: READ, variables: { urn: dataset('x') } }],
    ['of two operations', { query: `${READ} query Other { __typename }`, operationName: 'Other' }],
    ['of two operations, none of them named', { query: `${READ} query Other { __typename }` }],
    ['whose operation is not there', { query: READ, operationName: 'None', variables: { urn: dataset('x') } }],
    ['with a variable that is none', { query: READ, variables: { urn: { not: 'a text' } } }],
    ['without its variable', { query: READ }],
    ['a field of which fails', { query: READ, variables: { urn: 'urn:li:tag:t' } }],
    [
      'that costs too much',
      { query: `{ ${'a: aggregateAcrossEntities(input: {query: "*"}) { facets { field } } '} }` },
    ],
    ['that is wrong', { query: '{ nothing }' }],
  ])('%s is answered as at the first time', async (_what, body) => {
    const first = await server.post('/api/graphql', body);
    // now it is known, where it is right
    await server.post('/api/graphql', { query: body.query, variables: { urn: dataset('x') } });
    expect(await server.post('/api/graphql', body)).toMatchObject({ status: first.status, body: first.body });
  });
});

describe('the documents that are kept', () => {
  const large = (index: number) => `{ ${'a '.repeat(MAX_TOKENS - 10)} } #${index}`;

  it('are so many bytes, and those asked for last', () => {
    const known = new KnownDocuments();
    for (let index = 0; index < 100; index += 1) known.keep(large(index), parse(large(index)));
    expect(known.bytes).toBeLessThanOrEqual(KEPT_DOCUMENT_BYTES);
    expect(known.find(large(99))).toBeDefined();
    expect(known.find(large(0))).toBeUndefined();
  });
});

it('an answer is no larger, however often one long text is asked for', async () => {
  const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: properties { description }`);
  const query = `{ dataset(urn: "${dataset('x')}") { ${aliases.join(' ')} } }`;
  const { body } = await server.post('/api/graphql', { query });
  expect(body).toMatchObject({ data: null, errors: [{ message: expect.stringContaining(String(MAX_ANSWER)) }] });
});
