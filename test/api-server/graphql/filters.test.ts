import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FILTER_OPERATORS, type FilterOperator } from '../../../api-server/catalog/find/resolve-filters.ts';
import { foldCase } from '../../../api-server/search/fold.ts';
import { type Plain, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

/** One property of each type, on datasets with none, one and several values. */
const TYPES = ['string', 'rich_text', 'number', 'date', 'urn'] as const;
type Type = (typeof TYPES)[number];

const VALUES: Readonly<Record<Type, readonly (readonly Plain[])[]>> = {
  string: [['gold'], ['Gold', 'silver'], [''], ['a*b'], ['axb', 'a?b'], ['GOLD/leaf "x" \\ `'], ['ὈΔΥΣΣΕΎΣ']],
  rich_text: [['# gold'], ['Gold\nsilver'], ['a*b', '# Gold']],
  number: [[30], [60, 365], [0.1], [-5], [0], [2 ** 53], [5e-324], [1.7976931348623157e308]],
  date: [['2024-02-29'], ['1969-12-31', '2024-03-01'], ['1970-01-01'], ['9999-12-31'], ['1000-01-01']],
  urn: [['urn:li:corpuser:ada'], ['urn:li:corpuser:Ada', 'urn:li:tag:x'], ['urn:li:corpGroup:risk']],
};

const SOUGHT: Readonly<Record<Type, readonly string[]>> = {
  string: ['gold', 'Gold', 'GOLD', '', 'a*b', 'a?b', '*', 'ὀδυσσεύς', '"x" \\ `', 'old', '/LEAF'],
  rich_text: ['# gold', 'gold', 'Gold\nsilver', '# GOLD'],
  number: ['30', '60.0', '1e-1', '-5', '-0', '9007199254740993', '5e-324', '1.7976931348623157e308', '100'],
  date: ['2024-02-29', '2024-03-01', '1969-12-31', '1709164800000', '1709164800001', '-1', '0', '-86400000'],
  urn: ['urn:li:corpuser:ada', 'urn:li:corpuser:ADA', 'urn:li:tag:x', 'urn:li:', ':x'],
};

const everyUrn = (type: Type) => VALUES[type].map((_, index) => urnOf(type, index)).concat(urnOf(type, 'none'));

function urnOf(type: Type, index: number | string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:${type.replace('_', '-')},d${index},PROD)`;
}

/** What the condition means for one value of an entity, told as simply as possible. */
function holds(type: Type, condition: FilterOperator, value: Plain, sought: readonly string[]): boolean {
  const [first] = sought;
  const comparable = (text: string) => {
    if (type === 'number') return Number(text);
    if (type === 'date') return /^-?\d+$/u.test(text) ? Number(text) : Date.parse(text);
    return text;
  };
  const own = type === 'date' ? Date.parse(String(value)) : value;
  switch (condition) {
    case 'EXISTS':
      return true;
    case 'IEQUAL':
      return typeof own === 'string'
        ? sought.some((text) => foldCase(text) === foldCase(own))
        : sought.some((text) => comparable(text) === own);
    case 'CONTAIN':
      return sought.some((text) => foldCase(String(own)).includes(foldCase(text)));
    case 'START_WITH':
      return sought.some((text) => foldCase(String(own)).startsWith(foldCase(text)));
    case 'END_WITH':
      return sought.some((text) => foldCase(String(own)).endsWith(foldCase(text)));
    case 'GREATER_THAN':
      return first !== undefined && own > comparable(first);
    case 'GREATER_THAN_OR_EQUAL_TO':
      return first !== undefined && own >= comparable(first);
    case 'LESS_THAN':
      return first !== undefined && own < comparable(first);
    case 'LESS_THAN_OR_EQUAL_TO':
      return first !== undefined && own <= comparable(first);
    default:
      return sought.some((text) => comparable(text) === own);
  }
}

let server: TestServer;
let graphql: Graphql;

beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  const { catalog } = server;
  for (const type of TYPES) {
    await catalog.define(`org.a.${type}`, { valueType: type, cardinality: 'MULTIPLE' });
    for (const urn of everyUrn(type)) await catalog.write(urn, { datasetProperties: {} });
    for (const [index, values] of VALUES[type].entries()) {
      await catalog.assign(urnOf(type, index), { [`org.a.${type}`]: values });
    }
  }
  await catalog.index();
});
afterAll(() => server.close());

describe.each(TYPES)('a filter on a property of type %s', (type) => {
  const field = `structuredProperties.org.a.${type}`;
  const platform = {
    field: 'platform',
    values: [`urn:li:dataPlatform:${type.replace('_', '-')}`],
  };
  const isPattern = (condition: FilterOperator) => ['CONTAIN', 'START_WITH', 'END_WITH'].includes(condition);
  const conditions = FILTER_OPERATORS.filter(
    (condition) => !(isPattern(condition) && (type === 'number' || type === 'date')),
  );
  const lists = [...SOUGHT[type].map((text) => [text]), SOUGHT[type].slice(0, 3), SOUGHT[type].slice(-2), []];

  it.each(conditions)('with %s finds what meets it, and negated exactly the rest', async (condition) => {
    for (const values of lists) {
      const expected = everyUrn(type).filter((_urn, index) =>
        (VALUES[type][index] ?? []).some((value) => holds(type, condition, value, values)),
      );
      const filter = { field, condition, values };
      expect({ values, found: await graphql.find([platform, filter]) }).toEqual({ values, found: expected.sort() });
      const rest = everyUrn(type).filter((urn) => !expected.includes(urn));
      const negated = await graphql.find([platform, { ...filter, negated: true }]);
      expect({ values, negated }).toEqual({ values, negated: rest.sort() });
    }
  });
});

describe('filters', () => {
  const number = 'structuredProperties.org.a.number';
  const count = async (filters: object[]) => (await graphql.find(filters)).length;

  it('refuse texts that are no number or no date, and patterns on them, naming the filter', async () => {
    const search =
      'query($f: [FacetFilterInput!]) { scrollAcrossEntities(input: {query: "*", orFilters: {and: $f}}) { total } }';
    const refusal = (filter: object) => graphql.refusal(search, { f: [filter] });
    for (const [condition, text] of [
      ['EQUAL', 'abc'],
      ['IN', ''],
      ['GREATER_THAN', '1e999'],
      ['LESS_THAN', 'NaN'],
    ]) {
      expect(await refusal({ field: number, condition, values: [text] })).toBe(
        `400 BAD_REQUEST: filter ${condition} on ${number}: a number is expected, not ${text}`,
      );
    }
    const date = 'structuredProperties.org.a.date';
    expect(await refusal({ field: date, values: ['2023-02-30'] })).toBe(
      `400 BAD_REQUEST: filter EQUAL on ${date}: a date YYYY-MM-DD, or milliseconds since 1970-01-01, is expected, not 2023-02-30`,
    );
    expect(await refusal({ field: number, condition: 'CONTAIN', values: ['3'] })).toBe(
      `400 BAD_REQUEST: filter CONTAIN on ${number}: a number is compared with EQUAL or a range`,
    );
  });

  it('are all needed in a group, and one of the groups is enough', async () => {
    const filter = (value: string) => ({ field: number, values: [value] });
    expect(await count([filter('60'), filter('365')])).toBe(1);
    expect(await count([filter('30'), filter('365')])).toBe(0);
    const either = { orFilters: [{ and: [filter('30')] }, { and: [filter('365')] }] };
    expect(await graphql.find([], either)).toHaveLength(2);
  });

  it('that are not there leave nothing out', async () => {
    const all = await graphql.find([]);
    expect(all.length).toBe(TYPES.reduce((sum, type) => sum + VALUES[type].length + 1, 0));
    for (const orFilters of [
      null,
      [],
      [{ and: [] }],
      [{}],
      [{ and: null }],
      [{ and: [] }, { and: [{ field: 'x' }] }],
    ]) {
      expect(await graphql.find([], { orFilters })).toEqual(all);
    }
  });

  it('take the deprecated value, and prefer values', async () => {
    expect(await count([{ field: number, value: '30' }])).toBe(1);
    expect(await count([{ field: number, value: '30', values: ['60', '0.1'] }])).toBe(2);
    expect(await count([{ field: number, values: null, value: '30' }])).toBe(1);
    expect(await count([{ field: number, value: '30', condition: null, negated: null }])).toBe(1);
  });

  it('in the deprecated list are all needed, beside the groups', async () => {
    const search = `query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total } }`;
    const total = async (input: object) =>
      (await graphql.data(search, { input: { query: '*', ...input } })).searchAcrossEntities.total;
    const filters = [
      { field: number, values: ['60'] },
      { field: number, values: ['365'] },
    ];
    expect(await total({ filters })).toBe(1);
    expect(await total({ filters, orFilters: [{ and: [{ field: number, values: ['30'] }] }] })).toBe(0);
    expect(await total({ filters: [] })).toBe(await total({}));
  });

  it('find a property by its dotted name, by underscores, and with the suffixes of the reference catalogue', async () => {
    for (const name of [
      number,
      number.replaceAll('.', '_').replace('structuredProperties_', 'structuredProperties.'),
    ]) {
      for (const suffix of ['', '.keyword', '.delimited']) {
        expect(await count([{ field: `${name}${suffix}`, condition: 'EXISTS' }])).toBe(VALUES.number.length);
      }
    }
  });

  it('match nothing on names that mean nothing, and negated everything', async () => {
    const all = await graphql.find([]);
    const names = [
      'structuredProperties.never.defined',
      'structuredProperties.org.a_number',
      'structuredProperties._versioned.org_a_number.20240101000000.number',
      'structuredProperties.',
      'platformInstance',
      'customProperties',
      'browsePathV2',
      '',
      'words',
    ];
    for (const field of names) {
      for (const condition of FILTER_OPERATORS) {
        expect(await count([{ field, condition, values: ['x'] }])).toBe(0);
      }
      expect(await graphql.find([{ field, values: ['x'], negated: true }])).toEqual(all);
    }
  });

  it('know the fields of the entity itself', async () => {
    const strings = VALUES.string.length + 1;
    expect(await count([{ field: 'platform', values: ['string'] }])).toBe(strings);
    expect(await count([{ field: 'platform.keyword', values: ['urn:li:dataPlatform:string'] }])).toBe(strings);
    expect(await count([{ field: 'origin', values: ['DEV'] }])).toBe(0);
    expect(await count([{ field: 'env', values: ['PROD'], condition: 'EQUAL' }])).toBe((await graphql.find([])).length);
    expect(await count([{ field: 'urn', values: [urnOf('string', 0), urnOf('string', 1)] }])).toBe(2);
    expect(await count([{ field: 'name', condition: 'START_WITH', values: ['DNON'] }])).toBe(TYPES.length);
    expect(await count([{ field: 'name', values: ['Dnone'] }])).toBe(0);
  });

  it('on the entity type take its names in GraphQL and in URNs', async () => {
    const types = { types: ['DATASET', 'STRUCTURED_PROPERTY'] };
    for (const name of ['STRUCTURED_PROPERTY', 'structuredProperty', 'structuredproperty']) {
      const found = await graphql.find([{ field: '_entityType', values: [name] }], types);
      expect(found).toEqual(TYPES.map((type) => property(`org.a.${type}`)).sort());
    }
    expect(await graphql.find([{ field: '_entityType', values: ['CHART', 'nothing'] }], types)).toEqual([]);
    const both = await graphql.find([{ field: '_entityType', values: ['STRUCTURED_PROPERTY'], negated: true }], types);
    expect(both).toEqual(await graphql.find([]));
  });

  it('are refused before anything is looked up when there are too many', async () => {
    const many = <T>(length: number, value: T) => Array.from({ length }, () => value);
    const document = 'query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total } }';
    for (const [size, filters] of [
      [502, { orFilters: [{ and: [{ field: number, values: many(501, '1') }] }] }],
      [501, { orFilters: many(501, { and: [] }) }],
      [501, { orFilters: many(501, {}) }],
      [502, { filters: many(501, { field: number }) }],
    ] as const) {
      expect(await graphql.refusal(document, { input: { query: '*', ...filters } })).toBe(
        `400 BAD_REQUEST: filters: ${size} groups and values, more than 500`,
      );
    }
    await graphql.find([], { orFilters: many(400, { and: [] }) });
  });

  it('are refused when a text of theirs is longer than a query may be', async () => {
    const document = 'query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total } }';
    const long = 'x'.repeat(16_384);
    for (const [what, filter] of [
      ['value', { field: 'name', values: ['short', `${long}x`] }],
      ['value', { field: 'name', condition: 'CONTAIN', values: [`${long}x`] }],
      ['field', { field: `${long}x`, values: [] }],
    ] as const) {
      expect(await graphql.refusal(document, { input: { query: '*', filters: [filter] } })).toBe(
        `400 BAD_REQUEST: filters: a ${what} of 16385 characters, more than 16384`,
      );
    }
    expect(await graphql.find([{ field: 'name', condition: 'CONTAIN', values: [long] }])).toEqual([]);
  });
});
