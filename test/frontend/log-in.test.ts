import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningFrontend } from '../../frontend/server.ts';
import { Api } from '../harness/api.ts';
import { CookieJar } from '../harness/cookie-jar.ts';
import { FakeAuthServer } from '../harness/fake-auth-server.ts';
import { startTestFrontend, WITH_LOG_IN } from '../harness/frontend.ts';

const ADA = { username: 'ada', password: 'lovelace' };

let upstream: FakeAuthServer;
let frontend: RunningFrontend;
let api: Api;
beforeAll(async () => {
  upstream = await new FakeAuthServer().listen();
  frontend = await startTestFrontend({ ...WITH_LOG_IN, PROPLANE_HOST: upstream.url });
  api = new Api(frontend.url);
});
afterAll(async () => {
  await frontend?.stop();
  await upstream?.close();
});
beforeEach(() => {
  upstream.failing = undefined;
  upstream.suspended.clear();
  upstream.sessions.clear();
  upstream.seen.length = 0;
});

async function logIn(headers: Record<string, string> = {}): Promise<CookieJar> {
  const jar = new CookieJar();
  jar.take((await api.post('/logIn', ADA, headers)).headers);
  return jar;
}

/** What the API server is sent as `Authorization`. */
async function authorizationOf(headers: Record<string, string>): Promise<unknown> {
  return (await api.send('GET', '/api/gms/x', undefined, headers)).body.headers.authorization;
}

