import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../../api-server/auth/accounts.ts';
import { isRightPassword } from '../../../api-server/auth/login.ts';
import { networkOf } from '../../../api-server/auth/network.ts';
import { Passwords } from '../../../api-server/auth/passwords.ts';
import { ThrottledError } from '../../../api-server/catalog/errors.ts';
import { Housekeeping } from '../../../api-server/catalog/housekeeping.ts';
import type { CatalogParts } from '../../../api-server/catalog/parts.ts';
import { allRecords } from '../../../api-server/store/pages.ts';
import { putAccount } from '../../harness/accounts.ts';
import { AUTH_OFF, AUTH_ON } from '../../harness/auth.ts';
import { override, TestCatalog } from '../../harness/catalog.ts';

const ADA = 'urn:li:corpuser:ada';
const PASSWORD = 'correct horse battery';
const HOME = '192.0.2.1';
const AWAY = '198.51.100.7';
const MINUTE = 60_000;

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open({}, AUTH_ON);
  await createAccount(catalog.parts, { username: 'ada', password: PASSWORD });
});
afterEach(() => catalog.close());

/** `right`, `wrong`, or how many seconds to wait. */
async function tried(
  password: string,
  { user = ADA, address, parts = catalog.parts }: { user?: string; address?: string; parts?: CatalogParts } = {},
): Promise<string | number> {
  try {
    return (await isRightPassword(parts, { user, password, address })) ? 'right' : 'wrong';
  } catch (error) {
    if (error instanceof ThrottledError) return error.retryAfter;
    throw error;
  }
}

const right = (address?: string) => tried(PASSWORD, address === undefined ? {} : { address });

async function guess(times: number, options: Parameters<typeof tried>[1] = {}): Promise<(string | number)[]> {
  const answers: (string | number)[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await tried(`guess ${time}`, options));
  return answers;
}

