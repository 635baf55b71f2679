import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccessCommands } from '../harness/access-commands.ts';
import { entityPath } from '../harness/api.ts';
import { Commands } from '../harness/commands.ts';
import { Terminal, terminalMissing } from '../harness/terminal.ts';

const ENTER = '\r';
const missing = terminalMissing();
const inTerminal = missing === undefined ? describe : describe.skip;

inTerminal(`in a terminal${missing === undefined ? '' : ` (${missing})`}`, () => {
  let commands: Commands;
  beforeAll(async () => {
    commands = await Commands.open();
  });
  afterAll(() => commands.close());

  const open = (...options: string[]) =>
    new Terminal({ HOME: commands.folder, PROPLANE_HOST: commands.host }, ...options);

  it('init asks for what is not given, and does not show the token', async () => {
    const terminal = open('init');
    await terminal.answer('Address of the server', ENTER);
    await terminal.answer('Access token', `s3cret${ENTER}`);
    expect([await terminal.end(), terminal.shown]).toEqual([0, expect.stringContaining('Proplane answers at')]);
    expect(terminal.shown).not.toContain('s3cret');
    const file = join(commands.folder, '.proplane/config.yaml');
    expect(await readFile(file, 'utf8')).toBe(`host: ${commands.host}\ntoken: s3cret\n`);
  });

  it('a hard deletion is asked about, and only a yes lets it happen', async () => {
    const urn = 'urn:li:structuredProperty:com.example.terminal.asked';
    const definition = { qualifiedName: 'com.example.terminal.asked', valueType: 'string', entityTypes: ['dataset'] };
    await commands.api.post(entityPath('v3', urn, 'propertyDefinition'), definition);
    const refused = open('delete', '--urn', urn, '--hard');
    await refused.answer('This cannot be undone', ENTER);
    expect([await refused.end(), refused.shown]).toEqual([1, expect.stringContaining('Nothing was done')]);
    const interrupted = open('delete', '--urn', urn, '--hard');
    await interrupted.answer('This cannot be undone', '\u0003');
    expect([await interrupted.end(), interrupted.shown]).toEqual([1, expect.not.stringContaining('Error')]);
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(200);
    const wanted = open('delete', '--urn', urn, '--hard');
    await wanted.answer('? 0 entities', `y${ENTER}`);
    expect([await wanted.end(), wanted.shown]).toEqual([0, expect.stringContaining('Hard deleted')]);
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(404);
    const sure = open('delete', '--urn', urn, '--hard', '--yes');
    expect([await sure.end(), sure.shown]).toEqual([0, expect.stringContaining('There was nothing at')]);
  });

  it('that does not show standard error, a hard deletion is refused without --yes', async () => {
    const urn = 'urn:li:structuredProperty:com.example.terminal.unseen';
    const definition = { qualifiedName: 'com.example.terminal.unseen', valueType: 'string', entityTypes: ['dataset'] };
    await commands.api.post(entityPath('v3', urn, 'propertyDefinition'), definition);
    const errors = join(commands.folder, 'errors');
    const unseen = (...options: string[]) =>
      new Terminal(
        { HOME: commands.folder, PROPLANE_HOST: commands.host, REDIRECTION: `2>'${errors}'` },
        ...options,
      ).end();
    expect(await unseen('delete', '--urn', urn, '--hard')).toBe(1);
    expect(await readFile(errors, 'utf8')).toContain('Nothing was deleted: the question would not be seen');
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(200);
    expect(await unseen('delete', '--urn', urn, '--hard', '--yes')).toBe(0);
    expect((await commands.api.get(entityPath('v3', urn))).status).toBe(404);
  });

  it('following a job draws a bar', async () => {
    const terminal = open('jobs', 'follow', 'system-update');
    expect([await terminal.end(), terminal.shown]).toEqual([0, expect.stringContaining('100%')]);
  });
});

inTerminal('in a terminal before access control', () => {
  const commands = new AccessCommands();
  beforeEach(() => commands.renew());
  afterAll(() => commands.close());

  const open = (...options: string[]) =>
    new Terminal(
      { HOME: commands.folder, PROPLANE_HOST: commands.server.url, PROPLANE_TOKEN: 'admin-token' },
      ...options,
    );

  it('init asks for the password of a user, and does not show it', async () => {
    commands.server.passwords.set('urn:li:corpuser:jane', 'correct horse');
    const terminal = open('init', '--user', 'jane');
    await terminal.answer('Address of the server', ENTER);
    await terminal.answer('The password of jane', `correct horse${ENTER}`);
    expect([await terminal.end(), terminal.shown]).toEqual([0, expect.stringContaining('Proplane answers at')]);
    expect(terminal.shown).not.toMatch(/correct|secret/u);
    expect(await readFile(join(commands.folder, '.proplane/config.yaml'), 'utf8')).toMatch(/^token: secret-of-/mu);
  });

  it('a new password is typed twice', async () => {
    const terminal = open('users', 'create', 'jane');
    await terminal.answer('The new password:', `correct horse${ENTER}`);
    await terminal.answer('The new password again', `correct house${ENTER}`);
    expect([await terminal.end(), terminal.shown]).toEqual([1, expect.stringContaining('passwords differ')]);
    expect(commands.server.writes).toEqual([]);
  });

  it('several tokens of a name are revoked only after a yes', async () => {
    for (const id of ['a', 'b']) commands.server.tokens.add(id, { name: 'twice' });
    const refused = open('token', 'revoke', 'twice');
    await refused.answer('Revoke all 2?', ENTER);
    expect([await refused.end(), commands.server.tokens.all.size]).toEqual([1, 2]);
    const wanted = open('token', 'revoke', 'twice');
    await wanted.answer('Revoke all 2?', `y${ENTER}`);
    expect([await wanted.end(), commands.server.tokens.all.size]).toEqual([0, 0]);
  });
});
