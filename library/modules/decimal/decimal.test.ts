import { expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { b } from '../../builtins/table.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { binary, formatted, quantized, unary } from '../tables/decimal.ts';
import { makeDecimal } from './decimal.ts';

const decimal = makeModule('decimal', makeDecimal());
const D = (x: unknown) => $.call(decimal.Decimal, x);
const operators: Record<string, (a: unknown, b: unknown) => unknown> = {
  '+': $.add,
  '-': $.sub,
  '*': $.mul,
  '/': $.div,
  '//': $.floordiv,
  '%': $.mod,
  '**': $.pow,
};

function outcome(run: () => unknown): string {
  try {
    return $.str(run());
  } catch (e: any) {
    return `${e.name}: ${$.str(e)}`;
  }
}

function differences(rows: string[][], run: (row: string[]) => unknown): string[] {
  return rows.flatMap((row) => {
    const [actual, wanted] = [outcome(() => run(row)), row.at(-1)!];
    return actual === wanted ? [] : [`${row.slice(0, -1).join(' ')}: ${actual} instead of ${wanted}`];
  });
}

test('arithmetic', () => {
  expect(differences(binary, ([a, op, c]) => operators[op!]!(D(a), D(c)))).toEqual([]);
});

test('functions of one number', () => {
  expect(differences(unary, ([a, name]) => $.callMethod(D(a), name!))).toEqual([]);
});

test('rounding', () => {
  expect(
    differences(quantized, ([a, exponent, rounding]) => $.callMethodKw(D(a), 'quantize', [D(exponent)], { rounding })),
  ).toEqual([]);
});

test('formatting', () => {
  const wrong = formatted.filter(([, , text]) => !text!.startsWith('!'));
  expect(differences(wrong, ([a, spec]) => $.format(D(a), spec))).toEqual([]);
  expect(() => $.format(D('1'), 'd')).toThrow('invalid format string');
});

test('making and converting', () => {
  expect($.repr(D('3.14'))).toBe("Decimal('3.14')");
  expect($.str(D(0.1))).toBe('0.1000000000000000055511151231257827021181583404541015625');
  expect($.repr(D(new $.Tuple([1, new $.Tuple([1, 2, 3]), -2])))).toBe("Decimal('-1.23')");
  expect(() => D('abc')).toThrow("[<class 'decimal.ConversionSyntax'>]");
  expect([
    b['int'](D('-3.9')),
    b['float'](D('2.5')),
    b['round'](D('2.5')),
    $.str(b['round'](D('2.675'), 2)),
    $.truth(D('0.0')),
  ]).toEqual([-3, 2.5, 2, '2.68', false]);
  expect($.repr($.callMethod(D('-1.20'), 'as_tuple'))).toBe('DecimalTuple(sign=1, digits=(1, 2, 0), exponent=-2)');
  expect($.str(b['sum']([D('0.1'), D('0.2')]))).toBe('0.3');
  expect($.str(b['abs'](D('-2')))).toBe('2');
});

test('comparing, keys and mixing with other numbers', () => {
  expect([
    $.eq(D('1.0'), D('1')),
    $.eq(D('1'), 1),
    $.lt(D('0.1'), 0.2),
    $.eq(D('0.1'), 0.1),
    $.ge(2, D('1.5')),
  ]).toEqual([true, true, true, false, true]);
  expect($.dict([[D('1.0'), 'a']]).get(1)).toBe('a');
  expect($.str($.add(1, D('0.5')))).toBe('1.5');
  expect(() => $.add(D('1'), 0.5)).toThrow("unsupported operand type(s) for +: 'decimal.Decimal' and 'float'");
  expect(b['sorted']([D('2'), D('1')]).map($.str)).toEqual(['1', '2']);
});

test('contexts', () => {
  const context = $.call(decimal.getcontext);
  expect(context.prec).toBe(28);
  const local = $.callkw(decimal.localcontext, [], { prec: 5 });
  $.enter(local);
  expect($.str($.div(D(1), D(3)))).toBe('0.33333');
  $.exit(local);
  expect($.str($.div(D(1), D(3)))).toBe('0.3333333333333333333333333333');
  expect(() => $.setattr(context, 'rounding', 'x')).toThrow('valid values for rounding are');
  try {
    $.div(D(1), D(0));
  } catch (e) {
    expect([$.excMatch(e, $.ZeroDivisionError), $.excMatch(e, decimal.DivisionByZero)]).toEqual([true, true]);
  }
});
