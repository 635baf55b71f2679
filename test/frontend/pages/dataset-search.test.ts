import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type DatasetSearch,
  readDatasetSearch,
  toggleFacetValue,
} from '../../../frontend/pages/datasets/dataset-search.ts';
import { facetFields, facetsOf, facetsQuery } from '../../../frontend/pages/datasets/facets.ts';
import { orFiltersOf, queryTextOf } from '../../../frontend/pages/datasets/graphql-filters.ts';
import { labelOf, operatorsFor } from '../../../frontend/pages/datasets/operators.ts';

const DAYS = 'structuredProperties.com.example.days';
const where = [
  { field: DAYS, is: 'more', values: ['90', '365'] },
  { field: 'name', is: 'absent', values: ['x'] },
] as const;

describe('the address of a search', () => {
  it('is read as it was written', () => {
    const search = { q: 'orders', where, any: true, in: { platform: ['urn:li:dataPlatform:s3'] }, count: [DAYS] };
    expect(readDatasetSearch(JSON.parse(JSON.stringify(search)))).toEqual(search);
  });

  it('restricts nothing by what it does not understand', () => {
    const raw = {
      q: 7,
      where: [{ field: 1 }, { field: 'a', is: 'constructor' }, null],
      any: 'yes',
      in: [1],
      count: 'x',
    };
    expect(readDatasetSearch(raw)).toEqual({ q: '7' });
  });

  it('can be anything', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (raw) => void readDatasetSearch(raw)));
  });

  it('takes a number that somebody wrote by hand for its text', () => {
    const { where: read } = readDatasetSearch({ where: [{ field: DAYS, is: 'is', values: [90] }] });
    expect(read).toEqual([{ field: DAYS, is: 'is', values: ['90'] }]);
  });
});

describe('a facet value', () => {
  it('is chosen, and the choice taken back, and nothing is left of it', () => {
    const chosen = toggleFacetValue({ q: 'a' }, 'platform', 's3');
    expect(chosen).toEqual({ q: 'a', in: { platform: ['s3'] } });
    expect(toggleFacetValue(chosen, 'platform', 's3')).toEqual({ q: 'a' });
  });

  it('is chosen beside others of its facet', () => {
    const search = toggleFacetValue({ in: { platform: ['s3'] } }, 'platform', 'hive');
    expect(search).toEqual({ in: { platform: ['s3', 'hive'] } });
  });
});

describe('orFiltersOf', () => {
  it('asks for everything when nothing restricts', () => {
    expect(orFiltersOf({})).toEqual([]);
    expect(queryTextOf({})).toBe('*');
  });

  it('has all conditions in one group', () => {
    expect(orFiltersOf({ where })).toEqual([
      {
        and: [
          { field: DAYS, condition: 'GREATER_THAN', values: ['90'] },
          { field: 'name', condition: 'EXISTS', negated: true },
        ],
      },
    ]);
  });

  it('has a group for each condition when one of them is enough, each with what was chosen in facets', () => {
    const search: DatasetSearch = { where, any: true, in: { origin: ['PROD'] } };
    expect(orFiltersOf(search).map(({ and }) => and.map(({ field }) => field))).toEqual([
      [DAYS, 'origin'],
      ['name', 'origin'],
    ]);
  });

  it('leaves out a condition that still lacks its value', () => {
    expect(orFiltersOf({ where: [{ field: DAYS, is: 'is', values: [''] }] })).toEqual([]);
  });
});

describe('facets', () => {
  it('are counted as if nothing of them were chosen', () => {
    const search: DatasetSearch = { in: { platform: ['s3'], origin: ['PROD'] } };
    const { variables } = facetsQuery(search, ['platform', 'origin', DAYS]);
    const asked = Object.values(variables) as { facets: string[]; orFilters: { and: { field: string }[] }[] }[];
    const restrictedBy = asked.map(({ facets, orFilters }) => [facets, orFilters[0]?.and.map(({ field }) => field)]);
    expect(restrictedBy).toEqual([
      [[DAYS], ['platform', 'origin']],
      [['platform'], ['origin']],
      [['origin'], ['platform']],
    ]);
  });

  it('show a chosen value that nothing has any more', () => {
    const answer = { a0: { facets: [{ field: 'origin', displayName: 'Environment', aggregations: [] }] } };
    expect(facetsOf(answer, ['origin'], { in: { origin: ['PROD'] } })).toEqual([
      { field: 'origin', title: 'Environment', values: [{ value: 'PROD', count: 0 }] },
    ]);
  });

  it('are those that were asked for and those of which something is chosen, beside the usual ones, each once', () => {
    expect(facetFields({ count: [DAYS, 'platform'], in: { typeNames: ['Table'] } }, [])).toEqual([
      'platform',
      'origin',
      DAYS,
      'typeNames',
    ]);
  });
});

describe('operators', () => {
  it('compare what has an order, and look into what is text', () => {
    expect(operatorsFor('number')).toContain('more');
    expect(operatorsFor('number')).not.toContain('contains');
    expect(operatorsFor('string')).toContain('contains');
    expect(labelOf('more', 'date')).toBe('is after');
  });
});
