import { expect, test } from 'vitest';
import { makeModule } from '../builtins/module.ts';
import { b } from '../builtins/table.ts';
import * as $ from '../values/index-of-runtime.ts';
import { makeDecimal } from './decimal/decimal.ts';
import { makeFractions } from './fractions.ts';

const { Fraction } = makeModule('fractions', makeFractions());
const { Decimal } = makeModule('decimal', makeDecimal());
const F = (...args: unknown[]) => $.call(Fraction, ...args);

test('making', () => {
  expect(
    [F(6, -4), F('3/4'), F(' -1.25e1 '), F(0.5), F(3), F(), F($.call(Decimal, '0.1')), F(F(1, 2), F(3, 4))].map((x) =>
      $.str(x),
    ),
  ).toEqual(['-3/2', '3/4', '-25/2', '1/2', '3', '0', '1/10', '2/3']);
  expect($.repr(F(1, 3))).toBe('Fraction(1, 3)');
  expect(() => F(1, 0)).toThrow('Fraction(1, 0)');
  expect(() => F('x')).toThrow("Invalid literal for Fraction: 'x'");
  expect(() => F([])).toThrow('argument should be a string or a Rational instance');
});

test('arithmetic', () => {
  const [h, t] = [F(1, 2), F(1, 3)];
  expect(
    [
      $.add(h, t),
      $.sub(h, t),
      $.mul(h, t),
      $.div(h, t),
      $.floordiv(h, t),
      $.mod(h, t),
      $.pow(h, 3),
      $.pow(h, -2),
      $.add(1, h),
      $.sub(1, t),
    ].map((x) => $.str(x)),
  ).toEqual(['5/6', '1/6', '1/6', '3/2', '1', '1/6', '1/8', '4', '3/2', '2/3']);
  expect([$.add(h, 0.25), $.mul(2.5, h), $.pow(F(4), h)]).toEqual([0.75, 1.25, $.f(2)]);
  expect($.str(b['sum']([h, t]))).toBe('5/6');
  expect([
    b['int'](F(-7, 2)),
    b['round'](F(5, 2)),
    b['round'](F(7, 2)),
    $.str(b['round'](F(22, 7), 2)),
    b['float'](F(1, 4)),
    $.str(b['abs'](F(-1, 2))),
  ]).toEqual([-3, 2, 4, '157/50', 0.25, '1/2']);
});

test('comparing and approximating', () => {
  expect([$.eq(F(1, 2), 0.5), $.eq(F(2), 2), $.lt(F(1, 3), 0.5), $.ge(1, F(1)), $.eq(F(1, 3), 1 / 3)]).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect($.dict([[F(4, 2), 'two']]).get(2)).toBe('two');
  expect($.str($.callMethod(F('3.1415926535897932'), 'limit_denominator', 1000))).toBe('355/113');
  expect($.str($.callMethod(F(Math.PI), 'limit_denominator', 10))).toBe('22/7');
  expect($.format(F(1, 3), '.3f')).toBe('0.333');
  expect([F(3, 6).numerator, F(3, 6).denominator]).toEqual([1, 2]);
});
