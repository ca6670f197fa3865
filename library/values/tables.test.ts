import { expect, test } from 'vitest';
import { b } from '../builtins/table.ts';
import * as $ from './index-of-runtime.ts';
import { hexOfFloat } from './numbers/number-methods.ts';
import { decode, expected, outcome, readTable } from './tables/read-table.ts';

/** Compares every row; differences are listed together. */
function checkRows(name: string, run: (row: any[]) => { label: string; actual: unknown; wanted: unknown }): void {
  const wrong: string[] = [];
  for (const row of readTable(name)) {
    const { label, actual, wanted } = run(row);
    const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (left !== right) wrong.push(`${label}: ${left} instead of ${right}`);
  }
  expect(wrong).toEqual([]);
}

test('format specifications', () => {
  checkRows('format', ([kind, value, spec, cell]) => ({
    label: `format(${JSON.stringify(value)}, ${JSON.stringify(spec)})`,
    actual: outcome(() => $.format(kind === 'float' ? $.f(decode(value)) : decode(value), spec)),
    wanted: cell,
  }));
});

test('printf-style formatting', () => {
  checkRows('percent', ([template, value, cell]) => ({
    label: `${template} % ${JSON.stringify(value)}`,
    actual: outcome(() => $.mod(template, decode(value))),
    wanted: cell,
  }));
});

test('methods of str', () => {
  checkRows('strings', ([method, receiver, args, cell]) => ({
    label: `${JSON.stringify(receiver)}.${method}(${JSON.stringify(args)})`,
    actual: outcome(() =>
      method === 'format' && !Array.isArray(args)
        ? formatCall(receiver, args)
        : $.callMethod(receiver, method, ...decode(args)),
    ),
    wanted: expected(cell),
  }));
});

function formatCall(template: string, args: any): unknown {
  return $.callMethodKw(template, 'format', decode(args.a), decode(args.k));
}

test('methods of bytes', () => {
  checkRows('bytes', ([method, receiver, args, cell]) => ({
    label: `${JSON.stringify(receiver)}.${method}(${JSON.stringify(args)})`,
    actual: outcome(() =>
      receiver === null
        ? $.callMethod(b['bytes'], method, ...args)
        : $.callMethod(decode(receiver), method, ...decode(args)),
    ),
    wanted: expected(cell),
  }));
});

const numeric: Record<string, (x: any, y: any) => unknown> = {
  round: (x, digits) => (digits === null ? b['round'](x) : b['round'](x, digits)),
  divmod: (x, y) => b['divmod'](x, y),
  pow3: (x) => b['pow'](...x.items),
  int: (x, base) => (base === null ? b['int'](x) : b['int'](x, base)),
  float: (x) => b['float'](x),
  frepr: (x) => $.repr($.f(x)),
  bin: (x) => b['bin'](x),
  oct: (x) => b['oct'](x),
  hex: (x) => b['hex'](x),
  bit_length: (x) => $.callMethod(x, 'bit_length'),
  fhex: (x) => hexOfFloat(Number(x)),
  ratio: (x) => $.callMethod(x, 'as_integer_ratio'),
  sum: (x) => b['sum'](x),
};

test('numbers', () => {
  checkRows('numbers', ([name, x, y, cell]) => ({
    label: `${name}(${JSON.stringify(x)}, ${JSON.stringify(y)})`,
    actual: outcome(() => (numeric[name] ?? ($ as any)[name])(decode(x), decode(y))),
    wanted: expected(cell),
  }));
});

test('slices and indices', () => {
  checkRows('slices', ([kind, source, index, cell]) => {
    const value = kind === 'range' ? $.range(source[0], source[1], source[2]) : decode(source);
    return {
      label: `${kind} ${JSON.stringify(source)} [${JSON.stringify(index)}]`,
      actual: outcome(() => {
        const i = decode(index);
        if (kind === 'set') $.setitem(value, i, [9, 8]);
        else if (kind === 'del') $.delitem(value, i);
        else return kind === 'range' ? $.repr($.getitem(value, i)) : $.getitem(value, i);
        return value;
      }),
      wanted: expected(cell),
    };
  });
});

test('repr, ascii and str', () => {
  checkRows('repr', ([value, repr, ascii, str]) => ({
    label: JSON.stringify(value),
    actual: [$.repr(decode(value)), $.ascii(decode(value)), $.str(decode(value))],
    wanted: [repr, ascii, str],
  }));
});

const unary: Record<string, (x: any) => unknown> = {
  iter: (x) => b['list'](x),
  hash: (x) => b['hash'](x) * 0,
  reversed: (x) => b['list'](b['reversed'](x)),
  call: (x) => $.call(x),
  enumerate: (x) => b['list'](b['enumerate'](x)),
  min: (x) => $.call(b['min'], x),
  bytes: (x) => b['bytes'](x),
  dict: (x) => b['dict'](x),
  set: (x) => b['set'](x),
  tuple: (x) => b['tuple'](x),
};

test('operators and built-ins on every kind', () => {
  checkRows('operators', ([name, x, y, cell]) => ({
    label: `${name}(${JSON.stringify(x)}, ${JSON.stringify(y)})`,
    actual: outcome(() => {
      if (unary[name] !== undefined) return unary[name]!(decode(x));
      return (($ as any)[name] ?? b[name])(
        ...(b[name] !== undefined && name !== 'pow' ? [decode(x)] : [decode(x), decode(y)]),
      );
    }),
    wanted: expected(cell),
  }));
});
