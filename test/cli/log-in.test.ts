import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { AccessCommands } from '../harness/access-commands.ts';

const commands = new AccessCommands();
beforeEach(async () => {
  await commands.renew();
  commands.server.passwords.set('urn:li:corpuser:jane', 'correct horse');
});
afterAll(() => commands.close());

const NOTHING_SET = { PROPLANE_HOST: '', PROPLANE_TOKEN: '' };
const init = (input: string, ...words: string[]) =>
  commands.with({ environment: NOTHING_SET, input }, 'init', '--user', 'jane', ...words);
const config = async () => parse(await readFile(join(commands.folder, '.proplane/config.yaml'), 'utf8'));

describe('proplane init --user', () => {
  it.each(['', '/', '/api/gms', '/api/gms/'])(
    'logs in at the frontend %s, and keeps a token of its own',
    async (end) => {
      const { url, tokens, me } = commands.server;
      const { code, stdout, stderr } = await init('correct horse\n', '--host', `${url}${end}`, '--password-stdin');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`${url}/api/gms, with a token\nProplane answers at ${url}/api/gms\n`);
      const [token] = tokens.all.values();
      expect(token).toMatchObject({ actorUrn: 'urn:li:corpuser:jane', expiresAt: expect.any(Number) });
      expect(token?.name).toMatch(/^proplane init on \S+ \d{4}-\d\d-\d\d$/u);
      expect(await config()).toEqual({
        host: `${url}/api/gms`,
        token: `secret-of-${token?.name.replaceAll(' ', '-')}`,
      });
      // The session is over.
      expect(me.has('the-session')).toBe(false);
      expect(stdout).not.toContain('secret');
    },
  );

  it('takes the password and the time of the token as options', async () => {
    const { url, tokens } = commands.server;
    const options = ['--password', 'correct horse', '--token-duration', 'NO_EXPIRY'];
    expect((await init('', '--host', url, ...options)).code).toBe(0);
    expect([...tokens.all.values()]).toEqual([expect.objectContaining({ expiresAt: null })]);
  });

  it('says what the frontend says of a wrong password, and writes nothing', async () => {
    const { url } = commands.server;
    const { code, stderr } = await init('wrong', '--host', url, '--password-stdin');
    expect([code, stderr]).toEqual([1, `${url} does not log jane in: Invalid Credentials\n`]);
    await expect(config()).rejects.toThrow('ENOENT');
  });

  it('says what to do where no frontend answers', async () => {
    commands.server.isFrontend = false;
    const { code, stderr } = await init('correct horse', '--host', commands.server.url, '--password-stdin');
    expect([code, stderr]).toEqual([1, expect.stringContaining('the API server itself takes tokens')]);
    expect(stderr).toContain('such as http://127.0.0.1:9002/api/gms');
    const nobody = await init('correct horse', '--host', 'http://127.0.0.1:9/api/gms', '--password-stdin');
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('Is it running?')]);
  });

  it('needs no password where authentication is off', async () => {
    commands.server.authEnabled = false;
    const { url } = commands.server;
    const { code, stderr } = await init('', '--host', url, '--password', 'any');
    expect([code, stderr]).toEqual([0, 'The server has authentication off: no token is needed\n']);
    expect(await config()).toEqual({ host: `${url}/api/gms` });
  });

  it('wants whole answers where nobody can be asked', async () => {
    const { url } = commands.server;
    expect((await init('')).stderr).toContain('Give --host <url> and --password-stdin');
    expect((await init('', '--host', url, '--token', 'x')).stderr).toContain('Give either --token or --user');
    expect((await init('a\nb\n', '--host', url, '--password-stdin')).stderr).toContain('nothing else');
    expect((await init('', '--host', url, '--password-stdin')).stderr).toContain('has to have the password of jane');
    const alone = await commands.run('init', '--host', url, '--token', 'x', '--password', 'x');
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('give --user')]);
  });
});

describe('PROPLANE_TOKEN_FILE', () => {
  const withFile = (path: string, ...words: string[]) =>
    commands.with({ environment: { PROPLANE_TOKEN: '', PROPLANE_TOKEN_FILE: path } }, 'whoami', ...words);

  it('is a file that has the token, unless PROPLANE_TOKEN or --token say another', async () => {
    const path = join(commands.folder, 'token');
    await writeFile(path, 'reader-token\n');
    expect((await withFile(path)).stdout).toContain('urn:li:corpuser:reader');
    expect((await withFile(path, '--token', 'admin-token')).stdout).toContain('urn:li:corpuser:admin');
    const both = await commands.with({ environment: { PROPLANE_TOKEN_FILE: path } }, 'whoami');
    expect(both.stdout).toContain('urn:li:corpuser:admin');
    await rm(path);
    expect((await commands.with({ environment: { PROPLANE_TOKEN_FILE: path } }, 'whoami')).code).toBe(0);
  });

  it('has to be there and to hold one, which is not shown', async () => {
    const path = join(commands.folder, 'token');
    expect((await withFile(path)).stderr).toBe(`the token in ${path} cannot be read: ENOENT\n`);
    await writeFile(path, '\n');
    expect((await withFile(path)).stderr).toBe(`there is no token in ${path}\n`);
    await writeFile(path, 'se cret');
    const { code, stderr } = await withFile(path);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PROPLANE_TOKEN_FILE: the token has characters/u)]);
    expect(stderr).not.toContain('cret');
  });
});

describe('a refusal', () => {
  const as = (token: string, ...words: string[]) => commands.with({ environment: { PROPLANE_TOKEN: token } }, ...words);

  it('says what to do without a token, with a wrong one, and without the permission', async () => {
    const about = 'The credentials are not valid: they are malformed, have expired or were revoked.';
    const how = 'with --token, PROPLANE_TOKEN or `proplane init`.';
    expect((await as('', 'users', 'list')).stderr).toBe(`The server wants a token: ${about} Give one ${how}\n`);
    expect((await as('wrong', 'token', 'list')).stderr).toBe(
      `The server does not take the token: ${about} Give another ${how}\n`,
    );
    const reader = 'urn:li:corpuser:reader is not authorized: it needs the privilege';
    const next = '`proplane whoami` shows what you may do.';
    expect(await as('reader-token', 'users', 'list')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `${reader} Manage Users & Groups. ${next}\n`,
    });
    // GraphQL says it in another shape.
    expect((await as('reader-token', 'token', 'list', '--all')).stderr).toBe(
      `${reader} Manage All Access Tokens. ${next}\n`,
    );
  });
});

describe('proplane whoami', () => {
  it('prints who asks, and what they may do', async () => {
    const { stdout, stderr } = await commands.run('whoami');
    expect([parse(stdout), stderr]).toEqual([
      expect.objectContaining({ server: commands.server.url, actor: 'urn:li:corpuser:admin', by: 'token' }),
      '',
    ]);
    expect(JSON.parse((await commands.run('whoami', '--json')).stdout).privileges).toContain('MANAGE_POLICIES');
    commands.server.authEnabled = false;
    expect((await commands.run('whoami')).stderr).toBe('Authentication is off: everybody may do everything\n');
  });
});
