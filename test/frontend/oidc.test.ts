import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Attempt, attemptSeal } from '../../frontend/oidc/attempt.ts';
import type { RunningFrontend } from '../../frontend/server.ts';
import { type Answer, Api } from '../harness/api.ts';
import { CookieJar } from '../harness/cookie-jar.ts';
import { FakeAuthServer } from '../harness/fake-auth-server.ts';
import { freePorts } from '../harness/free-ports.ts';
import { SYSTEM_SECRET, startTestFrontend, WITH_LOG_IN } from '../harness/frontend.ts';
import { TestOidcProvider } from '../harness/oidc-provider.ts';
import { TestClock } from '../harness/test-clock.ts';

const COOKIE = 'proplane_log_in';
const PAGE = { accept: 'text/html,application/xhtml+xml' };
const ADA = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', groups: ['poets'] };

const clock = new TestClock();
let upstream: FakeAuthServer;
let provider: TestOidcProvider;
let frontend: RunningFrontend;
beforeAll(async () => {
  upstream = await new FakeAuthServer().listen();
  provider = await TestOidcProvider.start();
  frontend = await start(provider.environment);
});
afterAll(async () => {
  await frontend?.stop();
  await provider?.stop();
  await upstream?.close();
});
beforeEach(() => {
  upstream.sessions.clear();
  upstream.suspended.clear();
  provider.person = ADA;
  provider.doConsent = true;
  provider.failing = undefined;
});

function start(environment: Record<string, string>): Promise<RunningFrontend> {
  return startTestFrontend({ ...WITH_LOG_IN, PROPLANE_HOST: upstream.url, ...environment }, { clock });
}

/** A browser that goes to the frontend, and from there to the provider. */
class Browser {
  readonly jar = new CookieJar();
  readonly #api: Api;

  constructor(of = frontend) {
    this.#api = new Api(of.url);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#api.send('GET', path, undefined, { cookie: this.jar.header, ...headers });
    this.jar.take(answer.headers);
    return answer;
  }

  /** @returns where the provider sends the browser back to. */
  async goToProvider(target = '/datasets'): Promise<string> {
    const { headers } = await this.get(`/authenticate?redirect_uri=${encodeURIComponent(target)}`);
    return provider.visit(headers.get('location') ?? '');
  }
}

async function expectNobody(answer: Answer, status: number, words: string, sessions = 0): Promise<void> {
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(words)]);
  expect([answer.headers.getSetCookie().join().includes('PLAY_SESSION='), upstream.sessions.size]).toEqual([
    false,
    sessions,
  ]);
}

