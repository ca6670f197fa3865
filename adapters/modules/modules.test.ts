import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from '@jridgewell/sourcemap-codec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCompiled, rememberCompiled } from './compile-index.ts';
import { type CompiledModule, runtimeSpecifier } from './compiled-module.ts';
import { loadModules } from './load-modules.ts';
import { placeModules, removeStaleModules } from './place-modules.ts';
import { recordFiles } from './recorded-files.ts';
import { provideRuntime } from './runtime-shim.ts';
import { createTraces } from './traces.ts';

let project = '';
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'modules-test-'));
});
afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

const runtime = { add: (a: number, b: number) => a + b, is: Object.is };
const map = JSON.stringify({
  version: 3,
  sources: ['main.svc'],
  names: [],
  mappings: encode([[], [], [[0, 0, 6, 4]]]),
});
const modules: CompiledModule[] = [
  {
    path: 'main.mjs',
    code: `import * as $ from '${runtimeSpecifier}';\nimport * as util from './lib/util.mjs';\nexport function fail() { throw new Error('x'); }\nexport const sum = $.add(util.one, 1);`,
    map,
  },
  {
    path: 'lib/util.mjs',
    code: `import * as $ from '${runtimeSpecifier}';\nexport const one = $.add(0, 1);`,
    map: '{"version":3,"sources":[],"names":[],"mappings":""}',
  },
];
const cacheDir = () => join(project, '.svc', 'cache');
const place = () => placeModules(modules, { cacheDir: cacheDir(), runtimeNames: Object.keys(runtime) });

test('writes modules once and imports them natively', async () => {
  provideRuntime(runtime);
  const placed = await place();
  expect(placed.isTemporary).toBe(false);
  const traces = createTraces(undefined, placed.directory);
  expect((await loadModules(placed.directory, 'main.mjs'))['sum']).toBe(2);
  expect(await place()).toEqual(placed);
  expect(await readdir(cacheDir())).toEqual([basename(placed.directory)]);
  const url = pathToFileURL(join(placed.directory, 'main.mjs')).href;
  const stack = `Error: x\n    at Main.can$fail [as run] (${url}:3:30)\n    at async Svc$_load$12 (${url}:3:1)\n    at ${url}:3:1\n    at other (file:///elsewhere.mjs:1:1)`;
  expect(traces.frames({ stack })).toEqual([
    { file: 'main.svc', line: 7, column: 5, function: 'Main.fail' },
    { file: 'main.svc', line: 7, column: 5, function: 'Svc.load' },
    { file: 'main.svc', line: 7, column: 5, function: undefined },
  ]);
  expect(traces.mapStack(stack)).toBe(
    'Error: x\n    at Main.fail main.svc:7:5\n    at Svc.load main.svc:7:5\n    at main.svc:7:5\n    at other (file:///elsewhere.mjs:1:1)',
  );
});

test('places in stacks of Deno, which has read the maps already, are those of the source', async () => {
  const text = 'def one -> int { return 1; }';
  const mapOfLib = JSON.stringify({ ...JSON.parse(map), sources: ['lib/util.svc'], sourcesContent: [text] });
  const [main, util] = modules as [CompiledModule, CompiledModule];
  const { directory } = await placeModules([main, { ...util, map: mapOfLib }], {
    cacheDir: cacheDir(),
    runtimeNames: Object.keys(runtime),
  });
  const traces = createTraces(undefined, directory);
  const url = pathToFileURL(join(directory, 'lib/lib/util.svc')).href;
  const stack = `Error: x\n    at Main.can$one (${url}:3:30)\n    at other (file:///elsewhere.svc:1:1)`;
  const [frame, ...others] = traces.frames({ stack });
  expect([frame, others]).toEqual([{ file: 'lib/util.svc', line: 3, column: 30, function: 'Main.one' }, []]);
  expect(traces.textOf(frame!)).toBe(text);
});

test('processes that place the same modules at once do no harm to each other', async () => {
  const placed = await Promise.all([place(), place(), place()]);
  expect(new Set(placed.map(({ directory }) => directory)).size).toBe(1);
  expect(await readdir(cacheDir())).toHaveLength(1);
});

