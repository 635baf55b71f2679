import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccessToken, revokeAccessToken } from '../../../api-server/auth/access-tokens.ts';
import { endSession, startSession } from '../../../api-server/auth/sessions.ts';
import { signingKeys } from '../../../api-server/auth/signing-keys.ts';
import { signToken, tokenIdOf } from '../../../api-server/auth/token-text.ts';
import { putAccount } from '../../harness/accounts.ts';
import { AUTH_ON, TEST_SYSTEM } from '../../harness/auth.ts';
import { TestServer } from '../../harness/http.ts';
import { askRoute } from './ask-route.ts';
import { FIELDS, ROUTES } from './rules.ts';

/** Credentials that were good once, or look as if they were: no route and no field of GraphQL answers them. */

const ADA = 'urn:li:corpuser:ada';
const DAY = 24 * 3_600_000;

let server: TestServer;
const bad: Record<string, string> = {};
const good: Record<string, string> = {};
beforeAll(async () => {
  server = await TestServer.open({}, AUTH_ON);
  const { parts, clock } = server.catalog;
  const admin = (urn: string, rest = {}) => putAccount(parts, urn, { roles: ['Admin'], ...rest });
  const tokenOf = async (actorUrn: string, duration: 'ONE_HOUR' | 'ONE_WEEK' = 'ONE_WEEK') =>
    (await createAccessToken(parts, { actorUrn, duration, name: 't' }, actorUrn)).accessToken;
  for (const name of ['ada', 'suspended', 'deleted']) await admin(`urn:li:corpuser:${name}`);
  bad['an expired token'] = `Bearer ${await tokenOf(ADA, 'ONE_HOUR')}`;
  clock.jump(DAY);
  const revoked = await tokenOf(ADA);
  await revokeAccessToken(parts, tokenIdOf(revoked));
  bad['a revoked token'] = `Bearer ${revoked}`;
  bad['a token of who is suspended'] = `Bearer ${await tokenOf('urn:li:corpuser:suspended')}`;
  await admin('urn:li:corpuser:suspended', { state: 'SUSPENDED' });
  bad['a token of an earlier user of the name'] = `Bearer ${await tokenOf('urn:li:corpuser:deleted')}`;
  await admin('urn:li:corpuser:deleted', { incarnation: 'another' });
  const token = await tokenOf(ADA);
  const [header, claims = '', signature] = token.split('.');
  const edited = Buffer.from(claims, 'base64url').toString().replaceAll('"ada"', '"bob"');
  bad['a token with other claims'] = `Bearer ${header}.${Buffer.from(edited).toString('base64url')}.${signature}`;
  const content = { type: 'PERSONAL', userName: 'ada' } as const;
  const ofOthers = await signToken(
    signingKeys(['a key of another server, which nobody here knows']),
    content,
    clock.now(),
  );
  bad['a token of another server'] = `Bearer ${ofOthers}`;
  const unknown = await signToken(signingKeys(['a key that only tests have, long enough']), content, clock.now());
  bad['a token that was never given out'] = `Bearer ${unknown}`;
  const begun = await startSession(parts, ADA);
  if ('denied' in begun) throw new Error(begun.denied);
  await endSession(parts, tokenIdOf(begun.accessToken));
  bad['a session that has ended'] = `Bearer ${begun.accessToken}`;
  bad['a wrong system secret'] = `Basic ${TEST_SYSTEM.id}:another secret`;
  bad['a token as another scheme'] = `Basic ${token}`;
  good['an access token of an administrator'] = `Bearer ${token}`;
});
afterAll(() => server.close());

const guarded = Object.entries(ROUTES).filter(([, { needs }]) => needs !== 'open');

describe('bad credentials', () => {
  it.each(guarded)('are refused by %s, all in the same words', async (route, rule) => {
    const answers = new Set<unknown>();
    for (const [what, authorization] of Object.entries(bad)) {
      const answer = await askRoute(server, route, rule, { authorization });
      expect([what, answer.status, answer.headers['www-authenticate']]).toEqual([what, 401, 'Bearer']);
      answers.add(JSON.stringify(answer.body));
    }
    expect(answers.size).toBe(1);
  });

  it.each(Object.entries(FIELDS))('are refused by %s of GraphQL', async (_field, { ask }) => {
    for (const [what, authorization] of Object.entries(bad)) {
      const answer = await server.post('/api/graphql', { query: ask }, { authorization });
      expect([what, answer.status, answer.body.error]).toEqual([what, 401, 'Unauthorized']);
    }
  });
});

it('good ones are taken by every route that is not for parts of the server alone', async () => {
  for (const [route, rule] of guarded.filter(([, { needs }]) => needs !== 'system')) {
    for (const authorization of Object.values(good)) {
      expect([route, (await askRoute(server, route, rule, { authorization })).status]).not.toEqual([route, 401]);
    }
  }
});
