import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { AccessCommands } from '../harness/access-commands.ts';

const LAST_YEAR = Date.parse('2020-01-01T00:00:00Z');

const commands = new AccessCommands();
beforeEach(async () => {
  await commands.renew();
});
afterAll(() => commands.close());

describe('proplane token create', () => {
  it('prints the token alone, so that a script can take it', async () => {
    const { code, stdout, stderr } = await commands.run('token', 'create', '--name', 'laptop');
    expect([code, stdout]).toEqual([0, 'secret-of-laptop\n']);
    expect(stderr).toMatch(/^laptop acts as urn:li:corpuser:admin and ends: 3000-.*It is not shown again:\n$/u);
  });

  it('makes one for somebody else, for as long as is said', async () => {
    const options = ['--for', 'loader', '--duration', 'NO_EXPIRY', '--description', 'nightly', '--json'];
    const { stdout, stderr } = await commands.run('token', 'create', '--name', 'x', ...options);
    const metadata = { actorUrn: 'urn:li:corpuser:loader', description: 'nightly', expiresAt: null };
    expect(JSON.parse(stdout)).toEqual({ accessToken: 'secret-of-x', metadata: expect.objectContaining(metadata) });
    expect(stderr).toBe('');
    const wrong = await commands.run('token', 'create', '--name', 'x', '--duration', 'EVER');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Allowed choices are ONE_HOUR')]);
    expect((await commands.run('token', 'create')).stderr).toContain("required option '--name <name>'");
    expect((await commands.run('token', 'create', '--name', 'x', '--for', 'urn:li:dataset:x')).stderr).toContain(
      'written urn:li:corpuser:<name>',
    );
  });
});

describe('proplane token list', () => {
  beforeEach(() => {
    const { server } = commands;
    for (let at = 0; at < 120; at += 1)
      server.tokens.add(`own-${at}`, at < 2 ? { expiresAt: LAST_YEAR } : { expiresAt: null, lastUsedAt: at });
    server.tokens.add('of-another', { ownerUrn: 'urn:li:corpuser:jane' });
  });

  it('lists own ones, or all, or what has expired', async () => {
    const ids = async (...options: string[]) =>
      JSON.parse((await commands.run('token', 'list', '--json', ...options)).stdout).map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids()).toHaveLength(120);
    expect(await ids('--all')).toContain('of-another');
    expect(await ids('--expired')).toEqual(['own-0', 'own-1']);
  });

  it('shows when each ends', async () => {
    const lines = (await commands.run('token', 'list')).stdout.split('\n').map((line) => line.split(/ {2,}/u));
    expect(lines[0]).toEqual(['ID', 'NAME', 'ACTS AS', 'MADE BY', 'AGE', 'LAST USED', 'ENDS', 'DESCRIPTION']);
    expect(lines[1]?.slice(0, 3)).toEqual(['own-0', 'own-0', 'urn:li:corpuser:admin']);
    expect([lines[1]?.slice(5), lines[3]?.slice(5)]).toEqual([
      ['never', 'expired'],
      ['1970-01-01T00:00:00.002Z', 'never'],
    ]);
  });
});

describe('proplane token revoke', () => {
  const left = () => [...commands.server.tokens.all.keys()];
  const id = (letter: string) => `${letter.repeat(43)}=`;
  beforeEach(() => {
    commands.server.tokens.add(id('a'), { name: 'laptop' });
    commands.server.tokens.add(id('b'), { name: 'twice' });
    commands.server.tokens.add(id('c'), { name: 'twice' });
    commands.server.tokens.add(id('d'), { name: 'hers', ownerUrn: 'urn:li:corpuser:jane' });
  });

  it('takes names and ids', async () => {
    const { code, stdout } = await commands.run('token', 'revoke', 'laptop', id('b'));
    expect([code, stdout, left()]).toEqual([0, 'Revoked laptop\nRevoked twice\n', [id('c'), id('d')]]);
  });

  it('revokes none when a word means nothing, or more than one without --yes', async () => {
    const unknown = await commands.run('token', 'revoke', 'laptop', 'hers');
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no token hers\n']);
    const several = await commands.run('token', 'revoke', 'laptop', 'twice');
    expect([several.code, several.stderr]).toEqual([
      1,
      expect.stringMatching(/^2 tokens have the name twice:\n {2}b+=.*\n {2}c+=.*\nNothing was revoked: .*--yes/u),
    ]);
    expect(left()).toHaveLength(4);
    const sure = await commands.run('token', 'revoke', 'twice', '--yes', '--json');
    expect(JSON.parse(sure.stdout)).toEqual([id('b'), id('c')]);
  });

  it("means others' tokens by id, or by name with --all", async () => {
    expect((await commands.run('token', 'revoke', id('d'))).stdout).toBe(`Revoked ${id('d')}\n`);
    commands.server.tokens.add(id('d'), { name: 'hers', ownerUrn: 'urn:li:corpuser:jane' });
    expect((await commands.run('token', 'revoke', 'hers', '--all')).stdout).toBe('Revoked hers\n');
    const gone = await commands.run('token', 'revoke', id('d'));
    expect([gone.code, gone.stderr]).toEqual([1, `There is no token ${id('d')}\n`]);
  });
});

describe('proplane token show', () => {
  it('tells what is known of the token in use', async () => {
    await commands.run('token', 'create', '--name', 'mine');
    const environment = { PROPLANE_TOKEN: 'secret-of-mine' };
    const { stdout } = await commands.with({ environment }, 'token', 'show');
    expect(parse(stdout)).toMatchObject({ name: 'mine', createdAt: '1970-01-01T00:00:00.001Z' });
    expect(stdout).not.toContain('secret-of-mine');
    const none = await commands.with({ environment: { PROPLANE_TOKEN: '' } }, 'token', 'show');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No token is set for')]);
  });
});
