import { describe, expect, it } from '@jest/globals';
import { planSchema } from '../../plan/plan-shape.ts';
import { assign, CLICKS, dataset, property, textProperty, VIEWS } from '../harness/manifests.ts';
import { planBetween } from '../harness/offline-plan.ts';

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
        property({ allowedValues: [{ value: 90 }], version: '20260101000000' }),
        textProperty('tier'),
        dataset({ datasetUrns: [VIEWS] }),
      ],
    },
  );
  expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
});
