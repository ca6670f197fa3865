import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainImports } from './plain-imports.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plain-imports-'));
  const files = {
    'shared.js': `export function share() { return document.title; }\n`,
    'later.js': `import { share } from './shared.js';\nexport const said = share();\n`,
    'styled.js': `import './styled.css';\nexport const said = 'styled';\n`,
    'styled.css': 'p { color: red; }\n',
    'plain.js': `import { share } from './shared.js';\nshare();\nexport const load = () => import('./later.js');\nexport function fail() { throw new Error('thrown here'); }\n`,
    'mixed.js': `export const load = () => import('./later.js');\nexport const look = () => import('./styled.js');\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function built(entry: string) {
  const vite = await import('vite');
  const output = await vite.build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [plainImports()],
    build: {
      write: false,
      sourcemap: true,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(folder, entry), preserveEntrySignatures: 'strict' },
    },
  });
  const files = (Array.isArray(output) ? output : [output]).flatMap((one) => ('output' in one ? one.output : []));
  const chunk = files.find((file) => file.type === 'chunk' && file.isEntry);
  if (chunk?.type !== 'chunk') throw new Error('no entry was built');
  return { code: chunk.code, map: JSON.parse(String(chunk.map)) };
}

test('a module that is loaded later and needs nothing that is not there is loaded alone, and the map of the chunk stays right', async () => {
  const { code, map } = await built('plain.js');
  expect(code).toMatch(/from[`"']\.\/shared-/);
  expect(code).toMatch(/import\([`"']\.\/later-[\w-]+\.js[`"']\),void 0\s+\)/);
  const at = code.indexOf('Error(`thrown here');
  const before = code.slice(0, at).split('\n');
  const found = new SourceMap(map).findEntry(before.length - 1, before.at(-1)!.length);
  expect(found).toMatchObject({ originalSource: expect.stringMatching(/plain\.js$/), originalLine: 3 });
});

test('a mark that ends with a hash, as of Vite 8.4, is taken away whole', () => {
  const start = 'f(() => import("./b.js"),';
  const mark = `__VITE_PRELOAD__${'0af9'.repeat(8)}`;
  const chunk = { type: 'chunk', fileName: 'a.js', code: `${start}${mark});`, imports: [], dynamicImports: ['b.js'] };
  const later = { type: 'chunk', fileName: 'b.js', code: '', imports: [], viteMetadata: { importedCss: new Set() } };
  const { generateBundle } = plainImports() as unknown as {
    generateBundle: { handler(options: object, bundle: object): void };
  };
  generateBundle.handler({}, { 'a.js': chunk, 'b.js': later });
  expect(chunk.code).toBe(`${start}${'void 0'.padEnd(mark.length)});`);
});

test('a module with a sheet is loaded with it', async () => {
  const { code } = await built('mixed.js');
  expect(code).toMatch(/__vite__mapDeps=.*styled-[\w-]+\.css/);
  expect(code).not.toContain('__VITE_PRELOAD__');
});