test('what is damaged is written anew', async () => {
  const { directory } = await place();
  const whole = await readFile(join(directory, 'main.mjs'), 'utf8');
  await truncate(join(directory, 'main.mjs'));
  await rm(join(directory, 'lib'), { recursive: true });
  await Promise.all([place(), place()]);
  expect(await readFile(join(directory, 'main.mjs'), 'utf8')).toBe(whole);
  // Garbage of the same length, as a disk leaves it.
  await writeFile(join(directory, 'main.mjs'), '#'.repeat(whole.length));
  await Promise.all([place(), place()]);
  expect(await readFile(join(directory, 'main.mjs'), 'utf8')).toBe(whole);
  expect(await readdir(join(directory, 'lib'))).toContain('util.mjs');
  expect(await readdir(cacheDir())).toEqual([basename(directory)]);
});

test('a project that cannot be written to uses a temporary folder', async () => {
  // A file where the folder would be stops every user, also one whom permissions do not stop.
  await writeFile(dirname(cacheDir()), 'in the way');
  const placed = await place();
  expect(placed.isTemporary).toBe(true);
  await rm(placed.directory, { recursive: true });
});

test('so does one where writing fails in any other way', async () => {
  const options = { cacheDir: join(project, 'x'.repeat(300), 'cache'), runtimeNames: Object.keys(runtime) };
  const placed = await placeModules(modules, options);
  expect(placed.isTemporary).toBe(true);
  await rm(placed.directory, { recursive: true });
});

test('removes old folders, not recent ones', async () => {
  const old = new Date(Date.now() - 7_200_000);
  for (let i = 0; i < 9; i++) {
    const path = join(cacheDir(), String(i).repeat(24));
    await mkdir(path, { recursive: true });
    if (i > 0) await utimes(path, old, old);
  }
  await removeStaleModules(cacheDir(), Date.now());
  expect(await readdir(cacheDir())).toHaveLength(6);
});

test('a compilation is found again until a file it looked at changes', async () => {
  const path = (name: string) => join(project, name);
  await writeFile(path('main.svc'), 'a');
  const files = recordFiles();
  files.readFile(path('main.svc'));
  files.exists(path('lib.svc'));
  files.listDir(project);
  const { directory, digests } = await place();
  const key = { cacheDir: cacheDir(), identity: ['build', 'main.svc'] };
  const folder = basename(directory);
  await rememberCompiled(key, { entry: 'main.mjs', folder, digests, inputs: files.inputs(), notes: ['w'] });
  const find = () => findCompiled<string[]>(key)?.notes;

  expect(find()).toEqual(['w']);
  expect(findCompiled({ ...key, identity: ['other build', 'main.svc'] })).toBeUndefined();
  await writeFile(path('main.svc'), 'a');
  expect(find()).toEqual(['w']);
  await truncate(join(directory, 'lib/util.mjs'));
  expect(find()).toBeUndefined();
  await place();
  expect(find()).toEqual(['w']);
  const [index] = (await readdir(cacheDir())).filter((name) => name.startsWith('index-'));
  const record = await readFile(join(cacheDir(), index!), 'utf8');
  for (const broken of ['', record.replace('"w"', '"v"'), record.replaceAll(/./g, '#'), record.slice(0, -5)]) {
    await writeFile(join(cacheDir(), index!), broken);
    expect(find()).toBeUndefined();
  }
  await writeFile(join(cacheDir(), index!), record);
  expect(find()).toEqual(['w']);
  await writeFile(path('lib.svc'), 'new candidate');
  expect(find()).toBeUndefined();
  await rm(path('lib.svc'));
  await writeFile(path('main.svc'), 'b');
  expect(find()).toBeUndefined();
});

test('frames name functions as the author wrote them', () => {
  const traces = createTraces(undefined, '/nowhere');
  expect(traces.frames(new Error('x'))).toEqual([]);
  expect(traces.frames('text')).toEqual([]);
});
