/** `svc start --dev`: pages that are open, or are being loaded, while the development server of the client begins again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkPackages } from '../harness/link-packages.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Pages, startPages } from './pages-of.ts';

const viteConfig = (n: number) => `export default { define: { COUNT: '${n}' } };\n`;
const env = (n: number) => `VITE_COUNT=${n}\n`;

describe.skipIf(chromium === undefined)('while the settings of Vite change', () => {
  const folder = folderWith({
    'main.svc': `import from .part { Part }
def:pub app() -> JsxElement { return <main>{COUNT} {import.meta.env.VITE_COUNT} <Part/></main>; }
`,
    'part.svc': 'def:pub Part() -> JsxElement { return <p>part</p>; }\n',
    'vite.config.js': viteConfig(0),
    '.env': env(0),
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  let server: RunningServer;
  let pages: Pages;
  let n = 1;
  beforeAll(async () => {
    linkPackages(folder.path);
    [server, pages] = await Promise.all([
      startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });
  const save = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const shown = (a: number, b: number) => `main:has-text("${a} ${b} part")`;

  test('an open page shows them', async () => {
    const { page } = await pages.open(server.base);
    await page.waitForSelector(shown(0, 0));
    save('vite.config.js', viteConfig(1));
    await page.waitForSelector(shown(1, 0));
    save('.env', env(1));
    await page.waitForSelector(shown(1, 1));
  });

  test('a page that is loaded meanwhile ends up loaded, with the new ones', async () => {
    for (n = 2; n < 4; n++) {
      save('vite.config.js', viteConfig(n));
      const loads = [0, 40, 80, 120, 160, 240].map(async (afterMs) => {
        await setTimeout(afterMs + n * 7);
        const { page } = await pages.open(server.base);
        await page.waitForSelector(shown(n, 1));
        await page.context().close();
      });
      await Promise.all(loads);
    }
    n -= 1;
    expect(server.output()).not.toContain('error in the browser');
  });

  test('a page that hears of the server before is told to load itself anew', async () => {
    const client = async () => await (await fetch(`${server.base}/static/@vite/client`)).text();
    const { page } = await pages.open(`${server.base}/docs`);
    // Its script of updates is that of one server, and runs when there is another.
    await page.route(
      '**/@vite/client',
      async (route) => {
        const response = await route.fetch();
        const before = await client();
        save('.env', env(2));
        await expect.poll(client, { timeout: 30_000 }).not.toBe(before);
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.goto(server.base);
    await page.waitForSelector(shown(n, 2));
  });

  test('settings that cannot be used are told, and the pages stay as they are', async () => {
    save('vite.config.js', 'export default { plugins: [ };\n');
    await expect.poll(() => server.output()).toContain('the configuration of Vite cannot be read');
    const { page } = await pages.open(server.base);
    await page.waitForSelector(shown(n, 2));
    save('vite.config.js', viteConfig(n + 1));
    await page.waitForSelector(shown(n + 1, 2));
  });
});
