import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { entityPath, eventually } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,cli.dataset.${name},PROD)`;
const KEPT = 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.kept,PROD)';
const FIELD = `urn:li:schemaField:(${dataset('clicks')},user_id)`;
const PROPERTIES = `
- { id: com.example.dataset.days, type: number, entity_types: [dataset, schemaField] }
- { id: com.example.dataset.scope, type: string, cardinality: MULTIPLE, entity_types: [dataset] }
`;
const ENTRY = {
  id: 'cli.dataset.clicks',
  platform: 'hive',
  env: 'PROD',
  subtype: 'Table',
  description: 'Who clicked',
  structured_properties: { 'com.example.dataset.days': 30, 'com.example.dataset.scope': ['30', 'gdpr'] },
  schema: {
    fields: [
      { id: 'user_id', type: 'string', structured_properties: { 'com.example.dataset.days': 365 } },
      { id: 'at', type: 'time', nullable: false },
    ],
  },
};

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
  await commands.run('properties', 'upsert', '-f', await commands.file('properties.yaml', PROPERTIES));
});
afterAll(() => commands.close());

describe('proplane dataset', () => {
  it('upsert creates datasets with their fields, and says so', async () => {
    const more = ['a', 'b'].map((name) => ({ id: `cli.dataset.${name}`, platform: 'hive' }));
    const file = await commands.file('datasets.yaml', JSON.stringify([ENTRY, ...more]));
    const { code, stdout, stderr } = await commands.run('dataset', 'upsert', '-f', file);
    const urns = [dataset('clicks'), dataset('a'), dataset('b'), FIELD];
    expect([code, stdout, stderr]).toEqual([0, urns.map((urn) => `Update succeeded for urn ${urn}.\n`).join(''), '']);
  });

  it('get prints the dataset in the form of the file, also as JSON', async () => {
    await eventually(async () => {
      const { code, stdout, stderr } = await commands.run('dataset', 'get', '--urn', dataset('clicks'));
      expect([code, parse(stdout), stderr]).toEqual([0, [ENTRY], '']);
    });
    const { stdout } = await commands.run('dataset', 'get', '--urn', dataset('clicks'), '--json');
    expect(JSON.parse(stdout)).toEqual({ urn: dataset('clicks'), ...ENTRY });
  });

  it('get writes a file that upsert reads back to the same dataset', async () => {
    const file = join(commands.folder, 'clicks.yaml');
    const { code, stdout, stderr } = await commands.run(
      'dataset',
      'get',
      '--urn',
      dataset('clicks'),
      '--to-file',
      file,
    );
    expect([code, stdout, stderr]).toEqual([0, '', `Wrote ${file}\n`]);
    const read = async () => [dataset('clicks'), FIELD].map((urn) => commands.api.get(entityPath('v3', urn)));
    const before = await Promise.all(await read());
    expect((await commands.run('dataset', 'upsert', '-f', file)).code).toBe(0);
    const after = await Promise.all(await read());
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });

  it('upsert leaves what an entry does not name, and says so when nothing changes', async () => {
    const urn = KEPT;
    const upsert = async (entry: object) => {
      const file = await commands.file('kept.yaml', JSON.stringify([{ id: 'cli.kept', platform: 'hive', ...entry }]));
      return commands.run('dataset', 'upsert', '-f', file);
    };
    const read = async () => (await commands.api.get(`${entityPath('v3', urn)}?systemMetadata=true`)).body;
    const named = { name: 'Kept', description: 'Who', properties: { a: '1', b: '2' }, subtype: 'Table' };
    const schema = { fields: [{ id: 'x', type: 'string' }] };
    const values = { 'com.example.dataset.days': 30, 'com.example.dataset.scope': ['a'] };
    expect((await upsert({ ...named, schema, structured_properties: values })).code).toBe(0);
    const before = await read();
    expect(await upsert({})).toEqual({ code: 0, stdout: `Update succeeded for urn ${urn}.\n`, stderr: '' });
    expect(await read()).toEqual(before);
    expect((await upsert({ structured_properties: { 'com.example.dataset.days': 365 } })).code).toBe(0);
    const valued = await read();
    expect(valued.structuredProperties.value.properties).toMatchObject([{ values: [{ double: 365 }] }]);
    for (const aspect of ['datasetProperties', 'subTypes', 'schemaMetadata'])
      expect([aspect, valued[aspect]]).toEqual([aspect, before[aspect]]);
    await upsert({ description: 'Whose' });
    await upsert({ properties: { c: '3' } });
    expect((await read()).datasetProperties.value).toMatchObject({
      ...{ name: 'Kept', description: 'Whose', customProperties: { c: '3' } },
    });
    expect((await read()).datasetProperties.value.customProperties).toEqual({ c: '3' });
    const refused = await upsert({ description: 'No', structured_properties: { 'com.example.dataset.days': 'x' } });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`Update failed for ${urn}: `)]);
    expect((await read()).datasetProperties.value.description).toBe('Whose');
  });

  it('upsert sends nothing of a file whose last entry breaks a rule, and names its line', async () => {
    const never = '- { id: cli.dataset.never, platform: hive }\n';
    const wrong = '- id: cli.dataset.wrong\n  platform: hive\n  structured_properties:\n    urn:li:tag:x: 1\n';
    const file = await commands.file('wrong.yaml', never + wrong);
    const { code, stdout, stderr } = await commands.run('dataset', 'upsert', '-f', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^${file}:5:5: .*Unexpected entity type, .*: urn:li:tag:x\n$`, 'u'));
    expect((await commands.run('dataset', 'get', '--urn', dataset('never'))).code).toBe(1);
  });

  it('get names what the file has no place for, and says what is not there', async () => {
    await commands.api.post(entityPath('v3', dataset('a'), 'globalTags'), { tags: [] });
    const { code, stderr } = await commands.run('dataset', 'get', '--urn', dataset('a'));
    expect([code, stderr]).toEqual([0, 'Not, or not wholly, in this form: globalTags\n']);
    const missing = await commands.run('dataset', 'get', '--urn', dataset('none'));
    expect(missing).toEqual({ code: 1, stdout: '', stderr: `${dataset('none')} does not exist\n` });
  });

  it('list prints a URN a line, a table, or one JSON array', async () => {
    const query = 'name:cli.dataset.*';
    const urns = ['a', 'b', 'clicks'].map(dataset);
    await eventually(async () => {
      const { code, stdout } = await commands.run('dataset', 'list', '--query', query);
      expect([code, stdout]).toEqual([0, `${urns.join('\n')}\n`]);
    });
    const limited = await commands.run('dataset', 'list', '--query', query, '--limit', '2');
    expect(limited.stdout).toBe(`${urns.slice(0, 2).join('\n')}\n`);
    const table = await commands.run('dataset', 'list', '--query', query, '--details');
    expect(table.stdout.split('\n').slice(0, 2)).toEqual([
      'PLATFORM  ENV   STATE   NAME',
      'hive      PROD  active  cli.dataset.a',
    ]);
    const json = await commands.run('dataset', 'list', '--query', query, '--json');
    expect(JSON.parse(json.stdout)[0]).toEqual({
      ...{ urn: dataset('a'), platform: 'hive', name: 'cli.dataset.a' },
      ...{ env: 'PROD', removed: false },
    });
    const none = await commands.run('dataset', 'list', '--query', 'name:none', '--json');
    expect(JSON.parse(none.stdout)).toEqual([]);
  });

  it('list repeats what the server says about a query, and refuses a wrong number', async () => {
    const query = await commands.run('dataset', 'list', '--query', 'name:(a');
    expect([query.code, query.stdout, query.stderr]).toEqual([1, '', expect.stringContaining('column')]);
    const limit = await commands.run('dataset', 'list', '--limit', '-1');
    expect([limit.code, limit.stderr]).toEqual([1, expect.stringContaining('a whole number from 1 on is needed')]);
  });
});
