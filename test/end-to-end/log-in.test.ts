import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api } from '../harness/api.ts';
import { CookieJar } from '../harness/cookie-jar.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { TestOidcProvider } from '../harness/oidc-provider.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const PASSWORD = 'a-password-of-a-test';

let deployment: Deployment;
let provider: TestOidcProvider;
let proplane: ProplaneProcess;
beforeAll(async () => {
  deployment = await embeddedDeployment();
  provider = await TestOidcProvider.start();
  proplane = await ProplaneProcess.start({
    deployment,
    environment: {
      METADATA_SERVICE_AUTH_ENABLED: 'true',
      ADMIN_PASSWORD: PASSWORD,
      AUTH_OIDC_EXTRACT_GROUPS_ENABLED: 'true',
      ...provider.environment,
    },
  });
});
afterAll(async () => {
  await proplane?.kill();
  await provider?.stop();
  await deployment?.remove();
});

/** A browser, as far as cookies go. */
class Browser {
  readonly jar = new CookieJar();
  readonly #api = new Api(proplane.frontendUrl);

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#api.send(method, path, body, { cookie: this.jar.header });
    this.jar.take(answer.headers);
    return answer;
  }

  async logIn(username: string, password: string): Promise<Answer> {
    return this.send('POST', '/logIn', { username, password });
  }

  async whoAmI(): Promise<unknown> {
    const { status, body } = await this.send('GET', '/api/gms/access/me');
    return status === 200 ? body.actor : status;
  }
}

describe('a log-in with a password', () => {
  it('is a session through the proxy and nowhere else, until the log-out, also for who has copied it', async () => {
    const browser = new Browser();
    expect(await browser.whoAmI()).toBe(401);
    expect((await browser.logIn('datahub', PASSWORD)).status).toBe(200);
    expect(await browser.whoAmI()).toBe('urn:li:corpuser:datahub');
    const cookie = browser.jar.header;
    expect((await new Api(proplane.url).send('GET', '/access/me', undefined, { cookie })).status).toBe(401);
    const copy = new Browser();
    copy.jar.set('PLAY_SESSION', browser.jar.get('PLAY_SESSION') ?? '');
    expect((await browser.send('POST', '/logOut')).status).toBe(303);
    expect([await browser.whoAmI(), await copy.whoAmI()]).toEqual([401, 401]);
  });

  it('ends the session of before', async () => {
    const browser = new Browser();
    await browser.logIn('datahub', PASSWORD);
    const before = new Browser();
    before.jar.set('PLAY_SESSION', browser.jar.get('PLAY_SESSION') ?? '');
    await browser.logIn('datahub', PASSWORD);
    expect([await before.whoAmI(), await browser.whoAmI()]).toEqual([401, 'urn:li:corpuser:datahub']);
  });

  it('is refused in the same words for a wrong password and for a user who is not', async () => {
    for (const name of ['datahub', 'nobody', '__datahub_system', 'a/b', 'x'.repeat(1000)]) {
      const { status, body } = await new Browser().logIn(name, 'wrong');
      expect([name, status, body]).toEqual([name, 400, { message: 'Invalid Credentials' }]);
    }
  });
});

describe('a log-in at a provider', () => {
  const logIn = async (): Promise<[Browser, Answer]> => {
    const browser = new Browser();
    const { headers } = await browser.send('GET', '/authenticate?redirect_uri=/datasets');
    const back = await provider.visit(headers.get('location') ?? '');
    return [browser, await browser.send('GET', back)];
  };

  it('makes an account with its groups', async () => {
    provider.person = { sub: '1', email: 'ada@example.com', name: 'Ada Lovelace', groups: ['poets'] };
    const [browser, { status, headers }] = await logIn();
    expect([status, headers.get('location')]).toEqual([302, '/datasets']);
    expect((await browser.send('GET', '/api/gms/access/me')).body).toMatchObject({
      actor: 'urn:li:corpuser:ada@example.com',
      displayName: 'Ada Lovelace',
      by: 'session',
      groups: ['urn:li:corpGroup:poets'],
    });
  });

  it('makes nobody the owner of an account that has a password', async () => {
    provider.person = { sub: '2', email: 'datahub' };
    const [browser, { status, body }] = await logIn();
    expect([status, body.loginDenialReason]).toEqual([403, 'NATIVE_ACCOUNT']);
    expect(await browser.whoAmI()).toBe(401);
  });
});