describe('a log-in', () => {
  it('puts the session into a cookie that no script reads and no other site sends, and the user beside it', async () => {
    const { status, headers } = await api.post('/logIn', ADA);
    expect(status).toBe(200);
    const [token] = upstream.sessions.keys();
    const until = 'Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT';
    expect(headers.getSetCookie()).toEqual([
      `PLAY_SESSION=${token}; ${until}; HttpOnly; SameSite=Strict`,
      `actor=urn:li:corpuser:ada; ${until}; SameSite=Strict`,
    ]);
  });

  it('tells the API server who asks, and proves to be the frontend', async () => {
    await logIn();
    expect(upstream.seen.map(({ url, headers }) => [url, headers['x-forwarded-for'], headers.authorization])).toEqual([
      ['/auth/verifyNativeUserCredentials', '127.0.0.1', expect.stringMatching(/^Basic __datahub_system:/u)],
      ['/auth/generateSessionTokenForUser', '127.0.0.1', expect.stringMatching(/^Basic __datahub_system:/u)],
    ]);
  });

  it('takes a name with blanks around it for the name', async () => {
    expect((await api.post('/logIn', { ...ADA, username: ' ada\n' })).status).toBe(200);
    expect([...upstream.sessions.values()]).toEqual([{ userId: 'ada' }]);
  });

  it.each([
    ['a wrong password', { username: 'ada', password: 'byron' }],
    ['no password', { username: 'ada' }],
    ['an unknown user', { username: 'eve', password: 'lovelace' }],
    ['a user whose name is no name', { username: 'ada\u0000', password: 'lovelace' }],
  ])('is refused in the same words, and asked about the same: %s', async (_what, body) => {
    const answer = await api.post('/logIn', body);
    expect([answer.status, answer.body]).toEqual([400, { message: 'Invalid Credentials' }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(upstream.seen).toHaveLength(1);
  });

  it('is refused in the same words when the API server calls the name malformed', async () => {
    upstream.failing = { status: 400, body: { error: 'Malformed Request', message: 'no such name can be' } };
    expect((await api.post('/logIn', ADA)).body).toEqual({ message: 'Invalid Credentials' });
  });

  it.each([{ username: '' }, { username: ' \t', password: 'x' }])('needs a name: %j', async (body) => {
    const answer = await api.post('/logIn', body);
    expect([answer.status, answer.body]).toEqual([400, { message: 'User name must not be empty.' }]);
  });

  it.each([
    [400, '{'],
    [400, '[]'],
    [400, '"ada"'],
    [400, '{"username":{"$ne":""},"password":"x"}'],
    [400, '{"username":"ada","password":["lovelace"]}'],
    [400, '{"username":"ada","password":"lovelace","__proto__":{"x":1}}'],
    [413, JSON.stringify({ username: 'ada', password: 'x'.repeat(20_000) })],
  ])('%d for a body that is none', async (status, body) => {
    const answer = await api.send('POST', '/logIn', body);
    expect([answer.status, typeof answer.body.message]).toEqual([status, 'string']);
    expect(upstream.seen).toEqual([]);
  });

  it('415 for a form, which any page can send', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await api.send('POST', '/logIn', 'username=ada&password=lovelace', headers)).status).toBe(415);
  });

  it('waits when there were too many', async () => {
    upstream.failing = { status: 429, body: {}, headers: { 'retry-after': '17' } };
    const { status, headers, body } = await api.post('/logIn', ADA);
    expect([status, headers.get('retry-after'), body.message]).toEqual([
      429,
      '17',
      expect.stringContaining('too many'),
    ]);
  });

  it('says why a user who has shown who they are may not', async () => {
    upstream.suspended.add('ada');
    const { status, headers, body } = await api.post('/logIn', ADA);
    expect([status, body]).toEqual([
      403,
      { error: 'Forbidden', message: 'This account is suspended.', loginDenialReason: 'SUSPENDED' },
    ]);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it.each([500, 503])('says that nobody can tell now, when the API server answers %d', async (status) => {
    upstream.failing = { status, body: {} };
    const answer = await api.post('/logIn', ADA);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('tells nothing of credentials that the API server does not take from the frontend', async () => {
    upstream.failing = { status: 401, body: { message: 'secret' } };
    const { status, body } = await api.post('/logIn', ADA);
    expect([status, body.message]).toEqual([500, 'An unknown error occurred. The log has more.']);
  });

  it('always begins a new session, and ends the one that somebody may have put into the browser', async () => {
    const jar = await logIn();
    const [planted = ''] = upstream.sessions.keys();
    const answer = await api.post('/logIn', ADA, { cookie: `${jar.header}; JSESSIONID=1` });
    jar.take(answer.headers);
    expect([...upstream.sessions.keys()]).toEqual([jar.get('PLAY_SESSION')]);
    expect(jar.get('PLAY_SESSION')).not.toBe(planted);
  });

  it('goes through when the session before cannot be ended, because it is over', async () => {
    const answer = await api.post('/logIn', ADA, { cookie: 'PLAY_SESSION=long.over' });
    expect([answer.status, upstream.sessions.size]).toEqual([200, 1]);
  });

  it('without a provider is asked for by the page', async () => {
    const { status, headers } = await api.get('/authenticate?redirect_uri=/datasets%3Fquery=x');
    expect([status, headers.get('location')]).toEqual([302, '/login?from=%2Fdatasets%3Fquery%3Dx']);
    expect((await api.get('/authenticate?redirect_uri=//evil.example')).headers.get('location')).toBe('/login');
  });
});

describe('a session', () => {
  it('is what the proxy asks by; the cookie goes no further', async () => {
    const jar = await logIn();
    const { body } = await api.send('GET', '/api/gms/x', undefined, { cookie: jar.header });
    expect(body.headers).toMatchObject({ authorization: `Bearer ${jar.get('PLAY_SESSION')}` });
    expect(body.headers).not.toHaveProperty('cookie');
  });

  it('stands back behind what a client says itself', async () => {
    const jar = await logIn();
    expect(await authorizationOf({ cookie: jar.header, authorization: 'Bearer mine' })).toBe('Bearer mine');
    expect(await authorizationOf({ cookie: jar.header, authorization: 'bearer mine', connection: 'close' })).toBe(
      'bearer mine',
    );
  });

  it('is no session when two have its name, or when it could be more than a token', async () => {
    for (const cookie of [
      'PLAY_SESSION=a; PLAY_SESSION=b',
      'PLAY_SESSION=a;PLAY_SESSION =b',
      'PLAY_SESSION=',
      'PLAY_SESSION=a%0d%0ax-datahub-actor:%20root',
      'PLAY_SESSION=a%20b',
      'PLAY_SESSION=a,b',
      'play_session=a',
      'XPLAY_SESSION=a',
      'x="PLAY_SESSION=a"',
    ]) {
      expect([cookie, await authorizationOf({ cookie })]).toEqual([cookie, undefined]);
    }
    expect(await authorizationOf({ cookie: 'theme="; ; x=%zz; PLAY_SESSION=a.b-c_d' })).toBe('Bearer a.b-c_d');
  });

  it('counts only where one of our own pages asks', async () => {
    const { header: cookie } = await logIn();
    const token = `Bearer ${cookie.split(/[=;]/u)[1]}`;
    expect(await authorizationOf({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(token);
    expect(await authorizationOf({ cookie, 'sec-fetch-site': 'none' })).toBe(token);
    for (const site of ['cross-site', 'same-site'])
      expect(await authorizationOf({ cookie, 'sec-fetch-site': site })).toBeUndefined();
    expect(await authorizationOf({ cookie, origin: 'http://attacker.example' })).toBeUndefined();
  });

  it('changes nothing for a page of somebody else', async () => {
    const { header: cookie } = await logIn();
    upstream.seen.length = 0;
    for (const from of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://attacker.example' },
      { origin: 'null' },
    ]) {
      for (const path of ['/api/graphql', '/openapi/v3/entity/dataset', '/logOut', '/logIn']) {
        const headers = { cookie, ...from, 'content-type': 'text/plain' } as Record<string, string>;
        expect((await api.send('POST', path, '{}', headers)).status).toBe(403);
      }
    }
    expect(upstream.seen).toEqual([]);
    expect(upstream.sessions.size).toBe(1);
  });
});

describe('a log-out', () => {
  it.each(['GET', 'POST'])('by %s ends the session everywhere, and takes the cookies away', async (method) => {
    const jar = await logIn();
    const { status, headers } = await api.send(method, '/logOut', undefined, { cookie: jar.header });
    expect([status, headers.get('location')]).toEqual([303, '/login']);
    const gone = 'Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
    expect(jar.take(headers)).toEqual([
      `PLAY_SESSION=; ${gone}; HttpOnly; SameSite=Strict`,
      `actor=; ${gone}; SameSite=Strict`,
    ]);
    expect([jar.header, upstream.sessions.size]).toEqual(['', 0]);
  });

  it.each(['cross-site', 'same-site'])('is not done by a link on a page that is %s', async (site) => {
    const jar = await logIn();
    const headers = { cookie: jar.header, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
    const answer = await api.send('GET', '/logOut', undefined, headers);
    expect([answer.headers.getSetCookie(), upstream.sessions.size]).toEqual([[], 1]);
  });

  it('takes what a form or a script sends along', async () => {
    const jar = await logIn();
    const answer = await api.send('POST', '/logOut', 'x=1', {
      cookie: jar.header,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([answer.status, upstream.sessions.size]).toEqual([303, 0]);
  });

  it('takes the cookies away also while the API server is away', async () => {
    const jar = await logIn();
    upstream.failing = { status: 503, body: {} };
    jar.take((await api.send('POST', '/logOut', undefined, { cookie: jar.header })).headers);
    expect(jar.header).toBe('');
  });
});

describe('a proxy that ends https', () => {
  const cookies = async (proxies: string, headers: Record<string, string>) => {
    const environment = { ...WITH_LOG_IN, PROPLANE_HOST: upstream.url, TRUSTED_PROXIES: proxies };
    const behind = await startTestFrontend(environment);
    try {
      return (await new Api(behind.url).post('/logIn', ADA, headers)).headers.getSetCookie();
    } finally {
      await behind.stop();
    }
  };
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };

  it('is believed when it is trusted: cookies are for https alone, and the client has its own address', async () => {
    expect(await cookies('192.0.2.1, 127.0.0.0/8', https)).toEqual([
      expect.stringMatching(/^PLAY_SESSION=.*; Secure; SameSite=Strict$/u),
      expect.stringMatching(/^actor=.*; Secure; SameSite=Strict$/u),
    ]);
    expect(upstream.seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['203.0.113.9', '203.0.113.9']);
  });

  it('is not believed otherwise', async () => {
    for (const proxies of ['', '192.0.2.0/24'])
      expect((await cookies(proxies, https)).join('\n')).not.toContain('Secure');
    expect(upstream.seen.map(({ headers }) => headers['x-forwarded-for'])).not.toContain('203.0.113.9');
  });
});

it('without authentication nobody logs in, and a cookie that is left says nothing', async () => {
  const open = await startTestFrontend({ PROPLANE_HOST: upstream.url });
  const there = new Api(open.url);
  const { status, body } = await there.post('/logIn', ADA);
  expect([status, body]).toEqual([400, { message: 'Authentication is off: nobody has to log in.' }]);
  expect((await there.get('/authenticate?redirect_uri=/jobs')).headers.get('location')).toBe('/jobs');
  expect((await there.get('/logOut')).headers.get('location')).toBe('/');
  const asked = await there.send('GET', '/api/gms/x', undefined, { cookie: 'PLAY_SESSION=a' });
  expect(asked.body.headers).not.toHaveProperty('authorization');
  expect(upstream.sessions.size).toBe(0);
  await open.stop();
});
