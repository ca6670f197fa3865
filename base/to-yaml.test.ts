import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toYaml } from './to-yaml.ts';

test('blocks of members and lists, texts plain where they can be nothing else', () => {
  const data = {
    name: 'demo',
    count: 3,
    isOn: true,
    none: null,
    left: undefined,
    list: ['a', 'dynamodb:Query', { 'Fn::Sub': 'x', more: [1, []] }, ['nested']],
    empty: { list: [], map: {} },
  };
  expect(toYaml(data)).toBe(`name: demo
count: 3
isOn: true
none: null
list:
  - a
  - dynamodb:Query
  - Fn::Sub: x
    more:
      - 1
      - []
  - - nested
empty:
  list: []
  map: {}
`);
});

test('what would be read as something else is quoted', () => {
  const texts = [
    'true',
    'No',
    'null',
    '1.2',
    '2012-10-17',
    '',
    ' a',
    'a: b',
    'a #b',
    '*a',
    '&a',
    '- a',
    '{a}',
    'a:',
    '~',
  ];
  for (const text of [...texts, '${self:x}', 'é', 'a\nb', "it's", 'say "hi"', 'y', '.nan', '=']) {
    expect(toYaml({ text })).toBe(`text: ${JSON.stringify(text)}\n`);
  }
  for (const text of ['a', 'ANY /', 'AWS::IAM::Role', 'a/b.handler', 'x_1-2']) {
    expect(toYaml({ text })).toBe(`text: ${text}\n`);
  }
  expect(toYaml({ $default: 1, 'a b': 2 })).toBe('"$default": 1\na b: 2\n');
});

const { load } = createRequire(join(import.meta.dirname, '../test/cloud/package.json'))('js-yaml');

const readTexts = [
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
    texts: Object.fromEntries(readTexts.map((text) => [text, text])),
    list: readTexts,
    nested: [[1, [2, { a: [] }]], {}, { b: { c: {} }, d: [readTexts] }, [], null, true, -1.5],
  };
  expect(load(toYaml(value))).toEqual(value);
});

test('scripts stay readable', () => {
  expect(toYaml({ command: ['sh', '-c', 'set -eu\necho "hello"\n'], name: 'one' })).toBe(
    'command:\n  - sh\n  - "-c"\n  - |\n    set -eu\n    echo "hello"\nname: one\n',
  );
});
