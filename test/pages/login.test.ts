import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import { withPage } from '../harness/opened-page.ts';

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User name' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

await describeWithBrowser('the log-in page', (browser) => {
  it('is where one is led without a session, and leads back to the page that was asked for', () =>
    withPage(browser(), '/settings/audit?action=logIn', { signedIn: false }, async ({ page }) => {
      await page.waitForURL(/[/]login[?]from=/u);
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      expect(await page.title()).toBe('Log in · Proplane');
      await logIn(page, 'ada', 'right');
      await page.getByRole('heading', { name: 'Audit Log' }).waitFor();
      expect(new URL(page.url()).search).toBe('?action=logIn');
    }));

  it.each(['//elsewhere.example/', '/\\\\elsewhere.example/', 'https://elsewhere.example/', 'javascript:alert(1)'])(
    'leads to no other server: %s',
    (from) =>
      withPage(browser(), `/login?from=${encodeURIComponent(from)}`, { signedIn: false }, async ({ page, api }) => {
        await logIn(page, 'ada', 'right');
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
        expect(new URL(page.url()).origin).toBe(api.url);
      }),
  );

  it('says that user name or password are wrong, and not which', () =>
    withPage(browser(), '/login', { signedIn: false }, async ({ page }) => {
      await logIn(page, 'ada', 'wrong');
      expect(await page.getByRole('alert').textContent()).toBe('User name or password are wrong.');
    }));

  it('says when to try again after too many attempts', () =>
    withPage(browser(), '/login', { signedIn: false }, async ({ page }) => {
      await logIn(page, 'throttled', 'wrong');
      expect(await page.getByRole('alert').textContent()).toBe('Too many attempts. Try again in 2 minutes.');
    }));

  it('offers another place to sign in only where there is one, with the way back', async () => {
    await withPage(browser(), '/login?from=/jobs', { signedIn: false, oidc: 'Company' }, async ({ page }) => {
      const link = page.getByRole('link', { name: 'Sign in with Company' });
      expect(await link.getAttribute('href')).toBe('/authenticate?redirect_uri=%2Fjobs');
    });
    await withPage(browser(), '/login', { signedIn: false }, async ({ page }) => {
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('link', { name: /Sign in with/u }).count()).toBe(0);
    });
  });

  it('is where one ends by logging out', () =>
    withPage(browser(), '/', {}, async ({ page, api }) => {
      await page.getByRole('button', { name: 'User menu: Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.waitForURL('**/login');
      expect(api.requests).toContainEqual(expect.objectContaining({ method: 'POST', url: '/logOut' }));
      await page.goto(`${api.url}/settings/tokens`);
      await page.waitForURL(/[/]login[?]from=/u);
    }));
});
