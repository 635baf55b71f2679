import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createAccessToken, revokeAccessToken } from '../../../../api-server/auth/access-tokens.ts';
import { AuthenticationError, type Identity } from '../../../../api-server/auth/authenticator.ts';
import { accessTokenAuthenticator } from '../../../../api-server/auth/authenticators/access-token.ts';
import { sessionAuthenticator } from '../../../../api-server/auth/authenticators/session.ts';
import { endSession, startSession } from '../../../../api-server/auth/sessions.ts';
import { signingKeys } from '../../../../api-server/auth/signing-keys.ts';
import { TokenReader, tokenIdOf } from '../../../../api-server/auth/token-text.ts';
import { recordKey } from '../../../../api-server/catalog/registry/registry.ts';
import { authenticatorContract, encoded } from '../../../contract/authenticator.ts';
import { putAccount } from '../../../harness/accounts.ts';
import { AUTH_ON, TEST_KEY } from '../../../harness/auth.ts';
import { TestCatalog } from '../../../harness/catalog.ts';

const ADA = 'urn:li:corpuser:ada';
const HOUR = 3_600_000;
let users = 0;

async function newUser(catalog: TestCatalog): Promise<string> {
  users += 1;
  const urn = `urn:li:corpuser:user-${users}`;
  await putAccount(catalog.parts, urn);
  return urn;
}

async function tokenOf(catalog: TestCatalog, actorUrn: string): Promise<string> {
  const wanted = { actorUrn, duration: 'ONE_HOUR', name: 'a token' } as const;
  return (await createAccessToken(catalog.parts, wanted, ADA)).accessToken;
}

