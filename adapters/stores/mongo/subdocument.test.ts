import { calculateObjectSize, deserialize, serialize } from 'bson';
import { expect, test } from 'vitest';
import { toSubdocument, toText } from './subdocument.ts';

function stored(text: string): string {
  const document = toSubdocument(text);
  return toText(document === undefined ? undefined : deserialize(serialize(document)));
}

const deep = `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`;

test.each([
  ['', ''],
  ['plain', '{"title":"milk","n":1,"list":[1,[2.5,null]],"big":1125899906842624,"small":-7,"yes":true}'],
  ['tagged values', '{"at":{"$t":"datetime","v":"2026-01-01"},"m":{"$t":"map","v":[[1,2]]}}'],
  ['keys with signs', '{"$set":1,"a.b":{"c.d.e":2},"$":3,".":4,"":5}'],
  ['keys with the signs that stand for them', '{"\uff04set":1,"a\uff0eb":2}'],
  ['a key with NUL', '{"d":{"a\\u0000b":1}}'],
  ['a single surrogate', '{"s":"\\ud800"}'],
  ['minus zero', '{"x":-0.0}'],
  ['a text that looks like a key', '{"__proto__":{"x":1},"constructor":2}'],
  ['deep', deep],
])('%s comes back as it was', (_, text) => {
  expect(stored(text)).toBe(text);
});

test('no key begins with a dollar sign or contains a dot, at any depth', () => {
  const document = toSubdocument('{"$set":1,"a":[{"b.c":{"$inc":2}}]}')!;
  expect(document).toEqual({ '\uff04set': 1, a: [{ 'b\uff0ec': { '\uff04inc': 2 } }] });
  expect(calculateObjectSize(document)).toBeGreaterThan(0);
});
