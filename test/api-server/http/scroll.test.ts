import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { assignmentBody, dataset, property } from '../../harness/catalog.ts';
import { TestServer } from '../../harness/http.ts';

const FLOW = 'urn:li:dataFlow:(airflow,f,PROD)';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  const { catalog } = api;
  await catalog.define('p', { valueType: 'number', cardinality: 'MULTIPLE', entityTypes: ['dataset', 'dataFlow'] });
  for (const name of ['a', 'b', 'c']) await catalog.dataset(name);
  await catalog.write(FLOW, { dataFlowInfo: { name: 'f' } });
  await catalog.assign(dataset('a'), { p: [1, 5] });
  await catalog.assign(FLOW, { p: [5] });
  await catalog.write(dataset('c'), { status: { removed: true } });
  await catalog.index();
});
afterAll(() => api.close());

const scroll = (body: object, parameters = '') => api.post(`/openapi/v3/entity/scroll?${parameters}`, body);
const urns = (answer: Awaited<ReturnType<typeof scroll>>) =>
  answer.body.entities.map(({ urn }: { urn: string }) => urn);
const where = (...criteria: object[]) => ({ filter: { and: [{ criteria }] } });

it('goes over all types that are searchable, or those that are named', async () => {
  expect(urns(await scroll({}))).toEqual([FLOW, dataset('a'), dataset('b')]);
  expect(urns(await scroll({ entities: ['dataset'] }))).toEqual([dataset('a'), dataset('b')]);
  expect(urns(await scroll({ entities: ['structuredProperty'] }))).toEqual([property('p')]);
  expect((await scroll({ entities: ['table'] })).body.message).toBe('Unknown entity type table');
});

it('shows URNs only, all aspects, or those that are named', async () => {
  expect((await scroll({})).body.entities[1]).toEqual({ urn: dataset('a') });
  expect(Object.keys((await scroll({ aspects: [] })).body.entities[1])).toContain('datasetProperties');
  expect((await scroll({ aspects: ['structuredProperties'] })).body).toEqual({
    scrollId: null,
    totalCount: 3,
    entities: [
      { urn: FLOW, structuredProperties: { value: { properties: [assignmentBody('p', 5)] } } },
      { urn: dataset('a'), structuredProperties: { value: { properties: [assignmentBody('p', 1, 5)] } } },
    ],
  });
});

it('finds by filters and a query at once, in the order that is asked for', async () => {
  const five = { field: 'structuredProperties.p', condition: 'EQUAL', values: ['5'] };
  expect(urns(await scroll(where(five)))).toEqual([FLOW, dataset('a')]);
  expect(urns(await scroll(where(five), 'query=platform:hive'))).toEqual([dataset('a')]);
  expect(urns(await scroll(where({ ...five, negated: true })))).toEqual([dataset('b')]);
  expect(urns(await scroll({ ...where({ field: five.field, value: '1' }) }))).toEqual([dataset('a')]);
  const descending = { sortCriteria: [{ field: 'urn', order: 'DESCENDING' }] };
  expect(urns(await scroll(descending))).toEqual([dataset('b'), dataset('a'), FLOW]);
  expect(urns(await scroll(where({ field: 'removed', values: ['true'] })))).toEqual([dataset('c')]);
});

it('goes through pages until scrollId is null', async () => {
  const first = await scroll({}, 'count=2');
  const second = await scroll({}, `count=2&scrollId=${first.body.scrollId}`);
  expect([urns(first), urns(second), second.body.scrollId]).toEqual([[FLOW, dataset('a')], [dataset('b')], null]);
});

it('names what it cannot read', async () => {
  const wrong = await scroll({ ...where({ field: 'p', condition: 'LIKE' }), colour: 'red' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.message).toContain('condition');
  expect(wrong.body.message).toContain('colour');
  const number = await scroll(where({ field: 'structuredProperties.p', values: ['many'] }));
  expect([number.status, number.body.message]).toEqual([
    400,
    'filter EQUAL on structuredProperties.p: a number is expected, not many',
  ]);
});
