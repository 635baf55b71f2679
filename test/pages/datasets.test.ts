import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { entityPath } from '../harness/api.ts';
import { describeWithBrowser } from '../harness/browser.ts';
import { type ExampleCatalogue, exampleCatalogue } from '../harness/example-catalogue.ts';
import { withPageAt } from '../harness/opened-page.ts';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:postgres,products.public.product,PROD)';
const FIELD = `urn:li:schemaField:(${DATASET},title)`;
const PATH = `/datasets/${encodeURIComponent(DATASET)}`;

await describeWithBrowser('the pages of datasets', (browser) => {
  let catalogue: ExampleCatalogue;
  beforeAll(async () => {
    catalogue = await exampleCatalogue();
  });

  const define = async (name: string, more: object) => {
    const { status } = await catalogue.api.post(
      entityPath('v3', `urn:li:structuredProperty:${name}`, 'propertyDefinition'),
      { qualifiedName: name, displayName: name, valueType: 'string', entityTypes: ['dataset', 'schemaField'], ...more },
    );
    expect(status).toBe(200);
  };
  const valuesOf = async (urn: string, name: string) => {
    const { body } = await catalogue.api.get(entityPath('v3', urn, 'structuredProperties'));
    const properties: readonly { propertyUrn: string; values: unknown }[] =
      body?.structuredProperties?.value.properties ?? [];
    return properties.find(({ propertyUrn }) => propertyUrn === `urn:li:structuredProperty:${name}`)?.values;
  };
  const open = (path: string, look: (page: Page) => Promise<void>) =>
    withPageAt(browser(), `${catalogue.frontend}${path}`, ({ page }) => look(page));
  const add = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Add a property' }).first().click();
    await page.getByRole('combobox', { name: 'Property' }).fill(name);
    await page.getByRole('option', { name }).first().click();
  };

  const total = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Results' }).getByText(text, { exact: true });

  it('put a value of the right type, which is found by its facet then', async () => {
    await define('pages.level', { allowedValues: [{ value: { string: 'high' } }, { value: { string: 'low' } }] });
    await open(PATH, async (page) => {
      await add(page, 'pages.level');
      await page.getByLabel('Value of pages.level').selectOption('high');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /pages\.level.*high/u }).waitFor();
    });
    expect(await valuesOf(DATASET, 'pages.level')).toEqual([{ string: 'high' }]);
    const count = encodeURIComponent(JSON.stringify(['structuredProperties.pages.level']));
    await open(`/datasets?count=${count}`, async (page) => {
      await page.getByRole('button', { name: /high/u }).click();
      await total(page, '1 dataset').waitFor();
      await page.getByRole('link', { name: 'products.public.product' }).waitFor();
      expect(JSON.parse(new URL(page.url()).searchParams.get('in') ?? '')).toEqual({
        'structuredProperties.pages.level': ['high'],
      });
    });
  });

  it('change several values in place, and bring the focus back', async () => {
    await define('pages.codes', { valueType: 'number', cardinality: 'MULTIPLE' });
    await open(PATH, async (page) => {
      await add(page, 'pages.codes');
      await page.getByRole('textbox', { name: 'Value 1' }).fill('many');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('should be a number').waitFor();
      await page.getByRole('textbox', { name: 'Value 1' }).fill('30');
      await page.getByRole('button', { name: 'Add a value' }).click();
      await page.getByRole('textbox', { name: 'Value 2' }).fill('4.5');
      await page.getByRole('button', { name: 'Save' }).click();
      const change = page.getByRole('button', { name: 'Change pages.codes' });
      await change.click();
      expect(await page.evaluate('document.activeElement.value')).toBe('30');
      await page.getByRole('button', { name: 'Remove value 1' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await change.waitFor();
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Change pages.codes');
    });
    expect(await valuesOf(DATASET, 'pages.codes')).toEqual([{ double: 4.5 }]);
  });

  it('show at the field what the server refuses', async () => {
    await define('pages.fixed', { immutable: true });
    await open(PATH, async (page) => {
      await add(page, 'pages.fixed');
      await page.getByLabel('Value of pages.fixed').fill('one');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Change pages.fixed' }).click();
      await page.getByLabel('Value of pages.fixed').fill('two');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Cannot mutate an immutable property').waitFor();
      expect(await page.getByLabel('Value of pages.fixed').getAttribute('aria-invalid')).toBe('true');
    });
    expect(await valuesOf(DATASET, 'pages.fixed')).toEqual([{ string: 'one' }]);
  });

  it('put a value on a schema field, and remove it', async () => {
    await define('pages.note', { entityTypes: ['schemaField'] });
    await open(PATH, async (page) => {
      await page.getByRole('button', { name: 'Values of title' }).click();
      const dialog = page.getByRole('dialog', { name: 'Values of the field title' });
      await dialog.getByRole('button', { name: 'Add a property' }).click();
      await dialog.getByRole('combobox', { name: 'Property' }).fill('pages.note');
      await page.getByRole('option', { name: 'pages.note' }).first().click();
      await dialog.getByLabel('Value of pages.note').fill('checked');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('row', { name: /pages\.note.*checked/u }).waitFor();
      expect(await valuesOf(FIELD, 'pages.note')).toEqual([{ string: 'checked' }]);
      await dialog.getByRole('button', { name: 'Remove pages.note' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await dialog.getByRole('button', { name: 'Remove pages.note' }).waitFor({ state: 'detached' });
    });
    expect(await valuesOf(FIELD, 'pages.note')).toBeUndefined();
  });

  it('offer only properties that are meant for the type of the entity', async () => {
    await define('pages.fields-only', { entityTypes: ['schemaField'] });
    await open(PATH, async (page) => {
      await page.getByRole('button', { name: 'Add a property' }).first().click();
      await page.getByRole('combobox', { name: 'Property' }).fill('pages.fields-only');
      await page.getByText('Nothing is called so.').waitFor();
    });
  });

  it('warn where a resource wishes the value', async () => {
    await open(PATH, async (page) => {
      await page.getByRole('button', { name: 'Change Classification' }).click();
      await page.getByText('its operator will set it back').waitFor();
    });
  });

  it('ask for no owner marks on behalf of somebody who may not see them', async () => {
    await withPageAt(browser(), 'about:blank', async ({ page }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const me = { actor: 'urn:li:corpuser:reader', displayName: 'Reader', roles: [], groups: [], privileges: [] };
      await page.route('**/api/gms/access/me', (route) => route.fulfill({ json: { ...me, authEnabled: true } }));
      await page.goto(`${catalogue.frontend}${PATH}`);
      await page
        .getByRole('row', { name: /email|title/u })
        .first()
        .waitFor();
      await page.getByRole('row', { name: /Classification/u }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Managed by' }).count()).toBe(0);
      expect(asked.filter((url) => url.includes('owners=true'))).toEqual([]);
    });
  });

  it('search by conditions that are built of properties and their values', async () => {
    await open('/datasets', async (page) => {
      await total(page, '48 datasets').waitFor();
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.getByRole('combobox', { name: 'Property or field' }).fill('retention');
      await page.getByRole('option', { name: /Retention \(days\)/u }).click();
      await page.getByLabel('Comparison').selectOption({ label: 'is greater than' });
      await page.getByLabel('Retention (days)', { exact: true }).selectOption('365');
      await page.getByRole('button', { name: 'Search' }).click();
      await total(page, '14 datasets').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Search');
      expect(JSON.parse(new URL(page.url()).searchParams.get('where') ?? '')).toEqual([
        { field: 'structuredProperties.com.thistlequay.privacy.retentionDays', is: 'more', values: ['365'] },
      ]);
      await page.goBack();
      await total(page, '48 datasets').waitFor();
    });
  });

  it('show page after page', async () => {
    await open('/datasets', async (page) => {
      const results = page.getByRole('list', { name: 'Datasets that were found' }).getByRole('listitem');
      await results.nth(24).waitFor();
      expect(await results.count()).toBe(25);
      await page.getByRole('button', { name: 'Show more' }).click();
      await results.nth(47).waitFor();
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    });
  });
});
