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
  /** Settings as they were saved last. */
  let [count, value] = [0, 0];
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
  const saveCount = () => save('vite.config.js', viteConfig(++count));
  const saveValue = () => save('.env', env(++value));
  const shown = () => `main:has-text("${count} ${value} part")`;

  test('an open page shows them', async () => {
    const { page } = await pages.open(server.base);
    await page.waitForSelector(shown());
    for (const change of [saveCount, saveValue]) {
      change();
      await page.waitForSelector(shown());
    }
  });

  test('a page that is loaded meanwhile ends up loaded, with the new ones', async () => {
    for (let round = 0; round < 2; round++) {
      saveCount();
      const loads = [0, 40, 80, 120, 160, 240].map(async (afterMs) => {
        await setTimeout(afterMs + 14 + round * 7);
        const { page } = await pages.open(server.base);
        await page.waitForSelector(shown());
        await page.context().close();
      });
      await Promise.all(loads);
    }
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
        saveValue();
        await expect.poll(client).not.toBe(before);
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.goto(server.base);
    await page.waitForSelector(shown());
  });

  test('settings that cannot be used are told, and the pages stay as they are', async () => {
    save('vite.config.js', 'export default { plugins: [ };\n');
    await expect.poll(() => server.output()).toContain('the configuration of Vite cannot be read');
    const { page } = await pages.open(server.base);
    await page.waitForSelector(shown());
    saveCount();
    await page.waitForSelector(shown());
  });
});
