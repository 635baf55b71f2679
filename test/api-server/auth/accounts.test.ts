import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccessToken, listAccessTokens } from '../../../api-server/auth/access-tokens.ts';
import {
  changeAccount,
  createAccount,
  deleteAccount,
  listAccounts,
  readAccount,
} from '../../../api-server/auth/accounts.ts';
import { ensureAdministrator } from '../../../api-server/auth/first-administrator.ts';
import { changeGroup, createGroup, deleteGroup, listGroups } from '../../../api-server/auth/groups.ts';
import { isRightPassword, setPassword } from '../../../api-server/auth/login.ts';
import { putPolicy } from '../../../api-server/auth/policies.ts';
import { startSession } from '../../../api-server/auth/sessions.ts';
import { allRecords } from '../../../api-server/store/pages.ts';
import type { NewAccount } from '../../../model/wire/access.ts';
import { AUTH_ON } from '../../harness/auth.ts';
import { refusal, TestCatalog } from '../../harness/catalog.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const ADA = 'urn:li:corpuser:ada';
const ROOT = 'urn:li:corpuser:root';
const CREW = 'urn:li:corpGroup:crew';
const PASSWORD = 'correct horse battery';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open({}, AUTH_ON);
});
afterEach(() => catalog.close());

const create = (rest: Partial<NewAccount> = {}) =>
  createAccount(catalog.parts, { username: 'ada', password: PASSWORD, ...rest });

async function sessionOf(urn: string): Promise<string> {
  const session = await startSession(catalog.parts, urn);
  if ('denied' in session) throw new Error(session.denied);
  return session.accessToken;
}

const tokenOf = async (actorUrn: string, owner = ROOT) =>
  (await createAccessToken(catalog.parts, { actorUrn, duration: 'ONE_DAY', name: 'x' }, owner)).accessToken;

const other = () => catalog.replica().auth;

async function isTaken(text: string, auth = other()): Promise<boolean> {
  try {
    await auth.identify({ authorization: `Bearer ${text}` });
    return true;
  } catch {
    return false;
  }
}

describe('a user', () => {
  it('is made, found by parts of names and addresses, changed and deleted', async () => {
    await createGroup(catalog.parts, { name: 'crew' });
    const ada = await create({ displayName: 'Ada L.', email: 'ada@example.com', roles: ['Reader'], groups: [CREW] });
    expect(ada).toEqual({
      urn: ADA,
      username: 'ada',
      displayName: 'Ada L.',
      email: 'ada@example.com',
      roles: ['Reader'],
      groups: [CREW],
      state: 'ACTIVE',
      hasPassword: true,
      created: catalog.clock.now(),
    });
    await create({ username: 'bob', displayName: 'Bob' });
    await createAccount(catalog.parts, { username: 'eve' });
    const names = async (query?: string) =>
      (await listAccounts(catalog.parts, { count: 10, query })).users.map(({ username }) => username);
    expect(await names()).toEqual(['ada', 'bob', 'eve']);
    expect(await names('EXAMPLE')).toEqual(['ada']);
    expect(await names('b')).toEqual(['bob']);
    const page = await listAccounts(catalog.parts, { count: 2 });
    expect(page).toMatchObject({ users: [{ username: 'ada' }, { username: 'bob' }], next: 'urn:li:corpuser:bob' });
    expect(await listAccounts(catalog.parts, { count: 2, after: page.next })).toMatchObject({
      users: [{ username: 'eve', hasPassword: false }],
    });
    const changed = await changeAccount(catalog.parts, ADA, {
      email: 'a@b.c',
      roles: ['Editor', 'Editor'],
      groups: [],
    });
    expect(changed).toEqual({ ...ada, email: 'a@b.c', roles: ['Editor'], groups: [] });
    expect(await readAccount(catalog.parts, ADA)).toEqual(changed);
    await deleteAccount(catalog.parts, ADA);
    expect(await refusal(readAccount(catalog.parts, ADA))).toBe(`missing: There is no user ${ADA}.`);
    expect(await refusal(deleteAccount(catalog.parts, ADA))).toBe(`missing: There is no user ${ADA}.`);
    expect(await refusal(changeAccount(catalog.parts, ADA, {}))).toBe(`missing: There is no user ${ADA}.`);
  });

  it('is refused with every rule that is broken', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ violations: [{ code: 'already-exists' }] });
    await expect(create({ username: 'a b', password: 'short', roles: [''] })).rejects.toMatchObject({
      violations: [{ path: 'username' }, { path: 'password' }, { path: 'roles[0]' }],
    });
    await expect(create({ username: 'bob', groups: [CREW] })).rejects.toMatchObject({
      violations: [{ code: 'unknown-group', path: 'groups[0]' }],
    });
    await expect(changeAccount(catalog.parts, ADA, { groups: [CREW] })).rejects.toMatchObject({
      violations: [{ code: 'unknown-group', path: 'groups[0]' }],
    });
  });

  it('is not there in clear: no password is', async () => {
    await create();
    const stored = await Array.fromAsync(allRecords(catalog.parts.store, 'account'));
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  });

  it('who is suspended has neither sessions nor tokens, on no replica; one who is not any more has his tokens', async () => {
    await create();
    const [session, token] = [await sessionOf(ADA), await tokenOf(ADA)];
    const auth = other();
    expect([await isTaken(session, auth), await isTaken(token, auth)]).toEqual([true, true]);
    await changeAccount(catalog.parts, ADA, { state: 'SUSPENDED' });
    expect([await isTaken(session, auth), await isTaken(token, auth)]).toEqual([false, false]);
    expect(await startSession(catalog.parts, ADA)).toEqual({ denied: 'SUSPENDED' });
    await changeAccount(catalog.parts, ADA, { state: 'ACTIVE' });
    expect([await isTaken(session, auth), await isTaken(token, auth)]).toEqual([false, true]);
  });

  it('who is deleted leaves nothing that is good, also for another one of the name', async () => {
    await create();
    const [session, token] = [await sessionOf(ADA), await tokenOf(ADA)];
    const made = await tokenOf('urn:li:corpuser:robot', ADA);
    await deleteAccount(catalog.parts, ADA);
    await create();
    expect([await isTaken(session), await isTaken(token)]).toEqual([false, false]);
    // It acts as somebody else.
    expect(await isTaken(made)).toBe(true);
    const { tokens } = await listAccessTokens(catalog.parts, {}, { start: 0, count: 10 });
    expect(tokens.map(({ actorUrn }) => actorUrn)).toEqual(['urn:li:corpuser:robot']);
  });

  it('says when he has last logged in', async () => {
    await create();
    await sessionOf(ADA);
    await catalog.parts.auth.uses.written();
    expect(await readAccount(catalog.parts, ADA)).toMatchObject({ lastLogin: catalog.clock.now() });
  });
});

