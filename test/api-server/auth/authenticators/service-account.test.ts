import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { createServiceAccountAuthenticator } from '../../../../api-server/auth/authenticators/service-account.ts';
import { CatalogError } from '../../../../api-server/catalog/errors.ts';
import { KubeError } from '../../../../kubernetes/kube-error.ts';
import { authenticatorContract } from '../../../contract/authenticator.ts';
import { NO_ACCOUNTS, putAccount } from '../../../harness/accounts.ts';
import { AUTH_ON } from '../../../harness/auth.ts';
import { TestCatalog } from '../../../harness/catalog.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const AUDIENCE = 'proplane';
const ACCOUNT = 'system:serviceaccount:data:loader';
const HOUR = 3_600_000;

let clock: TestClock;
/** Tokens that were sent to the cluster. */
let asked: string[];
let warnings: string[];
let answer: () => unknown;
let authenticate: (authorization?: string) => Promise<unknown>;
beforeEach(() => {
  clock = new TestClock();
  asked = [];
  warnings = [];
  answer = () => good();
  const kube = {
    async review(_resource: object, question: object) {
      asked.push((question as { spec: { token: string } }).spec.token);
      return answer();
    },
  };
  const warn = (message: string) => warnings.push(message);
  const authenticator = createServiceAccountAuthenticator({ kube, audience: AUDIENCE, warn, clock });
  authenticate = (authorization) =>
    authenticator.authenticate(authorization === undefined ? {} : { authorization }, NO_ACCOUNTS);
});

const good = (username = ACCOUNT, audiences = [AUDIENCE]) => ({
  status: { authenticated: true, audiences, user: { username, groups: ['system:masters'] } },
});

function token(claims: object = {}): string {
  const exp = Math.floor((clock.now() + HOUR) / 1000);
  return new UnsecuredJWT({ iss: 'https://kubernetes', sub: ACCOUNT, aud: [AUDIENCE], exp, ...claims }).encode();
}

const bearer = (claims: object = {}) => authenticate(`Bearer ${token(claims)}`);

