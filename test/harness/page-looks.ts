import type { Page } from 'playwright-core';
import { accessibilityProblems, keepPicture, type Theme } from './opened-page.ts';

/** Each theme and each width once; whoever wants pictures gets all. */
const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1400],
  ['dark', 360],
  ...(process.env.PROPLANE_SCREENSHOTS === undefined
    ? []
    : ([
        ['dark', 1400],
        ['light', 360],
      ] as const)),
];

/** What axe-core objects to in what a page shows now, and where it is too wide, in either theme, wide and narrow. */
export async function problemsInEveryLook(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [theme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await keepPicture(page, `${name}-${theme}-${width}`);
    for (const problem of await accessibilityProblems(page)) problems.push(`${theme}, ${width} pixels: ${problem}`);
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (needed > width) problems.push(`${theme}, ${width} pixels: ${needed} pixels wide`);
  }
  return problems;
}
