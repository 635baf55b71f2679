import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assignmentBody, dataset, property } from '../../harness/catalog.ts';
import { type Answer, path, TestServer } from '../../harness/http.ts';

let api: TestServer;
let count = 0;
/** A dataset of its own for each test. */
let d = '';
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
});
afterAll(() => api.close());
beforeEach(async () => {
  count += 1;
  d = dataset(`d${count}`);
});

const at = (time: number) => new Date(time).toISOString();
const versionOf = async (urn: string, aspect: string) => {
  const { body } = await api.get(`${path('v3', urn, aspect)}?systemMetadata=true`);
  return body[aspect]?.systemMetadata.version;
};

function write(text: string, headers: object): Promise<Answer> {
  return api.post(path('v3', d, 'editableDatasetProperties'), { value: { description: text }, headers });
}
const described = async () =>
  (await api.get(path('v3', d, 'editableDatasetProperties'))).body.editableDatasetProperties?.value.description;

describe('If-Version-Match', () => {
  it('lets a write happen only on the version that it names', async () => {
    expect((await write('one', { 'If-Version-Match': '-1' })).status).toBe(200);
    const again = await write('two', { 'If-Version-Match': '-1' });
    expect([again.status, again.body]).toEqual([
      412,
      {
        error: 'Precondition Error',
        message: 'editableDatasetProperties: If-Version-Match: expected version -1, actual 1',
        violations: [
          {
            code: 'unmet-precondition',
            path: 'editableDatasetProperties',
            message: 'If-Version-Match: expected version -1, actual 1',
          },
        ],
      },
    ]);
    expect(await described()).toBe('one');
    expect((await write('two', { 'if-version-match': 1 })).status).toBe(200);
    expect(await versionOf(d, 'editableDatasetProperties')).toBe('2');
    expect((await write('three', { 'If-Version-Match': '1' })).status).toBe(412);
    expect((await write('three', { 'If-Version-Match': '-10000' })).status).toBe(412);
    expect(await described()).toBe('two');
  });

  it('never holds of what was deleted and made anew, the aspect or the entity, before and after its trace is gone', async () => {
    const stale: string[] = [];
    const isStale = async () => {
      const version = await versionOf(d, 'editableDatasetProperties');
      for (const earlier of stale)
        expect([earlier, (await write('stale', { 'If-Version-Match': earlier })).status]).toEqual([earlier, 412]);
      stale.push(version);
    };
    await write('one', {});
    await write('two', {});
    await isStale();
    expect(stale).toEqual(['2']);
    await api.send('DELETE', path('v3', d, 'editableDatasetProperties'));
    await write('three', {});
    await isStale();
    await api.send('DELETE', path('v3', d));
    await write('four', {});
    await isStale();
    await api.send('DELETE', path('v3', d));
    const { store } = api.catalog.parts;
    await store.entities.clean([(await store.entities.get(d))!]);
    expect(await store.entities.purge(Number.MAX_SAFE_INTEGER, 10)).toBe(1);
    await write('five', { 'If-Version-Match': '-1' });
    await isStale();
    expect(new Set(stale).size).toBe(4);
    expect((await write('six', { 'If-Version-Match': stale.at(-1) })).status).toBe(200);
  });

  it('of a key aspect asks whether the entity exists', async () => {
    const create = () =>
      api.post(path('v3', d, 'datasetKey'), {
        value: { name: `d${count}`, platform: 'urn:li:dataPlatform:hive', origin: 'PROD' },
        headers: { 'If-Version-Match': '-1' },
      });
    expect((await create()).status).toBe(200);
    expect((await create()).status).toBe(412);
  });

  it('holds for the values of an entity, whoever was faster', async () => {
    await api.catalog.dataset(`d${count}`);
    const set = (value: string, version: string) =>
      api.post(path('v3', d, 'structuredProperties'), {
        value: { properties: [assignmentBody('p', value)] },
        headers: { 'If-Version-Match': version },
      });
    const racers = await Promise.all(Array.from({ length: 10 }, (_, index) => set(`v${index}`, '-1')));
    expect(racers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(racers.filter(({ status }) => status === 412)).toHaveLength(9);
    expect(await versionOf(d, 'structuredProperties')).toBe('1');
  });
});

describe('a condition on time', () => {
  it('compares with the last write of the aspect', async () => {
    const time = api.catalog.clock.now();
    expect((await write('one', { 'If-Modified-Since': at(time - 1) })).status).toBe(412);
    expect((await write('one', { 'If-Unmodified-Since': at(time - 1) })).status).toBe(200);
    expect((await write('two', { 'If-Unmodified-Since': at(time - 1) })).status).toBe(412);
    expect((await write('two', { 'If-Modified-Since': at(time) })).status).toBe(412);
    expect((await write('two', { 'If-Modified-Since': at(time - 1) })).status).toBe(200);
    expect((await write('three', { 'If-Unmodified-Since': at(time) })).status).toBe(200);
  });
});

describe('If-None-Match', () => {
  it('leaves the aspect out where it is there already', async () => {
    expect((await write('one', { 'If-None-Match': '*' })).status).toBe(200);
    const again = await write('two', { 'If-None-Match': '*' });
    expect([again.status, again.body.editableDatasetProperties.value]).toEqual([200, { description: 'one' }]);
    const twice = await api.post('/openapi/v3/entity/dataset?async=false', [
      {
        urn: d,
        editableDatasetProperties: { value: { description: 'three' }, headers: { 'If-None-Match': '*' } },
        subTypes: { value: { typeNames: ['table'] }, headers: { 'If-None-Match': '*' } },
      },
    ]);
    expect(twice.status).toBe(200);
    expect(await described()).toBe('one');
    expect(await versionOf(d, 'subTypes')).toBe('1');
  });

  it('leaves a definition as it is', async () => {
    const name = `q${count}`;
    const define = (valueType: string) =>
      api.post(path('v3', property(name), 'propertyDefinition'), {
        value: { qualifiedName: name, valueType, entityTypes: ['dataset'] },
        headers: { 'If-None-Match': '*' },
      });
    expect((await define('string')).status).toBe(200);
    const again = await define('number');
    expect(again.body.propertyDefinition.value.valueType).toBe('urn:li:dataType:datahub.string');
  });
});

describe('a batch with conditions', () => {
  it('is refused whole when one of them does not hold', async () => {
    await write('one', {});
    const other = dataset(`other${count}`);
    const answer = await api.post('/openapi/v3/entity/dataset?async=false', [
      { urn: other, editableDatasetProperties: { value: { description: 'x' } } },
      {
        urn: d,
        editableDatasetProperties: { value: { description: 'two' }, headers: { 'If-Version-Match': '7' } },
      },
    ]);
    expect([answer.status, answer.body.message]).toEqual([
      412,
      `${d} editableDatasetProperties: If-Version-Match: expected version 7, actual 1`,
    ]);
    expect(await described()).toBe('one');
    expect((await api.get(path('v3', other))).status).toBe(404);
  });

  it('of patches is refused whole too', async () => {
    await write('one', {});
    const patch = (version: string) =>
      api.patch('/openapi/v3/entity/dataset?async=false', [
        { urn: dataset('p1'), status: { value: { patch: [{ op: 'add', path: '/removed', value: false }] } } },
        {
          urn: d,
          editableDatasetProperties: {
            value: { patch: [{ op: 'replace', path: '/description', value: 'patched' }] },
            headers: { 'If-Version-Match': version },
          },
        },
      ]);
    expect((await patch('7')).status).toBe(412);
    expect((await api.get(path('v3', dataset('p1')))).status).toBe(404);
    expect((await patch('1')).status).toBe(200);
    expect(await described()).toBe('patched');
  });
});

describe('several items of one entity', () => {
  const patchTags = (name: string, headers: object = {}) => ({
    urn: d,
    subTypes: { value: { patch: [{ op: 'add', path: '/typeNames', value: [name] }] }, headers },
  });
  const typeNames = async () => (await api.get(path('v3', d, 'subTypes'))).body.subTypes?.value.typeNames;

  it('have each their own conditions', async () => {
    await api.post(path('v3', d, 'subTypes'), { typeNames: ['zero'] });
    const send = (...items: object[]) => api.patch('/openapi/v3/entity/dataset?async=false', items);
    const wrong = { 'If-Version-Match': -10_000 };
    expect((await send(patchTags('first', wrong), patchTags('second', { 'If-Version-Match': 1 }))).status).toBe(412);
    expect((await send(patchTags('first', { 'If-Version-Match': 1 }), patchTags('second', wrong))).status).toBe(412);
    expect(await typeNames()).toEqual(['zero']);
    expect((await send(patchTags('first'), patchTags('second', { 'If-None-Match': '*' }))).status).toBe(200);
    expect(await typeNames()).toEqual(['first']);
  });

  it('cannot name the key aspect twice', async () => {
    const key = { name: `d${count}`, platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };
    const item = (version: number) => ({
      urn: d,
      datasetKey: { value: key, headers: { 'If-Version-Match': version } },
    });
    const answer = await api.post('/openapi/v3/entity/dataset', [item(-1), item(1)]);
    expect([answer.status, answer.body.message]).toEqual([400, `${d} has the aspect datasetKey twice in one request`]);
  });
});

it('a key aspect is refused by createIfNotExists when its entity is there', async () => {
  const key = { name: `d${count}`, platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };
  const create = () => api.post(`${path('v3', d, 'datasetKey')}?createIfNotExists=true`, key);
  expect((await create()).status).toBe(200);
  expect((await create()).body.message).toContain('Cannot perform CREATE since the aspect already exists');
});

it.each(['If-Version-Match: 1', [{ 'If-Version-Match': '1' }], 5])('headers %j are refused', async (headers) => {
  const answer = await write('one', headers as object);
  expect([answer.status, answer.body.message]).toEqual([400, 'headers: an object is expected']);
  expect((await api.get(path('v3', d))).status).toBe(404);
});

it.each([
  [{ 'If-Version-Match': 'x' }, 'headers: if-version-match: '],
  [{ 'If-Version-Match': null }, 'headers: if-version-match: '],
  [{ 'If-Version-Match': '' }, 'headers: if-version-match: '],
  [{ 'If-Modified-Since': 'Sat, 21 Nov 2026 10:00:00 GMT' }, 'headers: if-modified-since: an ISO 8601 instant'],
  [{ 'If-None-Match': '"etag"' }, 'headers: if-none-match: only * is supported'],
  [{ 'If-Match': '1' }, 'headers: unknown field "if-match"'],
])('the condition %j cannot be read and nothing is written', async (headers, message) => {
  const answer = await write('one', headers);
  expect([answer.status, answer.body.error]).toEqual([400, 'Malformed Request']);
  expect(answer.body.message).toContain(message);
  expect((await api.get(path('v3', d))).status).toBe(404);
});

it('headers that are no conditions are accepted', async () => {
  expect((await write('one', { 'X-DataHub-Sync-Index-Update': 'true' })).status).toBe(200);
});
