import { expect, test } from 'vitest';
import { makeModule } from '../builtins/module.ts';
import { b } from '../builtins/table.ts';
import * as $ from '../values/index-of-runtime.ts';
import { makeBisect } from './bisect.ts';
import { makeHeapq } from './heapq.ts';
import { makeOperator } from './operator.ts';
import { makeTextwrap } from './textwrap.ts';

const [heapq, bisect, operator, textwrap] = [
  makeModule('heapq', makeHeapq()),
  makeModule('bisect', makeBisect()),
  makeModule('operator', makeOperator()),
  makeModule('textwrap', makeTextwrap()),
];

// Results of CPython.
const wrapped: [string, Record<string, unknown>, string[]][] = [
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 20 },
    ['The quick brown fox', 'jumped over the lazy', 'dog. It was a well-', 'known, state-of-the-', 'art fox--really!'],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 10 },
    [
      'The quick',
      'brown fox',
      'jumped',
      'over the',
      'lazy dog.',
      'It was a',
      'well-',
      'known,',
      'state-of-',
      'the-art',
      'fox--',
      'really!',
    ],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 30, initial_indent: '* ', subsequent_indent: '  ' },
    [
      '* The quick brown fox jumped',
      '  over the lazy dog. It was a',
      '  well-known, state-of-the-art',
      '  fox--really!',
    ],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 15, break_long_words: false },
    [
      'The quick brown',
      'fox jumped over',
      'the lazy dog.',
      'It was a well-',
      'known, state-',
      'of-the-art fox',
      '--really!',
    ],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 12, break_on_hyphens: false },
    [
      'The quick',
      'brown fox',
      'jumped over',
      'the lazy',
      'dog. It was',
      'a',
      'well-known, ',
      'state-of-the',
      '-art',
      'fox--really!',
    ],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 25, max_lines: 2 },
    ['The quick brown fox', 'jumped over the [...]'],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 18, fix_sentence_endings: true },
    [
      'The quick brown',
      'fox jumped over',
      'the lazy dog.  It',
      'was a well-known,',
      'state-of-the-art',
      'fox--really!',
    ],
  ],
  [
    'The quick brown fox jumped over the lazy dog. It was a well-known, state-of-the-art fox--really!',
    { width: 24, max_lines: 1, placeholder: '...' },
    ['The quick brown fox...'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 20 },
    ['supercalifragilistic', 'expialidocious and a', 'ntidisestablishmenta', 'rianism     are', 'long words'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 10 },
    [
      'supercalif',
      'ragilistic',
      'expialidoc',
      'ious and a',
      'ntidisesta',
      'blishmenta',
      'rianism',
      'are   long',
      'words',
    ],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 30, initial_indent: '* ', subsequent_indent: '  ' },
    ['* supercalifragilisticexpialid', '  ocious and', '  antidisestablishmentarianism', '  are   long words'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 15, break_long_words: false },
    ['supercalifragilisticexpialidocious', 'and', 'antidisestablishmentarianism', 'are   long', 'words'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 12, break_on_hyphens: false },
    ['supercalifra', 'gilisticexpi', 'alidocious', 'and antidise', 'stablishment', 'arianism', 'are   long', 'words'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 25, max_lines: 2 },
    ['supercalifragilisticexpia', 'lidocious and [...]'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 18, fix_sentence_endings: true },
    ['supercalifragilist', 'icexpialidocious', 'and antidisestabli', 'shmentarianism', 'are   long words'],
  ],
  [
    'supercalifragilisticexpialidocious and antidisestablishmentarianism\tare   long words',
    { width: 24, max_lines: 1, placeholder: '...' },
    ['...'],
  ],
  ['', { width: 20 }, []],
  ['', { width: 10 }, []],
  ['', { width: 30, initial_indent: '* ', subsequent_indent: '  ' }, []],
  ['', { width: 15, break_long_words: false }, []],
  ['', { width: 12, break_on_hyphens: false }, []],
  ['', { width: 25, max_lines: 2 }, []],
  ['', { width: 18, fix_sentence_endings: true }, []],
  ['', { width: 24, max_lines: 1, placeholder: '...' }, []],
  [' leading and trailing  ', { width: 20 }, [' leading and', 'trailing']],
  [' leading and trailing  ', { width: 10 }, [' leading', 'and', 'trailing']],
  [
    ' leading and trailing  ',
    { width: 30, initial_indent: '* ', subsequent_indent: '  ' },
    ['*  leading and trailing'],
  ],
  [' leading and trailing  ', { width: 15, break_long_words: false }, [' leading and', 'trailing']],
  [' leading and trailing  ', { width: 12, break_on_hyphens: false }, [' leading and', 'trailing']],
  [' leading and trailing  ', { width: 25, max_lines: 2 }, [' leading and trailing']],
  [' leading and trailing  ', { width: 18, fix_sentence_endings: true }, [' leading and', 'trailing']],
  [' leading and trailing  ', { width: 24, max_lines: 1, placeholder: '...' }, [' leading and trailing']],
];
const dedented: [string, string][] = [
  ['  a\n    b\n  c\n', 'a\n  b\nc\n'],
  ['\n    x\n\n\ty', '\n    x\n\n\ty'],
  ['  a\n \n  b', 'a\n\nb'],
  ['a\n  b', 'a\n  b'],
  ['   only  ', 'only  '],
  ['\t\ta\n\t  b', '\ta\n  b'],
];
const shortened: [string, number, string][] = [
  ['Hello  world!', 12, 'Hello world!'],
  ['Hello  world!', 11, 'Hello [...]'],
  ['Hello world', 10, '[...]'],
  ['one two three four', 13, 'one two [...]'],
];