describe('a token of a ServiceAccount', () => {
  it('names the account, with the groups that every account of its namespace has, and no others', async () => {
    expect(await bearer()).toEqual({
      actor: `urn:li:corpuser:${ACCOUNT}`,
      groups: ['urn:li:corpGroup:system:serviceaccounts', 'urn:li:corpGroup:system:serviceaccounts:data'],
      roles: [],
      by: 'service-account',
    });
  });

  it('is asked for once a minute, however many requests show it', async () => {
    const same = `bearer ${token()}`;
    await Promise.all([authenticate(same), authenticate(same)]);
    await clock.advance(59_000);
    await authenticate(same);
    expect(asked).toHaveLength(1);
    await clock.advance(1_000);
    await authenticate(same);
    expect(asked).toHaveLength(2);
  });

  it('is refused at its end, also when the cluster has accepted it a moment before', async () => {
    const short = `Bearer ${token({ exp: Math.floor(clock.now() / 1000) + 10 })}`;
    await authenticate(short);
    await clock.advance(10_000);
    await expect(authenticate(short)).rejects.toMatchObject({ name: 'AuthenticationError' });
  });

  it.each([
    ['that the cluster does not know', { status: { authenticated: false, error: 'no such account' } }],
    ['of which the cluster says nothing', { status: {} }],
    ['for which the cluster names no audience', { status: { authenticated: true, user: { username: ACCOUNT } } }],
    ['that the cluster says is for others', good(ACCOUNT, ['others'])],
    ['of a user', good('ada')],
    ['of a node', good('system:node:a')],
    ['of an account with a strange name', good(`${ACCOUNT}:x`)],
  ])('%s is refused', async (_what, said) => {
    answer = () => said;
    await expect(bearer()).rejects.toMatchObject({ name: 'AuthenticationError' });
  });

  it('that was refused is asked for again the next time', async () => {
    answer = () => ({ status: { authenticated: false } });
    await expect(bearer()).rejects.toThrow();
    answer = () => good();
    expect(await bearer()).toBeDefined();
  });

  it.each(['unavailable', 'forbidden', 'unauthorized'] as const)(
    'is accepted from nobody new while the cluster is %s',
    async (code) => {
      const known = `Bearer ${token()}`;
      await authenticate(known);
      answer = () => {
        throw new KubeError(code, 'away');
      };
      await expect(bearer({ jti: 'x' })).rejects.toBeInstanceOf(CatalogError);
      await expect(bearer({ jti: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
      expect(warnings[0]).toContain('away');
      expect(await authenticate(known)).toBeDefined();
      await clock.advance(60_000);
      await expect(authenticate(known)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('is not accepted for an answer that is none', async () => {
    answer = () => ({ hello: 1 });
    await expect(bearer()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('the cluster is not asked', () => {
  it.each([
    ['nothing', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no JWT', 'Bearer abc'],
    ['parts that are no JSON', 'Bearer a.b.c'],
    ['an empty token', 'Bearer '],
    ['a header that is no JSON', `Bearer x${'.e30.'}`],
  ])('about %s, which somebody else may know', async (_what, authorization) => {
    expect(await authenticate(authorization)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each([
    ['our own', { iss: 'datahub-metadata-service' }],
    ['of no account', { sub: 'ada' }],
    ['of an account that never ends', { exp: undefined }],
    ['without an audience', { aud: undefined }],
  ])('about a token %s', async (_what, claims) => {
    expect(await bearer(claims)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each([
    ['for others', { aud: ['https://kubernetes'] }],
    ['that has ended', { exp: 1 }],
  ])('about a token %s, which is refused', async (_what, claims) => {
    await expect(bearer(claims)).rejects.toMatchObject({ name: 'AuthenticationError' });
    expect(asked).toEqual([]);
  });

  it('about more tokens than a few at a time, with some that wait: the rest is refused at once', async () => {
    const held = Promise.withResolvers<unknown>();
    answer = () => held.promise;
    const all = Array.from({ length: 200 }, (_, index) => bearer({ jti: String(index) }).catch((error) => error.code));
    const late = await Promise.all(all.slice(120));
    expect(late).toEqual(late.map(() => 'unavailable'));
    expect(asked.length).toBeLessThan(20);
    held.resolve(good());
    expect((await Promise.all(all)).filter((one) => one !== 'unavailable')).toHaveLength(108);
  });
});

describe('an account', () => {
  it('gives a ServiceAccount groups and roles, and takes its access away', async () => {
    const kube = { review: async () => good() };
    const authenticator = createServiceAccountAuthenticator({ kube, audience: AUDIENCE, warn: () => undefined, clock });
    const catalog = await TestCatalog.open({}, AUTH_ON);
    const shown = async () =>
      authenticator.authenticate({ authorization: `Bearer ${token()}` }, await catalog.parts.registry.view());
    await putAccount(catalog.parts, `urn:li:corpuser:${ACCOUNT}`, {
      roles: ['Editor'],
      groups: ['urn:li:corpGroup:a'],
    });
    expect(await shown()).toMatchObject({
      roles: ['Editor'],
      groups: [
        'urn:li:corpGroup:system:serviceaccounts',
        'urn:li:corpGroup:system:serviceaccounts:data',
        'urn:li:corpGroup:a',
      ],
    });
    await catalog.close();
  });
});

authenticatorContract('a ServiceAccount', async () => {
  const catalog = await TestCatalog.open({}, AUTH_ON);
  const { clock } = catalog;
  const known = new Map<string, string>();
  const kube = {
    async review(_resource: object, question: object) {
      const username = known.get((question as { spec: { token: string } }).spec.token);
      return username === undefined ? { status: { authenticated: false, error: 'unknown' } } : good(username);
    },
  };
  let accounts = 0;
  const make = (claims: object = {}) => {
    const exp = Math.floor((clock.now() + HOUR) / 1000);
    accounts += 1;
    const account = `${ACCOUNT}-${accounts}`;
    const made = { iss: 'https://kubernetes', sub: account, aud: [AUDIENCE], exp, ...claims };
    return { account, text: `${new UnsecuredJWT(made).encode()}c2ln` };
  };
  const bearerOf = (text: string) => ({ authorization: `Bearer ${text}` });
  return {
    authenticator: createServiceAccountAuthenticator({ kube, audience: AUDIENCE, warn: () => undefined, clock }),
    registry: () => catalog.parts.registry.view(),
    async good() {
      const { account, text } = make();
      known.set(text, account);
      return { credentials: bearerOf(text), actor: `urn:li:corpuser:${account}` };
    },
    bad: async () => ({
      'of a cluster that does not know it': bearerOf(make().text),
      'for others': bearerOf(make({ aud: 'others' }).text),
      'for nobody': bearerOf(make({ aud: [] }).text),
      'that has ended': bearerOf(make({ exp: 1 }).text),
    }),
    suspend: async (actor) => void (await putAccount(catalog.parts, actor, { state: 'SUSPENDED' })),
    close: () => catalog.close(),
  };
});
