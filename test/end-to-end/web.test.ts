import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { accessibilityProblems } from '../harness/opened-page.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const PASSWORD = 'a-password-of-a-test';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)';
const TIMEOUT = 300_000;

/** The pages and the whole product behind them, with access control, in a real browser. */
await describeWithBrowser('the product in a browser', (browser) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  beforeAll(async () => {
    deployment = await embeddedDeployment();
    proplane = await ProplaneProcess.start({
      deployment,
      catalogue: 'examples/catalogue.yaml',
      manifests: 'examples/resources/**/*.yaml',
      environment: { METADATA_SERVICE_AUTH_ENABLED: 'true', ADMIN_PASSWORD: PASSWORD },
    });
  }, TIMEOUT);
  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  /** A page of a browser of its own, whose user has logged in. */
  async function signedIn(username: string, path: string, look: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser().newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${proplane.frontendUrl}${path}`);
      await page.waitForURL(/[/]login/u);
      await page.getByRole('textbox', { name: 'User name' }).fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(`**${path}`);
      await look(page);
    } finally {
      await context.close();
    }
  }

  /** Asks over the proxy or directly, by a token. */
  async function ask(
    base: string,
    token: string,
    method = 'GET',
    path = '/openapi/v3/entity/dataset?count=1',
    body = '',
  ) {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
    });
    return answer.status;
  }

  async function makeToken(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Generate new token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('alertdialog', { name: 'New Personal Access Token' });
    const token = (await shown.getByRole('group', { name: 'Token' }).textContent()) ?? '';
    await shown.getByRole('button', { name: 'Done' }).click();
    return token;
  }

  it(
    'makes an access token that is good through the proxy and directly, until it is revoked',
    () =>
      signedIn('datahub', '/settings/tokens', async (page) => {
        const token = await makeToken(page, 'of a script');
        const doors = [`${proplane.frontendUrl}/api/gms`, proplane.frontendUrl, proplane.url];
        for (const door of doors) expect([door, await ask(door, token)]).toEqual([door, 200]);
        await page.getByRole('button', { name: 'Revoke of a script' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
        await page.getByRole('status').getByText('is revoked').waitFor();
        for (const door of doors) expect([door, await ask(door, token)]).toEqual([door, 401]);
        expect(await page.content()).not.toContain(token);
      }),
    TIMEOUT,
  );

  it(
    'has the button disabled for who may not make tokens',
    async () => {
      let token = '';
      await signedIn('datahub', '/settings/tokens', async (page) => {
        token = await makeToken(page, 'of an administrator');
      });
      const user = JSON.stringify({ username: 'eve', password: PASSWORD });
      expect(await ask(proplane.url, token, 'POST', '/access/users', user)).toBe(200);
      const nobody = { name: 'Nobody', type: 'PLATFORM', privileges: ['VIEW_JOBS'], actors: { allUsers: true } };
      const path = '/access/policies/all-users-platform';
      expect(await ask(proplane.url, token, 'PUT', path, JSON.stringify(nobody))).toBe(200);
      await signedIn('eve', '/settings/tokens', async (page) => {
        const button = page.getByRole('button', { name: 'Generate new token' });
        await button.waitFor();
        expect(await button.isDisabled()).toBe(true);
        expect(await accessibilityProblems(page)).toEqual([]);
        await page.goto(`${proplane.frontendUrl}/settings/policies`);
        await page.getByRole('alert').waitFor();
      });
      expect(await ask(proplane.url, token, 'DELETE', path)).toBe(200);
    },
    TIMEOUT,
  );

  it(
    'shows an administrator in the audit log what was done',
    () =>
      signedIn('datahub', '/settings/audit', async (page) => {
        const table = page.getByRole('table');
        for (const action of ['logIn', 'createAccessToken', 'revokeAccessToken', 'createUser', 'putPolicy']) {
          await table.getByText(action).first().waitFor();
        }
        expect(await accessibilityProblems(page)).toEqual([]);
      }),
    TIMEOUT,
  );

  it(
    'has every page for who is signed in, without a problem of accessibility',
    async () => {
      await signedIn('datahub', '/', async (page) => {
        for (const path of [
          '/properties',
          '/datasets',
          `/datasets/${encodeURIComponent(DATASET)}`,
          '/jobs',
          '/resources',
        ]) {
          await page.goto(`${proplane.frontendUrl}${path}`);
          await page.waitForLoadState('networkidle');
          expect([path, await page.getByRole('heading', { level: 1 }).count()]).toEqual([path, 1]);
          expect([path, await accessibilityProblems(page)]).toEqual([path, []]);
        }
      });
    },
    TIMEOUT,
  );
});
