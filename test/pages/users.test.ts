import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import type { FakeApi } from '../harness/fake-api.ts';
import { withPage } from '../harness/opened-page.ts';

const PATH = '/settings/users';

const userRow = (page: Page, name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row', { name });

async function choose(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

function sent(api: FakeApi, method: string): { url: string; body: unknown } | undefined {
  const found = api.requests.findLast((request) => request.method === method);
  return found && { url: found.url.replace('/api/gms', ''), body: found.body };
}

await describeWithBrowser('Settings › Users & Groups', (browser) => {
  it('lists users, more when they are asked for, and finds them by a text', () =>
    withPage(browser(), PATH, {}, async ({ page }) => {
      await userRow(page, 'left-us').getByText('Suspended').waitFor();
      expect(await userRow(page, 'edsger').count()).toBe(0);
      await page.getByRole('button', { name: 'Show more' }).click();
      await userRow(page, 'edsger').waitFor();
      await page.getByRole('searchbox', { name: 'Find users' }).fill('grace');
      await page.keyboard.press('Enter');
      await userRow(page, 'Ada').waitFor({ state: 'detached' });
      await userRow(page, 'Grace Hopper').waitFor();
      expect(new URL(page.url()).search).toBe('?query=grace');
    }));

  it('creates a user with roles and groups', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await page.getByRole('button', { name: 'Create user' }).click();
      const form = page.getByRole('dialog', { name: 'Create user' });
      await form.getByRole('textbox', { name: 'User name' }).fill('barbara');
      await form.getByRole('textbox', { name: 'Password' }).fill('short');
      await form.getByRole('checkbox', { name: 'Editor' }).check();
      await form.getByRole('checkbox', { name: 'Stewards' }).check();
      await form.getByRole('button', { name: 'Create' }).click();
      expect(await form.getByRole('alert').textContent()).toContain('at least 8 characters');
      await form.getByRole('textbox', { name: 'Password' }).fill('long enough');
      await form.getByRole('button', { name: 'Create' }).click();
      await userRow(page, 'barbara').waitFor();
      expect(sent(api, 'POST')).toEqual({
        url: '/access/users',
        body: {
          username: 'barbara',
          password: 'long enough',
          roles: ['Reader', 'Editor'],
          groups: ['urn:li:corpGroup:Stewards'],
        },
      });
    }));

  it('changes, suspends and deletes a user, and sets a password', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      const url = '/access/users/urn%3Ali%3Acorpuser%3Aada';
      await choose(page, 'ada', 'Edit');
      await page.getByRole('textbox', { name: 'Display name' }).fill('Countess');
      await page.getByRole('button', { name: 'Save' }).click();
      await userRow(page, 'Countess').waitFor();
      expect(sent(api, 'PATCH')).toMatchObject({ url, body: { displayName: 'Countess', roles: ['Editor'] } });
      await choose(page, 'ada', 'Reset password');
      await page.getByRole('textbox', { name: 'New password' }).fill('another one');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('status').getByText('The password of ada is set.').waitFor();
      expect(sent(api, 'PUT')).toEqual({ url: `${url}/password`, body: { password: 'another one' } });
      await choose(page, 'ada', 'Suspend');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
      await userRow(page, 'Countess').getByText('Suspended').waitFor();
      expect(sent(api, 'PATCH')).toEqual({ url, body: { state: 'SUSPENDED' } });
      await choose(page, 'ada', 'Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await userRow(page, 'Countess').waitFor({ state: 'detached' });
      expect(sent(api, 'DELETE')?.url).toBe(url);
    }));

  it('creates, describes and deletes groups', () =>
    withPage(browser(), PATH, {}, async ({ page }) => {
      await page.getByRole('link', { name: 'Groups', exact: true }).click();
      const table = page.getByRole('table', { name: 'Groups' });
      await page.getByRole('button', { name: 'Create group' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Data office');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await table.getByRole('rowheader', { name: 'Data office' }).waitFor();
      await choose(page, 'Data office', 'Edit');
      await page.getByRole('textbox', { name: 'Description' }).fill('Who decide');
      await page.getByRole('button', { name: 'Save' }).click();
      await table.getByText('Who decide').waitFor();
      await choose(page, 'Data office', 'Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await table.getByRole('rowheader', { name: 'Data office' }).waitFor({ state: 'detached' });
    }));
});

await describeWithBrowser('the own account', (browser) => {
  it('changes the password by the present one', () =>
    withPage(browser(), '/settings/account', {}, async ({ page, api }) => {
      await page.getByRole('textbox', { name: 'Present password' }).fill('wrong');
      await page.getByRole('textbox', { name: 'New password' }).fill('another one');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('textbox', { name: 'Present password' }).fill('right');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('status').getByText('Your password is changed.').waitFor();
      expect(sent(api, 'PUT')).toEqual({
        url: '/access/users/urn%3Ali%3Acorpuser%3Aada/password',
        body: { oldPassword: 'right', password: 'another one' },
      });
    }));
});
