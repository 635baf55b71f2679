import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import { type ExampleCatalogue, exampleCatalogue } from '../harness/example-catalogue.ts';
import { withPageAt } from '../harness/opened-page.ts';
import { problemsInEveryLook } from '../harness/page-looks.ts';
import { sizeOf } from '../tiers.ts';

interface View {
  readonly name: string;
  readonly path: string;
  /** By its heading one knows that it is there. */
  readonly heading: string;
  /** What is done before it is looked at. */
  readonly act?: (page: Page) => Promise<void>;
}

const DATASET = `/datasets/${encodeURIComponent('urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customer,PROD)')}`;
const PROPERTY = '/properties/com.thistlequay.privacy.retentionDays';
const WHERE = encodeURIComponent(
  JSON.stringify([
    { field: 'structuredProperties.com.thistlequay.privacy.retentionDays', is: 'more', values: ['90'] },
    { field: 'structuredProperties.com.thistlequay.privacy.regulatoryScope', is: 'is', values: ['gdpr'] },
  ]),
);

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

/** The quick tier looks at the first eight. */
const VIEWS: readonly View[] = [
  { name: 'overview-of-examples', path: '/', heading: 'Overview' },
  { name: 'properties', path: '/properties', heading: 'Properties' },
  { name: 'property', path: PROPERTY, heading: 'Retention (days)' },
  { name: 'datasets-filtered', path: `/datasets?where=${WHERE}`, heading: 'Datasets' },
  { name: 'dataset-choice', path: DATASET, heading: 'shop.public.customer', act: press('Change Classification') },
  { name: 'jobs', path: '/jobs', heading: 'Jobs' },
  { name: 'resources', path: '/resources?kind=StructuredProperty', heading: 'Resources' },
  {
    name: 'resource',
    path: '/resources/directory/DatasetProperties/governance/customer',
    heading: 'governance/customer',
  },
  { name: 'properties-none', path: '/properties?q=nothing-is-called-so', heading: 'Properties' },
  { name: 'property-define', path: '/properties', heading: 'Properties', act: press('Define a property') },
  { name: 'property-missing', path: '/properties/never.defined', heading: 'never.defined' },
  { name: 'property-removed', path: '/properties/com.thistlequay.ownership.contactEmail', heading: 'Contact e-mail' },
  { name: 'property-change', path: PROPERTY, heading: 'Retention (days)', act: press('Change') },
  { name: 'property-soft-delete', path: PROPERTY, heading: 'Retention (days)', act: press('Soft delete') },
  { name: 'property-delete', path: PROPERTY, heading: 'Retention (days)', act: press('Delete') },
  { name: 'datasets', path: '/datasets', heading: 'Datasets' },
  { name: 'datasets-none', path: '/datasets?q=nothing-is-called-so', heading: 'Datasets' },
  { name: 'datasets-refused', path: '/datasets?q=%2Fq%20nonsense%3A', heading: 'Datasets' },
  { name: 'dataset', path: DATASET, heading: 'shop.public.customer' },
  { name: 'dataset-missing', path: '/datasets/urn:li:dataset:nonsense', heading: 'urn:li:dataset:nonsense' },
  { name: 'dataset-several', path: DATASET, heading: 'shop.public.customer', act: press('Change Consumers') },
  { name: 'dataset-remove', path: DATASET, heading: 'shop.public.customer', act: press('Remove Steward') },
  { name: 'dataset-field', path: DATASET, heading: 'shop.public.customer', act: press('Values of email') },
  { name: 'resource-missing', path: '/resources/cluster/StructuredProperty/a/b', heading: 'a/b' },
];

await describeWithBrowser('pages of the catalogue, light and dark, wide and narrow', (browser) => {
  let catalogue: ExampleCatalogue;
  beforeAll(async () => {
    catalogue = await exampleCatalogue();
  });

  const size = sizeOf('PROPLANE_CATALOGUE_VIEWS', { quick: 8, long: VIEWS.length });
  for (const { name, path, heading, act } of VIEWS.slice(0, size)) {
    it(`have nothing that axe-core objects to, and fit: ${name}`, async () => {
      await withPageAt(browser(), `${catalogue.frontend}${path}`, async ({ page, complaints }) => {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await act?.(page);
        await page.waitForLoadState('networkidle');
        expect(await problemsInEveryLook(page, name)).toEqual([]);
        expect(await page.title()).toBe(`${heading} · Proplane`);
        expect(complaints).toEqual([]);
      });
    });
  }
});
