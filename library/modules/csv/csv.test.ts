import { expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { b } from '../../builtins/table.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeIo } from '../io.ts';
import { makeCsv } from './csv.ts';

const csv = makeModule('csv', makeCsv());
const io = makeModule('io', makeIo());
const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);
const memory = (text = '') => $.callkw(io.StringIO, [text], { newline: '' });

// Results of CPython.
const reads: [string, Record<string, unknown>, unknown][] = [
  [
    'a,b,c\r\n1,"x ""y"", z",3\r\n',
    {},
    [
      ['a', 'b', 'c'],
      ['1', 'x "y", z', '3'],
    ],
  ],
  ['a,"multi\nline",c\n', {}, [['a', 'multi\nline', 'c']]],
  ["a;b;'c;d'\n", { delimiter: ';', quotechar: "'" }, [['a', 'b', 'c;d']]],
  ['a, b,  "c"\n', { skipinitialspace: true }, [['a', 'b', 'c']]],
  ['1,2.5,"x"\n', { quoting: 2 }, [[$.f(1), 2.5, 'x']]],
  ['a\\,b,c\n', { escapechar: '\\' }, [['a,b', 'c']]],
  ['\n\na,b\n', {}, [[], [], ['a', 'b']]],
  ['a,b', {}, [['a', 'b']]],
  ['"a"b,c\n', {}, [['ab', 'c']]],
  ['"open\n', {}, [['open\n']]],
  ['x\ty\n', { dialect: 'excel-tab' }, [['x', 'y']]],
  [',\n', {}, [['', '']]],
  ['a,"b\\"c"\n', { escapechar: '\\', doublequote: false }, [['a', 'b"c']]],
];
const writes: [unknown[], Record<string, unknown>, string][] = [
  [['a', 'b c', 'q"q', 'x,y', 'n\nl', null, 1, 2.5, true], {}, 'a,b c,"q""q","x,y","n\nl",,1,2.5,True\r\n'],
  [[''], {}, '""\r\n'],
  [['a', 'b'], { quoting: 1 }, '"a","b"\r\n'],
  [['a', 1, null], { quoting: 2 }, '"a",1,""\r\n'],
  [['a,b'], { quoting: 3, escapechar: '\\' }, 'a\\,b\r\n'],
  [['a', 'b'], { delimiter: '\t', lineterminator: '\n' }, 'a\tb\n'],
  [['x"y'], { doublequote: false, escapechar: '\\' }, 'x\\"y\r\n'],
  [['a', 'b'], { dialect: 'unix' }, '"a","b"\n'],
  [[], {}, '\r\n'],
  [['', ''], {}, ',\r\n'],
];

test('reading and writing', () => {
  for (const [text, options, rows] of reads)
    expect(b['list']($.callkw(csv.reader, [memory(text)], options)), JSON.stringify(text)).toEqual(rows);
  for (const [row, options, text] of writes) {
    const file = memory();
    run($.callkw(csv.writer, [file], options), 'writerow', row);
    expect(run(file, 'getvalue'), JSON.stringify(row)).toBe(text);
  }
});

test('records as dictionaries', () => {
  const reader = $.call(csv.DictReader, memory('name,age\r\nAda,36\r\n\r\nBob\r\nEve,1,2\r\n'));
  expect($.getattr(reader, 'fieldnames')).toEqual(['name', 'age']);
  expect($.repr(b['list'](reader))).toBe(
    "[{'name': 'Ada', 'age': '36'}, {'name': 'Bob', 'age': None}, {'name': 'Eve', 'age': '1', None: ['2']}]",
  );
  const file = memory();
  const writer = $.callkw(csv.DictWriter, [file], { fieldnames: ['a', 'b'], restval: '-' });
  run(writer, 'writeheader');
  run(writer, 'writerows', [$.Dict.of('a', 1), $.Dict.of('b', 'x', 'a', null)]);
  expect(run(file, 'getvalue')).toBe('a,b\r\n1,-\r\n,x\r\n');
  expect(() => run(writer, 'writerow', $.Dict.of('c', 1))).toThrow("dict contains fields not in fieldnames: 'c'");
});

test('dialects and errors', () => {
  $.callkw(csv.register_dialect, ['pipes'], { delimiter: '|' });
  expect(b['list']($.call(csv.reader, ['a|b'], 'pipes'))).toEqual([['a', 'b']]);
  class Semi extends csv.excel {}
  (Semi as any).delimiter = ';';
  expect(b['list']($.call(csv.reader, ['a;b'], Semi))).toEqual([['a', 'b']]);
  expect(() => $.callkw(csv.reader, [[]], { delimiter: ',,' })).toThrow('"delimiter" must be a 1-character string');
  expect(() => $.call(csv.reader, [], 'none')).toThrow('unknown dialect');
  expect(() => $.callkw(csv.reader, [[]], { sep: ',' })).toThrow("unexpected keyword argument 'sep'");
  expect(() => b['list']($.call(csv.reader, [1]))).toThrow('iterator should return strings, not int');
  const sniffer = $.call(csv.Sniffer);
  expect($.getattr(run(sniffer, 'sniff', 'a;b;c\n1;2;3\n'), 'delimiter')).toBe(';');
  expect(run(sniffer, 'has_header', 'name,n\nx,1\ny,2\n')).toBe(true);
});
