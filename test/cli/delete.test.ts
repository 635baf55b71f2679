import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath, eventually } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';

const property = (name: string) => `urn:li:structuredProperty:com.example.delete.${name}`;
const dataset = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,cli.delete.t${index},PROD)`;

let commands: Commands;
beforeAll(async () => {
  commands = await Commands.open();
});
afterAll(() => commands.close());

/** A property with values on two datasets, which the search knows. */
async function newProperty(name: string, holders = [1, 2]): Promise<string> {
  const urn = property(name);
  const definition = { qualifiedName: `com.example.delete.${name}`, valueType: 'string', entityTypes: ['dataset'] };
  await commands.api.post(entityPath('v3', urn, 'propertyDefinition'), definition);
  const items = holders.map((index) => ({
    urn: dataset(index),
    structuredProperties: { value: { properties: [{ propertyUrn: urn, values: [{ string: 'v' }] }] } },
  }));
  const query = 'async=false&createIfEntityNotExists=true';
  await commands.api.post(`/openapi/v3/entity/dataset?${query}`, items);
  await eventually(async () => {
    const field = `structuredProperties.com_example_delete_${name}`;
    const { body } = await commands.api.get(`/openapi/v3/entity/dataset?count=0&query=_exists_:${field}`);
    expect(body.totalCount).toBe(2);
  });
  return urn;
}

const read = async (urn: string, aspect: string) =>
  (await commands.api.get(entityPath('v3', urn, aspect))).body[aspect]?.value;

describe('proplane delete', () => {
  it('soft-deletes, says how many hold values, and undelete brings all back', async () => {
    const urn = await newProperty('soft');
    const { code, stdout, stderr } = await commands.run('delete', '--urn', urn);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `Soft deleted ${urn}: its values on 2 entities are hidden\n\`proplane undelete --urn '${urn}'\` restores it\n`,
    );
    expect([await read(urn, 'status'), await read(dataset(1), 'structuredProperties')]).toEqual([
      { removed: true },
      { properties: [] },
    ]);
    const again = await commands.run('delete', '--urn', urn, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { urn, deleted: 'nothing' }]);

    expect(await commands.run('undelete', '--urn', urn)).toEqual({ code: 0, stdout: `Restored ${urn}\n`, stderr: '' });
    expect((await read(dataset(1), 'structuredProperties')).properties).toHaveLength(1);
    const restored = await commands.run('restore', '--urn', urn, '--json');
    expect([restored.code, JSON.parse(restored.stdout)]).toEqual([0, { urn, restored: false }]);
  });

  it('keeps what else a status has', async () => {
    await commands.api.post(entityPath('v3', dataset(3), 'status'), { removed: false, lifecycleStage: 'x' });
    expect((await commands.run('delete', '--urn', dataset(3), '--json')).code).toBe(0);
    expect(await read(dataset(3), 'status')).toEqual({ removed: true, lifecycleStage: 'x' });
  });

  it('hard-deletes without a question where nobody can be asked, and says which job removes the values', async () => {
    const urn = await newProperty('hard');
    const { code, stdout, stderr } = await commands.run('delete', '--urn', urn, '--hard');
    expect([code, stdout]).toEqual([0, `Hard deleted ${urn}: its values on 2 entities are hidden\n`]);
    expect(stderr).toMatch(/^`proplane jobs follow cascade:\S+` shows how far its removal is\n$/u);
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(404);
    const again = await commands.run('delete', '--urn', urn, '--hard');
    expect(again).toEqual({ code: 0, stdout: `There was nothing at ${urn}\n`, stderr: '' });
    const json = await commands.run('delete', '--urn', urn, '--hard', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { urn, deleted: 'nothing' }]);
  });

  it('waits for the removal of the values when it is asked to', async () => {
    const urn = await newProperty('waited');
    const shown = await newProperty('shown', [4, 5]);
    // Both at once: a job waits for writers that were late.
    const [{ code, stdout }, plain] = await Promise.all([
      commands.run('delete', '--urn', urn, '--hard', '--yes', '--wait', '--json'),
      commands.runAlone('delete', '--urn', shown, '--hard', '-f', '--wait'),
    ]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        urn,
        deleted: 'hard',
        holders: 2,
        job: expect.objectContaining({ kind: 'cascade', state: 'done', processed: 2 }),
      },
    ]);
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringMatching(/\nRemoved from 2 entities\n$/u)]);
    expect(plain.stderr).toMatch(/^\w+: .*\ndone: 2 of 2 entities\n$/su);
  });

  it('refuses to soft-delete or restore what does not exist, and writes nothing', async () => {
    const urn = property('none');
    const deleted = await commands.run('delete', '--urn', urn);
    expect(deleted).toEqual({ code: 1, stdout: '', stderr: `${urn} does not exist: nothing was deleted\n` });
    expect((await commands.run('undelete', '--urn', urn)).code).toBe(1);
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(404);
    const text = await commands.run('delete', '--urn', 'com.example.none');
    expect([text.code, text.stderr]).toEqual([1, expect.stringContaining('expected urn:li:<entityType>:<id>')]);
  });
});
