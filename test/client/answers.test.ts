import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countHolders, listEntities, readEntity } from '../../client/entities.ts';
import { createHttpClient, type HttpClient } from '../../client/http-client.ts';
import { listJobs } from '../../client/jobs.ts';
import { readMarks } from '../../client/owner-marks.ts';
import { listResources } from '../../client/resource-records.ts';
import { property } from '../harness/catalog.ts';

let server: Server;
let http: HttpClient;
const asked: string[] = [];
let answers: unknown[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    response.end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttpClient({ host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const job = {
  id: 'x',
  kind: 'fields',
  subject: 'y',
  state: 'done',
  pass: 1,
  created: 0,
  total: 0,
  processed: 0,
  remaining: 0,
};
const mark = { source: 's', kind: 'k', namespace: 'n', name: 'm', deletionPolicy: 'Retain', urn: 'u' };
const definition = { qualifiedName: 'p', valueType: 'urn:li:dataType:datahub.string', entityTypes: [] };

describe('an answer of a newer server', () => {
  it('is understood: what it says more is no mistake, and a job or a resource is shown whole', async () => {
    const newer = { ...job, kind: 'polishing', state: 'resting', colour: 'red' };
    const record = { kind: 'K', namespace: 'n', name: 'm', source: 's', generation: 1, created: 0, colour: 'red' };
    answers = [{ jobs: [newer], more: 1 }, { resources: [record], more: 1 }, { owners: [{ ...mark, colour: 'red' }] }];
    expect(await listJobs(http, {})).toEqual([newer]);
    expect(await listResources(http, undefined)).toEqual([record]);
    expect(await readMarks(http, {})).toEqual([mark]);
  });

  it('is understood also where aspects, and what stands beside them, have more', async () => {
    const propertyDefinition = { value: { ...definition, colour: 'red' } };
    const status = { value: { removed: true, colour: 'red' }, systemMetadata: {} };
    answers = [{ urn: property('p'), propertyDefinition, status, colours: ['red'], shade: { of: 'red' } }];
    expect(await readEntity(http, property('p'))).toEqual({
      urn: property('p'),
      aspects: { propertyDefinition: propertyDefinition.value, status: status.value },
      definition: propertyDefinition.value,
      assignments: [],
      removed: true,
    });
  });
});

describe('an answer that is not as a server sends it', () => {
  const host = () => http.host;

  it('is told with its address, the place and what was expected', async () => {
    const { remaining: _absent, ...broken } = job;
    answers = [{ jobs: [broken] }, { total: 1 }, 'hello'];
    await expect(listJobs(http, {})).rejects.toMatchObject({
      code: 'unavailable',
      message: `GET ${host()}/jobs: the answer is not as a Proplane server sends it: jobs[0].remaining: Invalid input: expected number, received undefined`,
    });
    await expect(countHolders(http, definition)).rejects.toThrow(
      `POST ${host()}/openapi/v3/entity/scroll: the answer is not as a Proplane server sends it: totalCount: `,
    );
    await expect(readMarks(http, {})).rejects.toThrow(`GET ${host()}/owners: the answer is not`);
  });

  it('is told also when an aspect with rules is not as it has to be', async () => {
    answers = [{ urn: property('p'), propertyDefinition: { value: { entityTypes: [] } } }];
    await expect(readEntity(http, property('p'))).rejects.toThrow('propertyDefinition.value.qualifiedName: ');
  });
});

describe('a listing', () => {
  it('goes on behind a page of which nothing is left', async () => {
    asked.length = 0;
    answers = [
      { entities: [], totalCount: 2, scrollId: 'next' },
      { entities: [{ urn: property('p') }], totalCount: 2 },
    ];
    const urns = await Array.fromAsync(listEntities(http, 'structuredProperty', {}), ({ urn }) => urn);
    expect([urns, asked.length]).toEqual([[property('p')], 2]);
  });
});
