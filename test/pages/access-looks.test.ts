import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import type { Scene } from '../harness/fake-api.ts';
import { withPage } from '../harness/opened-page.ts';
import { problemsInEveryLook } from '../harness/page-looks.ts';
import { sizeOf } from '../tiers.ts';

interface View {
  readonly name: string;
  readonly path: string;
  readonly scene?: Scene;
  /** By its heading one knows that it is there. */
  readonly heading: string;
  /** What is done before it is looked at. */
  readonly act?: (page: Page) => Promise<void>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

/** The quick tier looks at the first nine. */
const VIEWS: readonly View[] = [
  { name: 'login', path: '/login', scene: { signedIn: false, oidc: 'Company' }, heading: 'Proplane' },
  { name: 'tokens', path: '/settings/tokens', heading: 'Manage Access Tokens' },
  {
    name: 'tokens-created',
    path: '/settings/tokens',
    heading: 'Manage Access Tokens',
    act: async (page) => {
      await press('Generate new token')(page);
      await page.getByRole('textbox', { name: 'Name' }).fill('nightly');
      await press('Create')(page);
      await page.getByRole('alertdialog', { name: 'New Personal Access Token' }).waitFor();
    },
  },
  { name: 'tokens-failed', path: '/settings/tokens', scene: { failing: /^.api.v2/u }, heading: 'Manage Access Tokens' },
  { name: 'users-menu', path: '/settings/users', heading: 'Users & Groups', act: press('Actions for ada') },
  { name: 'users-create', path: '/settings/users', heading: 'Users & Groups', act: press('Create user') },
  { name: 'policies', path: '/settings/policies', heading: 'Policies' },
  { name: 'policy', path: '/settings/policies/stewards-hive', heading: 'Stewards: properties of Hive tables' },
  { name: 'audit', path: '/settings/audit', heading: 'Audit Log' },
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'overview-without-authentication', path: '/', scene: { authEnabled: false }, heading: 'Overview' },
  { name: 'menu', path: '/', heading: 'Overview', act: press('User menu') },
  { name: 'unknown', path: '/nowhere', heading: 'No such page' },
  { name: 'tokens-empty', path: '/settings/tokens', scene: { empty: true }, heading: 'Manage Access Tokens' },
  { name: 'tokens-off', path: '/settings/tokens', scene: { authEnabled: false }, heading: 'Manage Access Tokens' },
  {
    name: 'tokens-without-privilege',
    path: '/settings/tokens',
    scene: { privileges: [] },
    heading: 'Manage Access Tokens',
  },
  {
    name: 'tokens-create',
    path: '/settings/tokens',
    heading: 'Manage Access Tokens',
    act: press('Generate new token'),
  },
  { name: 'tokens-revoke', path: '/settings/tokens', heading: 'Manage Access Tokens', act: press('Revoke') },
  { name: 'users', path: '/settings/users', heading: 'Users & Groups' },
  { name: 'users-empty', path: '/settings/users', scene: { empty: true }, heading: 'Users & Groups' },
  { name: 'groups', path: '/settings/users?tab=groups', heading: 'Users & Groups' },
  {
    name: 'policies-failed',
    path: '/settings/policies',
    scene: { failing: /^.api.*policies/u },
    heading: 'Policies',
  },
  { name: 'policy-of-a-file', path: '/settings/policies/operator', heading: 'The operator of the cluster' },
  { name: 'policy-new', path: '/settings/new-policy', heading: 'Create policy' },
  { name: 'account', path: '/settings/account', heading: 'Account' },
];

await describeWithBrowser('pages about access, light and dark, wide and narrow', (browser) => {
  const size = sizeOf('PROPLANE_ACCESS_VIEWS', { quick: 9, long: VIEWS.length });
  for (const { name, path, scene = {}, heading, act } of VIEWS.slice(0, size)) {
    it(`have nothing that axe-core objects to, and fit: ${name}`, async () => {
      await withPage(browser(), path, scene, async ({ page, complaints }) => {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await act?.(page);
        await page.waitForLoadState('networkidle');
        expect(await problemsInEveryLook(page, name)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });
  }
});