test('textwrap: wrap, dedent, shorten, indent', () => {
  for (const [text, options, lines] of wrapped)
    expect($.callkw(textwrap.wrap, [text], options), `${text} ${JSON.stringify(options)}`).toEqual(lines);
  for (const [text, wanted] of dedented) expect(textwrap.dedent(text)).toBe(wanted);
  for (const [text, width, wanted] of shortened) expect($.call(textwrap.shorten, text, width)).toBe(wanted);
  expect($.call(textwrap.indent, 'a\n\nb\n', '> ')).toBe('> a\n\n> b\n');
  expect($.call(textwrap.fill, 'one two three', 7)).toBe('one two\nthree');
  expect($.callMethod($.callkw(textwrap.TextWrapper, [], { width: 5 }), 'wrap', 'ab cd ef')).toEqual(['ab cd', 'ef']);
  expect(() => $.call(textwrap.wrap, 'x', 0)).toThrow('invalid width 0 (must be > 0)');
});

test('heapq', () => {
  const heap = [5, 8, 0, 3, 6, 7, 9, 1, 4, 2];
  heapq.heapify(heap);
  expect(heap).toEqual([0, 1, 5, 3, 2, 7, 9, 8, 4, 6]);
  heapq.heappush(heap, -1);
  expect(heap[0]).toBe(-1);
  expect([heapq.heappop(heap), heapq.heapreplace(heap, 10), heapq.heappushpop(heap, -5)]).toEqual([-1, 0, -5]);
  expect(Array.from({ length: 10 }, () => heapq.heappop(heap))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(() => heapq.heappop([])).toThrow($.IndexError);
  const pairs: unknown[] = [];
  for (const pair of [$.tuple(2, 'b'), $.tuple(1, 'z'), $.tuple(1, 'a')]) heapq.heappush(pairs, pair);
  expect($.repr(heapq.heappop(pairs))).toBe("(1, 'a')");
  expect($.callkw(heapq.nlargest, [2, ['aa', 'b', 'cccc']], { key: b['len'] })).toEqual(['cccc', 'aa']);
  expect($.call(heapq.nsmallest, 2, [3, 1, 2])).toEqual([1, 2]);
  expect(b['list']($.call(heapq.merge, [1, 4], [2, 3], []))).toEqual([1, 2, 3, 4]);
});

test('bisect', () => {
  const xs = [1, 2, 2, 3];
  expect([bisect.bisect_left(xs, 2), bisect.bisect_right(xs, 2), bisect.bisect(xs, 0), bisect.bisect(xs, 9)]).toEqual([
    1, 3, 0, 4,
  ]);
  $.call(bisect.insort, xs, 2.5);
  expect(xs).toEqual([1, 2, 2, 2.5, 3]);
  expect($.callkw(bisect.bisect_left, [['a', 'bb', 'ccc'], 2], { key: b['len'] })).toBe(1);
  expect(() => $.call(bisect.bisect, xs, 1, -1)).toThrow('lo must be non-negative');
});

test('operator', () => {
  const rows = [$.tuple('b', 2), $.tuple('a', 1)];
  expect($.repr($.callkw(b['sorted'], [rows], { key: $.call(operator.itemgetter, 1) }))).toBe("[('a', 1), ('b', 2)]");
  expect($.repr($.call($.call(operator.itemgetter, 1, 0), [10, 20]))).toBe('(20, 10)');
  expect($.call($.call(operator.attrgetter, 'real'), 5)).toBe(5);
  expect($.call($.callkw(operator.methodcaller, ['split', ','], { maxsplit: 1 }), 'a,b,c')).toEqual(['a', 'b,c']);
  expect([
    operator.add(1, 2),
    operator.mul('ab', 2),
    operator.not_([]),
    operator.contains([1], 1),
    operator.truediv(1, 2),
  ]).toEqual([3, 'abab', true, true, 0.5]);
  expect([
    operator.countOf([1, 2, 1], 1),
    operator.indexOf([5, 6], 6),
    operator.is_(null, null),
    operator.lt(1, 2),
  ]).toEqual([2, 1, true, true]);
});
