import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonReader, memberOf, membersOf } from './json-reader.ts';

function read(text: string, depth = 64, inSlices = false): JsonReader {
  const reader = new JsonReader(text, depth);
  if (inSlices) while (!reader.advance(0));
  else reader.advance();
  return reader;
}

const runs = Number(process.env['SVC_FUZZ'] ?? 500);

test('any JSON text means what the built-in parser says, also read in slices', () => {
  const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' ', '\n\t', '\r'));
  fc.assert(
    fc.property(spaced, fc.boolean(), ([text, space], inSlices) => {
      const { value, fault } = read(`${space}${text}${space}`, 64, inSlices);
      expect(fault).toBeUndefined();
      expect(value).toEqual(JSON.parse(text));
    }),
    { numRuns: runs },
  );
});

test('a damaged text is refused exactly when the built-in parser refuses it', () => {
  const damage = fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', 'u', '\u0001'),
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), damage, (text, [at, removed, added]) => {
      const from = at % (text.length + 1);
      const damaged = text.slice(0, from) + added + text.slice(from + removed);
      const { value, fault } = read(damaged);
      let expected: unknown;
      try {
        expected = JSON.parse(damaged);
      } catch {
        return void expect(fault, damaged).toBeDefined();
      }
      // Twice the same key is no fault for the built-in parser.
      if (fault?.message === 'The JSON object has a duplicate key.') return;
      expect(fault, damaged).toBeUndefined();
      expect(value).toEqual(expected);
    }),
    { numRuns: runs },
  );
});

test('strings of every length, with every kind of escape', () => {
  for (const text of [
    '',
    'a',
    'x'.repeat(12),
    'x'.repeat(500),
    '"',
    '\\',
    `${'x'.repeat(40)}\\"\u20ac\ud83d\ude00`,
    '\u0000\n\t',
  ])
    expect(read(JSON.stringify([text])).value).toEqual([text]);
  const bad = (text: string) => read(text).fault;
  expect(bad('["a\nb"]')).toEqual({ message: 'Malformed string in JSON.', position: 3 });
  expect(bad(`["${'x'.repeat(60)}\\q"]`)).toEqual({ message: 'Malformed string in JSON.', position: 62 });
  expect(bad(`["${'x'.repeat(60)}`)).toEqual({ message: 'The JSON text ends too early.', position: 62 });
  expect(bad('["\\u12g4"]')).toEqual({ message: 'Malformed string in JSON.', position: 2 });
});

test('places of integers that are not exact; floats may be large', () => {
  const { unsafe, unsafeCount, value } = read(
    '{"a":[1,{"b":9007199254740992}],"c":-9007199254740992,"d":9007199254740991,"e":1e300,"f":[9007199254740993.0]}',
  );
  expect(unsafe).toEqual([['a', 1, 'b'], ['c']]);
  expect(unsafeCount).toBe(2);
  expect(value).toHaveProperty('e', 1e300);
  const many = read(`[${Array(1000).fill('12345678901234567890').join(',')}]`);
  expect([many.unsafe.length, many.unsafeCount]).toEqual([100, 1000]);
});

test('members of an object that has very many stand beside it', () => {
  const keys = (n: number) => Array.from({ length: n }, (_, i) => `k${i}`);
  const object = (n: number) =>
    `{${keys(n)
      .map((key) => `"${key}":1`)
      .join(',')}}`;
  expect(read(object(999)).large.size).toBe(0);
  const { large, value } = read(`{"small":{},"large":${object(2500)}}`);
  const found = (value as { large: object }).large;
  expect(membersOf(found, large)).toMatchObject({ names: keys(2500), values: Array(2500).fill(1) });
  expect([memberOf(found, 'k7', large), memberOf(found, 'k2400', large), memberOf(found, 'k2500', large)]).toEqual([
    1,
    1,
    undefined,
  ]);
  expect(membersOf({ a: 1 }, large)).toEqual({ names: ['a'], values: [1] });
  expect(read(`{"x":${object(2500).slice(0, -1)},"k2400":1}}`).fault?.message).toContain('duplicate');
});
