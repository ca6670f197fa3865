/** The packed extension in VS Code itself, in Chromium: an example in its colours, its findings, completion, and a debug session (test/real/README.md). */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../../client/pages-of.ts';
import { chromium } from '../../harness/browser.ts';
import { noteMissing } from '../../harness/missing.ts';
import { repository, svcBin } from '../../harness/server.ts';

const host = process.env['SVC_VSCODE'] || join(homedir(), '.cache/svc-scale/vscode');
const node = join(host, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const main = join(host, 'node_modules/code-server/lib/vscode/out/server-main.js');

const launch = {
  version: '0.2.0',
  configurations: [
    {
      type: 'svc',
      request: 'launch',
      name: 'walk',
      program: '${workspaceFolder}/main.svc',
      entry: 'Summary',
      stopOnEntry: true,
    },
  ],
};

let folder: string;
let server: ReturnType<typeof spawn>;
let browser: Browser;
let page: Page;

function hasHost(): boolean {
  const isThere = existsSync(main) && existsSync(node);
  if (!isThere) noteMissing('VS Code (node test/real/vscode/build.mjs installs it)');
  return isThere && chromium !== undefined;
}

describe.skipIf(!hasHost())('in VS Code', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-vscode-'));
    const program = join(folder, 'program');
    mkdirSync(join(folder, 'server/data/Machine'), { recursive: true });
    const settings = { 'svc.path': svcBin, 'svc.node': process.execPath, 'workbench.startupEditor': 'none' };
    writeFileSync(join(folder, 'server/data/Machine/settings.json'), JSON.stringify(settings));
    for (const name of ['main.svc', 'svc.toml'])
      cpSync(join(repository, 'examples/todo', name), join(program, name), { recursive: true });
    mkdirSync(join(program, '.vscode'));
    writeFileSync(join(program, '.vscode/launch.json'), JSON.stringify(launch));
    const vsix = join(folder, 'svc.vsix');
    const run = promisify(execFile);
    await run(process.execPath, [join(repository, 'editors/vscode/build.mjs'), vsix]);
    const options = [
      '--accept-server-license-terms',
      '--without-connection-token',
      '--disable-workspace-trust',
      ...['--server-data-dir', join(folder, 'server'), '--extensions-dir', join(folder, 'extensions')],
    ];
    await run(node, [main, ...options, '--install-extension', vsix]);
    server = spawn(node, [main, ...options, '--host', '127.0.0.1', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const port = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stdout!.on('data', (data) => {
        said += data;
        const found = /listening on (\d+)/.exec(said);
        if (found !== null) resolve(found[1]!);
      });
      server.once('exit', () => reject(new Error(`VS Code does not start: ${said}`)));
    });
    browser = await driver.launch({ executablePath: pathOf(chromium!), args: ['--no-sandbox', '--disable-gpu'] });
    page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
    page.setDefaultTimeout(60_000);
    const file = `vscode-remote://127.0.0.1:${port}${program}/main.svc`;
    const payload = encodeURIComponent(JSON.stringify([['openFile', file]]));
    await page.goto(`http://127.0.0.1:${port}/?folder=${program}&payload=${payload}`);
    // Lenses are the first that the language server gives.
    await page.locator('.codelens-decoration a').first().waitFor({ state: 'attached' });
  }, 600_000);

  afterAll(async () => {
    if (process.env['PICTURE']) await page?.screenshot({ path: process.env['PICTURE'] });
    await browser?.close();
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('words, names, texts and types have colours of their own', async () => {
    const colourOf = (word: string) =>
      page
        .locator('.view-line span span', { hasText: new RegExp(`^\\s*${word}\\s*$`) })
        .first()
        .evaluate((span) => (globalThis as any).getComputedStyle(span).color as string);
    const colours = await Promise.all(['import', 'HTTPMethod', '"low"', 'bool'].map(colourOf));
    expect(new Set(colours).size).toBe(4);
  }, 600_000);

  test('a walker is debugged: it stands at its first statement with its variables, and ends', async () => {
    const command = async (name: string) => {
      await page.keyboard.press('F1');
      await page.keyboard.type(name);
      await page.locator('.quick-input-widget .monaco-list-row', { hasText: name }).first().click();
    };
    await page.locator('.view-line').nth(3).click({ force: true });
    await command('View: Show Run and Debug');
    await command('Debug: Start Debugging');
    await page.locator('.debug-call-stack .monaco-list-row', { hasText: 'Summary.start' }).first().waitFor();
    expect(await page.locator('.debug-top-stack-frame-line').count()).toBeGreaterThan(0);
    const variables = page.locator('.debug-variables .monaco-list-row');
    await variables.filter({ hasText: 'Walk' }).first().click();
    await variables.filter({ hasText: 'Summary(total=0' }).first().waitFor();
    await command('Debug: Continue');
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  }, 600_000);

  test('what may stand behind a dot is offered, and a name that nothing declares is underlined in the words of svc check', async () => {
    await page.locator('.view-line').nth(3).click({ force: true });
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nwith entry { print(missing_name); t = Task(title="a"); print(t.');
    const offered = page.locator('.suggest-widget .monaco-list-row');
    await offered.filter({ hasText: 'title' }).waitFor();
    const names = await offered.allInnerTexts();
    for (const name of ['done', 'due', 'priority', 'tags', 'title']) expect(names.join('\n')).toContain(name);
    await page.keyboard.press('Escape');
    await page.keyboard.type('title); }');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('F8');
    const marker = page.locator('.marker-widget', { hasText: 'missing_name' });
    await marker.waitFor();
    expect(await marker.innerText()).toContain('`missing_name` is not defined');
  }, 600_000);
});
