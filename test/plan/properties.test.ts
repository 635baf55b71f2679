import { describe, expect, it } from '@jest/globals';
import { printText } from '../../plan/print/text.ts';
import { assign, CLICKS, dataset, property, RETENTION, textProperty, VIEWS } from '../harness/manifests.ts';
import { planBetween } from '../harness/offline-plan.ts';

const NARROW = { allowedValues: [{ value: 90 }] };

describe('a property', () => {
  it('is created with all its fields, in its file and line', async () => {
    const plan = await planBetween({}, { 'a.yaml': [textProperty('tier'), property({ version: '20260101000000' })] });
    expect(plan.exitCode).toBe(2);
    const [created] = plan.properties.filter(({ urn }) => urn === RETENTION);
    expect(created).toMatchObject({ action: 'create', resource: 'StructuredProperty governance/retention' });
    expect(created?.location).toMatch(/^a\.yaml:\d+$/u);
    expect(created?.fields).toContainEqual({ field: 'allowedValues', after: '[30, 90, 365]' });
    expect(created?.fields).toContainEqual({ field: 'version', after: '20260101000000' });
  });

  it('is not mentioned when nothing changes', async () => {
    const files = { 'a.yaml': [property(), dataset()] };
    const plan = await planBetween(files, files);
    expect(plan).toMatchObject({ exitCode: 0, properties: [], entities: [], refused: [], waiting: [], warnings: [] });
  });

  it('is changed field by field', async () => {
    const plan = await planBetween(
      { 'a.yaml': [property({ description: 'old' })] },
      { 'a.yaml': [property({ displayName: 'Retention' })] },
    );
    expect(plan.properties).toMatchObject([{ action: 'change', urn: RETENTION }]);
    expect(plan.properties[0]?.fields).toEqual([
      { field: 'displayName', after: 'Retention' },
      { field: 'description', before: 'old' },
    ]);
  });

  it('shows which allowed values come and go', async () => {
    const after = property({
      allowedValues: [{ value: 30 }, { value: 90 }, { value: 7, description: 'a week' }],
      version: '20260101000000',
    });
    const plan = await planBetween({ 'a.yaml': [property()] }, { 'a.yaml': [after] });
    expect(plan.properties[0]?.fields).toEqual([
      { field: 'version', after: '20260101000000' },
      { field: 'allowedValues', before: '365' },
      { field: 'allowedValues', after: '7 (a week)' },
    ]);
  });

  it('is broken with a greater version, and the holders are counted', async () => {
    const fields = [{ fieldPath: 'email', properties: [assign('retention', 90)] }];
    const before = { 'a.yaml': [property()], 'b.yaml': [dataset({ datasetUrns: [CLICKS, VIEWS], fields })] };
    const text = { valueType: 'string', allowedValues: undefined, version: '20260101000000' };
    const plan = await planBetween(before, { ...before, 'a.yaml': [property(text)] });
    expect(plan.properties).toMatchObject([
      {
        action: 'break',
        holders: [
          { entityType: 'dataset', count: 2 },
          { entityType: 'schemaField', count: 2 },
        ],
      },
    ]);
    expect(plan.summary).toMatchObject({ break: 1, holders: 4 });
    expect(plan.entities.map(({ urn }) => urn)).toHaveLength(4);
    expect(plan.entities[0]?.values).toMatchObject([{ action: 'remove', before: ['90'], because: 'break' }]);
    expect(plan.refused).toMatchObject([{ reason: 'InvalidValue' }]);
    expect(plan.exitCode).toBe(1);
  });

  it('that is broken keeps the values that its manifests write again', async () => {
    const before = { 'a.yaml': [property()], 'b.yaml': [dataset()] };
    const plan = await planBetween(before, {
      ...before,
      'a.yaml': [property({ ...NARROW, version: '20260101000000' })],
    });
    expect(plan.properties).toMatchObject([{ action: 'break' }]);
    expect(plan).toMatchObject({ entities: [], exitCode: 2 });
  });

  it('is refused a breaking change without a version, and nothing of it is planned', async () => {
    const plan = await planBetween(
      { 'a.yaml': [property()] },
      { 'a.yaml': [property({ ...NARROW, description: 'x' })] },
    );
    expect(plan).toMatchObject({ exitCode: 3, properties: [], summary: { breakingWithoutVersion: 1, errors: 0 } });
    expect(plan.refused).toMatchObject([{ reason: 'BreakingChange', location: 'a.yaml:1' }]);
    expect(plan.refused[0]?.message).toMatch(/^allowedValues: Cannot restrict values/u);
  });

  it('is soft deleted, and restored with what it hid', async () => {
    const [shown, hidden] = [property(), property({ removed: true })];
    const away = await planBetween({ 'a.yaml': [shown, dataset()] }, { 'a.yaml': [hidden, dataset()] });
    expect(away.properties).toMatchObject([{ action: 'softDelete', holders: [{ entityType: 'dataset', count: 1 }] }]);
    expect(away.entities[0]?.values).toMatchObject([{ action: 'remove', because: 'softDelete' }]);
    expect(away.waiting).toMatchObject([{ reason: 'ReferenceRemoved' }]);
    const back = await planBetween({ 'a.yaml': [hidden] }, { 'a.yaml': [shown] });
    expect(back.properties).toMatchObject([{ action: 'restore' }]);
  });

  it.each([
    ['HardDelete', 'delete'],
    ['SoftDelete', 'softDelete'],
    ['Retain', 'keep'],
  ])('is dealt with by %s when its manifest is gone', async (deletionPolicy, action) => {
    const rest = textProperty('tier');
    const plan = await planBetween({ 'a.yaml': [property({ deletionPolicy }), rest] }, { 'a.yaml': [rest] });
    expect(plan.properties).toMatchObject([
      { action, deletionPolicy, resource: 'StructuredProperty governance/retention' },
    ]);
    expect(plan.exitCode).toBe(2);
  });

  it.each(['HardDelete', 'Retain'])(
    'is handed over when its manifest has another name, whatever %s says',
    async (deletionPolicy) => {
      const [before, after] = [property({ deletionPolicy }), property({ deletionPolicy }, { name: 'keeping' })];
      const values = {
        fields: [],
        properties: [{ propertyRef: { qualifiedName: 'com.example.retention' }, values: [90] }],
      };
      const plan = await planBetween(
        { 'a.yaml': [before, dataset(values)] },
        { 'a.yaml': [textProperty('tier'), after, dataset(values, { name: 'other' })] },
      );
      const [changed] = plan.properties.filter(({ urn }) => urn === RETENTION);
      expect(changed).toMatchObject({ action: 'change', resource: 'StructuredProperty governance/keeping' });
      expect(changed?.location).toMatch(/^a\.yaml:1\d$/u);
      expect(changed).not.toHaveProperty('deletionPolicy');
      expect(changed?.fields.map(({ field }) => field)).toEqual(['owner']);
      expect(plan.entities).toMatchObject([{ action: 'change', resource: 'DatasetProperties governance/other' }]);
      expect(plan.summary).toMatchObject({ change: 2, keep: 0, delete: 0 });
      expect(printText(plan)).toContain(
        '~ com.example.retention is handed over to StructuredProperty governance/keeping',
      );
    },
  );

  it('counts an entity once, however many of its properties go', async () => {
    const rest = { 'b.yaml': [textProperty('x')] };
    const two = [
      property(),
      textProperty('tier'),
      dataset({ properties: [assign('retention', 90), assign('tier', 'a')] }),
    ];
    const plan = await planBetween({ ...rest, 'a.yaml': two }, rest);
    expect(plan.summary).toMatchObject({ delete: 2, holders: 2, holderEntities: 1 });
    expect(printText(plan)).toMatch(/values on 1 entity affected$/u);
    const { holderEntities: _unknown, ...summary } = plan.summary;
    expect(printText({ ...plan, summary })).toMatch(/; 2 values affected$/u);
  });

  it('is refused when its search name is taken', async () => {
    const before = { 'a.yaml': [textProperty('a.b', {}, { name: 'one' })] };
    const plan = await planBetween(before, { ...before, 'b.yaml': [textProperty('a_b', {}, { name: 'two' })] });
    expect(plan.refused).toMatchObject([{ resource: 'StructuredProperty governance/two', reason: 'Rejected' }]);
    expect(plan.refused[0]?.message).toContain('collides with existing property');
  });
});
