/** A program without client code loads nothing of the browser half, neither when it is compiled nor when it is served. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startServer } from '../../test/harness/server.ts';
import { folderWith } from '../../test/harness/svc-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Modules whose chunk in the bundle holds all that they import (decisions/0460). */
const joined = /loadedTogether = (\[[\s\S]*?\n\]);/.exec(readFileSync(join(root, 'bin/build.mjs'), 'utf8'))![1]!;
/** Modules that a start loads, those it imports while it runs included. */
const loaded = [
  ...[...joined.matchAll(/'([^']+)'/g)].map(([, path]) => path!),
  'cli/commands/start.ts',
  'cli/program/build-program.ts',
  'cli/start/open-pages.ts',
  'cli/start/reload.ts',
  'lang/phases.ts',
  'lang/project.ts',
];
const ofBrowsers =
  /^(lang\/6-emit-client|adapters\/client|handlers\/http\/client|client)\/|^cli\/client\/(?!with-page)/;

/** Modules that are imported, each by one that imports it. */
const importedBy = new Map<string, string>();
const waiting = loaded.map((name) => join(root, name));
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  for (const next of importsOf(file)) {
    if (importedBy.has(next)) continue;
    importedBy.set(next, file);
    if (next.startsWith(root)) waiting.push(next);
  }
}
const imports = [...importedBy].map(([to, file]) => [relative(root, file), to.replace(root, '')] as const);

test('no import leads from a start to the browser half', () => {
  expect(imports.length).toBeGreaterThan(300);
  expect(imports.filter(([, to]) => ofBrowsers.test(to))).toEqual([]);
});

test('no start imports `node:http`, which makes Node 22 and later load their `fetch` too', () => {
  expect(imports.filter(([, to]) => /^node:https?$/.test(to))).toEqual([]);
});

test('a start reads none of the chunks that programs with pages read', async () => {
  using folder = folderWith({ 'main.svc': 'walker:pub Go { can go with Root entry { report 1; } }\n' });
  const reports = join(folder.path, 'coverage');
  const server = await startServer({
    folder: folder.path,
    env: { SVC_ENV: 'development', NODE_V8_COVERAGE: reports },
  });
  await server.stop();
  const read = readdirSync(reports).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(reports, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  const chunks = new Set(read.flatMap((url) => /\/joined-(\w+)-/.exec(url)?.[1] ?? []));
  expect([...chunks]).toEqual(expect.arrayContaining(['010', 'stories']));
  expect([...chunks].filter((name) => /pages|dev/.test(name))).toEqual([]);
});

/** Modules of the project, and of Node, that stay when types are taken away. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'((?:\.|node:)[^']+)';/gm)].flatMap(
    ([, names = '', path]) => (areTypes(names) ? [] : [path!.startsWith('.') ? join(dirname(file), path!) : path!]),
  );
}

function areTypes(names: string): boolean {
  const inside = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1];
  const items = inside
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return items !== undefined && items.length > 0 && items.every((one) => one.startsWith('type '));
}