describe('a log-in', () => {
  it('is right with the password, and wrong in one way with anything else', async () => {
    await putAccount(catalog.parts, 'urn:li:corpuser:without');
    expect(await right()).toBe('right');
    expect(await tried('x')).toBe('wrong');
    expect(await tried(PASSWORD, { user: 'urn:li:corpuser:nobody' })).toBe('wrong');
    expect(await tried('', { user: 'urn:li:corpuser:without' })).toBe('wrong');
    expect(await tried('x', { user: '\ud800\u0000' })).toBe('wrong');
    expect(await tried(`${PASSWORD}\u0000`)).toBe('wrong');
    expect(await tried(PASSWORD.padEnd(5000, 'x'))).toBe('wrong');
  });

  it('does the same work for a user who does not exist', async () => {
    const { auth } = catalog.parts;
    const compared: boolean[] = [];
    const isRight: Passwords['isRight'] = async (password, stored) => {
      compared.push(stored !== undefined);
      return auth.passwords.isRight(password, stored);
    };
    const watched = { ...catalog.parts, auth: { ...auth, passwords: override(auth.passwords, { isRight }) } };
    await tried('x', { parts: watched });
    await tried('x', { user: 'urn:li:corpuser:nobody', parts: watched });
    expect(compared).toEqual([true, false]);
  });

  it('makes the hash anew when hashes are to be more work', async () => {
    const cost = { rounds: 4, blockSize: 1, repeats: 1 };
    const { auth } = catalog.parts;
    const dearer = { ...catalog.parts, auth: { ...auth, passwords: new Passwords(cost) } };
    expect(await tried('x', { parts: dearer })).toBe('wrong');
    const stored = async () =>
      (await catalog.parts.store.records.get<{ password: object }>('account', ADA))?.body.password;
    expect(await stored()).toMatchObject(AUTH_OFF.passwordCost);
    expect(await tried(PASSWORD, { parts: dearer })).toBe('right');
    expect(await stored()).toMatchObject(cost);
    expect(await tried(PASSWORD, { parts: dearer })).toBe('right');
  });

  it('is asked for again and again only with pauses that grow, on all replicas together', async () => {
    const other = catalog.replica();
    expect(await guess(3)).toEqual(['wrong', 'wrong', 'wrong']);
    expect(await guess(4, { parts: other })).toEqual(['wrong', 'wrong', 'wrong', 2]);
    expect(await right()).toBe(2);
    const waits: (string | number)[] = [];
    for (let wait: string | number = 2; waits.length < 8; waits.push(wait)) {
      catalog.clock.jump(Number(wait) * 1000);
      expect(await tried('x')).toBe('wrong');
      wait = await tried('x');
    }
    expect(waits).toEqual([4, 8, 16, 32, 60, 60, 60, 60]);
    catalog.clock.jump(MINUTE);
    expect(await right()).toBe('right');
    expect(await guess(5)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong']);
  });

  it('counts guesses that are made at one time', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, index) => tried(`guess ${index}`)));
    expect(all.filter((answer) => answer === 'wrong')).toHaveLength(6);
  });

  it('is open to its owner where he has logged in before, whoever tries elsewhere', async () => {
    expect(await right(HOME)).toBe('right');
    for (let round = 0; round < 10; round += 1) {
      await guess(6, { address: `198.51.100.${round}` });
      catalog.clock.jump(1_000);
    }
    expect(await right('203.0.113.9')).toEqual(expect.any(Number));
    expect(await right(HOME)).toBe('right');
    // Who guesses there, waits there.
    await guess(6, { address: HOME });
    expect(await right(HOME)).toBe(2);
    catalog.clock.jump(31 * 24 * 60 * MINUTE);
    await guess(7, { address: AWAY });
    expect(await right(HOME)).toEqual(expect.any(Number));
  });

  it('is asked for with pauses by one address, whomever it names; a right one is none of its guesses', async () => {
    for (let turn = 0; turn < 30; turn += 1) expect(await right(HOME)).toBe('right');
    const answers: (string | number)[] = [];
    for (let user = 0; user < 22; user += 1) {
      answers.push(await tried('x', { user: `urn:li:corpuser:user-${user}`, address: HOME }));
    }
    expect(answers.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 'wrong'));
    expect(answers[21]).toBe(2);
    expect(await right(AWAY)).toBe('right');
  });

  it('of a clock that was wrong is waited for no longer than of any other', async () => {
    const { clock } = catalog;
    clock.jump(10 * 365 * 24 * 60 * MINUTE);
    await guess(12);
    clock.jump(-10 * 365 * 24 * 60 * MINUTE);
    expect(await right()).toBe('right');
  });

  it('leaves no more records than there are buckets, and none in the end', async () => {
    const count = async () => (await Array.fromAsync(allRecords(catalog.parts.store, 'loginFailures'))).length;
    const { store } = catalog.parts;
    await right(HOME);
    const names = new Set<string>();
    for (let user = 0; user < 50; user += 1) await tried('x', { user: `urn:li:corpuser:user-${user}` });
    for await (const { id } of allRecords(store, 'loginFailures')) names.add(id.split('-')[0] ?? '');
    expect(await count()).toBeLessThanOrEqual(53);
    expect([...names].sort()).toEqual(['address', 'pair', 'user']);
    const housekeeping = new Housekeeping(catalog.parts);
    catalog.clock.jump(61 * MINUTE);
    await housekeeping.clean();
    expect(await count()).toBe(1);
    catalog.clock.jump(31 * 24 * 60 * MINUTE);
    await housekeeping.clean();
    expect(await count()).toBe(0);
    expect(await Array.fromAsync(allRecords(store, 'expiry'))).toEqual([]);
  });

  it('that fails is in the audit log, and nothing of the password', async () => {
    await guess(3, { address: HOME });
    await catalog.parts.auth.audit.stop();
    const { entries } = await catalog.parts.auth.audit.list({ count: 10 });
    expect(entries).toMatchObject([{ actor: ADA, action: 'logIn', outcome: 'refused', address: HOME }]);
    expect(JSON.stringify(entries)).not.toContain('guess');
  });
});

describe('a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1:2::3:192.0.2.1', '1:2:0:0'],
    ['nonsense', 'nonsense'],
  ])('at %s is counted for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
