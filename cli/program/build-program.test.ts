import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { areUnchanged } from '../../adapters/modules/recorded-files.ts';
import { type BuiltProgram, buildProgram } from './build-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const build = (): Promise<BuiltProgram> =>
  buildProgram({
    file: join(folder, 'main.svc'),
    config: {
      projectDir: folder,
      placement: { pins: {} },
      client: { paths: {}, router: 'auto', vite: { plugins: [], libImports: [], define: {} } },
      dependencies: { npm: {}, npmDev: {} },
    },
    purpose: 'run',
    env: {},
    runtimeNames: [],
  });

const code = ({ modules }: BuiltProgram) => modules.find(({ path }) => path === 'main.mjs')!.code;

test('a compilation depends on the declarations it has read, and on where others would be', async () => {
  put('main.svc', 'import from "pkg" { text }\nwith entry { print(text().strip()); }');
  put('node_modules/pkg/index.js', 'export const text = () => " a ";');
  const without = await build();
  expect(code(without)).not.toContain('typeof');
  expect(areUnchanged(without.inputs)).toBe(true);

  put('node_modules/@types/pkg/index.d.ts', 'export * from "./parts";');
  expect(areUnchanged(without.inputs)).toBe(false);
  put('node_modules/@types/pkg/parts.d.ts', 'export function text(): string;');
  const found = await build();
  expect(code(found)).toContain('=== "string" ? $.strM.strip(');
  expect(areUnchanged(found.inputs)).toBe(true);

  put('node_modules/@types/pkg/parts.d.ts', 'export function text(): number;');
  expect(areUnchanged(found.inputs)).toBe(false);
  const changed = await build();
  expect(code(changed)).toBe(code(without));
  expect(areUnchanged(changed.inputs)).toBe(true);

  // The package's own declarations come first.
  put('node_modules/pkg/package.json', '{ "types": "types.d.ts" }');
  expect(areUnchanged(changed.inputs)).toBe(false);
  put('node_modules/pkg/types.d.ts', 'export declare function text(): string;');
  const own = await build();
  expect(code(own)).toBe(code(found));

  rmSync(join(folder, 'node_modules/pkg/types.d.ts'));
  expect(areUnchanged(own.inputs)).toBe(false);
  expect(code(await build())).toBe(code(without));
});

test('a program depends on no declarations that it has no use for', async () => {
  put('main.svc', 'import from "pkg" { text }\nimport from lib { f }\nwith entry { print(f()); }');
  put('lib.svc', 'def f() -> int { return 1; }');
  put('node_modules/pkg/index.d.ts', 'export { text } from "./a"; export { other } from "./b";');
  put('node_modules/pkg/a.d.ts', 'export function text(): string;');
  put('node_modules/pkg/b.d.ts', 'export function other(): string;');
  put('node_modules/@types/node/path.d.ts', '');
  const read = (await build()).inputs.files.map(({ path }) => path.slice(folder.length + 1)).sort();
  expect(read).toEqual(['lib.svc', 'main.svc']);
});

test('a circle of both languages, begun from either side', async () => {
  put(
    'main.svc',
    'import from "./a.ts" { a, total }\nimport from shelf { Box }\nwith entry { print(a().upper(), total()); }',
  );
  put('shelf.svc', 'import from "./a.ts" { a }\nobj Box { has n: int = 1; }\ndef total() { return a().strip(); }');
  put(
    'a.ts',
    "import { Box, total } from './shelf.svc';\nexport { total };\nexport function a(): string { return new Box(1).n + 'x'; }\n",
  );
  const built = await build();
  expect(built.notes.diagnostics).toEqual([]);
  expect(built.modules.map(({ path }) => path).sort()).toEqual([
    'a.ts.api.mjs',
    'a.ts.mjs',
    'main.mjs',
    'shelf.mjs',
    'shelf.svc.mjs',
  ]);
  expect(code(built)).toContain('$.strM.upper(');
  expect(areUnchanged(built.inputs)).toBe(true);
  put('a.ts', "import { total } from './shelf.svc';\nexport { total };\nexport function a(): number { return 1; }\n");
  expect(areUnchanged(built.inputs)).toBe(false);
  expect(code(await build())).not.toContain('$.strM.upper(');
});
