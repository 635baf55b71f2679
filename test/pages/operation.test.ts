import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import { type ExampleCatalogue, exampleCatalogue } from '../harness/example-catalogue.ts';
import { withPageAt } from '../harness/opened-page.ts';
import { problemsInEveryLook } from '../harness/page-looks.ts';

await describeWithBrowser('the pages of jobs and resources', (browser) => {
  let catalogue: ExampleCatalogue;
  beforeAll(async () => {
    catalogue = await exampleCatalogue();
  });
  const open = (path: string, look: (page: Page) => Promise<void>) =>
    withPageAt(browser(), `${catalogue.frontend}${path}`, ({ page }) => look(page));

  it('start a system update, and tell what came of it', async () => {
    await open('/jobs', async (page) => {
      await page.getByRole('button', { name: 'Start a system update' }).click();
      await page.getByText('The system update has begun.').waitFor();
      await page.getByText('Outcome of the last system update').waitFor();
      await page.getByRole('row', { name: /System update.*done/u }).waitFor();
    });
  });

  it('show how far a job is, and follow it until its end', async () => {
    const job = { id: 'system-update', kind: 'system-update', subject: 'index', pass: 1, created: 1_790_000_000_000 };
    const counts = { total: 1000, processed: 250, remaining: 750, secondsLeft: 40 };
    let answer: object = { ...job, ...counts, state: 'running' };
    await withPageAt(browser(), 'about:blank', async ({ page }) => {
      await page.route('**/api/gms/jobs?*', (route) => route.fulfill({ json: { jobs: [answer] } }));
      await page.goto(`${catalogue.frontend}/jobs`);
      const bar = page.getByRole('progressbar', { name: 'Progress of: System update' });
      await bar.waitFor();
      expect(await bar.getAttribute('value')).toBe('0.25');
      await page.getByText('250 of 1,000, about 40 s left').waitFor();
      expect(await problemsInEveryLook(page, 'jobs-running')).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('alertdialog', { name: 'Cancel the system update?' }).waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel', exact: true }).click();
      answer = { ...job, ...counts, state: 'cancelled', ended: 1_790_000_060_000 };
      await page.getByText('cancelled').waitFor();
    });
  });

  it('find resources by state, kind and words, and keep that in the address', async () => {
    await open('/resources', async (page) => {
      await page.getByLabel('Kind').selectOption('StructuredProperty');
      await page.getByLabel('Search').fill('retention');
      await page.getByText('1 of').waitFor();
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('kind'), searchParams.get('q')]).toEqual(['StructuredProperty', 'retention']);
      await page.getByRole('link', { name: 'governance/retention-days' }).click();
      await page.getByRole('row', { name: /Ready.*True.*Applied/u }).waitFor();
      await page.getByText('privacy.yaml:1').waitFor();
      await page.getByText('its definition').waitFor();
    });
  });

  it('show deletions that are held, and let them happen once a person has confirmed the very set', async () => {
    const held = { kind: 'StructuredProperty', namespace: 'pages', name: 'gone', reason: 'its manifest is missing' };
    const source = 'pages-test';
    const { status } = await catalogue.api.send('PUT', '/resources/held-deletions', { source, resources: [held] });
    expect(status).toBe(200);
    await open('/resources', async (page) => {
      await page.getByText('1 deletion of the source pages-test waits for you').waitFor();
      expect(await problemsInEveryLook(page, 'resources-held')).toEqual([]);
      await page.getByRole('button', { name: 'Confirm …' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('All of them are confirmed.').waitFor();
    });
    await catalogue.api.send('PUT', '/resources/held-deletions', { source, resources: [] });
  });
});
