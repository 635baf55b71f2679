import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, mark, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { path, TestServer } from '../../harness/http.ts';

const SHOWN = `urn type exists
  definition { qualifiedName displayName description cardinality immutable version filterStatus
    allowedValues { value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } description }
    valueType { urn type info { type qualifiedName displayName } }
    typeQualifier { allowedTypes { urn info { type } } }
    entityTypes { urn type info { type qualifiedName } }
    created { time actor { urn username } } lastModified { time } }
  settings { isHidden showInSearchFilters showAsAssetBadge }`;
const CREATE = `mutation($input: CreateStructuredPropertyInput!) { createStructuredProperty(input: $input) { ${SHOWN} } }`;
const UPDATE = `mutation($input: UpdateStructuredPropertyInput!) { updateStructuredProperty(input: $input) { ${SHOWN} } }`;
const DELETE = 'mutation($urn: String!) { deleteStructuredProperty(input: {urn: $urn}) }';
const READ = `query($urn: String!) { structuredProperty(urn: $urn) { ${SHOWN} } }`;

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
});
afterAll(() => server.close());

const create = async (input: object) => (await graphql.data(CREATE, { input })).createStructuredProperty;
const update = async (urn: string, input: object) =>
  (await graphql.data(UPDATE, { input: { urn, ...input } })).updateStructuredProperty;
const read = async (urn: string) => (await graphql.data(READ, { urn })).structuredProperty;
const refusedUpdate = (urn: string, input: object) => graphql.refusal(UPDATE, { input: { urn, ...input } });
const minimal = { valueType: 'urn:li:dataType:datahub.string', entityTypes: ['urn:li:entityType:datahub.dataset'] };

describe('createStructuredProperty', () => {
  it('writes a definition and its settings, and shows them', async () => {
    const created = await create({
      id: 'org.retention',
      qualifiedName: 'org.retention',
      displayName: 'Retention',
      description: 'How long',
      immutable: true,
      valueType: 'urn:li:dataType:datahub.number',
      allowedValues: [{ numberValue: 30, description: 'short' }, { numberValue: 0.5 }],
      cardinality: 'MULTIPLE',
      entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
      version: '20240101000000',
      settings: { showInSearchFilters: true, isHidden: null },
    });
    expect(created).toEqual({
      urn: property('org.retention'),
      type: 'STRUCTURED_PROPERTY',
      exists: true,
      definition: {
        qualifiedName: 'org.retention',
        displayName: 'Retention',
        description: 'How long',
        cardinality: 'MULTIPLE',
        immutable: true,
        version: '20240101000000',
        filterStatus: 'ENABLED',
        allowedValues: [
          { value: { numberValue: 30 }, description: 'short' },
          { value: { numberValue: 0.5 }, description: null },
        ],
        valueType: {
          urn: 'urn:li:dataType:datahub.number',
          type: 'DATA_TYPE',
          info: { type: 'NUMBER', qualifiedName: 'datahub.number', displayName: 'number' },
        },
        typeQualifier: null,
        entityTypes: [
          {
            urn: 'urn:li:entityType:datahub.dataset',
            type: 'ENTITY_TYPE',
            info: { type: 'DATASET', qualifiedName: 'datahub.dataset' },
          },
          {
            urn: 'urn:li:entityType:datahub.dataFlow',
            type: 'ENTITY_TYPE',
            info: { type: 'DATA_FLOW', qualifiedName: 'datahub.dataFlow' },
          },
        ],
        created: {
          time: server.catalog.clock.now(),
          actor: { urn: 'urn:li:corpuser:__datahub_system', username: '__datahub_system' },
        },
        lastModified: { time: server.catalog.clock.now() },
      },
      settings: { isHidden: false, showInSearchFilters: true, showAsAssetBadge: false },
    });
    expect(await read(property('org.retention'))).toEqual(created);
    const { body } = await server.get(path('v3', property('org.retention'), 'propertyDefinition'));
    expect(body.propertyDefinition.value).toMatchObject({ allowedValues: [{ value: { double: 30 } }, {}] });
  });

  it('takes the name from either field, or makes one', async () => {
    expect((await create({ ...minimal, id: 'org.by.id' })).urn).toBe(property('org.by.id'));
    expect((await create({ ...minimal, qualifiedName: 'org.by.name' })).urn).toBe(property('org.by.name'));
    const { urn, definition } = await create(minimal);
    expect(urn).toMatch(/^urn:li:structuredProperty:[0-9a-f-]{36}$/u);
    expect(urn.endsWith(definition.qualifiedName)).toBe(true);
    expect(await graphql.refusal(CREATE, { input: { ...minimal, id: 'a', qualifiedName: 'b' } })).toBe(
      '400 BAD_REQUEST: id a and qualifiedName b have to be the same',
    );
  });

  it('shows what was left out as what it means', async () => {
    expect(await create({ ...minimal, id: 'org.bare', filterStatus: 'DISABLED' })).toMatchObject({
      definition: {
        cardinality: 'SINGLE',
        immutable: false,
        allowedValues: null,
        version: null,
        filterStatus: 'DISABLED',
      },
      settings: { showInSearchFilters: false },
    });
    expect((await create({ ...minimal, id: 'org.barer' })).settings).toBeNull();
  });

  it('refuses a property that exists, soft deleted or not, and a name that is taken', async () => {
    await create({ ...minimal, id: 'org.twice' });
    const message = `400 BAD_REQUEST: A structured property already exists with this urn: ${property('org.twice')}`;
    expect(await graphql.refusal(CREATE, { input: { ...minimal, id: 'org.twice' } })).toBe(message);
    await server.catalog.softDelete('org.twice');
    expect(await graphql.refusal(CREATE, { input: { ...minimal, id: 'org.twice' } })).toBe(message);
    expect(await graphql.refusal(CREATE, { input: { ...minimal, id: 'org_twice' } })).toContain(
      `collides with existing property ${property('org.twice')}`,
    );
  });

  it.each([
    [{ id: 'or g' }, 'Urn ID cannot have spaces'],
    [{ valueType: 'urn:li:dataType:datahub.nothing' }, 'unknown data type'],
    [{ entityTypes: ['urn:li:entityType:dataset'] }, 'unknown entity type'],
    [{ version: '1' }, 'Invalid version specified'],
    [
      { allowedValues: [{ stringValue: 'a', numberValue: 1 }] },
      'allowedValues[0]: exactly one of stringValue and numberValue',
    ],
    [{ allowedValues: [{ description: 'a' }] }, 'allowedValues[0]: exactly one of'],
    [{ settings: { isHidden: true, showInSearchFilters: true } }, 'must not be true while isHidden is'],
  ])('refuses %j and writes nothing', async (change, fragment) => {
    const input = { ...minimal, id: 'org.wrong', ...change };
    const refused = await graphql.refusal(CREATE, { input });
    expect(refused).toMatch(/^400 BAD_REQUEST: /u);
    expect(refused).toContain(fragment);
    expect(await read(property('org.wrong'))).toBeNull();
  });

  it('refuses settings and definition together: a wrong one keeps the other from being written', async () => {
    const input = {
      ...minimal,
      id: 'org.both',
      valueType: 'nothing',
      settings: { isHidden: true, showAsAssetBadge: true },
    };
    const refused = await graphql.refusal(CREATE, { input });
    expect(refused).toContain('unknown data type nothing');
    expect(refused).toContain('must not be true while isHidden is');
  });
});

