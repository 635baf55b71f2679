import { describe, expect, it } from '@jest/globals';
import { ANNOTATIONS } from '../../model/resource/annotations.ts';
import { schemaFieldUrn } from '../../model/urn.ts';
import { planSchema } from '../../plan/plan-shape.ts';
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

describe('annotations', () => {
  it('paused and observe-only write nothing, and say so', async () => {
    const before = { 'a.yaml': [property(), textProperty('tier')] };
    const plan = await planBetween(before, {
      'a.yaml': [
        property({ description: 'new' }, { annotations: { [ANNOTATIONS.paused]: 'true' } }),
        textProperty('tier', { description: 'new' }, { annotations: { [ANNOTATIONS.observeOnly]: 'true' } }),
      ],
    });
    expect(plan).toMatchObject({ exitCode: 0, properties: [] });
    expect(plan.warnings.map(({ reason }) => reason).sort()).toEqual(['ObserveOnly', 'Paused']);
    expect(plan.warnings.find(({ reason }) => reason === 'ObserveOnly')?.message).toBe('description differs');
  });
});

describe('missing manifests', () => {
  const many = Array.from({ length: 30 }, (_, index) => textProperty(`p${index}`));

  it('delete all when the last one is gone, but not where only files of the command line are planned', async () => {
    const before = { 'a.yaml': many.slice(0, 2) };
    expect((await planBetween(before, {})).summary.delete).toBe(2);
    expect((await planBetween(before, { 'd.yaml': '- nonsense\n' })).summary.delete).toBe(0);
  });

  it('are warned of when the operator would hold the deletions back, and are shown all the same', async () => {
    const plan = await planBetween({ 'a.yaml': many }, { 'a.yaml': many.slice(21) });
    expect(plan.summary.delete).toBe(21);
    expect(plan.warnings).toMatchObject([{ reason: 'DeletionsHeld' }]);
    expect(plan.warnings[0]?.message).toContain('21 of 30 resources would be missing');
  });

  it('count for nothing while a file is broken', async () => {
    const plan = await planBetween(
      { 'a.yaml': many.slice(0, 2), 'b.yaml': many.slice(2, 3) },
      { 'a.yaml': many.slice(1, 2), 'b.yaml': 'kind: [\n' },
    );
    expect(plan).toMatchObject({
      exitCode: 1,
      properties: [],
      problems: [{ location: 'b.yaml:2:1', reason: 'BrokenFile' }],
    });
    expect(plan.warnings).toMatchObject([{ reason: 'DeletionsWait' }]);
    expect(plan.warnings[0]?.message).toMatch(/^2 resources are missing; /u);
    const one = await planBetween(
      { 'a.yaml': many.slice(0, 2), 'b.yaml': many.slice(2, 3) },
      { 'a.yaml': many.slice(0, 2), 'b.yaml': 'kind: [\n' },
    );
    expect(one.warnings[0]?.message).toMatch(/^1 resource is missing; /u);
  });

  it('do not keep the rest from being planned', async () => {
    const plan = await planBetween({}, { 'a.yaml': [property()], 'b.yaml': 'kind: [\n' });
    expect(plan).toMatchObject({ exitCode: 1, properties: [{ action: 'create' }] });
  });
});

