import { expect, test } from 'vitest';
import { readExports, readLinks } from './read-links.ts';

test('links of printed modules', () => {
  const code = `import one, { two as second, three } from "#app/a.ts.mjs";
import {
  four,
  five as f
} from "#app/lib/b.svc.mjs";
import * as all from "#app/c.ts.mjs";
import "#app/d.ts.mjs";
import six from "pkg";
export { seven as default } from "#app/e.ts.mjs";
const text = "import { no } from '#app/x.mjs';";
`;
  expect(readLinks(code)).toEqual([
    { module: 'a.ts.mjs', names: ['two', 'three', 'default'] },
    { module: 'lib/b.svc.mjs', names: ['four', 'five'] },
    { module: 'e.ts.mjs', names: ['seven'] },
  ]);
});

test('exports of generated modules', () => {
  expect(
    readExports(
      'export function $init() {}\nexport const $entries = [];\nexport { A, b as c };\nexport * as d from "x";\n',
    ),
  ).toEqual(['A', 'c', '$init', '$entries', 'd']);
  expect(readExports('export * from "./x";')).toBeUndefined();
});
