import { describe, expect, it } from '@jest/globals';
import { schemaFieldUrn } from '../../model/urn.ts';
import { assign, CLICKS, dataset, property, RETENTION, textProperty, VIEWS } from '../harness/manifests.ts';
import { planBetween } from '../harness/offline-plan.ts';

describe('values', () => {
  const both = [property(), textProperty('tier')];

  it('are added, replaced and removed by dataset and field', async () => {
    const before = dataset({
      properties: [assign('retention', 90), assign('tier', 'gold')],
      fields: [{ fieldPath: 'email', properties: [assign('retention', 30)] }],
    });
    const after = dataset({
      properties: [assign('retention', 30)],
      fields: [{ fieldPath: 'phone', properties: [assign('tier', 'x')] }],
    });
    const plan = await planBetween({ 'p.yaml': both, 'd.yaml': [before] }, { 'p.yaml': both, 'd.yaml': [after] });
    expect(
      plan.entities.map(({ urn, fieldPath, values }) => [urn, fieldPath, values.map(({ action }) => action)]),
    ).toEqual([
      [CLICKS, undefined, ['replace', 'remove']],
      [schemaFieldUrn(CLICKS, 'email'), 'email', ['remove']],
      [schemaFieldUrn(CLICKS, 'phone'), 'phone', ['add']],
    ]);
    expect(plan.entities[0]?.values[0]).toMatchObject({ before: ['90'], after: ['30'], location: 'd.yaml:1' });
  });

  it.each([
    ['Remove', 'remove'],
    ['Retain', 'keep'],
  ])('are dealt with by %s when their manifest is gone', async (deletionPolicy, action) => {
    const plan = await planBetween({ 'a.yaml': [...both, dataset({ deletionPolicy })] }, { 'a.yaml': both });
    expect(plan.entities).toMatchObject([{ urn: CLICKS, values: [{ action, deletionPolicy, before: ['90'] }] }]);
  });

  it('of others are removed by Replace', async () => {
    const tier = dataset({ properties: [assign('tier', 'gold')], deletionPolicy: 'Retain' }, { name: 'tier' });
    const replace = dataset({ ownership: 'Replace' });
    const plan = await planBetween({ 'a.yaml': [...both, tier] }, { 'a.yaml': [...both, replace] });
    expect(plan.entities[0]?.values.map(({ propertyUrn, action }) => [propertyUrn, action])).toContainEqual([
      RETENTION,
      'add',
    ]);
  });

  it('are refused when wrong, with the place in the manifest', async () => {
    const plan = await planBetween(
      { 'a.yaml': both },
      { 'a.yaml': both, 'b.yaml': [dataset({ properties: [assign('retention', 31)] })] },
    );
    expect(plan).toMatchObject({
      exitCode: 1,
      entities: [],
      refused: [{ reason: 'InvalidValue', location: 'b.yaml:1' }],
    });
    expect(plan.refused[0]?.message).toContain('spec.properties[0].values[0]');
  });

  it('on a field or of a property that cannot be are refused, and the rest is planned', async () => {
    const bad = dataset({ properties: [{ propertyRef: { qualifiedName: 'blank ' }, values: [1] }] }, { name: 'bad' });
    const worse = dataset(
      {
        datasetUrns: ['urn:li:dataset:(urn:li:dataPlatform:hive,a),b,PROD)'],
        fields: [{ fieldPath: 'x', properties: [] }],
      },
      { name: 'worse' },
    );
    const plan = await planBetween({ 'a.yaml': both }, { 'a.yaml': both, 'b.yaml': [bad, worse, dataset()] });
    expect(plan.exitCode).toBe(1);
    expect(plan.refused).toContainEqual(
      expect.objectContaining({ resource: 'DatasetProperties governance/bad', reason: 'Rejected' }),
    );
    expect(plan.entities.map(({ urn }) => urn)).toContain(CLICKS);
  });

  it('of an unknown property wait, which is no error', async () => {
    const plan = await planBetween(
      { 'a.yaml': both },
      { 'a.yaml': both, 'b.yaml': [dataset({ properties: [assign('ghost', 1)] })] },
    );
    expect(plan).toMatchObject({ exitCode: 0, waiting: [{ reason: 'ReferenceNotFound' }], summary: { waiting: 1 } });
  });

  it('that an older resource has are a conflict', async () => {
    const before = { 'a.yaml': [...both, dataset()] };
    const second = dataset({ properties: [assign('retention', 30)] }, { name: 'a-second' });
    const plan = await planBetween(before, { ...before, 'b.yaml': [second] });
    expect(plan.refused).toMatchObject([{ resource: 'DatasetProperties governance/a-second', reason: 'Conflict' }]);
    expect(plan.entities).toEqual([]);
  });

  it('are put on what a selector finds among the datasets that the files name', async () => {
    const selecting = dataset({ datasetSelector: { platform: 'hive', namePattern: 'logs.v*' } });
    const naming = dataset({ datasetUrns: [CLICKS, VIEWS], properties: [] }, { name: 'all' });
    const plan = await planBetween({ 'a.yaml': [...both, naming] }, { 'a.yaml': [...both, naming, selecting] });
    expect(plan.entities.map(({ urn }) => urn)).toEqual([VIEWS]);
  });
});
