import { expect, test } from 'vitest';
import { decodeValue, encodeText, isMutable } from '../../core/stored/codec.ts';
import '../../core/runtime.ts';
import { load, std } from '../registry.ts';
import { call } from '../values/calls/calls.ts';
import { setitem } from '../values/containers/subscripts.ts';
import { reprOf } from '../values/objects/repr.ts';
import '../modules.ts';
import { b } from './table.ts';

const context = { classNamed: () => undefined, reference: () => null } as any;

test('decimals and fractions come back from storage as they were, digits and all', async () => {
  await load('decimal');
  await load('fractions');
  const { Decimal } = std('decimal');
  const values = [
    call(Decimal, '1.50'),
    call(Decimal, '-0E+3'),
    call(Decimal, 'NaN'),
    call(std('fractions').Fraction, -1, 3),
  ];
  for (const value of values) expect(reprOf(decodeValue(JSON.parse(encodeText(value)), context))).toBe(reprOf(value));
});

test('counters and dicts with default values stay what they are', async () => {
  await load('collections');
  const { Counter, defaultdict } = std('collections');
  const groups = call(defaultdict, b.list);
  setitem(groups, 'a', [1]);
  for (const value of [call(Counter, 'aab'), groups])
    expect(reprOf(decodeValue(JSON.parse(encodeText(value)), context))).toBe(reprOf(value));
  // A factory is stored by its name, which a function of the program has none of.
  const own = call(defaultdict, () => 1);
  expect(reprOf(decodeValue(JSON.parse(encodeText(own)), context))).toBe('{}');
});

test('deques, ordered dicts and the order of keys come back, with what is inside', async () => {
  await load('collections');
  const { Counter, deque, OrderedDict } = std('collections');
  const byNumber = call(OrderedDict);
  setitem(byNumber, '10', call(deque, [1, 2, 3], 2));
  setitem(byNumber, '9', [call(Counter, 'xx')]);
  for (const value of [byNumber, call(deque, [byNumber]), call(b.dict, byNumber)])
    expect(reprOf(decodeValue(JSON.parse(encodeText(value)), context))).toBe(reprOf(value));
  expect(
    encodeText(
      call(b.dict, [
        ['1', 1],
        ['2', 2],
        ['a', 3],
      ]),
    ),
  ).toBe('{"1":1,"2":2,"a":3}');
  expect(isMutable(call(deque))).toBe(true);
});

test('dates, times, durations and uuids come back from storage as they were', () => {
  const { date, datetime, time, timedelta, UTC } = std('datetime');
  const values = [
    call(date, 2030, 1, 31),
    call(datetime, 2030, 1, 31, 12, 30, 15, 123456),
    call(datetime, 2030, 1, 31, 12, 30, 15, 0, UTC),
    call(time, 23, 59, 1),
    call(timedelta, -3, 20, 7),
    call(std('uuid').UUID, '12345678-1234-5678-1234-567812345678'),
  ];
  for (const value of values) expect(reprOf(decodeValue(JSON.parse(encodeText(value)), context))).toBe(reprOf(value));
});
