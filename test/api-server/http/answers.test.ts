import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import {
  batchResponse,
  entityResponse,
  listResponse,
  readResponse,
  writeResponse,
} from '../../../api-server/http/schemas.ts';
import { errorBodySchema } from '../../../model/wire/error-body.ts';
import { add, assignmentBody, dataset, definitionBody, property } from '../../harness/catalog.ts';
import { type Answer, path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.dataset('d');
});
afterAll(() => api.close());

const d = dataset('d');
const p = property('p');
const definition = definitionBody('p', {
  displayName: 'P',
  description: 'x',
  cardinality: 'MULTIPLE',
  allowedValues: [{ value: { string: 'a' }, description: 'A' }, { value: { string: 'b' } }],
  immutable: false,
  version: '20240614080000',
  searchConfiguration: { fieldType: 'KEYWORD' },
  created: { time: 1, actor: 'urn:li:corpuser:ada' },
});
const values = {
  properties: [
    {
      ...assignmentBody('p', 'a', 'b'),
      attribution: { source: 'x' },
      lastModified: { time: 2, actor: 'urn:li:corpuser:ada' },
    },
  ],
};

/** The answer is what the schema says: nothing is missing, nothing is wrong and nothing more is there. */
function expectShape(schema: z.ZodType, { body }: Answer): void {
  expect(schema.parse(body)).toEqual(body);
}

describe.each(['v2', 'v3'] as const)('answers of version %s', (version) => {
  const shape = (aspect?: string) => writeResponse(version, aspect);

  it.each(['', '?systemMetadata=true', '?async=true'])(
    'to writes and reads have the shape that is documented%s',
    async (query) => {
      const definitionPath = path(version, p, 'propertyDefinition');
      expectShape(shape('propertyDefinition'), await api.post(definitionPath + query, definition));
      expectShape(shape('status'), await api.post(path(version, p, 'status') + query, { removed: false }));
      const valuesPath = path(version, d, 'structuredProperties');
      expectShape(shape('structuredProperties'), await api.post(valuesPath + query, values));
      expectShape(shape('structuredProperties'), await api.patch(valuesPath + query, [add('p', 'b')]));
      expectShape(shape(), await api.post(path(version, d, 'globalTags') + query, { tags: [] }));
      const read = query.replace('?async=true', '');
      expectShape(readResponse(version, 'propertyDefinition'), await api.get(definitionPath + read));
      expectShape(readResponse(version, 'structuredProperties'), await api.get(valuesPath + read));
      expectShape(readResponse(version, 'status'), await api.get(path(version, p, 'status') + read));
      expectShape(readResponse(version), await api.get(path(version, d, 'globalTags') + read));
      expectShape(entityResponse(version), await api.get(path(version, d) + read));
      expectShape(entityResponse(version), await api.get(path(version, p) + read));
    },
  );

  it('to listings and batches have the shape that is documented', async () => {
    await api.catalog.index();
    for (const query of ['', '?count=1', '?systemMetadata=true&aspects=datasetKey', '?query=name:nothing']) {
      expectShape(listResponse(version), await api.get(`/openapi/${version}/entity/dataset${query}`));
    }
    const status = { status: { value: { removed: false } } };
    const items = [d, dataset('e')].map((urn) => (version === 'v2' ? { urn, aspects: status } : { urn, ...status }));
    expectShape(
      batchResponse(version),
      await api.post(`/openapi/${version}/entity/dataset?systemMetadata=true`, items),
    );
  });

  it('to what is wrong have the shape of an error', async () => {
    for (const answer of [
      await api.get(path(version, dataset('none'), 'status')),
      await api.get(`/openapi/${version}/entity/nothing`),
      await api.get(`/openapi/${version}/entity/dataset?count=x`),
      await api.post(path(version, p, 'propertyDefinition'), {}),
      await api.post(path(version, p, 'propertyDefinition'), '{'),
      await api.patch(path(version, d, 'structuredProperties'), [{ op: 'move' }]),
      await api.get('/nothing'),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectShape(errorBodySchema, answer);
    }
  });
});

describe('metrics', () => {
  it('are the text that Prometheus reads, with requests by route and never by URN', async () => {
    await api.get(path('v3', d));
    const { body, headers } = await api.get('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toMatch(
      /^proplane_http_request_duration_seconds_count\{method="GET",route="\/openapi\/v3\/entity\/:entityType\/:urn",status="200"\} \d+$/mu,
    );
    expect(body).toMatch(/^proplane_outbox_entities \d+$/mu);
    expect(body).not.toContain('urn:li');
  });
});
