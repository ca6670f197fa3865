import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules, overflowAt } from '../../test/client/accessible.ts';
import { chromium, type Page, type Pages, startPages } from '../../test/client/pages-of.ts';
import { linkPackages } from '../../test/harness/link-packages.ts';
import { copyApp, type RunningServer, removeFolder, runSvc, startServer } from '../../test/harness/server.ts';

const folder = copyApp(import.meta.dirname);

beforeAll(() => linkPackages(folder));
afterAll(() => removeFolder(folder));

test('it checks, and passes its tests of walkers and components', async () => {
  expect(await runSvc(['check'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout } = await runSvc(['test'], { cwd: folder });
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^3 tests: 3 passed/)]);
});

describe.skipIf(chromium === undefined)('in a browser', () => {
  test('two people see what the other does; cards are dragged with the pointer and with the keyboard', async () => {
    const { code, stdout } = await runSvc(['test', '--browser'], { cwd: folder });
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^3 tests: 3 passed/)]);
  });

  describe('its pages', () => {
    let server: RunningServer;
    let pages: Pages;
    let page: Page;
    let errors: readonly string[];
    beforeAll(async () => {
      [server, pages] = await Promise.all([startServer({ folder }), startPages()]);
      ({ page, errors } = await pages.open(`${server.base}/signup`));
    });
    afterAll(async () => {
      await pages?.[Symbol.asyncDispose]();
      await server?.stop();
    });

    test('are accessible and fit a telephone', async () => {
      await page.getByLabel('Name').fill('Ada');
      expect([await brokenRules(page), await overflowAt(page, 360)]).toEqual([[], 0]);
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByLabel('Password').fill('correct horse 1');
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByText('Doing').waitFor();
      expect([await brokenRules(page), await overflowAt(page, 360)]).toEqual([[], 0]);
      for (const title of ['Paint the fence', 'x'.repeat(100)]) {
        await page.getByLabel('New card').fill(title);
        await page.keyboard.press('Enter');
        await page.getByText(title, { exact: true }).waitFor();
      }
      expect([await brokenRules(page), await overflowAt(page, 360)]).toEqual([[], 0]);
      expect(errors).toEqual([]);
    });
  });
});