describe('a log-in at a provider', () => {
  it('leads there with a state, a nonce and a challenge, which the browser keeps and cannot read', async () => {
    const browser = new Browser();
    const { status, headers } = await browser.get('/authenticate?redirect_uri=/jobs');
    const { origin, searchParams } = new URL(headers.get('location') ?? '');
    expect([status, origin]).toEqual([302, provider.url]);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'proplane',
      response_type: 'code',
      redirect_uri: 'https://proplane.example/callback/oidc',
      scope: 'openid profile email',
      state: expect.stringMatching(/^.{43}$/u),
      nonce: expect.stringMatching(/^.{43}$/u),
      code_challenge: expect.stringMatching(/^.{43}$/u),
      code_challenge_method: 'S256',
    });
    const [line] = headers.getSetCookie();
    expect(line).toMatch(/^proplane_log_in=[\w.-]+; Max-Age=600; Path=\/callback\/oidc; HttpOnly; SameSite=Lax$/u);
    for (const name of ['state', 'nonce', 'code_challenge']) expect(line).not.toContain(searchParams.get(name));
    expect((await new Browser().get('/authenticate')).headers.get('location')).not.toBe(headers.get('location'));
  });

  it('ends in a session of the user whom the provider names, where it was to lead', async () => {
    const browser = new Browser();
    const { status, headers } = await browser.get(await browser.goToProvider('/datasets?query=a%20b#c'));
    expect([status, headers.get('location')]).toEqual([302, '/datasets?query=a%20b#c']);
    const [[token, user] = []] = upstream.sessions;
    expect(user).toEqual({
      userId: 'ada@example.com',
      oidc: { displayName: 'Ada Lovelace', email: 'ada@example.com' },
    });
    expect([browser.jar.get('PLAY_SESSION'), browser.jar.get('actor'), browser.jar.get(COOKIE)]).toEqual([
      token,
      'urn:li:corpuser:ada@example.com',
      undefined,
    ]);
    expect(headers.getSetCookie()[1]).toMatch(/^PLAY_SESSION=.*; HttpOnly; SameSite=Strict$/u);
  });

  it('takes the name from another claim, and the groups, where it is told to', async () => {
    const other = await start({
      ...provider.environment,
      AUTH_OIDC_USER_NAME_CLAIM: 'nickname',
      AUTH_OIDC_EXTRACT_GROUPS_ENABLED: 'true',
    });
    provider.person = { ...ADA, nickname: 'ada', email_verified: false };
    const browser = new Browser(other);
    expect((await browser.get(await browser.goToProvider())).status).toBe(302);
    expect([...upstream.sessions.values()]).toEqual([
      { userId: 'ada', oidc: { displayName: 'Ada Lovelace', email: 'ada@example.com', groups: ['poets'] } },
    ]);
    await other.stop();
  });

  it('shows the secret in a header to a provider that takes it only there', async () => {
    const strict = await TestOidcProvider.start('client_secret_basic');
    const other = await start(strict.environment);
    const browser = new Browser(other);
    const { headers } = await browser.get('/authenticate');
    const answer = await browser.get(await strict.visit(headers.get('location') ?? ''));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
    await other.stop();
    await strict.stop();
  });

  it.each(['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'never leads to another place: %j',
    async (target) => {
      const browser = new Browser();
      expect((await browser.get(await browser.goToProvider(target))).headers.get('location')).toBe('/');
    },
  );

  it('goes through on another replica of the frontend', async () => {
    const other = await start(provider.environment);
    const [one, two] = [new Browser(), new Browser(other)];
    const back = await one.goToProvider();
    two.jar.set(COOKIE, one.jar.get(COOKIE) ?? '');
    expect((await two.get(back)).status).toBe(302);
    await other.stop();
  });
});

