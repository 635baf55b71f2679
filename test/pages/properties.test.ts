import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { entityPath } from '../harness/api.ts';
import { describeWithBrowser } from '../harness/browser.ts';
import { type ExampleCatalogue, exampleCatalogue } from '../harness/example-catalogue.ts';
import { withPageAt } from '../harness/opened-page.ts';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.order_line,PROD)';

await describeWithBrowser('the pages of properties', (browser) => {
  let catalogue: ExampleCatalogue;
  beforeAll(async () => {
    catalogue = await exampleCatalogue();
  });

  const definitionOf = async (name: string) => {
    const { status, body } = await catalogue.api.get(
      entityPath('v3', `urn:li:structuredProperty:${name}`, 'propertyDefinition'),
    );
    return { status, definition: body?.propertyDefinition?.value };
  };
  const define = (name: string, more: object) =>
    catalogue.api.post(entityPath('v3', `urn:li:structuredProperty:${name}`, 'propertyDefinition'), {
      qualifiedName: name,
      valueType: 'number',
      entityTypes: ['dataset'],
      ...more,
    });
  const put = (name: string, value: object) =>
    catalogue.api.patch(entityPath('v3', DATASET, 'structuredProperties'), {
      patch: [
        {
          op: 'add',
          path: `/properties/urn:li:structuredProperty:${name}`,
          value: { propertyUrn: `urn:li:structuredProperty:${name}`, values: [value] },
        },
      ],
    });
  const open = (path: string, look: (page: Page) => Promise<void>) =>
    withPageAt(browser(), `${catalogue.frontend}${path}`, ({ page }) => look(page));

  it('define a property with what the form says, and lead to it', async () => {
    await open('/properties', async (page) => {
      await page.getByRole('button', { name: 'Define a property' }).click();
      await page.getByLabel('Qualified name').fill('pages.define.tier');
      await page.getByLabel('Display name').fill('Tier');
      await page.getByLabel('How many values').selectOption({ label: 'several' });
      await page.getByLabel('Only these values are allowed').check();
      await page.getByLabel('Value 1', { exact: false }).first().fill('gold');
      await page.getByLabel('Meaning of value 1').fill('The best');
      await page.getByRole('button', { name: 'Define', exact: true }).click();
      await page.getByRole('heading', { name: 'Tier', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/properties/pages.define.tier');
    });
    expect((await definitionOf('pages.define.tier')).definition).toMatchObject({
      displayName: 'Tier',
      valueType: 'urn:li:dataType:datahub.string',
      cardinality: 'MULTIPLE',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      allowedValues: [{ value: { string: 'gold' }, description: 'The best' }],
    });
  });

  it('say at the field what the server does not take, and define nothing', async () => {
    await open('/properties', async (page) => {
      await page.getByRole('button', { name: 'Define a property' }).click();
      await page.getByLabel('Qualified name').fill('pages has.blanks');
      await page.getByRole('button', { name: 'Define', exact: true }).click();
      await page.getByText('Fully qualified name cannot have spaces').first().waitFor();
      expect(await page.getByLabel('Qualified name').getAttribute('aria-invalid')).toBe('true');
    });
  });

  it('warn of a breaking change, show its refusal at the field, and make it with a greater version', async () => {
    await define('pages.change.days', { allowedValues: [{ value: { double: 30 } }, { value: { double: 90 } }] });
    await open('/properties/pages.change.days', async (page) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByRole('button', { name: 'Remove value 1' }).click();
      await page.getByText('This is a breaking change').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It was not saved.').waitFor();
      const field = page.getByRole('group', { name: 'Allowed values' });
      expect(await field.getByRole('alert').textContent()).toContain('{double=30.0} is missing');
      await page.getByLabel('Version').fill('20260131000000');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
    const { definition } = await definitionOf('pages.change.days');
    expect(definition).toMatchObject({ version: '20260131000000', allowedValues: [{ value: { double: 90 } }] });
  });

  it('do not overwrite what somebody else has changed meanwhile', async () => {
    await define('pages.race.days', { displayName: 'before' });
    await open('/properties/pages.race.days', async (page) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByLabel('Display name').fill('mine');
      await define('pages.race.days', { displayName: 'theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Somebody else was faster.').waitFor();
    });
    expect((await definitionOf('pages.race.days')).definition.displayName).toBe('theirs');
  });

  it('delete softly and restore', async () => {
    await define('pages.soft.days', {});
    await open('/properties/pages.soft.days', async (page) => {
      await page.getByRole('button', { name: 'Soft delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Soft delete' }).click();
      await page.getByText('Soft deleted', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
    });
  });

  it('delete for ever once the name is typed, after saying how many values that hides', async () => {
    const name = 'pages.gone.days';
    await define(name, {});
    expect((await put(name, { double: 7 })).status).toBe(200);
    await open(`/properties/${name}`, async (page) => {
      // The index may be a moment behind.
      await expectSoon(page, 'Nothing has a value of it.', '1 value on 1 dataset');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('1 value on 1 dataset').waitFor();
      const button = dialog.getByRole('button', { name: 'Delete for ever' });
      await dialog.getByRole('textbox').fill('pages.gone');
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(name);
      await button.click();
      await page.getByRole('heading', { name: 'Properties', level: 1 }).waitFor();
    });
    expect((await definitionOf(name)).status).toBe(404);
  });

  it('list what is looked for, and keep that in the address', async () => {
    await open('/properties', async (page) => {
      await page.getByLabel('Search').fill('retention');
      await page.getByText('1 of').waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe('retention');
      const row = page.getByRole('row', { name: /Retention \(days\)/u });
      await row.getByRole('cell', { name: '34', exact: true }).waitFor();
    });
  });
});

async function expectSoon(page: Page, before: string, then: string): Promise<void> {
  while (true) {
    await page.getByText(before).or(page.getByText(then)).first().waitFor();
    if (await page.getByText(then).isVisible()) return;
    await page.reload();
  }
}
