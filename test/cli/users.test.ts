import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccessCommands } from '../harness/access-commands.ts';

const JANE = 'urn:li:corpuser:jane';
const FINANCE = 'urn:li:corpGroup:finance';

const commands = new AccessCommands();
beforeEach(async () => {
  await commands.renew();
});
afterAll(() => commands.close());

const users = (...words: string[]) => commands.run('users', ...words);
const userOf = (name: string) => commands.server.users.get(`urn:li:corpuser:${name}`);

describe('proplane users', () => {
  it('lists all, page by page, or those that a text is about', async () => {
    for (const name of ['ada', 'bob', 'jane', 'joe', 'kim']) commands.server.addUser(name);
    commands.server.addUser('zoe', { roles: ['Editor'], groups: [FINANCE], state: 'SUSPENDED', lastLogin: 0 });
    const lines = (await users('list')).stdout.trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]?.split(/ {2,}/u)).toEqual(['USER', 'STATE', 'ROLES', 'GROUPS', 'LAST LOG-IN', 'NAME']);
    expect(lines.at(-1)).toMatch(/^zoe {3,}suspended {2}Editor {2}finance {2}1970-01-01T00:00:00.000Z$/u);
    const json = JSON.parse((await users('list', '--query', 'j', '--json')).stdout);
    expect(json.map(({ username }: { username: string }) => username)).toEqual(['jane', 'joe']);
  });

  it('makes one with a password from standard input, or without one', async () => {
    const words = ['users', 'create', 'jane', '--role', 'Editor', 'Reader', '--group', 'finance', '--password-stdin'];
    const { code, stdout } = await commands.with({ input: 'correct horse\n' }, ...words);
    expect([code, stdout]).toEqual([0, 'Made the user jane\n']);
    expect(userOf('jane')).toMatchObject({ roles: ['Editor', 'Reader'], groups: [FINANCE], hasPassword: true });
    expect(commands.server.passwords.get(JANE)).toBe('correct horse');
    const program = await users('create', 'loader', '--no-password', '--display-name', 'Loader', '--json');
    expect(JSON.parse(program.stdout)).toMatchObject({ username: 'loader', hasPassword: false, displayName: 'Loader' });
    const nobody = await users('create', 'joe');
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('--password-stdin')]);
    expect(userOf('joe')).toBeUndefined();
  });

  it('suspends, activates and deletes by name or URN', async () => {
    for (const name of ['jane', 'joe']) commands.server.addUser(name);
    expect((await users('suspend', 'joe', JANE)).stdout).toBe('Suspended joe\nSuspended jane\n');
    expect([userOf('jane')?.state, userOf('joe')?.state]).toEqual(['SUSPENDED', 'SUSPENDED']);
    const json = JSON.parse((await users('activate', 'jane', '--json')).stdout);
    expect(json).toEqual([expect.objectContaining({ urn: JANE, state: 'ACTIVE' })]);
    expect((await users('delete', 'jane', 'joe', '--yes')).stdout).toBe(
      'Deleted the user jane\nDeleted the user joe\n',
    );
    const missing = await users('suspend', 'jane');
    expect([missing.code, missing.stderr]).toEqual([1, `There is no user ${JANE}\n`]);
  });

  it('replaces roles; puts into groups and takes out of them', async () => {
    commands.server.addUser('jane', { roles: ['Reader'], groups: ['urn:li:corpGroup:sales'] });
    commands.server.addUser('joe');
    await users('set-roles', 'jane', 'Editor', 'Steward');
    expect(userOf('jane')?.roles).toEqual(['Editor', 'Steward']);
    await users('set-roles', 'jane');
    expect(userOf('jane')?.roles).toEqual([]);
    expect((await users('add-to-group', 'finance', 'jane', 'joe')).stdout).toContain('Added to finance: jane\n');
    expect((await users('add-to-group', 'finance', 'jane')).code).toBe(0);
    expect(userOf('jane')?.groups).toEqual(['urn:li:corpGroup:sales', FINANCE]);
    await users('remove-from-group', FINANCE, 'jane');
    expect([userOf('jane')?.groups, userOf('joe')?.groups]).toEqual([['urn:li:corpGroup:sales'], [FINANCE]]);
    const missing = await users('add-to-group', 'sales', 'joe', 'nobody');
    expect([missing.stderr, userOf('joe')?.groups]).toEqual(['There is no user nobody\n', [FINANCE]]);
  });

  it('sets passwords: the own one with the present one', async () => {
    const admin = 'urn:li:corpuser:admin';
    commands.server.passwords.set(admin, 'old password');
    const set = (input: string, ...words: string[]) =>
      commands.with({ input }, 'users', 'set-password', ...words, '--password-stdin');
    expect((await set('new password\n', 'jane')).stdout).toBe('jane has another password now\n');
    expect(commands.server.passwords.get(JANE)).toBe('new password');
    expect((await set('new password\n')).stderr).toContain('the present password in line 1 and the new password');
    expect((await set('wrong\nnew password\n')).stderr).toContain('The present password is wrong.');
    expect((await set('old password\nnew password\n')).code).toBe(0);
    expect(commands.server.passwords.get(admin)).toBe('new password');
  });
});

describe('proplane groups', () => {
  it('lists, makes and deletes them', async () => {
    expect((await commands.run('groups', 'create', 'finance', '--description', 'money')).code).toBe(0);
    await commands.run('groups', 'create', 'Data Team');
    expect((await commands.run('groups', 'list')).stdout).toMatch(/^NAME.*\nfinance {4}0 {8}money\nData Team/u);
    expect((await commands.run('groups', 'delete', 'finance')).stdout).toBe(`Deleted the group ${FINANCE}\n`);
    expect((await commands.run('groups', 'list', '--json')).stdout).not.toContain('finance');
  });
});

describe('proplane audit', () => {
  beforeEach(() => {
    const actor = (at: number) => `urn:li:corpuser:${at % 2 === 0 ? 'jane' : 'joe'}`;
    commands.server.audit = Array.from({ length: 7 }, (_, at) => {
      return { id: String(at), at, actor: actor(at), action: at < 3 ? 'logIn' : 'logOut', outcome: 'ok' };
    });
    commands.server.audit.push({ id: 'x', at: 9, actor: JANE, action: 'read', outcome: 'refused', detail: 'a\u001b' });
  });

  it('prints what happened, as far as it is asked for', async () => {
    const ids = async (...words: string[]) =>
      JSON.parse((await commands.run('audit', '--json', ...words)).stdout).map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(['0', '1', '2', '3', '4', '5', '6', 'x']);
    expect(await ids('--actor', 'jane', '--action', 'logIn')).toEqual(['0', '2']);
    expect(await ids('--limit', '3')).toEqual(['0', '1', '2']);
    const { stdout } = await commands.run('audit');
    expect(stdout).toMatch(/^AT +OUTCOME +ACTOR +ACTION +SUBJECT +ADDRESS +DETAIL\n1970-01-01T00:00:00\.000Z +ok/u);
    expect(stdout).not.toContain('\u001b');
  });
});
