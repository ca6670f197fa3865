import * as driver from 'mongodb';
import { expect, test } from 'vitest';
import { type Doc, ObjectId, type Stored, StoredDecimal } from '../../../core/kvstore/stored.ts';
import { identical } from '../embedded/compare.ts';
import { makeBson, readDoc } from './bson.ts';

const { write, newId } = makeBson(driver);
const { deserialize, serialize } = driver.BSON;
const sent = (doc: Doc) => serialize(write(doc) as object);

const values: readonly (readonly [string, Stored, string])[] = [
  ['int', 7, 'Int32'],
  ['least', -(2 ** 31) + 1, 'Int32'],
  ['large', 2 ** 40, 'Long'],
  ['safe', Number.MAX_SAFE_INTEGER, 'Long'],
  ['big', 2n ** 60n, 'Long'],
  ['float', 1.5, 'Double'],
  ['zero', -0, 'Double'],
  ['huge', 1e300, 'Double'],
  ['price', new StoredDecimal('1.50'), 'Decimal128'],
  ['raw', new Uint8Array([0, 255]), 'Binary'],
  ['at', new Date('2026-01-02T03:04:05.006Z'), 'Date'],
  ['id', new ObjectId('a'.repeat(24)), 'ObjectId'],
  ['text', 'ä', 'String'],
  ['yes', true, 'Boolean'],
  ['list', [1, [null]], 'Array'],
];

test('values have the types that other programs expect', () => {
  const found = deserialize(sent(new Map(values.map(([name, value]) => [name, value]))), { promoteValues: false });
  for (const [name, , type] of values)
    expect([name, found[name]._bsontype ?? found[name].constructor.name]).toEqual([name, type]);
});

test('and come back as they were', () => {
  const doc: Doc = new Map([
    ...values.map(([name, value]) => [name, value] as const),
    ['none', null],
    [
      'doc',
      new Map<string, Stored>([
        ['b', 1],
        ['a', new Map()],
      ]),
    ],
  ]);
  expect(identical(readDoc(deserialize(sent(doc), { useBigInt64: true, promoteBuffers: false })), doc)).toBe(true);
  expect(newId().hex).toMatch(/^[0-9a-f]{24}$/);
});

test('what only other programs write comes back as text, bytes or a date', () => {
  const { Code, MinKey, Timestamp, UUID } = driver;
  const foreign = {
    re: /a.b/i,
    code: new Code('f()'),
    stamp: Timestamp.fromBits(1, 1000),
    uuid: new UUID('00112233445566778899aabbccddeeff'),
    least: new MinKey(),
  };
  const doc = readDoc(deserialize(serialize(foreign), { useBigInt64: true, promoteBuffers: false }));
  expect(doc.get('re')).toBe('a.b');
  expect(doc.get('code')).toBe('f()');
  expect(doc.get('stamp')).toEqual(new Date(1000_000));
  expect(doc.get('uuid')).toHaveLength(16);
  expect(typeof doc.get('least')).toBe('string');
});
