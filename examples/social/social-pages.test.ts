import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules, overflowAt } from '../../test/client/accessible.ts';
import { chromium, type Pages, startPages } from '../../test/client/pages-of.ts';
import { linkPackages } from '../../test/harness/link-packages.ts';
import { copyApp, type RunningServer, removeFolder, runSvc, startServer } from '../../test/harness/server.ts';

describe.skipIf(chromium === undefined)('the social network in a browser', () => {
  const folder = copyApp(import.meta.dirname);
  let server: RunningServer;
  let pages: Pages;
  beforeAll(async () => {
    linkPackages(folder);
    [server, pages] = await Promise.all([startServer({ folder }), startPages()]);
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await server?.stop();
    removeFolder(folder);
  });

  test('its own tests in a browser pass', async () => {
    const { code, stdout } = await runSvc(['test', '--browser'], { cwd: folder });
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^2 tests: 2 passed/)]);
  });

  test('its pages are accessible and fit a telephone', async () => {
    const { page, errors } = await pages.open(server.base);
    const seen = async () => expect([await brokenRules(page), await overflowAt(page, 360)]).toEqual([[], 0]);
    await page.getByRole('heading', { name: 'Short posts' }).waitFor();
    await seen();
    await page.getByRole('link', { name: 'Make a profile' }).click();
    await page.getByLabel('Handle').fill('ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse 1');
    await seen();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByLabel('New post').fill(`Good morning #hello ${'x'.repeat(120)}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: /^Like/ }).click();
    await page.getByText('♥ 1').waitFor();
    await seen();
    await page.getByRole('link', { name: '@ada' }).first().click();
    await page.getByText('Followers').waitFor();
    await seen();
    expect(errors).toEqual([]);
  });
});
