/**
 * Imports of a packaged function from JavaScript: JSON files, packages of both kinds, TypeScript
 * (docs/language/imports.md#imports, decisions/0315).
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { post, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const files = {
  'main.svc': `import from "./table.json" { default as table, sizes }
import from ".lib.more.json" { default as more }
import from "leftish" { pad }
import from "@scope/esm/data.json" { default as data }
import from "./helper.ts" { shout }
import from "./lib/tool.js" { keys }

walker:pub Look {
    has name: str = "a";
    can go with Root entry {
        report [table["sizes"][self.name], table.name, sizes, more.words, data.n[1]["a"]];
        report [pad("x", 3), shout({"word": "hi"}), keys({"a": 1, "b": (1, 2)}), table];
    }
}
`,
  'table.json': '{"sizes": {"a": 1, "b": 2.5}, "name": "t"}',
  'lib/more.json': '{"words": ["x", "y"]}',
  'lib/tool.js': 'export const keys = (x) => Object.keys(x);\n',
  'helper.ts':
    "import table from './table.json' with { type: 'json' };\nexport const shout = (x: { word: string }) => x.word.toUpperCase() + table.name;\n",
  'node_modules/leftish/package.json': '{ "name": "leftish", "version": "1.0.0", "main": "index.js" }',
  'node_modules/leftish/index.js': 'module.exports = { pad: (text, n) => text.padStart(n, ".") };\n',
  'node_modules/@scope/esm/package.json':
    '{ "name": "@scope/esm", "version": "1.0.0", "type": "module", "exports": { "./data.json": "./d.json" } }',
  'node_modules/@scope/esm/d.json': '{"n": [1, {"a": null}]}',
};
const table = { sizes: { a: 1, b: 2.5 }, name: 't' };
const reports = [
  [2.5, 't', table.sizes, ['x', 'y'], null],
  ['..x', 'HIt', ['a', 'b'], table],
];

test('imports from JavaScript, served', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, entry: 'main.svc' });
  expect((await post(server.base, '/walker/Look', { name: 'b' })).reports).toEqual(reports);
});

test('imports from JavaScript, packaged', async () => {
  using folder = folderWith(files);
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/)]);
  using http = unpackFunction(join(folder.path, 'out/http.zip'), 'http');
  const [answer] = await http.call([httpEvent('POST', '/walker/Look', { name: 'b' })]);
  expect(JSON.parse(answer.body).reports).toEqual(reports);
});