describe('nobody is logged in', () => {
  it('with another state', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    await expectNobody(await browser.get(back.replace(/state=.{5}/u, 'state=other')), 400, 'not the log-in');
  });

  it('without a state, and with two of them', async () => {
    for (const change of [(back: string) => back.replace(/&?state=[^&]+/u, ''), (back: string) => `${back}&state=x`]) {
      const browser = new Browser();
      const back = await browser.goToProvider();
      await expectNobody(await browser.get(change(back)), 400, 'not the log-in');
    }
  });

  it('by the link of somebody else, who has begun the log-in in their own browser', async () => {
    const back = await new Browser().goToProvider();
    await expectNobody(await new Browser().get(back), 400, 'another browser');
    const victim = new Browser();
    await victim.goToProvider();
    await expectNobody(await victim.get(back), 400, 'not the log-in');
  });

  it('twice by one code', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    const cookie = `${COOKIE}=${browser.jar.get(COOKIE)}`;
    expect((await browser.get(back)).status).toBe(302);
    await expectNobody(await browser.get(back), 400, 'another browser', 1);
    await expectNobody(await browser.get(back, { cookie }), 400, 'used already', 1);
  });

  it('by a token of another attempt, or by a code that somebody else has asked for', async () => {
    const seal = attemptSeal(SYSTEM_SECRET, clock);
    const changes: [string, Partial<Attempt>][] = [
      ['not the log-in', { nonce: 'of-another' }],
      ['used already', { verifier: 'v'.repeat(43) }],
    ];
    for (const [words, change] of changes) {
      const browser = new Browser();
      const back = await browser.goToProvider();
      const attempt = await seal.open(browser.jar.get(COOKIE) ?? '');
      browser.jar.set(COOKIE, await seal.seal({ ...attempt!, ...change }));
      await expectNobody(await browser.get(back), 400, words);
    }
  });

  it('by the answer of another provider', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    const other = back.replace(/iss=[^&]+/u, 'iss=https%3A%2F%2Fevil.example');
    expect(other).not.toBe(back);
    await expectNobody(await browser.get(other), 400, 'not the log-in');
  });

  it('by a cookie that was not sealed here', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    const sealed = browser.jar.get(COOKIE) ?? '';
    const attempt = (await attemptSeal(SYSTEM_SECRET, clock).open(sealed))!;
    const plain = Buffer.from(JSON.stringify({ attempt, exp: 9_999_999_999 })).toString('base64url');
    for (const forged of [
      await attemptSeal('another', clock).seal(attempt),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${plain}.`,
      sealed.replace(/.{10}$/u, 'AAAAAAAAAA'),
      '....',
      '',
    ]) {
      browser.jar.set(COOKIE, forged);
      await expectNobody(await browser.get(back), 400, 'another browser');
    }
  });

  it('after ten minutes', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    await clock.advance(601_000);
    await expectNobody(await browser.get(back), 400, 'too long');
  });

  it('who does not let Proplane know', async () => {
    provider.doConsent = false;
    const browser = new Browser();
    await expectNobody(await browser.get(await browser.goToProvider()), 403, 'access_denied');
  });

  it('whose name is not said, or not checked', async () => {
    for (const [person, words] of [
      [{ sub: '1' }, '"email"'],
      [{ sub: '1', email: ' ' }, '"email"'],
      [{ ...ADA, email_verified: false }, 'not checked'],
    ] as const) {
      provider.person = person;
      const browser = new Browser();
      await expectNobody(await browser.get(await browser.goToProvider()), 403, words);
    }
  });

  it('who may not log in here', async () => {
    upstream.suspended.add('ada@example.com');
    const browser = new Browser();
    const answer = await browser.get(await browser.goToProvider());
    await expectNobody(answer, 403, 'suspended');
    expect(answer.body.loginDenialReason).toBe('SUSPENDED');
  });

  it('while the secret is another one than the provider knows', async () => {
    const other = await start({ ...provider.environment, AUTH_OIDC_CLIENT_SECRET: 'another' });
    const browser = new Browser(other);
    await expectNobody(await browser.get(await browser.goToProvider()), 502, 'do not fit');
    await other.stop();
  });
});

describe('a provider that is away', () => {
  it('keeps no frontend from starting, and is asked again when somebody comes', async () => {
    const late = await start(provider.environment);
    provider.failing = 503;
    const browser = new Browser(late);
    const away = await browser.get('/authenticate');
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    provider.failing = undefined;
    expect((await browser.get(await browser.goToProvider())).status).toBe(302);
    await late.stop();
  });

  it('is told of, also when it goes in the middle', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    provider.failing = 500;
    await expectNobody(await browser.get(back), 503, 'does not answer');
  });

  it('is told of when nobody listens there', async () => {
    const [port] = await freePorts(1);
    const lost = await start({ ...provider.environment, AUTH_OIDC_DISCOVERY_URI: `http://127.0.0.1:${port}` });
    expect((await new Browser(lost).get('/authenticate')).status).toBe(503);
    await lost.stop();
  });
});

describe('what goes wrong', () => {
  it('is a page for a browser, and JSON for everything else', async () => {
    const page = await new Browser().get('/callback/oidc', PAGE);
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<a href="/login">Log in</a>');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const json = await new Browser().get('/callback/oidc');
    expect(json.body).toEqual({ error: 'Malformed Request', message: expect.any(String) });
  });

  it('shows what the provider says as text', async () => {
    const browser = new Browser();
    const back = await browser.goToProvider();
    const { searchParams } = new URL(back, provider.url);
    const told = new URLSearchParams({
      state: searchParams.get('state') ?? '',
      iss: provider.url,
      error: '<img src=x onerror=alert(1)>',
    });
    const { status, body } = await browser.get(`/callback/oidc?${told}`, PAGE);
    expect([status, body.includes('&#60;img src=x'), body.includes('<img')]).toEqual([403, true, false]);
  });
});

it('tells the pages whom people log in at', async () => {
  const { body } = await new Browser().get('/config.json');
  expect(body).toEqual({ authEnabled: true, oidc: { name: '127.0.0.1' }, version: expect.any(String) });
});