describe('updateStructuredProperty', () => {
  it('adds values and types, replaces names, and keeps the rest', async () => {
    const urn = property('org.wide');
    await create({
      ...minimal,
      id: 'org.wide',
      displayName: 'Old',
      description: 'Kept',
      allowedValues: [{ stringValue: 'a', description: 'first' }],
      settings: { showInSearchFilters: true, showAsAssetBadge: true },
    });
    const createdAt = server.catalog.clock.now();
    await server.catalog.clock.advance(1000);
    const updated = await update(urn, {
      displayName: 'New',
      description: null,
      newAllowedValues: [{ stringValue: 'b' }, { stringValue: 'a', description: 'again' }],
      setCardinalityAsMultiple: true,
      newEntityTypes: ['urn:li:entityType:datahub.dataFlow', 'urn:li:entityType:datahub.dataset'],
      settings: { showAsAssetBadge: false },
    });
    expect(updated).toMatchObject({
      definition: {
        displayName: 'New',
        description: 'Kept',
        cardinality: 'MULTIPLE',
        allowedValues: [
          { value: { stringValue: 'a' }, description: 'first' },
          { value: { stringValue: 'b' }, description: null },
        ],
        entityTypes: [{ info: { type: 'DATASET' } }, { info: { type: 'DATA_FLOW' } }],
        created: { time: createdAt },
        lastModified: { time: createdAt + 1000 },
      },
      settings: { showInSearchFilters: true, showAsAssetBadge: false },
    });
    expect(await read(urn)).toEqual(updated);
    expect((await update(urn, { filterStatus: 'DISABLED' })).settings).toMatchObject({ showInSearchFilters: false });
  });

  it('adds allowed types and platforms', async () => {
    const urn = property('org.qualified');
    const type = (name: string) => `urn:li:entityType:datahub.${name}`;
    await create({
      ...minimal,
      id: 'org.qualified',
      valueType: 'urn',
      typeQualifier: { allowedTypes: [type('corpuser')] },
    });
    const { definition } = await update(urn, {
      typeQualifier: { newAllowedTypes: [type('corpGroup')] },
      newAllowedPlatforms: ['urn:li:dataPlatform:hive'],
    });
    expect(definition.typeQualifier.allowedTypes.map(({ info }: { info: { type: string } }) => info.type)).toEqual([
      'CORP_USER',
      'CORP_GROUP',
    ]);
    const document = `{ structuredProperty(urn: "${urn}") { definition { allowedPlatforms { name } } } }`;
    expect(await graphql.data(document)).toEqual({
      structuredProperty: { definition: { allowedPlatforms: [{ name: 'hive' }] } },
    });
  });

  it('replaces the allowed values under the rules of every definition', async () => {
    const urn = property('org.replaced');
    await create({ ...minimal, id: 'org.replaced', allowedValues: [{ stringValue: 'a' }, { stringValue: 'b' }] });
    expect(await refusedUpdate(urn, { allowedValues: [{ stringValue: 'a' }] })).toContain(
      'Cannot restrict values that were previously allowed',
    );
    const version = '20240101000000';
    const { definition } = await update(urn, { allowedValues: [{ stringValue: 'c' }], version });
    expect(definition.allowedValues).toEqual([{ value: { stringValue: 'c' }, description: null }]);
    expect(await refusedUpdate(urn, { allowedValues: [], newAllowedValues: [] })).toBe(
      '400 BAD_REQUEST: allowedValues and newAllowedValues: give one of them',
    );
  });

  it('refuses what does not exist, is soft deleted or something else, and restrictions', async () => {
    expect(await refusedUpdate(property('org.never'), { displayName: 'x' })).toBe(
      `400 BAD_REQUEST: ${property('org.never')} has no definition`,
    );
    expect(await refusedUpdate(dataset('x'), {})).toBe(
      `400 BAD_REQUEST: ${dataset('x')} is a dataset, not a structuredProperty`,
    );
    expect(await refusedUpdate('x', {})).toContain('Invalid urn!');
    const urn = property('org.soft');
    await create({ ...minimal, id: 'org.soft' });
    expect(await refusedUpdate(urn, { newAllowedValues: [{ stringValue: 'a' }] })).toContain(
      'Cannot restrict values that were previously allowed',
    );
    await server.catalog.softDelete('org.soft');
    expect(await refusedUpdate(urn, { displayName: 'x' })).toContain(
      'Cannot mutate a soft deleted Structured Property Definition',
    );
    const { status } = (await graphql.data(`{ structuredProperty(urn: "${urn}") { exists status { removed } } }`))
      .structuredProperty;
    expect(status).toEqual({ removed: true });
  });
});

