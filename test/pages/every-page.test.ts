import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../harness/browser.ts';
import type { Scene } from '../harness/fake-api.ts';
import { accessibilityProblems, keepPicture, type Theme, withPage } from '../harness/opened-page.ts';

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

const VIEWS: readonly View[] = [
  { name: 'login', path: '/login', scene: { signedIn: false, oidc: 'Company' }, heading: 'Proplane' },
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'overview-without-authentication', path: '/', scene: { authEnabled: false }, heading: 'Overview' },
  { name: 'menu', path: '/', heading: 'Overview', act: press('User menu') },
  { name: 'unknown', path: '/nowhere', heading: 'No such page' },
  { name: 'tokens', path: '/settings/tokens', heading: 'Manage Access Tokens' },
  { name: 'tokens-empty', path: '/settings/tokens', scene: { empty: true }, heading: 'Manage Access Tokens' },
  { name: 'tokens-failed', path: '/settings/tokens', scene: { failing: /graphql/u }, heading: 'Manage Access Tokens' },
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
];

/** Each theme and each width once; whoever wants pictures gets all. */
const LOOKS: readonly [Theme, number][] = [
  ['light', 1400],
  ['dark', 360],
  ...(process.env.PROPLANE_SCREENSHOTS === undefined ? [] : ([['dark', 1400], ['light', 360]] as [Theme, number][])),
];

await describeWithBrowser('every page', (browser) => {
  for (const { name, path, scene = {}, heading, act } of VIEWS) {
    describe(name, () => {
      for (const [theme, width] of LOOKS) {
        it(`has nothing that axe-core objects to, and fits: ${theme}, ${width} pixels`, async () => {
          const look = async (page: Page, complaints: readonly string[]) => {
            await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
            await act?.(page);
            await page.waitForLoadState('networkidle');
            await keepPicture(page, `${name}-${theme}-${width}`);
            expect(await accessibilityProblems(page)).toEqual([]);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
            expect(complaints).toEqual([]);
          };
          await withPage(browser(), path, scene, ({ page, complaints }) => look(page, complaints), { theme, width });
        });
      }
    });
  }
});