async function sessionOf(catalog: TestCatalog, urn: string): Promise<string> {
  const session = await startSession(catalog.parts, urn);
  if ('denied' in session) throw new Error(session.denied);
  return session.accessToken;
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

/** The token with some of its parts replaced. */
function edited(text: string, changes: { header?: object; claims?: object; signature?: string }): string {
  const [header = '', claims = '', signature = ''] = text.split('.');
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  return [
    encoded({ ...decoded(header), ...changes.header }),
    encoded({ ...decoded(claims), ...changes.claims }),
    changes.signature ?? signature,
  ].join('.');
}

const CLAIMS = {
  actorType: 'USER',
  actorId: 'ada',
  sub: 'ada',
  jti: 'x',
  iss: 'datahub-metadata-service',
};

async function forgeries(catalog: TestCatalog, text: string, kind: object): Promise<Record<string, string>> {
  const claims = { ...CLAIMS, ...kind };
  const { now } = catalog.clock;
  const kid = AUTH_ON.keys?.current.id ?? '';
  const secret = Buffer.from(TEST_KEY);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (content: object, header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ ...content }).setProtectedHeader(header).sign(key);
  const none = new UnsecuredJWT({ ...claims }).encode();
  return {
    'alg none': none,
    'alg none with the signature': `${none}${text.split('.')[2]}`,
    'alg none in a header of ours': edited(text, { header: { alg: 'none' }, signature: '' }),
    'alg NONE in a header of ours': edited(text, { header: { alg: 'NONE' }, signature: '' }),
    'no alg': edited(text, { header: { alg: undefined } }),
    'an algorithm of public keys, with the secret as its key': edited(text, { header: { alg: 'RS256' } }),
    'a signature by a public key': await sign(
      claims,
      { alg: 'RS256', kid },
      createPrivateKey(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ),
    'a longer hash of the same key': await sign(claims, { alg: 'HS384', kid }, Buffer.from(TEST_KEY.repeat(2))),
    'another key of the same id': await sign(claims, { alg: 'HS256', kid }, Buffer.from(TEST_KEY.toUpperCase())),
    'a key that is not known': await sign(claims, { alg: 'HS256', kid: 'another' }, secret),
    'an id of a key that is no text': edited(text, { header: { kid: { toString: 'x' } } }),
    'no id of a key': await sign(claims, { alg: 'HS256' }, secret),
    'a key that it brings along': edited(text, {
      header: { jwk: { kty: 'oct', k: encoded('x') }, jku: 'http://127.0.0.1/' },
    }),
    'a header that has to be understood and is not': edited(text, { header: { crit: ['x'], x: 1 } }),
    'another user': edited(text, { claims: { actorId: 'root', sub: 'root' } }),
    'another type': edited(text, { claims: { type: 'SERVICE_ACCOUNT' } }),
    'a later end': edited(text, { claims: { exp: 9_999_999_999 } }),
    'no signature': edited(text, { signature: '' }),
    'a signature that was cut': text.slice(0, -4),
    'a signature that goes on': `${text}AAAA`,
    'a good signature of a token that nobody has made': await sign(claims, { alg: 'HS256', kid }, secret),
    'a good signature and a type that there is not': await sign(
      { ...claims, type: 'ROOT' },
      { alg: 'HS256', kid },
      secret,
    ),
    'a good signature without an actor': await sign({ ...claims, actorId: undefined }, { alg: 'HS256', kid }, secret),
    'a good signature of one that has expired': await sign(
      { ...claims, exp: Math.floor(now() / 1000) - 1 },
      { alg: 'HS256', kid },
      secret,
    ),
    'a good signature of one that begins tomorrow': await sign(
      { ...claims, nbf: Math.floor(now() / 1000) + 86_400 },
      { alg: 'HS256', kid },
      secret,
    ),
  };
}

const TYPES = { token: { type: 'PERSONAL', version: '2' }, session: { type: 'SESSION', version: '1' } };

async function opened(kind: 'token' | 'session') {
  const catalog = await TestCatalog.open({}, AUTH_ON);
  const { now, auth } = catalog.parts;
  const reader = new TokenReader(AUTH_ON.keys!, now);
  const make = kind === 'token' ? tokenOf : sessionOf;
  return {
    authenticator:
      kind === 'token' ? accessTokenAuthenticator(reader, auth.uses, now) : sessionAuthenticator(reader, now),
    registry: () => catalog.parts.registry.view(),
    async good() {
      const actor = await newUser(catalog);
      return { credentials: bearer(await make(catalog, actor)), actor };
    },
    async bad() {
      const text = await make(catalog, await newUser(catalog));
      return Object.fromEntries(
        Object.entries(await forgeries(catalog, text, TYPES[kind])).map(([what, forged]) => [what, bearer(forged)]),
      );
    },
    suspend: async (actor: string) => void (await putAccount(catalog.parts, actor, { state: 'SUSPENDED' })),
    close: () => catalog.close(),
  };
}

authenticatorContract('an access token', () => opened('token'));
authenticatorContract('a session', () => opened('session'));

describe('who shows a token', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.open({}, AUTH_ON);
  });
  afterAll(() => catalog.close());

  async function shown(text: string, parts = catalog.parts): Promise<Identity> {
    return (await parts.auth.identify(bearer(text))).caller;
  }

  const isRefused = (text: string, parts = catalog.parts) =>
    expect(shown(text, parts)).rejects.toMatchObject({
      code: 'unauthorized',
      message: new AuthenticationError('').message,
    });

  it('is its actor, with the groups and roles that his account has now', async () => {
    const actor = await newUser(catalog);
    await putAccount(catalog.parts, actor, { roles: ['Editor'], groups: ['urn:li:corpGroup:a'] });
    const text = await tokenOf(catalog, actor);
    expect(await shown(text)).toEqual({
      actor,
      groups: ['urn:li:corpGroup:a'],
      roles: ['Editor'],
      by: 'token',
      tokenId: tokenIdOf(text),
    });
    await putAccount(catalog.parts, actor, { roles: [], providedGroups: ['urn:li:corpGroup:b'] });
    expect(await shown(text)).toMatchObject({ roles: [], groups: ['urn:li:corpGroup:a', 'urn:li:corpGroup:b'] });
  });

  it('has neither groups nor roles without an account, and those of one that is made later', async () => {
    const actor = 'urn:li:corpuser:system:serviceaccount:shop:importer';
    const text = await tokenOf(catalog, actor);
    expect(await shown(text)).toMatchObject({ actor, groups: [], roles: [] });
    await putAccount(catalog.parts, actor, { roles: ['Reader'] });
    expect(await shown(text)).toMatchObject({ actor, roles: ['Reader'] });
  });

  it('is found by either case of the scheme, and by no other scheme', async () => {
    const text = await tokenOf(catalog, ADA);
    for (const scheme of ['Bearer', 'bearer', 'Bearer  ']) {
      expect(await catalog.parts.auth.identify({ authorization: `${scheme} ${text}` })).toMatchObject({
        caller: { actor: ADA },
      });
    }
    for (const authorization of [text, `Basic ${text}`, `Token ${text}`, ` Bearer ${text} x`]) {
      await expect(catalog.parts.auth.identify({ authorization })).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('is nobody else, whatever actor the request names', async () => {
    const text = await tokenOf(catalog, ADA);
    const { caller } = await catalog.parts.auth.identify({ ...bearer(text), actor: 'urn:li:corpuser:root' });
    expect(caller.actor).toBe(ADA);
  });

  it('is refused on every replica once it is revoked, and when it has expired', async () => {
    const other = catalog.replica();
    const revoked = await tokenOf(catalog, ADA);
    expect(await shown(revoked, other)).toMatchObject({ actor: ADA });
    await revokeAccessToken(catalog.parts, tokenIdOf(revoked));
    await isRefused(revoked, other);
    await isRefused(revoked);
    const expiring = await tokenOf(catalog, ADA);
    expect(await shown(expiring)).toMatchObject({ actor: ADA });
    catalog.clock.jump(HOUR);
    await isRefused(expiring);
    await isRefused(expiring, other);
  });

  it('is refused when the account was deleted, also when there is a new one of the name', async () => {
    const actor = await newUser(catalog);
    const texts = [await tokenOf(catalog, actor), await sessionOf(catalog, actor)];
    const { store, registry } = catalog.parts;
    await registry.change([recordKey('account', actor)], async () => {
      const record = await store.records.get('account', actor);
      await store.records.delete('account', actor, record?.revision ?? '');
    });
    for (const text of texts) await isRefused(text);
    await putAccount(catalog.parts, actor, { incarnation: 'two' });
    for (const text of texts) await isRefused(text);
  });

  it('is refused by a session that was ended, or begun before all sessions were ended', async () => {
    const actor = await newUser(catalog);
    const [first, second] = [await sessionOf(catalog, actor), await sessionOf(catalog, actor)];
    const { tokenId } = await shown(first);
    const other = catalog.replica();
    expect(await shown(first, other)).toMatchObject({ actor, by: 'session' });
    await endSession(catalog.parts, tokenId);
    await isRefused(first, other);
    expect(await shown(second, other)).toMatchObject({ actor });
    await putAccount(catalog.parts, actor, { sessionEpoch: 'two' });
    await isRefused(second, other);
    expect(await shown(await sessionOf(catalog, actor), other)).toMatchObject({ actor });
    await expect(endSession(catalog.parts, tokenId)).rejects.toMatchObject({ code: 'missing' });
  });

  it('is taken by keys of before, and by keys of before only while they are named', async () => {
    const text = await tokenOf(catalog, ADA);
    const next = 'another key that only tests have, long enough';
    const reader = (...keys: string[]) => new TokenReader(signingKeys(keys), catalog.clock.now);
    const { authorization } = bearer(text);
    expect(await reader(next, TEST_KEY).read(authorization)).toEqual({ id: tokenIdOf(text), type: 'PERSONAL' });
    await expect(reader(next).read(authorization)).rejects.toThrow(AuthenticationError);
  });
});
