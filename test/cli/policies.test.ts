import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICIES } from '../../model/access/default-policies.ts';
import { AccessCommands } from '../harness/access-commands.ts';

const policy = (id: string, more = '') => `id: ${id}
name: Finance
type: METADATA
privileges: [EDIT_ENTITY]
actors: { groups: ['urn:li:corpGroup:finance'] }
${more}`;

const commands = new AccessCommands();
beforeEach(async () => {
  await commands.renew();
  for (const known of DEFAULT_POLICIES) commands.server.policies.set(known.id, known);
});
afterAll(() => commands.close());

const apply = (...words: string[]) => commands.run('policies', 'apply', ...words);

describe('proplane policies', () => {
  it('lists them, with whom they are for', async () => {
    const lines = (await commands.run('policies', 'list')).stdout.split('\n').map((line) => line.split(/ {2,}/u));
    expect(lines[0]).toEqual(['ID', 'TYPE', 'STATE', 'FROM', 'FOR', 'PRIVILEGES']);
    expect(lines).toContainEqual(['asset-owners', 'METADATA', 'active', 'default', 'owners', expect.any(String)]);
    const json = JSON.parse((await commands.run('policies', 'list', '--json')).stdout);
    expect(json).toEqual(DEFAULT_POLICIES);
  });

  it('lists what they can grant', async () => {
    expect((await commands.run('policies', 'privileges')).stdout).toContain('MANAGE_ACCESS_TOKENS');
    const json = JSON.parse((await commands.run('policies', 'privileges', '--json')).stdout);
    expect(json.roles).toEqual(['Admin', 'Editor', 'Reader']);
  });

  it('prints them as they are applied', async () => {
    const ids = DEFAULT_POLICIES.map(({ id }) => id);
    const { stdout } = await commands.run('policies', 'get', ...ids);
    await commands.file('all.yaml', stdout);
    const applied = await apply('-f', 'all.yaml', '--json');
    expect(JSON.parse(applied.stdout)).toEqual(ids.map((id) => ({ id, outcome: 'unchanged' })));
    const missing = await commands.run('policies', 'get', 'asset-owners', 'none');
    expect([missing.code, missing.stderr]).toEqual([1, 'There is no policy none\n']);
  });

  it('are deleted, none when one is not there', async () => {
    const missing = await commands.run('policies', 'delete', 'asset-owners', 'none');
    expect([missing.code, commands.server.writes]).toEqual([1, []]);
    expect((await commands.run('policies', 'delete', 'asset-owners')).stdout).toBe('Deleted the policy asset-owners\n');
    expect(commands.server.writes).toEqual(['DELETE /access/policies/asset-owners']);
  });
});

describe('proplane policies apply', () => {
  it('makes and changes what files, folders and standard input say', async () => {
    await mkdir(join(commands.folder, 'more'));
    await commands.file('more/b.yml', `- ${policy('b').replaceAll('\n', '\n  ')}`);
    await commands.file('more/notes.txt', 'no policy');
    await commands.file('a.yaml', `${policy('a')}---\n${policy('asset-owners')}`);
    const { code, stdout, stderr } = await commands.with(
      { input: policy('c') },
      ...['policies', 'apply', '-f', 'a.yaml', 'more', '-'],
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('Made the policy a\nChanged the policy asset-owners\nMade the policy b\nMade the policy c\n');
    expect(commands.server.policies.get('b')).toMatchObject({ id: 'b', state: 'ACTIVE' });
    expect((await apply('-f', 'a.yaml')).stdout).toContain('The policy a is as it should be\n');
  });

  it('says with --dry-run what it would do', async () => {
    await commands.file('a.yaml', `${policy('a')}---\n${policy('asset-owners')}`);
    const { stdout } = await apply('-f', 'a.yaml', '--dry-run');
    expect(stdout).toBe('Would make the policy a\nWould change the policy asset-owners\n');
    expect(commands.server.writes).toEqual([]);
  });

  it('writes nothing when a rule is violated anywhere, and names each with file and line', async () => {
    await commands.file('good.yaml', policy('good'));
    await commands.file('twice.yaml', `# again\n${policy('good')}`);
    await commands.file('bad.yaml', policy('bad', 'resource: {}').replace('EDIT_ENTITY', 'EDIT_ALL, MANAGE_POLICIES'));
    await commands.file('broken.yaml', 'id: "x\n');
    const { code, stdout, stderr } = await apply('-f', 'good.yaml', 'twice.yaml', 'bad.yaml', 'broken.yaml');
    expect([code, stdout, commands.server.writes]).toEqual([1, '', []]);
    expect(stderr.split('\n')).toEqual([
      'twice.yaml:2:1: good.yaml:1:1 has a policy good, too',
      'bad.yaml:4:14: privileges[0]: "EDIT_ALL" is no privilege',
      'bad.yaml:6:1: unknown field "resource"',
      expect.stringMatching(/^broken\.yaml:2:1: /u),
      '',
    ]);
    await commands.file('wrong-type.yaml', policy('x').replace('EDIT_ENTITY', 'MANAGE_POLICIES'));
    expect((await apply('-f', 'wrong-type.yaml')).stderr).toBe(
      'wrong-type.yaml:4:14: privileges[0]: MANAGE_POLICIES is of type PLATFORM\n',
    );
  });

  it('refuses files without a policy, and policies that stay as they are, before it writes', async () => {
    await commands.file('empty.yaml', '# nothing\n');
    expect((await apply('-f', 'empty.yaml')).stderr).toBe('There is no policy in what was given\n');
    expect((await apply('-f', 'none.yaml')).stderr).toMatch(/^none\.yaml: ENOENT/u);
    await commands.file('fixed.yaml', `${policy('a')}---\n${policy('admin-platform')}`);
    const { code, stderr } = await apply('-f', 'fixed.yaml');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^fixed\.yaml:7:1: the policy admin-platform cannot be/u),
    ]);
    expect(commands.server.writes).toEqual([]);
  });

  it('goes on with the others when the server refuses one', async () => {
    await commands.file('a.yaml', `${policy('refused')}---\n${policy('a')}`);
    const { code, stdout, stderr } = await apply('-f', 'a.yaml');
    expect([code, stdout, stderr]).toEqual([
      1,
      'Made the policy a\n',
      'The policy refused was refused: Nobody could manage policies any more.\n',
    ]);
    const json = await apply('-f', 'a.yaml', '--json');
    expect([json.code, JSON.parse(json.stdout)[0]]).toEqual([
      1,
      { id: 'refused', outcome: 'refused', error: 'Nobody could manage policies any more.', violations: [] },
    ]);
  });
});
