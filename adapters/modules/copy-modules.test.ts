import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { copyModules } from './copy-modules.ts';
import { loadModules } from './load-modules.ts';

const folder = folderWith({});
afterAll(() => folder[Symbol.dispose]());

/** `name`: of a folder with two modules that count how often they run. */
function counting(name: string): string {
  const directory = join(folder.path, name);
  mkdirSync(directory);
  const count = (key: string) =>
    `globalThis.${key} = (globalThis.${key} ?? 0) + 1;\nexport const ${key} = globalThis.${key};\n`;
  writeFileSync(
    join(directory, 'main.mjs'),
    `export { other${name.length} } from './other.mjs';\n${count(`main${name.length}`)}`,
  );
  writeFileSync(join(directory, 'other.mjs'), count(`other${name.length}`));
  return directory;
}

test('modules of a copy run once more, and what they import', async () => {
  const directory = counting('app');
  const copy = await copyModules(directory);
  expect(dirname(copy)).toBe(folder.path);
  for (const [from, runs] of [
    [directory, 1],
    [copy, 2],
    [directory, 1],
  ] as const)
    expect({ ...(await loadModules(from, 'main.mjs')) }).toEqual({ main3: runs, other3: runs });
});

test('where there can be no copy beside them it is a temporary one, which finds the same packages', async () => {
  // A name beside it would be longer than a name may be.
  const directory = counting('a'.repeat(240));
  mkdirSync(join(folder.path, 'node_modules/kit'), { recursive: true });
  writeFileSync(join(folder.path, 'node_modules/kit/package.json'), '{"type":"module","exports":"./kit.js"}');
  writeFileSync(join(folder.path, 'node_modules/kit/kit.js'), 'export const made = {};\n');
  writeFileSync(join(directory, 'uses.mjs'), `export { made } from 'kit';\n`);
  const copy = await copyModules(directory);
  expect(dirname(dirname(copy))).toBe(tmpdir());
  expect({ ...(await loadModules(copy, 'main.mjs')) }).toEqual({ main240: 1, other240: 1 });
  const { made } = await loadModules(copy, 'uses.mjs');
  expect(made).toBe((await loadModules(directory, 'uses.mjs'))['made']);
  await rm(dirname(copy), { recursive: true });
});
