/**
 * Drives the packed extension in VS Code itself, with Chromium: `node editors/vscode-host.mjs SERVER NODE OUT.png`. SERVER: the folder of a VS Code server,
 * such as `node_modules/code-server/lib/vscode` of the package `code-server` with its own packages installed; NODE: the program `node` of the version that it
 * asks for. Completion behind a dot and a name that nothing declares are typed into examples/todo; what is shown is printed, and it fails without either.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [server, node, out] = process.argv.slice(2);
const repository = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'svc-vscode-'));
const program = join(folder, 'program');
const settings = {
  'svc.path': join(repository, 'bin/svc.mjs'),
  'svc.node': process.execPath,
  'workbench.startupEditor': 'none',
};
mkdirSync(join(folder, 'server/data/Machine'), { recursive: true });
writeFileSync(join(folder, 'server/data/Machine/settings.json'), JSON.stringify(settings));
for (const name of ['main.svc', 'svc.toml'])
  cpSync(join(repository, 'examples/todo', name), join(program, name), { recursive: true });

const options = [
  '--accept-server-license-terms',
  '--without-connection-token',
  ...['--server-data-dir', join(folder, 'server'), '--extensions-dir', join(folder, 'extensions')],
];
const main = join(server, 'out/server-main.js');
const vsix = join(import.meta.dirname, 'vscode/dist/svc.vsix');
execFileSync(node, [main, ...options, '--install-extension', vsix], { stdio: 'ignore' });
const host = spawn(node, [main, ...options, '--host', '127.0.0.1', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const port = await new Promise((resolve, reject) => {
  let said = '';
  host.stdout.on('data', (data) => {
    said += data;
    const found = /listening on (\d+)/.exec(said);
    if (found !== null) resolve(found[1]);
  });
  host.once('exit', () => reject(new Error(`VS Code does not start: ${said}`)));
});
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  page.setDefaultTimeout(120_000);
  const file = `vscode-remote://127.0.0.1:${port}${program}/main.svc`;
  const payload = encodeURIComponent(JSON.stringify([['openFile', file]]));
  await page.goto(`http://127.0.0.1:${port}/?folder=${program}&payload=${payload}`);
  await page.getByRole('button', { name: 'Yes, I trust' }).click();
  // Lenses are the first that the language server gives.
  await page.locator('.codelens-decoration a').first().waitFor({ state: 'attached' });
  await page.locator('.view-line').nth(3).click({ force: true });
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nwith entry { print(missing_name); t = Task(title="a"); print(t.');
  await page.locator('.suggest-widget .monaco-list-row', { hasText: 'title' }).waitFor();
  const offered = await page.locator('.suggest-widget .monaco-list-row').allInnerTexts();
  await page.keyboard.press('Escape');
  await page.keyboard.type('title); }');
  await page.locator('.squiggly-error').first().waitFor();
  await page.keyboard.press('F8');
  const marker = page.locator('.marker-widget', { hasText: 'missing_name' });
  await marker.waitFor();
  const problems = await marker.innerText();
  if (out !== undefined) await page.screenshot({ path: out });
  console.log(`offered: ${offered.join(', ').replaceAll('\n', ' ')}\nwrong: ${problems.replaceAll('\n', ' ')}`);
} finally {
  await browser.close();
  host.kill();
  rmSync(folder, { recursive: true, force: true });
}
