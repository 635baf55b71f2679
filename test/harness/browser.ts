import { access, constants } from 'node:fs/promises';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A block of tests in a real browser: the Chromium of the machine, or that of the environment variable CHROMIUM. Skipped
 * with the reason where there is none.
 * @param body gets how the browser is had, once tests run.
 */
export async function describeWithBrowser(title: string, body: (browser: () => Browser) => void): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) {
    describe.skip(`${title} (no Chromium: install it, or name it in CHROMIUM)`, () => body(noBrowser));
    return;
  }
  describe(title, () => {
    let browser: Browser;
    beforeAll(async () => {
      // Its own sandbox cannot be had by root, nor in most containers.
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    });
    afterAll(() => browser?.close());
    body(() => browser);
  });
}

async function findBrowser(): Promise<string | undefined> {
  const { CHROMIUM } = process.env;
  for (const path of CHROMIUM === undefined ? KNOWN_PLACES : [CHROMIUM]) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

function noBrowser(): never {
  throw new Error('there is no browser');
}
