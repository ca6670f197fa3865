import { expect, test } from 'vitest';
import { createReporter } from '../diagnostics.ts';
import { next } from './lexer.ts';
import { codes, codesIn, expression } from './parse-for-tests.ts';
import { createParser } from './parser.ts';
import * as t from './tokens.ts';

function tokens(text: string): string[] {
  const source = { path: 'test.svc', text };
  const p = createParser(source, createReporter(source));
  const found: string[] = [];
  for (next(p); p.tok !== t.EOF; next(p)) found.push(text.slice(p.start, p.end));
  return found;
}

test('operators are taken longest first', () => {
  const spaced =
    '<--> <++> <-- --> <++ ++> <-: :-> ->: :<- <+: :+> +>: :<+ ... **= //= <<= >>= ** // == != <= >= << >> |> <| :> <: .> <. -> := && || += -= *= /= %= &= |= ^= @=';
  expect(tokens(spaced)).toEqual(spaced.split(' '));
  expect(tokens('( ) { } [ ] , : ; . + - * / % & | ^ ~ < > = @ ?')).toEqual(
    '( ) { } [ ] , : ; . + - * / % & | ^ ~ < > = @ ?'.split(' '),
  );
  expect(tokens('a<-1')).toEqual(['a', '<', '-', '1']);
  expect(tokens('a<--b')).toEqual(['a', '<--', 'b']);
  expect(tokens('x<.5')).toEqual(['x', '<', '.5']);
  expect(tokens('a</b/>c')).toEqual(['a', '<', '/', 'b', '/', '>', 'c']);
  expect(tokens('a?.b?[c]')).toEqual(['a', '?', '.', 'b', '?', '[', 'c', ']']);
});

test('every word of the language has its kind', () => {
  for (const [word, kind] of t.words) {
    const source = { path: 'test.svc', text: word };
    const p = createParser(source, createReporter(source));
    next(p);
    expect([p.tok, p.word]).toEqual([kind, word]);
  }
});

test.each([
  ['0', '0'],
  ['007', '7'],
  ['1_000', '1000'],
  ['0xFF_0', '4080'],
  ['0b1_01', '5'],
  ['0O17', '15'],
  ['1.5', '1.5f'],
  ['.5e1', '5f'],
  ['1.', '1f'],
  ['1e3', '1000f'],
  ['1.e-2', '0.01f'],
  ['1_0.0_1', '10.01f'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740993', '9007199254740993n'],
  ['0xffffffffffffffffff', '4722366482869645213695n'],
  ['1.real', '(Attribute object=1 name=real)'],
])('number %s', (text, value) => {
  expect(expression(text)).toBe(value);
});

test('a dot behind an integer joins it only when nothing else can use it', () => {
  expect(tokens('1...2')).toEqual(['1', '...', '2']);
  expect(tokens('1.x 1._ 1.)')).toEqual(['1', '.', 'x', '1', '.', '_', '1.', ')']);
  expect(tokens('1else 0x 0b2')).toEqual(['1', 'else', '0', 'x', '0', 'b2']);
});

test('comments', () => {
  expect(tokens('a # b\nc #* d\n* # *# e #')).toEqual(['a', 'c', 'e']);
  expect(tokens('a # b\rc')).toEqual(['a', 'c']);
  expect(codes('#* x')).toEqual(['E0101 #*']);
});

test('a byte order mark is skipped; other characters are reported once for a run', () => {
  expect(codes('\ufeffglob a = 1;')).toEqual([]);
  expect(codesIn('x = 4 $$ 5;')).toEqual(['E0105 $$']);
  expect(codesIn('é = 3;')).toEqual(['E0105 é']);
  expect(codesIn('x = 1;\u00a0')).toEqual(['E0105']);
});

test('suppression comments silence codes on their line', () => {
  expect(codesIn('a = (1 && 2);\nb = (1 || 2); # svc:ignore')).toEqual(['W0134 &&']);
  expect(codesIn('a = 1 && 2; # svc:ignore[W9999, W0134]')).toEqual([]);
  expect(codesIn('a = 1 && 2; # svc:ignore[W0001]')).toEqual(['W0134 &&']);
  expect(codesIn('a = 1 && 2; # svc:ignored')).toEqual(['W0134 &&']);
  expect(codesIn('a = "# svc:ignore" && 2;')).toEqual(['W0134 &&']);
});