describe('another password', () => {
  it('ends all sessions, and leaves tokens', async () => {
    await create();
    const [session, token] = [await sessionOf(ADA), await tokenOf(ADA)];
    const auth = other();
    expect(await isTaken(session, auth)).toBe(true);
    await setPassword(catalog.parts, ADA, { password: 'another long one', oldPassword: PASSWORD }, { isOwn: true });
    expect([await isTaken(session, auth), await isTaken(token, auth)]).toEqual([false, true]);
    expect(await isRightPassword(catalog.parts, { user: ADA, password: PASSWORD })).toBe(false);
    expect(await isRightPassword(catalog.parts, { user: ADA, password: 'another long one' })).toBe(true);
  });

  it('is for who knows the old one, or for who may manage users', async () => {
    await create();
    await createAccount(catalog.parts, { username: 'eve' });
    const EVE = 'urn:li:corpuser:eve';
    const wanted = { password: 'another long one', oldPassword: 'a wrong old one' };
    for (const user of [ADA, EVE]) {
      await expect(setPassword(catalog.parts, user, wanted, { isOwn: true })).rejects.toMatchObject({
        violations: [{ code: 'wrong-password' }],
      });
    }
    await setPassword(catalog.parts, EVE, { password: 'another long one' }, { isOwn: false });
    expect(await isRightPassword(catalog.parts, { user: EVE, password: 'another long one' })).toBe(true);
    const nobody = setPassword(catalog.parts, ROOT, { password: 'another long one' }, { isOwn: false });
    expect(await refusal(nobody)).toBe(`missing: There is no user ${ROOT}.`);
    await expect(setPassword(catalog.parts, ADA, { password: 'short' }, { isOwn: false })).rejects.toMatchObject({
      violations: [{ path: 'password' }],
    });
  });
});

describe('a group', () => {
  it('has members, and leaves none behind for a new one of its name', async () => {
    await createGroup(catalog.parts, { name: 'crew', description: 'on deck' });
    await createGroup(catalog.parts, { name: 'desk' });
    await create({ groups: [CREW] });
    await create({ username: 'bob', groups: [CREW] });
    expect(await listGroups(catalog.parts, { count: 10 })).toEqual({
      groups: [
        { urn: CREW, name: 'crew', description: 'on deck', members: 2 },
        { urn: 'urn:li:corpGroup:desk', name: 'desk', members: 0 },
      ],
    });
    expect(await listGroups(catalog.parts, { count: 1 })).toMatchObject({ groups: [{ name: 'crew' }], next: CREW });
    expect(await changeGroup(catalog.parts, CREW, { description: 'below' })).toMatchObject({ members: 2 });
    const token = await tokenOf(ADA);
    const auth = other();
    const groups = async () => (await auth.identify({ authorization: `Bearer ${token}` })).caller.groups;
    expect(await groups()).toEqual([CREW]);
    await deleteGroup(catalog.parts, CREW);
    expect(await groups()).toEqual([]);
    await createGroup(catalog.parts, { name: 'crew' });
    expect(await groups()).toEqual([]);
    expect(await refusal(deleteGroup(catalog.parts, 'urn:li:corpGroup:x'))).toBe(
      'missing: There is no group urn:li:corpGroup:x.',
    );
    await expect(createGroup(catalog.parts, { name: 'crew' })).rejects.toMatchObject({
      violations: [{ code: 'already-exists' }],
    });
  });
});

