import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath, eventually } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';

const DAYS = 'urn:li:structuredProperty:com.example.properties.days';
const OLD = 'urn:li:structuredProperty:com.example.properties.old';
const FILE = `
- id: com.example.properties.days
  type: number
  version: 20240614080000
  display_name: Days
  description: How long a row may live
  entity_types: [dataset, dataFlow]
  allowed_values:
    - { value: 30, description: a month }
    - { value: 365 }
- id: com.example.properties.old
  type: string
  cardinality: MULTIPLE
  entity_types: [dataset]
`;
const SHOWN = {
  urn: DAYS,
  qualified_name: 'com.example.properties.days',
  type: 'urn:li:dataType:datahub.number',
  description: 'How long a row may live',
  display_name: 'Days',
  entity_types: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  cardinality: 'SINGLE',
  version: '20240614080000',
  allowed_values: [{ value: '30', description: 'a month' }, { value: '365' }],
};

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
});
afterAll(() => commands.close());

describe('proplane properties', () => {
  it('upsert creates and updates what a file has, and says so', async () => {
    const file = await commands.file('properties.yaml', FILE);
    expect(await commands.run('properties', 'upsert', '-f', file)).toEqual({
      code: 0,
      stdout: `Created structured property ${DAYS}\nCreated structured property ${OLD}\n`,
      stderr: '',
    });
    const { code, stdout } = await commands.run('--json', 'properties', 'upsert', '-f', file);
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ urn: DAYS }, { urn: OLD }]]);
  });

  it('upsert sends the others when the server refuses one, and ends with 1', async () => {
    const refused = '- { id: com.example.properties.days, type: string, entity_types: [dataset] }\n';
    const other = '- { id: com.example.properties.new, type: string, entity_types: [dataset] }\n';
    const file = await commands.file('refused.yaml', refused + other);
    const { code, stdout, stderr } = await commands.run('properties', 'upsert', '-f', file);
    expect([code, stdout]).toEqual([
      1,
      'Created structured property urn:li:structuredProperty:com.example.properties.new\n',
    ]);
    expect(stderr).toMatch(new RegExp(`^Update failed for ${DAYS}: .*Value type cannot be changed`, 'u'));
    const json = await commands.run('properties', 'upsert', '-f', file, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      [
        {
          urn: DAYS,
          error: expect.stringContaining('Value type cannot be changed'),
          violations: expect.arrayContaining([expect.objectContaining({ code: 'value-type-changed' })]),
        },
        { urn: 'urn:li:structuredProperty:com.example.properties.new' },
      ],
    ]);
  });

  it('upsert sends nothing of a file that breaks rules, and names file, line and rule', async () => {
    const file = await commands.file(
      'wrong.yaml',
      '- id: com.example.properties.never\n  type: string\n- idd: x\n  type: string\n',
    );
    const { code, stdout, stderr } = await commands.run('properties', 'upsert', '-f', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`${file}:3:3: [1]: unknown field "idd"\n${file}:3:3: [1]: id or urn is needed\n`);
    expect((await commands.run('properties', 'get', '--urn', 'com.example.properties.never')).code).toBe(1);
    const missing = await commands.run('properties', 'upsert', '-f', join(commands.folder, 'none.yaml'));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.yaml: ENOENT')]);
  });

  it('upsert sends nothing of a file whose last entry breaks rules of a definition, and names the line of each', async () => {
    const file = await commands.file(
      'rules.yaml',
      `- { id: com.example.properties.never, type: string, entity_types: [dataset] }
- id: com.example.properties.number
  type: number
  version: 2026
  entity_types: [dataset, person]
  allowed_values:
    - value: 1
    - value: many
`,
    );
    expect(await commands.run('properties', 'upsert', '-f', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        `${file}:4:3: [1].version: Invalid version specified. Must match [0-9]{14}, was "2026"`,
        `${file}:5:27: [1].entity_types[1]: unknown entity type person`,
        `${file}:8:7: [1].allowed_values[1].value: value: {string=many} should be a number`,
        '',
      ].join('\n'),
    });
    expect((await commands.run('properties', 'get', '--urn', 'com.example.properties.never')).code).toBe(1);
  });

  it.each([DAYS, 'com.example.properties.days'])(
    'get prints exactly the fields of the interface, of %s',
    async (urn) => {
      const { code, stdout, stderr } = await commands.run('properties', 'get', '--urn', urn);
      expect([code, JSON.parse(stdout), stderr]).toEqual([0, SHOWN, '']);
      expect(Object.keys(JSON.parse(stdout))).toEqual([
        ...['urn', 'qualified_name', 'type', 'description', 'display_name', 'entity_types', 'cardinality', 'version'],
        'allowed_values',
      ]);
    },
  );

  it('get says what is not there, or is no property', async () => {
    const missing = await commands.run('properties', 'get', '--urn', 'com.example.properties.none');
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Structured property urn:li:structuredProperty:com.example.properties.none does not exist\n',
    });
    const dataset = await commands.run(
      'properties',
      'get',
      '--urn',
      'urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)',
    );
    expect([dataset.code, dataset.stderr]).toEqual([1, expect.stringContaining('is no structured property')]);
  });

  it('list shows a table, or JSON, of what is not soft deleted, or of all', async () => {
    await commands.api.post(entityPath('v3', OLD, 'status'), { removed: true });
    await eventually(async () => {
      const { stdout } = await commands.run('properties', 'list', '--include-removed');
      const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/u));
      expect(lines[0]).toEqual(['QUALIFIED NAME', 'TYPE', 'CARDINALITY', 'VERSION', 'STATE', 'ENTITY TYPES']);
      expect(lines).toContainEqual([
        'com.example.properties.days',
        'number',
        'SINGLE',
        '20240614080000',
        'active',
        'dataset, dataFlow',
      ]);
      expect(lines).toContainEqual(['com.example.properties.old', 'string', 'MULTIPLE', 'removed', 'dataset']);
    });
    const all = await commands.run('properties', 'list', '--include-removed', '--json');
    expect(JSON.parse(all.stdout)).toContainEqual({ ...SHOWN, removed: false });
    expect(JSON.parse(all.stdout)).toContainEqual(expect.objectContaining({ urn: OLD, removed: true }));
    const active = await commands.run('properties', 'list', '--json');
    expect(JSON.parse(active.stdout)).not.toContainEqual(expect.objectContaining({ urn: OLD }));
    const got = await commands.run('properties', 'get', '--urn', OLD);
    expect([got.code, got.stderr]).toEqual([0, expect.stringContaining(`proplane undelete --urn ${OLD}`)]);
  });

  it('list writes a file that upsert reads back to the same definitions', async () => {
    const file = join(commands.folder, 'listed.yaml');
    const { code, stdout, stderr } = await commands.run('properties', 'list', '--to-file', file);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      expect.stringMatching(/^Wrote .*listed\.yaml: \d+ definitions\n$/u),
    ]);
    const before = (await commands.api.get(entityPath('v3', DAYS, 'propertyDefinition'))).body;
    // The list is of all test files: only what is ours is sent again.
    const entries = (await readFile(file, 'utf8'))
      .split(/^(?=- )/mu)
      .filter((entry) => entry.includes('com.example.properties.'));
    const ours = await commands.file('ours.yaml', entries.join(''));
    expect(await commands.run('properties', 'upsert', '-f', ours)).toMatchObject({ code: 0, stderr: '' });
    expect((await commands.api.get(entityPath('v3', DAYS, 'propertyDefinition'))).body).toEqual(before);
    const details = await commands.run('properties', 'list', '--details');
    expect(details.stdout).toContain(entries[0]);
    const nowhere = await commands.run('properties', 'list', '--to-file', join(commands.folder, 'no/where.yaml'));
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('no/where.yaml: ENOENT')]);
  });
});
