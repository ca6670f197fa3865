/** Pages of real servers, in one Chromium for a whole file of tests. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser as Chromium, chromium as driver, type Page } from 'playwright-core';
import { chromium } from '../harness/browser.ts';

export type { Page } from 'playwright-core';
export { chromium } from '../harness/browser.ts';

export interface Pages extends AsyncDisposable {
  /** A page in a browser that remembers nothing of others. Errors are those of its console and of its scripts. */
  open(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }>;
}

/** File of a program that the search path has: Playwright looks for none by its name. */
export function pathOf(name: string): string {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

/** Bound of waits for pages, as that of `expect.poll` (vitest.config.ts): no test is about how long they take. */
const patienceMs = 60_000;

export async function startPages(): Promise<Pages> {
  const browser: Chromium = await driver.launch({
    executablePath: pathOf(chromium!),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return {
    async open(url) {
      const context = await browser.newContext();
      context.setDefaultTimeout(patienceMs);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(url);
      return { page, errors };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Opens a page for which the first answer with a module comes as it was before some work. */
export async function openLate(pages: Pages, url: string, module: string, work: () => Promise<unknown>): Promise<Page> {
  const { page } = await pages.open('about:blank');
  let held: Promise<unknown> | undefined;
  await page.route(module, async (route) => {
    const response = await route.fetch();
    if (held === undefined) await (held = work());
    await route.fulfill({ response });
  });
  await Promise.all([page.waitForRequest(module), page.goto(url)]);
  await held;
  return page;
}
