import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import { withPage } from '../harness/opened-page.ts';

async function entriesOf(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
}

const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

await describeWithBrowser('what is around the pages', (browser) => {
  it('leads only to what the privileges allow', async () => {
    await withPage(browser(), '/', {}, async ({ page }) => {
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await entriesOf(page)).toEqual([
        ...['Overview', 'Datasets', 'Properties', 'Resources', 'Jobs'],
        ...['Access Tokens', 'Users & Groups', 'Policies', 'Audit Log'],
      ]);
    });
    await withPage(browser(), '/', { privileges: ['VIEW_JOBS'] }, async ({ page }) => {
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await entriesOf(page)).toEqual(['Overview', 'Datasets', 'Jobs', 'Access Tokens']);
    });
  });

  it('warns where authentication is off, and has nobody to log out', () =>
    withPage(browser(), '/', { authEnabled: false }, async ({ page }) => {
      await page.getByText('everybody who reaches this server may do everything').waitFor();
      await page.getByRole('button', { name: /User menu/u }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Log out' }).count()).toBe(0);
    }));

  it('keeps the theme that was chosen', () =>
    withPage(browser(), '/', {}, async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('button', { name: /User menu/u }).click();
      const light = await background(page);
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      expect(await background(page)).not.toBe(light);
      await page.reload();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await background(page)).not.toBe(light);
    }));

  it('is used by the keyboard: first the way to the content, then focus on each page that is opened', () =>
    withPage(browser(), '/', {}, async ({ page }) => {
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit Log' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Audit Log' }).waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      expect(await page.title()).toBe('Audit Log · Proplane');
    }));

  it('has its navigation behind a button on a narrow screen', () =>
    withPage(browser(), '/', {}, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 700 });
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit Log' });
      const button = page.getByRole('button', { name: 'Menu', exact: true });
      await button.waitFor();
      expect(await link.isVisible()).toBe(false);
      await button.click();
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      await link.click();
      await page.getByRole('heading', { name: 'Audit Log' }).waitFor();
      expect(await link.isVisible()).toBe(false);
    }));

  it('says what to do when the server fails, and tries again', () =>
    withPage(browser(), '/', { failing: /access\/me/u }, async ({ page, api }) => {
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('An unknown error occurred. The log has more.');
      expect(await alert.textContent()).toContain('Request request-1');
      await page.route('**/access/me', (route) =>
        route.fulfill({ json: { ...ME, privileges: [], authEnabled: true } }),
      );
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(page.url()).toBe(`${api.url}/`);
    }));

  it('stays, and offers to load the page again, when the script of a page is not there any more', () =>
    withPage(browser(), '/', { failing: /^.assets.audit-page.*js$/u }, async ({ page }) => {
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await navigation.getByRole('link', { name: 'Audit Log' }).click();
      await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await navigation.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('heading', { name: 'Policies' }).waitFor();
    }));

  it('leads to the log-in page when a session has ended, and stays where something is only not permitted', () =>
    withPage(browser(), '/', {}, async ({ page }) => {
      const refused = { status: 401, json: { error: 'Unauthorized', message: 'You may not read the audit log.' } };
      await page.route('**/access/audit?*', (route) => route.fulfill(refused));
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await navigation.getByRole('link', { name: 'Audit Log' }).click();
      await page.getByRole('alert').getByText('You may not read the audit log.').waitFor();
      await page.getByRole('alert').getByText('Ask an administrator for the permission.').waitFor();
      await page.route('**/access/me', (route) => route.fulfill(refused));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.waitForURL((url) => url.pathname === '/login');
      expect(new URL(page.url()).search).toBe('?from=%2Fsettings%2Faudit');
    }));
});

const ME = { actor: 'urn:li:corpuser:ada', displayName: 'Ada', by: 'session', roles: [], groups: [] };
