import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { add, assignmentsBody, dataset, definitionBody, property } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let source: TestServer;
let target: TestServer;
beforeEach(async () => {
  source = await TestServer.open();
  target = await TestServer.open();
  await source.catalog.define('p');
  await source.catalog.dataset('d');
  await source.catalog.assign(dataset('d'), { p: ['v'] });
});
afterEach(async () => {
  await source.close();
  await target.close();
});

async function exported(): Promise<string[]> {
  const { payload } = await source.server.inject({ method: 'GET', url: '/export' });
  return payload.split(/(?<=\n)/u);
}

async function send(lines: readonly string[], before = 0, type = 'application/x-ndjson') {
  const { id } = JSON.parse(lines[0] ?? '');
  return target.send('POST', `/import?id=${id}&before=${before}`, {
    body: lines.slice(before).join(''),
    headers: { 'content-type': type },
  });
}

describe('GET /export', () => {
  it('answers with lines of JSON, the header first and the end last', async () => {
    const answer = await source.server.inject({ method: 'GET', url: '/gms/export' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    const lines = answer.payload
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ kind: 'header', format: 'proplane-export', version: 1, entities: 2 });
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: 4 });
  });

  it.each(['after=entity:x', 'lines=3', 'after=&lines=1', 'after=entity%3Ax&lines=0'])('refuses %s', async (query) => {
    expect(await source.get(`/export?${query}`)).toMatchObject({ status: 400, body: { error: 'Malformed Request' } });
  });
});

describe('POST /import', () => {
  it('answers with how far it is', async () => {
    expect((await target.get('/import')).body).toEqual({ state: 'none', lines: 0 });
    const lines = await exported();
    expect(await send(lines.slice(0, 2))).toMatchObject({ status: 200, body: { state: 'open', lines: 2 } });
    expect(await send(lines, 2)).toMatchObject({ status: 200, body: { state: 'finished', lines: 4 } });
    expect((await target.get('/import')).body).toMatchObject({ state: 'finished', lines: 4 });
    expect(
      (await target.get(path('v3', dataset('d'), 'structuredProperties'))).body.structuredProperties.value,
    ).toEqual(assignmentsBody({ p: ['v'] }));
  });

  it('takes nothing but lines', async () => {
    const lines = await exported();
    expect((await send(lines, 0, 'application/json')).status).toBe(415);
    expect(
      (await target.send('POST', '/import?id=x&before=0', { headers: { 'content-type': 'application/x-ndjson' } }))
        .status,
    ).toBe(400);
    expect((await target.send('POST', '/import')).status).toBe(400);
    expect(
      (
        await target.post(path('v3', dataset('d'), 'status'), lines.join(''), {
          'content-type': 'application/x-ndjson',
        })
      ).status,
    ).toBe(415);
  });

  it('takes a line of the largest entity that there may be', async () => {
    const description = 'x'.repeat(12 * 1024 * 1024 - 2_000);
    await source.post(path('v3', dataset('d'), 'editableDatasetProperties'), { description });
    expect(await send(await exported())).toMatchObject({ status: 200, body: { state: 'finished' } });
  });

  it('says which line is wrong', async () => {
    const lines = await exported();
    expect(await send(lines.with(2, '{"kind":\n'))).toMatchObject({
      status: 400,
      body: { error: 'Malformed Request', message: expect.stringContaining('line 3: ') },
    });
  });
});

describe('while an import is under way', () => {
  beforeEach(async () => {
    await send((await exported()).slice(0, 2));
  });

  it('every write is refused for now, and changes nothing', async () => {
    const d = path('v3', dataset('d'), 'structuredProperties');
    const refused = [
      await target.post(path('v3', property('q'), 'propertyDefinition'), definitionBody('q')),
      await target.patch(d, [add('p', 'w')]),
      await target.send('DELETE', path('v3', dataset('d'))),
      await target.post('/openapi/v3/entity/dataset', []),
      await target.post('/resources/register', { source: 'git', resources: [] }),
      await target.send('DELETE', '/owners?source=a&kind=b&namespace=c&name=d'),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 503,
        body: { error: 'Service Unavailable', message: expect.stringContaining('An import is under way') },
      });
      expect(answer.headers['retry-after']).toBeDefined();
    }
  });

  it('reads, searches and jobs go on', async () => {
    expect((await target.get(path('v3', dataset('d')))).status).toBe(200);
    expect((await target.get('/openapi/v3/entity/dataset')).status).toBe(200);
    expect((await target.get('/resources')).status).toBe(200);
    expect((await target.post('/openapi/v3/entity/dataset/batchGet', [])).status).toBe(200);
    expect((await target.post('/openapi/v2/entity/batch/dataset', { urns: [] })).status).toBe(200);
    expect((await target.post('/openapi/v3/entity/scroll', {})).status).toBe(200);
    expect((await target.post('/jobs', { kind: 'system-update' })).status).toBe(202);
    expect((await target.get('/ready')).status).toBe(200);
  });

  it('nothing is exported', async () => {
    expect((await target.get('/export')).status).toBe(503);
  });
});