describe('somebody who may manage policies', () => {
  const isKept = (change: Promise<unknown>) =>
    expect(change).rejects.toMatchObject({ code: 'invalid', violations: [{ code: 'last-manager' }] });

  it('is left by every change of a user', async () => {
    await create({ username: 'root', roles: ['Admin'] });
    await create({ username: 'without-password', roles: ['Admin'] });
    await catalog.parts.store.records.list('account', undefined, 10);
    await deleteAccount(catalog.parts, 'urn:li:corpuser:without-password');
    await createAccount(catalog.parts, { username: 'nobody-yet', roles: ['Admin'] });
    await isKept(deleteAccount(catalog.parts, ROOT));
    await isKept(changeAccount(catalog.parts, ROOT, { state: 'SUSPENDED' }));
    await isKept(changeAccount(catalog.parts, ROOT, { roles: ['Editor'] }));
    await changeAccount(catalog.parts, ROOT, { displayName: 'Root' });
    await create({ roles: ['Admin'] });
    await Promise.allSettled([deleteAccount(catalog.parts, ROOT), deleteAccount(catalog.parts, ADA)]);
    const { users } = await listAccounts(catalog.parts, { count: 10 });
    expect(users.filter(({ hasPassword }) => hasPassword)).toHaveLength(1);
  });

  it('is left by the deletion of a group', async () => {
    await createGroup(catalog.parts, { name: 'crew' });
    await create({ groups: [CREW] });
    await putPolicy(catalog.parts, 'crew', {
      name: 'x',
      type: 'PLATFORM',
      privileges: ['MANAGE_POLICIES'],
      actors: { groups: [CREW] },
    });
    await isKept(deleteGroup(catalog.parts, CREW));
    await isKept(changeAccount(catalog.parts, ADA, { groups: [] }));
  });

  it('is made at a start when there is nobody, with a password that is kept for the owner of the folder', async () => {
    const folder = await temporaryFolder();
    const settings = { ADMIN_USER: 'datahub', ADMIN_PASSWORD: undefined, DATA_DIR: folder.path };
    const made = await ensureAdministrator(catalog.parts, settings);
    expect(made).toEqual({
      username: 'datahub',
      password: expect.stringMatching(/^[\w-]{20}$/u),
      file: `${folder.path}/admin-password`,
    });
    const user = 'urn:li:corpuser:datahub';
    expect(await isRightPassword(catalog.parts, { user, password: made?.password ?? '' })).toBe(true);
    expect(await ensureAdministrator(catalog.replica(), settings)).toBeUndefined();
    await create({ roles: ['Admin'] });
    await deleteAccount(catalog.parts, user);
    expect(await ensureAdministrator(catalog.parts, settings)).toBeUndefined();
    await folder.remove();
  });

  it('has the password of the configuration, which later starts leave as it was changed', async () => {
    const settings = { ADMIN_USER: 'root', ADMIN_PASSWORD: 'of the chart', DATA_DIR: '/nowhere' };
    expect(await ensureAdministrator(catalog.parts, settings)).toEqual({ username: 'root' });
    expect(await readAccount(catalog.parts, ROOT)).toMatchObject({ roles: ['Admin'], hasPassword: true });
    await setPassword(catalog.parts, ROOT, { password: 'another long one' }, { isOwn: false });
    expect(await ensureAdministrator(catalog.parts, settings)).toBeUndefined();
    expect(await isRightPassword(catalog.parts, { user: ROOT, password: 'another long one' })).toBe(true);
  });

  it('is made by one of two replicas that start at one time', async () => {
    const settings = { ADMIN_USER: 'root', ADMIN_PASSWORD: undefined };
    const folders = [await temporaryFolder(), await temporaryFolder()];
    const made = await Promise.all(
      folders.map(({ path }) => ensureAdministrator(catalog.replica(), { ...settings, DATA_DIR: path })),
    );
    const told = made.filter((one) => one !== undefined);
    expect(told).toHaveLength(1);
    expect(await isRightPassword(catalog.parts, { user: ROOT, password: told[0]?.password ?? '' })).toBe(true);
    for (const folder of folders) await folder.remove();
  });
});
