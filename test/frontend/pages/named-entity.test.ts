import { describe, expect, it } from '@jest/globals';
import { nameEntity, typeInWords } from '../../../frontend/pages/catalogue/named-entity.ts';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:s3,raw/a,b(c),PROD)';

describe('nameEntity', () => {
  it('takes a dataset apart, also one with commas and parentheses in its name', () => {
    expect(nameEntity(DATASET)).toEqual({
      urn: DATASET,
      type: 'dataset',
      name: 'raw/a,b(c)',
      platform: 's3',
      environment: 'PROD',
    });
  });

  it('says which dataset a schema field is in', () => {
    const urn = `urn:li:schemaField:(${DATASET},address.street)`;
    expect(nameEntity(urn)).toMatchObject({
      type: 'schemaField',
      name: 'address.street',
      parent: DATASET,
      platform: 's3',
    });
  });

  it.each([
    ['urn:li:dataFlow:(airflow,load,PROD)', 'dataFlow', 'load'],
    ['urn:li:dataJob:(urn:li:dataFlow:(airflow,load,PROD),step)', 'dataJob', 'step'],
    ['urn:li:corpuser:ada', 'corpuser', 'ada'],
    ['urn:li:chart:(looker,42)', 'chart', '42'],
    ['no urn', '', 'no urn'],
  ])('names %s', (urn, type, name) => {
    expect(nameEntity(urn)).toMatchObject({ urn, type, name });
  });
});

describe('typeInWords', () => {
  it.each([
    ['dataFlow', 'data flow'],
    ['dataset', 'dataset'],
    ['corpuser', 'user'],
  ])('says %s as %s', (type, words) => expect(typeInWords(type)).toBe(words));
});
