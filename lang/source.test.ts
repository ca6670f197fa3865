import { expect, test } from 'vitest';
import { lineAt, lineStarts, lineText, positionAt } from './source.ts';

test('lines end with LF, CRLF or CR', () => {
  const source = { path: 'a', text: 'ab\ncd\r\nef\rgh' };
  expect([...lineStarts(source)]).toEqual([0, 3, 7, 10]);
  expect([1, 2, 3, 4].map((line) => lineText(source, line))).toEqual(['ab', 'cd', 'ef', 'gh']);
  expect(positionAt(source, 8)).toEqual({ line: 3, column: 2 });
  expect(lineAt(source, 2)).toBe(1);
  expect(lineAt(source, 12)).toBe(4);
});

test('columns count code points; a byte order mark is none', () => {
  const source = { path: 'a', text: '\ufeffa😀b' };
  expect(positionAt(source, 1)).toEqual({ line: 1, column: 1 });
  expect(positionAt(source, 4)).toEqual({ line: 1, column: 3 });
  expect(lineText(source, 1)).toBe('a😀b');
});

test('offsets outside of the text are its ends', () => {
  const source = { path: 'a', text: 'ab\n' };
  expect(positionAt(source, 99)).toEqual({ line: 2, column: 1 });
  expect(positionAt(source, -5)).toEqual({ line: 1, column: 1 });
  expect(lineText(source, 9)).toBe('');
  expect(positionAt({ path: 'b', text: '' }, 0)).toEqual({ line: 1, column: 1 });
});