describe('files of the command line', () => {
  const definitions = '# ours\n- id: com.example.tier\n  type: string\n  entity_types: [dataset]\n';
  const entry = (values: string) =>
    `- id: logs.clicks\n  platform: hive\n  description: Clicks\n  structured_properties: ${values}\n`;

  it('are planned beside manifests, and delete nothing', async () => {
    const plan = await planBetween(
      { 'p.yaml': definitions },
      { 'd.yaml': entry('{ com.example.tier: gold }'), 'p.yaml': `${definitions}  description: new\n` },
    );
    expect(plan).toMatchObject({ exitCode: 2, properties: [{ action: 'change', location: 'p.yaml:2' }] });
    expect(plan.entities).toMatchObject([
      {
        urn: CLICKS,
        location: 'd.yaml:1',
        values: [{ action: 'add', after: ['gold'] }],
        aspects: [{ field: 'datasetProperties' }],
      },
    ]);
    expect((await planBetween({ 'p.yaml': definitions }, { 'd.yaml': entry('{}') })).properties).toEqual([]);
  });

  it('replace all values of what they list', async () => {
    const both = `${definitions}- id: com.example.owner\n  type: string\n  entity_types: [dataset]\n`;
    const plan = await planBetween(
      { 'p.yaml': both, 'd.yaml': entry('{ com.example.tier: gold }') },
      { 'p.yaml': both, 'd.yaml': entry('{ com.example.owner: ann }') },
    );
    expect(plan.entities[0]?.values.map(({ action }) => action)).toEqual(['add', 'remove']);
    expect(plan.entities[0]?.aspects).toEqual([]);
  });

  it('are refused as the server would', async () => {
    const plan = await planBetween(
      { 'p.yaml': definitions },
      { 'p.yaml': definitions.replace('string', 'number'), 'd.yaml': entry('{ com.example.nothing: 1 }') },
    );
    expect(plan.exitCode).toBe(1);
    expect(plan.refused).toMatchObject([
      { urn: 'urn:li:structuredProperty:com.example.tier', reason: 'BreakingChange', location: 'p.yaml:2' },
      { urn: CLICKS, reason: 'Rejected', location: 'd.yaml:1' },
    ]);
  });

  it('may use a property that a manifest defines, on both sides', async () => {
    const files = { 'p.yaml': [textProperty('tier')], 'd.yaml': entry('{ com.example.tier: gold }') };
    expect(await planBetween(files, files)).toMatchObject({ exitCode: 0, entities: [], refused: [], warnings: [] });
    const plan = await planBetween(
      {},
      { ...files, 'e.yaml': [dataset({ properties: [assign('own', 'x')] })], 'q.yaml': [textProperty('own')] },
    );
    expect(plan).toMatchObject({ exitCode: 2, refused: [] });
    expect(plan.entities[0]?.values.map(({ after }) => after)).toEqual([['x'], ['gold']]);
  });

  it('that were refused before are a warning', async () => {
    const plan = await planBetween(
      { 'p.yaml': definitions, 'd.yaml': entry('{ com.example.nothing: 1 }') },
      { 'p.yaml': definitions, 'd.yaml': entry('{ com.example.tier: gold }') },
    );
    expect(plan.warnings).toMatchObject([{ reason: 'BrokenBase', location: 'd.yaml:1' }]);
    expect(plan.entities).toMatchObject([{ aspects: [{ field: 'datasetProperties', action: 'add' }] }]);
  });

  it('show field by field what becomes of other aspects, in their place', async () => {
    const plan = await planBetween(
      { 'd.yaml': '- id: logs.clicks\n  platform: hive\n  description: old\n' },
      { 'd.yaml': '# mine\n- id: logs.clicks\n  platform: hive\n  description: new\n' },
    );
    expect(plan.entities).toEqual([
      {
        urn: CLICKS,
        location: 'd.yaml:2',
        action: 'change',
        values: [],
        aspects: [
          {
            field: 'datasetProperties',
            action: 'replace',
            fields: [{ field: 'description', before: '"old"', after: '"new"' }],
          },
        ],
      },
    ]);
  });

  it('are known behind any number of comments', async () => {
    const plan = await planBetween({}, { 'p.yaml': `${'# x\n'.repeat(300_000)}${definitions}` });
    expect(plan.properties).toMatchObject([{ action: 'create', location: 'p.yaml:300002' }]);
  });

  it('are named with the line of the entry that is wrong', async () => {
    const plan = await planBetween(
      {},
      { 'p.yaml': `${definitions}- id: x\n  type: string\n  nonsense: 1\n  entity_types: []\n` },
    );
    expect(plan.problems).toMatchObject([{ location: 'p.yaml:5', message: '[1]: unknown field "nonsense"' }]);
  });
});

it('has the shape that its schema says', async () => {
  const plan = await planBetween(
    { 'a.yaml': [property(), dataset()] },
    {
      'a.yaml': [
        property({ ...NARROW, version: '20260101000000' }),
        textProperty('tier'),
        dataset({ datasetUrns: [VIEWS] }),
      ],
    },
  );
  expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
});