describe('deleteStructuredProperty', () => {
  it('deletes it for good, and is true also when there was none', async () => {
    const urn = property('org.delete');
    await create({ ...minimal, id: 'org.delete' });
    expect(await graphql.data(DELETE, { urn })).toEqual({ deleteStructuredProperty: true });
    expect(await read(urn)).toBeNull();
    expect(await graphql.data(DELETE, { urn })).toEqual({ deleteStructuredProperty: true });
    expect(await graphql.refusal(DELETE, { urn: dataset('x') })).toContain('not a structuredProperty');
    expect((await create({ ...minimal, id: 'org.delete', valueType: 'number' })).urn).toBe(urn);
  });
});

describe('mutations', () => {
  it('of one document happen one after the other, and each shows what it left', async () => {
    const urn = property('org.series');
    const step = (name: string) =>
      `${name}: updateStructuredProperty(input: {urn: "${urn}", displayName: "${name}"}) { definition { displayName } }`;
    await create({ ...minimal, id: 'org.series' });
    expect(await graphql.data(`mutation { ${['one', 'two', 'three'].map(step).join(' ')} }`)).toEqual({
      one: { definition: { displayName: 'one' } },
      two: { definition: { displayName: 'two' } },
      three: { definition: { displayName: 'three' } },
    });
  });

  it('say who wrote and whose it is by the headers of HTTP', async () => {
    const headers = {
      'x-datahub-actor': 'urn:li:corpuser:ada',
      'x-proplane-owner': new URLSearchParams({ ...mark('x') } as Record<string, string>).toString(),
    };
    const input = { ...minimal, id: 'org.owned' };
    const { body } = await server.post('/api/graphql', { query: CREATE, variables: { input } }, headers);
    expect(body.data.createStructuredProperty.definition.created.actor.username).toBe('ada');
    const { owners } = (await server.get(`/owners?urn=${encodeURIComponent(property('org.owned'))}`)).body;
    expect(owners).toEqual([{ ...mark('x'), urn: property('org.owned') }]);
  });

  it('that come at once lose nothing', async () => {
    const urn = property('org.race');
    await create({ ...minimal, id: 'org.race', allowedValues: [] });
    const values = Array.from({ length: 10 }, (_, index) => `v${index}`);
    await Promise.all(values.map((stringValue) => update(urn, { newAllowedValues: [{ stringValue }] })));
    const { definition } = await read(urn);
    const found = definition.allowedValues.map(({ value }: { value: { stringValue: string } }) => value.stringValue);
    expect(found.sort()).toEqual(values);
  });
});
