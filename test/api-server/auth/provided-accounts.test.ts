import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { changeAccount, createAccount, readAccount } from '../../../api-server/auth/accounts.ts';
import { createGroup, listGroups } from '../../../api-server/auth/groups.ts';
import { ensureProvidedAccount } from '../../../api-server/auth/provided-accounts.ts';
import { startSession } from '../../../api-server/auth/sessions.ts';
import type { NewAccount } from '../../../model/wire/access.ts';
import { AUTH_ON } from '../../harness/auth.ts';
import { refusal, TestCatalog } from '../../harness/catalog.ts';

const ADA = 'urn:li:corpuser:ada';
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

describe('a user whom an OpenID provider sends', () => {
  const ensure = (rest: object = {}) => ensureProvidedAccount(catalog.parts, { username: 'ada', ...rest });

  it('gets an account at the first login, which follows what the provider says', async () => {
    await createGroup(catalog.parts, { name: 'local' });
    expect(await ensure({ displayName: 'Ada', email: 'a@b.c', groups: ['crew', 'bad\u0000'] })).toEqual({ urn: ADA });
    expect(await readAccount(catalog.parts, ADA)).toMatchObject({
      displayName: 'Ada',
      email: 'a@b.c',
      groups: [CREW],
      roles: [],
      hasPassword: false,
    });
    await changeAccount(catalog.parts, ADA, { groups: [CREW, 'urn:li:corpGroup:local'], roles: ['Reader'] });
    await ensure({ groups: ['desk'] });
    expect(await readAccount(catalog.parts, ADA)).toMatchObject({
      displayName: 'Ada',
      groups: ['urn:li:corpGroup:local', 'urn:li:corpGroup:desk'],
      roles: ['Reader'],
    });
    await ensure();
    expect(await readAccount(catalog.parts, ADA)).toMatchObject({
      groups: expect.arrayContaining(['urn:li:corpGroup:desk']),
    });
    expect(await sessionOf(ADA)).toBeDefined();
  });

  it('is not one who has a password of his own here', async () => {
    await create({ roles: ['Admin'] });
    expect(await ensure({ groups: ['crew'] })).toEqual({ denied: 'NATIVE_ACCOUNT' });
    expect((await listGroups(catalog.parts, { count: 1 })).groups).toEqual([]);
    expect(await ensure({ username: ' ' })).toEqual({ denied: 'UNKNOWN' });
    for (const username of ['__datahub_system', 'system:serviceaccount:proplane:operator', 'SYSTEM:x']) {
      expect(await ensure({ username })).toEqual({ denied: 'UNKNOWN' });
      expect(await refusal(createAccount(catalog.parts, { username }))).toMatch(/^invalid: username: /u);
    }
    expect(await startSession(catalog.parts, 'urn:li:corpuser:nobody')).toEqual({ denied: 'UNKNOWN' });
  });

  it('changes nothing that requests remember when nothing is new', async () => {
    await ensure({ displayName: 'Ada', groups: ['crew'] });
    const generation = async () =>
      (await catalog.parts.store.records.get<{ generation: number }>('registry', 'registry'))?.body.generation;
    const before = await generation();
    await ensure({ displayName: 'Ada', groups: ['crew'] });
    await sessionOf(ADA);
    expect(await generation()).toBe(before);
  });
});
