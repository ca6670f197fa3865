/** The API console as a browser shows it: credentials, calls. */
import { expect, test } from 'vitest';
import { chromium, startBrowser } from '../harness/browser.ts';
import { startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `@restspec(protocol=APIProtocol.WEBHOOK)
walker Paid { has id: str; can go with Root entry { report self.id; } }
`;

/** Presses the button with this text below an element. */
const press = (below: string, text: string) =>
  `[...document.querySelectorAll(${JSON.stringify(`${below} button`)})].find((one) => one.textContent === ${JSON.stringify(text)}).click()`;

test.skipIf(chromium === undefined)('the console keeps every credential of one dialog', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path });
  await using browser = await startBrowser();
  const page = await browser.open(`${server.base}/docs`);
  await page.until(`document.querySelector('dialog')`);
  await page.run(`(() => {
    const [token, key] = document.querySelectorAll('dialog form[method=dialog] input');
    token.value = 'a.b.c';
    key.value = 'svck_1';
    ${press('dialog form[method=dialog]', 'Save')};
  })()`);
  expect(await page.run('({ ...sessionStorage })')).toEqual({
    'svc-docs-BearerAuth': 'a.b.c',
    'svc-docs-ApiKeyAuth': 'svck_1',
  });
  expect(page.errors).toEqual([]);
});
