import { describe, expect, it } from '@jest/globals';
import {
  describeHoldings,
  HOLDER_TYPES,
  holdingsOf,
  holdingsVariables,
} from '../../../frontend/pages/properties/holdings.ts';

const FIELD = 'structuredProperties.a.b';

function answer(total: number, facets: Record<string, [string, number][]>) {
  return {
    scrollAcrossEntities: { total },
    aggregateAcrossEntities: {
      facets: Object.entries(facets).map(([field, values]) => ({
        field,
        aggregations: values.map(([value, count]) => ({ value, count })),
      })),
    },
  };
}

describe('what hiding the values of a property would hide', () => {
  it('is counted over every type of entity, soft-deleted ones too', () => {
    expect(HOLDER_TYPES).toEqual(expect.arrayContaining(['DATASET', 'SCHEMA_FIELD', 'CORP_USER']));
    expect(HOLDER_TYPES).not.toContain('STRUCTURED_PROPERTY');
    expect(holdingsVariables('a.b').input.searchFlags.includeSoftDeleted).toBe(true);
  });

  it('is told as values on holders of each type', () => {
    const types: [string, number][] = [
      ['DATASET', 2],
      ['SCHEMA_FIELD', 1],
    ];
    const values: [string, number][] = [
      ['gdpr', 3],
      ['vat', 1],
    ];
    const holdings = holdingsOf(answer(3, { _entityType: types, [FIELD]: values }), 'a.b');
    expect(describeHoldings(holdings)).toBe('4 values on 2 datasets and 1 schema field');
  });

  it('is nothing where nobody holds it', () => {
    expect(describeHoldings(holdingsOf(answer(0, {}), 'a.b'))).toBe('no values');
  });

  it('counts each platform once, although a platform has two names', () => {
    const platforms: [string, number][] = [
      ['s3', 2],
      ['urn:li:dataPlatform:s3', 2],
    ];
    expect(holdingsOf(answer(2, { platform: platforms }), 'a.b').byPlatform).toHaveLength(1);
  });
});
