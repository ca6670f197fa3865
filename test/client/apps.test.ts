/** A large application as strangers write them, in many files, folders and spellings: started once, and driven through its main paths. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyApp, repository, runSvc, startServer } from '../harness/server.ts';
import { chromium, startPages } from './pages-of.ts';

const tracker = join(repository, 'test/client/apps/tracker');

test('svc check finds no error in it, and its tests hold', async () => {
  const folder = copyApp(tracker);
  try {
    const checked = await runSvc(['check', '.'], { cwd: folder });
    expect([checked.stdout.match(/^(error|warning)/gm), checked.code]).toEqual([null, 0]);
    expect((await runSvc(['test'], { cwd: folder })).code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(chromium === undefined)('it does in a browser what its source says', async () => {
  const folder = copyApp(tracker);
  const server = await startServer({ folder });
  const pages = await startPages();
  try {
    const { page, errors } = await pages.open(server.base);
    const path = () => new URL(page.url()).pathname;
    // Functions of the server, effects that wait and follow state, an asset, placement of helpers.
    await page.waitForSelector('#health:text-is("Service is up")');
    await page.waitForSelector('#counted:text-is("6 words, 4 different")');
    await page.fill('textarea', 'a a b');
    await page.waitForSelector('#counted:text-is("3 words, 2 different")');
    expect(await page.evaluate('document.querySelector("main img").complete && document.title')).toBe('Tracker');
    // Routes: a rest segment, query and hash, none, and one that asks for an account.
    await page.click('text=Docs');
    await page.waitForSelector('#slug li');
    expect(await page.locator('#slug li').allInnerTexts()).toEqual(['1. guide', '2. start']);
    await page.goto(`${server.base}/about?ref=home#team`);
    await page.waitForSelector('#at:text-is("/about home #team")');
    await page.click('button:text("Home")');
    await page.click('text=Go to projects');
    await page.waitForSelector('h1:text("Sign in")');
    expect(path()).toBe('/login');
    await page.goto(`${server.base}/nowhere`);
    await page.waitForSelector('p:text("Nothing at /nowhere")');
    // An account, by a form whose fields are one state.
    await page.goto(`${server.base}/signup`);
    await page.fill('[name=email]', 'ann@example.com');
    await page.fill('[name=password]', 'Secret-123456');
    await page.fill('[name=again]', 'other');
    await page.click('text=Create account');
    await page.waitForSelector('[role=alert]:text("Passwords differ")');
    await page.fill('[name=again]', 'Secret-123456');
    await page.click('text=Create account');
    await page.waitForSelector('text=Nothing yet');
    // A project, in a dialog; what is told goes through a store.
    await page.click('.sidebar >> text=Projects');
    await page.click('text=New project');
    await page.fill('[aria-label=Name]', 'Alpha');
    await page.click('button:text-is("Create")');
    await page.waitForSelector('.notice:has-text("Project Alpha created")');
    await page.click('[aria-label="Dismiss 1"]');
    await page.click('a:text("Alpha")');
    // Tasks: a form with a schema and an annex, lists that are sorted and filtered, a menu.
    await page.fill('#title', 'ab');
    await page.click('text=Save task');
    await page.waitForSelector('[role=alert]:text("At least three letters")');
    for (const [title, priority] of [
      ['Write tests', 'low'],
      ['Ship it', 'high'],
      ['Rest', 'medium'],
    ] as const) {
      await page.fill('#title', title);
      await page.fill('#due', '2020-01-02');
      await page.selectOption('#priority', priority);
      await page.click('text=Save task');
      await page.waitForSelector(`.task-title:text("${title}")`);
    }
    expect(await page.locator('.task').allInnerTexts()).toEqual([
      'Ship itHIGH2.1.2020',
      'RestMEDIUM2.1.2020',
      'Write testsLOW2.1.2020',
    ]);
    await page.click('[aria-label="Toggle Ship it"]');
    await page.waitForSelector('.task.done >> text=Ship it');
    await page.fill('[placeholder="Search tasks"]', 'rest');
    await page.waitForSelector('.count:text("1 task of 3")');
    await page.fill('[placeholder="Search tasks"]', '');
    await page.click('label:has-text("High") input');
    await page.waitForSelector('.count:text("2 tasks of 3")');
    await page.click('text=Actions');
    await page.click('text=Remove done');
    await page.waitForSelector('.count:text("2 tasks of 2")');
    await page.reload();
    await page.waitForSelector('.count:text("2 tasks of 2")');
    // Sheets: of Sass, of a module and scoped.
    const styleOf = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await styleOf('.btn', 'borderRadius')).toBe('999px');
    expect(await styleOf('[data-tone=low]', 'backgroundColor')).toBe('rgb(226, 232, 240)');
    // Settings below a layout of their own, kept by the browser.
    await page.click('text=Settings');
    await page.click('label:has-text("Dark")');
    await page.waitForSelector('.shell.dark');
    await page.click('text=Profile');
    await page.fill('[aria-label=Nick]', 'Zed');
    await page.click('text=Keep');
    await page.reload();
    await page.waitForSelector('.shell.dark #nick:text-is("Hello, Zed!")');
    await page.click('.sidebar >> text=Dashboard');
    await page.waitForSelector('svg[aria-label=bars] rect');
    expect(await styleOf('.content section', 'borderRadius')).toBe('8px');
    await page.click('text=Sign out');
    await page.waitForSelector('h1:text("Sign in")');
    expect([path(), errors]).toEqual(['/login', []]);
  } finally {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
