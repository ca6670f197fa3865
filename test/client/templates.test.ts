/** `svc new --template web` and `web-tailwind`: they check, pass their tests, and make pages that are light, steady and accessible. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkPackages } from '../harness/link-packages.ts';
import { type RunningServer, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { brokenRules, overflowAt, shifts, watchShifts } from './accessible.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

describe.skipIf(chromium === undefined).each(['web', 'web-tailwind'])('template %s', (template) => {
  const folder = folderWith({});
  const app = join(folder.path, 'notes');
  let server: RunningServer;
  let pages: Pages;
  beforeAll(async () => {
    const made = await runSvc(['new', 'notes', '-t', template], { cwd: folder.path });
    if (made.code !== 0) throw new Error(made.stderr);
    linkPackages(app);
    [server, pages] = await Promise.all([startServer({ folder: app }), startPages()]);
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  test('checks and is formatted', async () => {
    const checked = await runSvc(['check'], { cwd: app });
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    expect(checked.stdout).toMatch(/^no problems found/);
    expect((await runSvc(['format', '--check', '.'], { cwd: app })).code).toBe(0);
  });

  test('passes its tests, of walkers and of components', async () => {
    const { code, stdout } = await runSvc(['test'], { cwd: app });
    expect(stdout).toMatch(/components\/TaskList\.test\.svc\n {2}ok/);
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^4 tests: 4 passed/)]);
  });

  test('passes its tests in a browser', async () => {
    const { code, stdout } = await runSvc(['test', '--browser'], { cwd: app });
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^2 tests: 2 passed/)]);
  });

  test('its pages are accessible, steady, usable on a telephone, and weigh little', async () => {
    const { page, errors } = await pages.open('about:blank');
    await watchShifts(page);
    // Answers come later than half a second after a press: what moves before then counts as asked for.
    await page.route('**/walker/**', async (route) => {
      await setTimeout(600);
      await route.continue();
    });
    const seen = async () => {
      expect(await brokenRules(page)).toEqual([]);
      expect(await shifts(page)).toBeLessThan(0.001);
      expect(await overflowAt(page, 360)).toBe(0);
    };
    await page.goto(server.base);
    await page.getByRole('heading').waitFor();
    await seen();
    // A page without calls loads no code that makes them, and no small file that several pages share.
    expect(await scriptsOf(page)).toEqual(['client', 'layout', 'pages']);
    expect(await weightOf(page)).toBeLessThanOrEqual(90 * 1024);

    await page.getByRole('link', { name: 'Make an account' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse 1');
    await seen();
    await page.getByRole('button', { name: 'Sign up' }).click();
    for (const title of ['buy milk', `${'a long title '.repeat(10)}${'x'.repeat(80)}`]) {
      await page.getByLabel('New task').fill(title);
      await page.keyboard.press('Enter');
      await page.getByLabel(title.trim(), { exact: true }).waitFor();
    }
    await seen();
    await page.getByLabel('buy milk', { exact: true }).click();
    await page.getByText('1 of 2 left').waitFor();
    expect(await page.title()).toBe('Tasks · notes');

    await page.reload();
    await page.getByText('1 of 2 left').waitFor();
    await seen();
    // The sheet that Tailwind makes is 2 KB larger.
    expect(await weightOf(page)).toBeLessThanOrEqual((template === 'web' ? 90 : 93) * 1024);
    await page.goto(`${server.base}/nowhere`);
    await page.getByRole('heading').waitFor();
    await seen();
    expect(errors).toEqual([]);
  });
});

/** Names of the scripts that the page has loaded, without their digests. */
async function scriptsOf(page: Page): Promise<string[]> {
  const names: string[] = await page.evaluate(
    `performance.getEntriesByType('resource').flatMap(({ name }) => /\\/([^/.]+)\\.[0-9a-f]+\\.js$/.exec(name)?.[1] ?? [])`,
  );
  return names.sort();
}

/** Bytes of the page and of everything it has loaded, each with gzip. */
async function weightOf(page: Page): Promise<number> {
  const addresses: string[] = await page.evaluate(
    `[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)].filter((name) => !name.includes('/walker/'))`,
  );
  const texts = await Promise.all(addresses.map(async (address) => (await fetch(address)).arrayBuffer()));
  return texts.reduce((sum, text) => sum + gzipSync(new Uint8Array(text), { level: 9 }).length, 0);
}
