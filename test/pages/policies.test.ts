import { expect, it } from '@jest/globals';
import { policySchema } from '../../model/access/policy.ts';
import { policyBodySchema } from '../../model/wire/access.ts';
import { describeWithBrowser } from '../harness/browser.ts';
import type { FakeApi } from '../harness/fake-api.ts';
import { withPage } from '../harness/opened-page.ts';

const PATH = '/settings/policies';

function put(api: FakeApi): { readonly id: string; readonly body: unknown } {
  const request = api.requests.findLast(({ method }) => method === 'PUT');
  return { id: request?.url.split('/').at(-1) ?? '', body: request?.body };
}

await describeWithBrowser('Settings › Policies', (browser) => {
  it('makes a policy that the model takes', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      await page.getByRole('link', { name: 'Create policy' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Analysts: Hive!');
      expect(await page.getByRole('textbox', { name: 'Id' }).inputValue()).toBe('analysts-hive');
      await page.getByRole('checkbox', { name: 'Edit Properties' }).check();
      await page.getByRole('checkbox', { name: 'Owners of the resource' }).check();
      await page.getByRole('checkbox', { name: 'Reader' }).check();
      await page.getByRole('combobox', { name: 'Groups' }).fill('Analysts');
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: 'Users' }).fill('urn:li:corpuser:ada');
      await page.getByRole('button', { name: 'Add to Users' }).click();
      await page.getByRole('button', { name: 'Add criterion' }).click();
      await page.getByRole('combobox', { name: 'Field' }).selectOption('Platform');
      await page.getByRole('combobox', { name: 'Values' }).fill('urn:li:dataPlatform:hive');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('status').getByText('The policy “Analysts: Hive!” is created.').waitFor();
      const { id, body } = put(api);
      expect(body).toEqual({
        name: 'Analysts: Hive!',
        description: '',
        type: 'METADATA',
        state: 'ACTIVE',
        privileges: ['EDIT_ENTITY_PROPERTIES'],
        actors: {
          users: ['urn:li:corpuser:ada'],
          groups: ['urn:li:corpGroup:Analysts'],
          roles: ['Reader'],
          allUsers: false,
          resourceOwners: true,
        },
        resources: { filter: [{ field: 'PLATFORM', condition: 'EQUALS', values: ['urn:li:dataPlatform:hive'] }] },
      });
      expect(policyBodySchema.safeParse(body).success).toBe(true);
      expect(policySchema.safeParse({ ...(body as object), id }).success).toBe(true);
    }));

  it('offers the privileges of the type, and no resources for the platform', () =>
    withPage(browser(), '/settings/new-policy', {}, async ({ page }) => {
      await page.getByRole('checkbox', { name: 'Edit Entity' }).waitFor();
      await page.getByRole('combobox', { name: 'Type' }).selectOption({ value: 'PLATFORM' });
      await page.getByRole('checkbox', { name: 'Manage Policies' }).waitFor();
      expect(await page.getByRole('checkbox', { name: 'Edit Entity' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Add criterion' }).count()).toBe(0);
      expect(await page.getByRole('checkbox', { name: 'Owners of the resource' }).count()).toBe(0);
    }));

  it('changes a policy and keeps what was not touched', () =>
    withPage(browser(), '/settings/policies/stewards-hive', {}, async ({ page, api }) => {
      await page.getByRole('checkbox', { name: 'Edit Entity' }).check();
      await page.getByRole('button', { name: 'Remove criterion 1' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Policies' }).waitFor();
      expect(put(api)).toMatchObject({
        id: 'stewards-hive',
        body: {
          description: 'Agreed with the data office in spring',
          privileges: ['EDIT_ENTITY_PROPERTIES', 'EDIT_ENTITY'],
          actors: { groups: ['urn:li:corpGroup:Stewards'] },
          resources: { filter: [{ field: 'PLATFORM', condition: 'EQUALS', values: ['urn:li:dataPlatform:hive'] }] },
        },
      });
    }));

  it('deactivates and deletes a policy after a question', () =>
    withPage(browser(), PATH, {}, async ({ page, api }) => {
      const row = page.getByRole('row', { name: 'Stewards' });
      const actions = page.getByRole('button', { name: 'Actions for Stewards' });
      await actions.click();
      await page.getByRole('menuitem', { name: 'Deactivate' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
      await row.getByText('Inactive').waitFor();
      expect(put(api)).toMatchObject({ id: 'stewards-hive', body: { state: 'INACTIVE' } });
      await actions.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await row.waitFor({ state: 'detached' });
    }));

  it('lets those only be looked at that are read-only, and says why', async () => {
    await withPage(browser(), '/settings/policies/operator', {}, async ({ page }) => {
      await page.getByText('This policy comes from a file').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    });
    await withPage(browser(), PATH, {}, async ({ page }) => {
      await page.getByRole('button', { name: 'Actions for Administrators: the platform' }).click();
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['View']);
    });
  });

  it('says that a policy is not there', () =>
    withPage(browser(), '/settings/policies/nowhere', {}, ({ page }) =>
      page.getByText('There is no policy nowhere, maybe no more.').waitFor(),
    ));
});

await describeWithBrowser('Settings › Audit Log', (browser) => {
  it('is narrowed by actor and action, which the address keeps', () =>
    withPage(browser(), '/settings/audit', {}, async ({ page }) => {
      const table = page.getByRole('table', { name: 'Audit log' });
      await table.getByText('putPolicy').waitFor();
      await page.getByRole('searchbox', { name: 'Actor' }).fill('left-us');
      await page.keyboard.press('Enter');
      await table.getByText('putPolicy').waitFor({ state: 'detached' });
      expect(await table.getByRole('cell', { name: 'refused' }).count()).toBe(1);
      await page.reload();
      await table.getByText('left-us').waitFor();
      expect(await table.getByRole('rowheader').count()).toBe(1);
      await page.getByRole('searchbox', { name: 'Action' }).fill('nothing');
      await page.keyboard.press('Enter');
      await page.getByText('Nothing fits these filters.').waitFor();
    }));
});
