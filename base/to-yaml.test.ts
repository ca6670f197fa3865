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
