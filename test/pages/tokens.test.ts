import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import type { FakeApi } from '../harness/fake-api.ts';
import { withPage } from '../harness/opened-page.ts';

const PATH = '/settings/tokens';

const rows = (page: Page) => page.getByRole('table', { name: 'Access tokens' }).getByRole('rowheader');

const generate = (page: Page) => page.getByRole('button', { name: 'Generate new token' });

/** The variables of the last GraphQL request about something. */
function lastAsked(api: FakeApi, operation: string): unknown {
  const bodies = api.requests.map(({ body }) => body as { query?: string; variables?: unknown } | undefined);
  return bodies.findLast((body) => body?.query?.includes(operation))?.variables;
}

await describeWithBrowser('Settings › Access Tokens', (browser) => {
  it('makes a token, shows it once and lets it be copied', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await generate(page).click();
      const form = page.getByRole('dialog', { name: 'Create new Token' });
      await form.getByRole('textbox', { name: 'Name' }).fill('ci');
      await form.getByRole('textbox', { name: 'Description' }).fill('of the build');
      await form.getByRole('combobox', { name: 'Expire in' }).selectOption('1 week');
      await form.getByRole('button', { name: 'Create' }).click();
      const shown = page.getByRole('alertdialog', { name: 'New Personal Access Token' });
      const token = await shown.getByRole('group', { name: 'Token' }).textContent();
      expect(token).toBe('eyJhbGciOiJIUzI1NiJ9.made.up');
      await shown.getByRole('button', { name: 'Copy token' }).click();
      await shown.getByRole('status').getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
      await shown.getByRole('button', { name: 'Done' }).click();
      await rows(page).getByText('ci', { exact: true }).waitFor();
      expect(await page.content()).not.toContain(token);
      expect(lastAsked(api, 'createAccessToken')).toEqual({
        input: {
          type: 'PERSONAL',
          actorUrn: 'urn:li:corpuser:ada',
          name: 'ci',
          description: 'of the build',
          duration: 'ONE_WEEK',
        },
      });
    }));

  it('asks for a name before it asks the server, and tells what the server refuses', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await generate(page).click();
      const form = page.getByRole('dialog', { name: 'Create new Token' });
      await form.getByRole('button', { name: 'Create' }).click();
      const name = form.getByRole('textbox', { name: 'Name' });
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      expect(lastAsked(api, 'createAccessToken')).toBeUndefined();
      await name.fill('refused');
      await form.getByRole('button', { name: 'Create' }).click();
      expect(await form.getByRole('alert').textContent()).toContain('The name is taken.');
    }));

  it('revokes a token only after a question', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await page.getByRole('button', { name: 'Revoke notebook' }).click();
      const question = page.getByRole('alertdialog', { name: 'Revoke “notebook”?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(lastAsked(api, 'revokeAccessToken')).toBeUndefined();
      await page.getByRole('button', { name: 'Revoke notebook' }).click();
      await question.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('status').getByText('The token “notebook” is revoked.').waitFor();
      expect(lastAsked(api, 'revokeAccessToken')).toEqual({ tokenId: 'a2' });
      expect(await rows(page).allTextContents()).not.toContain('notebook');
    }));

  it('shows whoever manages tokens those of all, by owner and by state', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await rows(page).getByText('quality gate').waitFor();
      await page.getByRole('columnheader', { name: 'Owner' }).waitFor();
      await page.getByRole('searchbox', { name: 'Owner' }).fill('grace.hopper@example.com');
      await page.keyboard.press('Enter');
      await rows(page).getByText('notebook').waitFor({ state: 'detached' });
      expect(await rows(page).allTextContents()).toEqual(['quality gate']);
      expect(lastAsked(api, 'listAccessTokens')).toMatchObject({
        input: { filters: [{ field: 'ownerUrn', values: ['urn:li:corpuser:grace.hopper@example.com'] }] },
      });
      await page.getByRole('searchbox', { name: 'Owner' }).fill('');
      await page.getByRole('combobox', { name: 'Status' }).selectOption('Expired');
      await rows(page).getByText('quality gate').waitFor({ state: 'detached' });
      expect(await rows(page).allTextContents()).toEqual(['old laptop']);
    }));

  it('shows anybody else only own tokens', () =>
    withPage(browser(), PATH, { privileges: ['GENERATE_PERSONAL_ACCESS_TOKENS'] }, async ({ page, api }) => {
      await rows(page).getByText('notebook').waitFor();
      expect(await rows(page).allTextContents()).toEqual(['nightly load', 'notebook', 'old laptop']);
      expect(await page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(0);
      expect(lastAsked(api, 'listAccessTokens')).toMatchObject({
        input: { filters: [{ field: 'ownerUrn', values: ['urn:li:corpuser:ada'] }] },
      });
    }));

  it('has the button disabled without the privilege, with the reason, and asks for no list', () =>
    withPage(browser(), PATH, { privileges: [] }, async ({ page, api }) => {
      await generate(page).waitFor();
      expect(await generate(page).isDisabled()).toBe(true);
      expect(await describedBy(page)).toContain('Generate Personal Access Tokens');
      expect(lastAsked(api, 'listAccessTokens')).toBeUndefined();
    }));

  it('says that tokens are disabled where authentication is off', () =>
    withPage(browser(), PATH, { authEnabled: false }, async ({ page }) => {
      await page.getByText('Token based authentication is currently disabled.').waitFor();
      expect(await generate(page).isDisabled()).toBe(true);
      expect(await describedBy(page)).toContain('disabled');
    }));

  it('says so when there are none', () =>
    withPage(browser(), PATH, { empty: true }, ({ page }) => page.getByText('No Access Tokens!').waitFor()));
});

async function describedBy(page: Page): Promise<string | null> {
  const id = await generate(page).getAttribute('aria-describedby');
  return page.locator(`[id="${id}"]`).textContent();
}
