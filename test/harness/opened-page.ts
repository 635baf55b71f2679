import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { fakeAccess } from './fake-access.ts';
import { type FakeApi, type Scene, startFakeApi } from './fake-api.ts';

export type Theme = 'light' | 'dark';

/** A page of the frontend in a browser. */
export interface OpenedPage {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, and what the policy for contents kept out. */
  readonly complaints: readonly string[];
}

/** Opens a page with a made-up server behind it, has a test look at it, and closes it. */
export async function withPage(
  browser: Browser,
  path: string,
  scene: Scene,
  look: (opened: OpenedPage & { readonly api: FakeApi }) => Promise<void>,
): Promise<void> {
  const api = await startFakeApi(scene, [fakeAccess]);
  try {
    await withPageAt(browser, `${api.url}${path}`, (opened) => look({ ...opened, api }));
  } finally {
    await api.stop();
  }
}

/** Likewise, a page of whatever answers at an address. */
export async function withPageAt(
  browser: Browser,
  url: string,
  look: (opened: OpenedPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // A status that a test has asked for.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
    });
    await page.goto(url);
    await look({ page, complaints });
  } finally {
    await context.close();
  }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What axe-core finds wrong with what a page shows now, each with where it is. Left out is the region by which React Aria
 * reads out that a button works: for some seconds it names the button, which may be gone.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ exclude: [["[data-live-announcer]"]] }, { resultTypes: ["violations"] })',
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  );
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/** Keeps a picture of the page in the folder of the environment variable PROPLANE_SCREENSHOTS, if there is one. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const { PROPLANE_SCREENSHOTS: folder } = process.env;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
