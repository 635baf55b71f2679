import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { escapeToken } from '../../model/patch.ts';
import { escapeWord } from '../../model/query/print.ts';
import { Api, entityPath, eventually, postBatch } from '../harness/api.ts';
import { AWKWARD_NUMBERS, AWKWARD_TEXTS, PRINTABLE } from '../harness/awkward.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { Graphql } from '../harness/graphql.ts';
import { compareText } from '../harness/memory-search-index.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** Awkward values, allowed values, names and URNs through POST, PATCH, query, GraphQL and facets, exactly. */

const TEXT = 'com.example.awkward.text';
const NUMBER = 'com.example.awkward.number';
const property = (name: string) => `urn:li:structuredProperty:${name}`;
const datasetUrn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const quoted = (text: string) => `"${text.replace(/["\\]/gu, '\\$&')}"`;
const typed = (value: string | number) => (typeof value === 'number' ? { double: value } : { string: value });

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;
  let graphql: Graphql;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment, role: 'api-server' });
    api = new Api(proplane.url);
    graphql = new Graphql(api);
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  async function define(name: string, valueType: string, rest: object = {}): Promise<void> {
    const body = { qualifiedName: name, valueType, cardinality: 'MULTIPLE', entityTypes: ['dataset'], ...rest };
    const answer = await api.post(entityPath('v3', property(name), 'propertyDefinition'), body);
    expect({ name, status: answer.status, message: answer.body.message }).toEqual({
      name,
      status: 200,
      message: undefined,
    });
  }

  async function makeDatasets(names: readonly string[]): Promise<void> {
    await postBatch(
      api,
      'dataset',
      names.map((name) => ({ urn: datasetUrn(name), status: { removed: false } })),
    );
  }

  /** One value of a property, by POST or by PATCH. @returns the assignment as the answer shows it. */
  async function put(urn: string, name: string, value: string | number, door: 'POST' | 'PATCH'): Promise<unknown> {
    const path = entityPath('v3', urn, 'structuredProperties');
    const assignment = { propertyUrn: property(name), values: [typed(value)] };
    const operation = { op: 'add', path: `/properties/${escapeToken(property(name))}`, value: assignment };
    const { status, body } =
      door === 'POST'
        ? await api.post(path, { properties: [assignment] })
        : await api.patch(path, { patch: [operation], arrayPrimaryKeys: { properties: ['propertyUrn'] } });
    expect({ name, value, status, message: body.message }).toEqual({ name, value, status: 200, message: undefined });
    return body.structuredProperties.value.properties;
  }

  async function shown(urn: string): Promise<unknown> {
    return (await api.get(entityPath('v3', urn, 'structuredProperties'))).body.structuredProperties.value.properties;
  }

  async function query(text: string): Promise<string[]> {
    const { status, body } = await api.get(
      `/openapi/v3/entity/dataset?count=1000&aspects=datasetKey&query=${encodeURIComponent(text)}`,
    );
    expect({ text, status, message: body.message }).toEqual({ text, status: 200, message: undefined });
    return body.entities.map(({ urn }: { urn: string }) => urn);
  }

  const holderOf = (kind: string, index: number) => datasetUrn(`awkward.${kind}${String(index).padStart(3, '0')}`);
  const door = (index: number) => (index % 2 === 0 ? 'POST' : 'PATCH');

  describe.each([
    ['text', TEXT, 'string', AWKWARD_TEXTS],
    ['number', NUMBER, 'number', AWKWARD_NUMBERS],
  ] as const)('every awkward %s is an allowed value', (kind, name, type, values) => {
    const field = `structuredProperties.${name.replaceAll('.', '_')}`;

    beforeAll(async () => {
      await define(name, type, { allowedValues: values.map((value) => ({ value: typed(value) })) });
      await makeDatasets(values.map((_, index) => `awkward.${kind}${String(index).padStart(3, '0')}`));
    });

    it('that a definition shows as it was sent', async () => {
      const { body } = await api.get(entityPath('v2', property(name), 'propertyDefinition'));
      expect(body.value.allowedValues).toEqual(values.map((value) => ({ value: typed(value) })));
    });

    it('that POST and PATCH store exactly', async () => {
      for (const [index, value] of values.entries()) {
        const urn = holderOf(kind, index);
        const expected = [{ propertyUrn: property(name), values: [typed(value)] }];
        expect(await put(urn, name, value, door(index))).toEqual(expected);
        expect(await shown(urn)).toEqual(expected);
      }
    });

    it('that a query finds exactly', async () => {
      await eventually(async () => expect(await query(`_exists_:${field}`)).toHaveLength(values.length));
      for (const [index, value] of values.entries()) {
        const asked =
          typeof value === 'number' ? `${field}:${quoted(String(value))}` : `${field}.keyword:${quoted(value)}`;
        expect({ value, found: await query(asked) }).toEqual({ value, found: [holderOf(kind, index)] });
      }
    });

    it('that a filter finds exactly, and its complement without it', async () => {
      const dotted = `structuredProperties.${name}`;
      for (const [index, value] of values.entries()) {
        const found = await graphql.find([{ field: dotted, values: [String(value)] }]);
        expect({ value, found }).toEqual({ value, found: [holderOf(kind, index)] });
        const others = await graphql.find([
          { field: dotted, condition: 'EXISTS' },
          { field: dotted, values: [String(value)], negated: true },
        ]);
        expect({ value, others: others.length }).toEqual({ value, others: values.length - 1 });
      }
    });

    it('that a facet counts exactly', async () => {
      const facet = await graphql.facet(`structuredProperties.${name}`);
      const counted = facet.map((each) => each.slice(0, -2));
      expect(facet.every((each) => each.endsWith('=1'))).toBe(true);
      if (type === 'string') expect(counted).toEqual([...values].map(String).sort(compareText));
      else expect(counted.map(Number)).toEqual([...values].map(Number).sort((one, other) => one - other));
    });
  });

  it('-0 is 0 through every door', async () => {
    const urn = datasetUrn('awkward.zero');
    await makeDatasets(['awkward.zero']);
    await define('com.example.awkward.zero', 'number');
    for (const way of ['POST', 'PATCH'] as const) {
      // JSON has -0, JSON.stringify does not write it.
      const path = entityPath('v3', urn, 'structuredProperties');
      const assignment = `{"propertyUrn":"${property('com.example.awkward.zero')}","values":[{"double":-0}]}`;
      const operation = `{"op":"add","path":"/properties/${property('com.example.awkward.zero')}","value":${assignment}}`;
      const answer =
        way === 'POST'
          ? await api.post(path, `{"properties":[${assignment}]}`)
          : await api.patch(path, `{"patch":[${operation}]}`);
      expect([answer.status, answer.body.structuredProperties.value.properties[0].values]).toEqual([
        200,
        [{ double: 0 }],
      ]);
    }
    const field = 'structuredProperties.com_example_awkward_zero';
    for (const asked of ['0', '-0', '0.0', '-0.0e0']) {
      await eventually(async () => expect(await query(`${field}:${quoted(asked)}`)).toEqual([urn]));
      expect(await graphql.find([{ field: 'structuredProperties.com.example.awkward.zero', values: [asked] }])).toEqual(
        [urn],
      );
    }
    expect(await graphql.facet('structuredProperties.com.example.awkward.zero')).toEqual(['0.0=1']);
  });

  describe('awkward names', () => {
    // A blank is refused in the name of a property, as with the reference catalogue; letters and digits are not awkward.
    const characters = [
      ...PRINTABLE.filter((character) => !/[ a-zA-Z0-9]/u.test(character)),
      'é',
      'e\u0301',
      '日本',
      '😀',
      '~1',
      '//',
    ];
    const propertyNames = characters.map((character, index) => `awkward${index}.n${character}e`);
    const longName = `awkward.${'n'.repeat(400)}`;
    const datasetNames = [...PRINTABLE, ...AWKWARD_TEXTS.slice(PRINTABLE.length)]
      .filter((text) => text.trim() !== '')
      .map((text) => `awkward name ${text}`);

    it('of properties work in definitions, patches, queries, filters and facets', async () => {
      const urn = datasetUrn('awkward.names');
      await makeDatasets(['awkward.names']);
      const names = [...propertyNames, longName];
      for (const [index, name] of names.entries()) {
        await define(name, 'string');
        const { body } = await api.get(entityPath('v3', property(name), 'propertyDefinition'));
        expect(body).toMatchObject({ urn: property(name), propertyDefinition: { value: { qualifiedName: name } } });
        await put(urn, name, `v${index}`, 'PATCH');
      }
      expect(await shown(urn)).toEqual(
        names.map((name, index) => ({ propertyUrn: property(name), values: [{ string: `v${index}` }] })),
      );
      const last = names.length - 1;
      await eventually(async () =>
        expect(await graphql.facet(`structuredProperties.${names[last]}`)).toEqual([`v${last}=1`]),
      );
      for (const [index, name] of names.entries()) {
        const field = escapeWord(`structuredProperties.${name.replaceAll('.', '_')}`);
        expect({ name, found: await query(`${field}:v${index}`) }).toEqual({ name, found: [urn] });
        const dotted = `structuredProperties.${name}`;
        expect({ name, found: await graphql.find([{ field: dotted, values: [`v${index}`] }]) }).toEqual({
          name,
          found: [urn],
        });
        expect({ name, facet: await graphql.facet(dotted) }).toEqual({ name, facet: [`v${index}=1`] });
      }
      for (const name of names) {
        const path = `/properties/${escapeToken(property(name))}`;
        const removed = await api.patch(entityPath('v3', urn, 'structuredProperties'), {
          patch: [{ op: 'remove', path }],
        });
        expect({ name, status: removed.status }).toEqual({ name, status: 200 });
      }
      expect(await shown(urn)).toEqual([]);
    });

    it('of datasets work in paths, batches, queries and filters', async () => {
      await makeDatasets(datasetNames);
      for (const name of datasetNames) {
        const { status, body } = await api.get(entityPath('v3', datasetUrn(name), 'datasetKey'));
        expect({ name, status, key: body.datasetKey?.value.name }).toEqual({ name, status: 200, key: name });
      }
      const every = await eventually(async () => {
        const found = await query('name:"awkward name*" OR urn:*awkward\\ name\\ *');
        expect(found).toHaveLength(datasetNames.length);
        return found;
      });
      expect(every).toEqual(datasetNames.map(datasetUrn).sort(compareText));
      for (const name of datasetNames) {
        const urn = datasetUrn(name);
        expect({ name, found: await query(`urn.keyword:${quoted(urn)}`) }).toEqual({ name, found: [urn] });
        expect({ name, found: await graphql.find([{ field: 'name', values: [name] }]) }).toEqual({
          name,
          found: [urn],
        });
      }
    });
  });
});
