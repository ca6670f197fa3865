/** A program without client code loads nothing of the browser half, neither when it is compiled nor when it is served. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('no import leads from a start to the browser half', () => {
  const from = new Map<string, string>();
  const waiting = loaded.map((name) => join(root, name));
  for (const file of waiting) expect(existsSync(file)).toBe(true);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const next of importsOf(file)) {
      if (from.has(next)) continue;
      from.set(next, file);
      waiting.push(next);
    }
  }
  expect(from.size).toBeGreaterThan(300);
  const found = [...from].map(([to, file]) => `${relative(root, file)} -> ${relative(root, to)}`);
  expect(found.filter((line) => ofBrowsers.test(line.split(' -> ')[1]!))).toEqual([]);
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
  expect(read.filter((url) => /\/joined-(010|stories)-/.test(url))).toHaveLength(2);
  expect(read.filter((url) => /\/joined-(pages|dev)-/.test(url))).toEqual([]);
});

/** Modules of the project that stay when types are taken away. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'(\.[^']+)';/gm)].flatMap(
    ([, names = '', path]) => (areTypes(names) ? [] : [join(dirname(file), path!)]),
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
