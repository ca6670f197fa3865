/** `svc start --dev`: packages that pages have as they stand, until the program imports another one. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, startPages } from './pages-of.ts';

const app = (before: string, shown: string) => `${before}
def:pub app() -> JsxElement {
    has count: int = 1;
    return <main><button onClick={lambda { count = count + 1; }}>{f"pressed {count}"}</button>${shown}</main>;
}
`;

/** A package with a hook: it fails where it has another React than the page. */
const kit = `import { createElement, useState } from 'react';
export function Kit() {
  const [text] = useState('of the kit');
  return createElement('b', null, text);
}
`;

const other = `import { Kit } from 'kit';
export const Other = () => <Kit/>;
`;

/** Sources of bundled packages by their source maps, which stand at addresses of their own that developer tools ask for. */
async function sourcesOfPackages(page: Page): Promise<readonly string[]> {
  const loaded = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/vite/deps/'))`,
  )) as string[];
  const sources = await Promise.all(
    loaded.map(async (url) => {
      const [, address] = /\/\/# sourceMappingURL=(.*)\n$/.exec(await (await fetch(url)).text())!;
      expect(address).toMatch(/^[\w-]+\.js\.map$/);
      return ((await (await fetch(new URL(address!, url))).json()) as { readonly sources: readonly string[] }).sources;
    }),
  );
  return sources.flat();
}

test('a configuration of Vite may mean another package by `react`: it is bundled then', async () => {
  const page = async (files: Readonly<Record<string, string>>) => {
    using folder = folderWith({ 'main.svc': app('', ''), 'svc.toml': '[plugins.client]\nport = 0\n', ...files });
    await using server = await startServer({
      folder: folder.path,
      args: ['--dev'],
      env: { SVC_ENV: 'development' },
    });
    return await (await fetch(`${server.base}/`, { headers: { accept: 'text/html' } })).text();
  };
  expect(await page({})).toContain('type="importmap"');
  const config = 'export default { resolve: { alias: { react: "preact/compat" } } };\n';
  expect(await page({ 'vite.config.js': config })).not.toContain('type="importmap"');
});

describe.skipIf(chromium === undefined)('a page of a program without packages', () => {
  test('gets the router as it stands too, and everything anew when a package comes', async () => {
    const page = (shown: string) => `import from "@svc/runtime" { Link }
def:pub page() -> JsxElement { return <main>${shown}<Link to="/second">on</Link></main>; }
`;
    const folder = folderWith({
      'main.svc': 'walker:pub Go { can go with Root entry { report 1; } }\n',
      'pages/index.svc': page('<i>first</i>'),
      'pages/second.svc': `import from "react-router-dom" { useLocation }
def:pub page() -> JsxElement { place = useLocation(); return <i>{place.pathname}</i>; }
`,
      'node_modules/kit/package.json': '{ "name": "kit", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'node_modules/kit/index.js': kit,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const [server, pages] = await Promise.all([
      startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
    try {
      const { page: shown, errors } = await pages.open(server.base);
      await shown.click('text=on');
      await shown.waitForSelector('i:text-is("/second")');
      expect(existsSync(join(folder.path, '.svc/vite/deps/react.js'))).toBe(false);
      expect(existsSync(join(folder.path, '.svc/vite/deps/react-router-dom.js'))).toBe(false);
      writeFileSync(join(folder.path, 'pages/second.svc'), `import from "kit" { Kit }\n${page('<Kit/>')}`);
      await shown.waitForSelector('b:text-is("of the kit")');
      expect((await sourcesOfPackages(shown)).some((one) => one.includes('/react-router/'))).toBe(true);
      expect(errors).toEqual([]);
      expect(server.output()).not.toContain('error in the browser');
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test.each([
    ['a package', 'main.svc', app('import from "kit" { Kit }', '<Kit/>'), 'of the kit'],
    [
      'the router',
      'main.svc',
      app(
        'import from "@svc/runtime" { Router, Routes, Route }',
        '<Router><Routes><Route path="/" element={<b>of the router</b>}/></Routes></Router>',
      ),
      'of the router',
    ],
    ['a script with a package', 'main.svc', app('import from "./other" { Other }', '<Other/>'), 'of the kit'],
    ['a package in a script', 'script.tsx', other.replace('Other', 'Script'), 'of the kit'],
  ])('gets React as it stands, and the same one when %s comes', async (_, saved, next, shown) => {
    const folder = folderWith({
      'main.svc': app('import from "./script" { Script }', '<Script/>'),
      'script.tsx': 'export const Script = () => <b>a script</b>;\n',
      'other.tsx': other,
      'node_modules/kit/package.json': '{ "name": "kit", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'node_modules/kit/index.js': kit,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const [server, pages] = await Promise.all([
      startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
    try {
      const { page, errors } = await pages.open(server.base);
      await page.click('text=pressed 1');
      await page.waitForSelector('text=pressed 2');
      expect(existsSync(join(folder.path, '.svc/vite/deps/react.js'))).toBe(false);
      writeFileSync(join(folder.path, saved), next);
      await page.waitForSelector(`b:text-is("${shown}")`);
      await page.click('text=pressed');
      expect((await sourcesOfPackages(page)).some((one) => one.endsWith('react-dom-client.development.js'))).toBe(true);
      expect(errors).toEqual([]);
      expect(server.output()).not.toContain('error in the browser');
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});
