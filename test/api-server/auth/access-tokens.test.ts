import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ACCESS_TOKENS,
  createAccessToken,
  listAccessTokens,
  readAccessToken,
  readAccessTokenOf,
  revokeAccessToken,
  type TokenFilter,
} from '../../../api-server/auth/access-tokens.ts';
import { LAST_USES } from '../../../api-server/auth/last-uses.ts';
import { startSession } from '../../../api-server/auth/sessions.ts';
import { tokenIdOf } from '../../../api-server/auth/token-text.ts';
import { Housekeeping } from '../../../api-server/catalog/housekeeping.ts';
import { StoreError } from '../../../api-server/store/errors.ts';
import { allRecords } from '../../../api-server/store/pages.ts';
import type { NewAccessToken } from '../../../model/wire/access-token.ts';
import { putAccount } from '../../harness/accounts.ts';
import { AUTH_OFF, AUTH_ON } from '../../harness/auth.ts';
import { override, refusal, TestCatalog } from '../../harness/catalog.ts';

const ADA = 'urn:li:corpuser:ada';
const BOB = 'urn:li:corpuser:bob';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('access tokens', () => {
  let catalog: TestCatalog;
  beforeEach(async () => {
    catalog = await TestCatalog.open({}, AUTH_ON);
  });
  afterEach(() => catalog.close());

  const create = (rest: Partial<NewAccessToken> = {}, owner = ADA) =>
    createAccessToken(catalog.parts, { actorUrn: owner, duration: 'ONE_HOUR', name: 'a token', ...rest }, owner);

  async function names(filter: TokenFilter, page = { start: 0, count: 100 }): Promise<string[]> {
    return (await listAccessTokens(catalog.parts, filter, page)).tokens.map(({ name }) => name);
  }

  const use = (text: string, parts = catalog.parts) => parts.auth.identify({ authorization: `Bearer ${text}` });

  async function kinds(...all: string[]): Promise<number[]> {
    const { store } = catalog.parts;
    return Promise.all(all.map(async (kind) => (await Array.fromAsync(allRecords(store, kind))).length));
  }

  it('are JWTs as the reference catalogue makes them', async () => {
    const { accessToken, metadata } = await create({ actorUrn: BOB, description: 'of a robot' });
    const [header, claims] = accessToken
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object);
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: AUTH_ON.keys?.current.id });
    expect(claims).toEqual({
      version: '2',
      type: 'PERSONAL',
      actorType: 'USER',
      actorId: 'bob',
      sub: 'bob',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/u),
      iss: 'datahub-metadata-service',
      iat: catalog.clock.now() / 1000,
      exp: (catalog.clock.now() + HOUR) / 1000,
    });
    expect(metadata).toEqual({
      id: tokenIdOf(accessToken),
      name: 'a token',
      description: 'of a robot',
      actorUrn: BOB,
      ownerUrn: ADA,
      createdAt: catalog.clock.now(),
      expiresAt: catalog.clock.now() + HOUR,
    });
  });

  it('are never stored: only their hashes are', async () => {
    const { accessToken } = await create();
    const session = await (async () => {
      await putAccount(catalog.parts, ADA);
      const started = await startSession(catalog.parts, ADA);
      return 'denied' in started ? '' : started.accessToken;
    })();
    await use(accessToken);
    await use(session);
    const stored = await Promise.all(
      ['accessToken', 'session', 'expiry', 'lastUse', 'account'].map((kind) =>
        Array.fromAsync(allRecords(catalog.parts.store, kind)),
      ),
    );
    const text = JSON.stringify(stored);
    for (const secret of [accessToken, session]) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.split('.')[2]);
    }
  });

  it('without an end have none', async () => {
    const { accessToken, metadata } = await create({ duration: 'NO_EXPIRY' });
    expect(metadata.expiresAt).toBeUndefined();
    catalog.clock.jump(10_000 * DAY);
    expect((await use(accessToken)).caller.actor).toBe(ADA);
  });

  it('are not made for an operator that leads no more', async () => {
    const fence = { source: 's', shard: '', lease: 'l', created: 1, transitions: 1 };
    const make = (leader: typeof fence) =>
      createAccessToken(catalog.parts, { actorUrn: BOB, duration: 'ONE_HOUR', name: 'a token' }, ADA, leader);
    await catalog.parts.store.fences.raise({ ...fence, transitions: 2 });
    await expect(make(fence)).rejects.toMatchObject({ code: 'fenced' });
    expect(await names({})).toEqual([]);
    await make({ ...fence, transitions: 2 });
    expect(await names({})).toEqual(['a token']);
  });

  it('are found by name, by owner, by actor, and by whether they have expired, those that live longest first', async () => {
    await create({ name: 'hour' });
    await create({ name: 'for ever', duration: 'NO_EXPIRY' });
    await create({ name: 'week', duration: 'ONE_WEEK', actorUrn: BOB });
    await create({ name: 'of bob', duration: 'ONE_DAY' }, BOB);
    expect(await names({})).toEqual(['for ever', 'week', 'of bob', 'hour']);
    expect(await names({ name: 'week' })).toEqual(['week']);
    expect(await names({ name: 'wee' })).toEqual([]);
    expect(await names({ owner: ADA })).toEqual(['for ever', 'week', 'hour']);
    expect(await names({ actor: BOB })).toEqual(['week', 'of bob']);
    catalog.clock.jump(2 * HOUR);
    const now = catalog.clock.now();
    expect(await names({ endsBefore: now + 1 })).toEqual(['hour']);
    expect(await names({ owner: ADA, endsAfter: now })).toEqual(['for ever', 'week']);
    const page = await listAccessTokens(catalog.parts, {}, { start: 1, count: 2 });
    expect([page.total, page.tokens.map(({ name }) => name)]).toEqual([4, ['week', 'of bob']]);
  });

  it('are known by their ids and by their texts until they are revoked', async () => {
    const { accessToken, metadata } = await create();
    expect(await readAccessToken(catalog.parts, metadata.id)).toEqual(metadata);
    expect(await readAccessTokenOf(catalog.parts, accessToken)).toEqual(metadata);
    await revokeAccessToken(catalog.parts, metadata.id);
    const gone = 'missing: The access token no longer exists: it was revoked, or has ended long ago.';
    expect(await refusal(readAccessToken(catalog.parts, metadata.id))).toBe(gone);
    expect(await refusal(readAccessTokenOf(catalog.parts, accessToken))).toBe(gone);
    expect(await refusal(revokeAccessToken(catalog.parts, metadata.id))).toBe(gone);
    expect(await refusal(revokeAccessToken(catalog.parts, accessToken))).toBe(gone);
  });

  it('say when they were last used, to the minute', async () => {
    const { accessToken, metadata } = await create();
    const lastUse = async () => (await readAccessToken(catalog.parts, metadata.id)).lastUsedAt;
    expect(await lastUse()).toBeUndefined();
    const first = catalog.clock.now();
    const other = catalog.replica();
    for (const parts of [catalog.parts, other, catalog.parts]) {
      await use(accessToken, parts);
      await parts.auth.uses.written();
      expect(await lastUse()).toBe(first);
      catalog.clock.jump(10_000);
    }
    catalog.clock.jump(30_000);
    await use(accessToken, other);
    await other.auth.uses.written();
    expect(await lastUse()).toBe(first + 60_000);
  });

  it('are good though it cannot be noted that they were used', async () => {
    const { accessToken } = await create();
    const { store } = catalog.parts;
    const put = async () => {
      throw new StoreError('unwritable', 'the disk is full');
    };
    const full = catalog.replica({ store: override(store, { records: override(store.records, { put }) }) });
    expect((await use(accessToken, full)).caller.actor).toBe(ADA);
    await full.auth.uses.written();
  });

  it.each<[string, Partial<Record<keyof NewAccessToken, unknown>>]>([
    ['wrong-shape', { name: ' ' }],
    ['wrong-shape', { name: 'x'.repeat(201) }],
    ['wrong-shape', { description: 'x'.repeat(2001) }],
    ['wrong-shape', { duration: 'ONE_CENTURY' }],
    ['wrong-shape', { type: 'SESSION' }],
    ['wrong-shape', { actorUrn: 'ada' }],
    ['wrong-shape', { actorUrn: 'urn:li:corpGroup:a' }],
    ['wrong-shape', { actorUrn: `urn:li:corpuser:${'x'.repeat(401)}` }],
    ['wrong-shape', { actorUrn: 'urn:li:corpuser:a\u0000b' }],
  ])('are refused as %s: %j', async (code, rest) => {
    await expect(create(rest as Partial<NewAccessToken>)).rejects.toMatchObject({
      code: 'invalid',
      violations: [{ code, path: Object.keys(rest)[0] }],
    });
    expect(await kinds(ACCESS_TOKENS)).toEqual([0]);
  });

  it('go once they have expired for a month, sessions at once, and nothing is left of them', async () => {
    await putAccount(catalog.parts, ADA);
    await startSession(catalog.parts, ADA);
    const { accessToken } = await create();
    await create({ name: 'for ever', duration: 'NO_EXPIRY' });
    await use(accessToken);
    await catalog.parts.auth.uses.written();
    const { metadata } = await create();
    await revokeAccessToken(catalog.parts, metadata.id);
    const housekeeping = new Housekeeping(catalog.parts);
    catalog.clock.jump(DAY - 1);
    await housekeeping.clean();
    expect(await kinds('session', ACCESS_TOKENS)).toEqual([1, 2]);
    catalog.clock.jump(2);
    await housekeeping.clean();
    expect(await kinds('session', ACCESS_TOKENS)).toEqual([0, 2]);
    catalog.clock.jump(30 * DAY);
    await housekeeping.clean();
    expect(await names({})).toEqual(['for ever']);
    expect(await kinds(ACCESS_TOKENS, 'expiry')).toEqual([1, 0]);
    // Of the account, by its session.
    expect(await kinds(LAST_USES)).toEqual([1]);
  });

  it('are not made without access control', async () => {
    const off = await TestCatalog.open({}, AUTH_OFF);
    const made = createAccessToken(off.parts, { actorUrn: ADA, duration: 'ONE_HOUR', name: 'x' }, ADA);
    expect(await refusal(made)).toBe('unavailable: Token based authentication is currently disabled on this server.');
    await off.close();
  });
});
