/** The browser of `svc test --browser`: opened for the first page, an application of its own for each test. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { importPackage, placeOfPackage } from '../../../adapters/client/packages.ts';
import type { TestBrowser } from '../../../core/program/test-browser-host.ts';
import { RuntimeError } from '../../../library/values/objects/exceptions.ts';
import { findChromium } from './find-chromium.ts';
import { makePage } from './page.ts';
import { type StartedApp, startApp } from './started-app.ts';

export interface BrowserOfTests extends TestBrowser {
  /** Closes the pages of a test and its application. A failed test leaves a picture of each page; gives their paths. */
  endTest(name: string, hasFailed: boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface BrowserParts {
  /** Absolute path of the program that is started. */
  readonly entry: string;
  readonly projectDir: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

type Playwright = typeof import('playwright-core');

export function openTestBrowser({ entry, projectDir, cwd, env }: BrowserParts): BrowserOfTests {
  let browser: Promise<Browser> | undefined;
  let app: Promise<StartedApp> | undefined;
  let opened: { readonly context: BrowserContext; readonly page: Page }[] = [];
  return {
    async open(path, viewport) {
      // Each test that fails for want of a browser says so at its own line.
      browser ??= launch(projectDir, env).catch((error: unknown) => {
        browser = undefined;
        throw error;
      });
      app ??= startApp(entry, projectDir, env);
      const [{ base }, started] = await Promise.all([app, browser]);
      const context = await started.newContext({ viewport, baseURL: base });
      const page = await context.newPage();
      opened.push({ context, page });
      const made = makePage({ context, page, base, cwd, projectDir });
      await made.goto(path);
      return made;
    },
    async endTest(name, hasFailed) {
      const pages = opened;
      opened = [];
      const pictures = hasFailed ? await takePictures(pages, name, join(projectDir, '.svc', 'failed')) : [];
      await Promise.all(pages.map(({ context }) => context.close().catch(() => {})));
      const running = app;
      app = undefined;
      await running?.then(
        (one) => one.stop(),
        () => {},
      );
      return pictures;
    },
    async close() {
      await browser?.then(
        (one) => one.close(),
        () => {},
      );
    },
  };
}

/** @throws RuntimeError naming what is missing */
async function launch(projectDir: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  if (placeOfPackage('playwright-core', projectDir) === undefined)
    throw new RuntimeError('tests in a browser need playwright-core: npm install --save-dev playwright-core');
  const executablePath = findChromium(env);
  if (executablePath === undefined)
    throw new RuntimeError('tests in a browser need Chromium: install it, or name its path in SVC_CHROMIUM');
  const loaded = await importPackage<Playwright & { readonly default?: Playwright }>('playwright-core', projectDir);
  const { chromium } = loaded.default ?? loaded;
  // Containers run as root, where Chromium's own sandbox cannot be.
  const args = ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  try {
    return await chromium.launch({ executablePath, args });
  } catch (error) {
    throw new RuntimeError(`${executablePath} does not start: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

async function takePictures(
  pages: readonly { readonly page: Page }[],
  name: string,
  folder: string,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const stem = name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  const taken = await Promise.all(
    pages.map(async ({ page }, i) => {
      const path = join(folder, `${stem}${pages.length > 1 ? `-${i + 1}` : ''}.png`);
      const isTaken = await page.screenshot({ path, timeout: 5000 }).then(
        () => true,
        () => false,
      );
      return isTaken ? [path] : [];
    }),
  );
  return taken.flat();
}
