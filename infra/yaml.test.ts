import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toYaml } from './yaml.ts';

const { load } = createRequire(join(import.meta.dirname, '../test/cloud/package.json'))('js-yaml');

const texts = [
  '',
  ' ',
  'plain',
  'a/b.c:d@e',
  'ends:',
  'a: b',
  '# no comment',
  '- no item',
  'true',
  'No',
  'null',
  '~',
  '1',
  '1.2.0',
  '0x10',
  '1e3',
  '.5',
  '.inf',
  '2026-01-01',
  '12:30',
  '{}',
  '[a]',
  '*a',
  '&a',
  '!a',
  '%a',
  '"quoted"',
  "it's",
  'tab\there',
  'one\ntwo',
  'one\ntwo\n',
  'one\n\n  two\n',
  'one\ntwo\n\n',
  ' one\ntwo\n',
  'trailing \nspace\n',
  'ü\u2028\u0007',
  '---',
  '...',
  '<<',
  '=',
];

test('what a reader of YAML gets is what was given', () => {
  const value = {
    texts: Object.fromEntries(texts.map((text) => [text, text])),
    list: texts,
    nested: [[1, [2, { a: [] }]], {}, { b: { c: {} }, d: [texts] }, [], null, true, -1.5],
  };
  expect(load(toYaml(value))).toEqual(value);
});

test('scripts stay readable', () => {
  expect(toYaml({ command: ['sh', '-c', 'set -eu\necho "hello"\n'], name: 'one' })).toBe(
    'command:\n  - sh\n  - "-c"\n  - |\n    set -eu\n    echo "hello"\nname: one\n',
  );
});
