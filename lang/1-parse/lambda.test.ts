import { expect, test } from 'vitest';
import { expression } from './parse-for-tests.ts';

const x = '(Param sort=plain name=x)';
const typedX = '(Param sort=plain name=x type=T)';
const block = '(Block statements=[(ExprStatement expr=x)] tail=(ExprStatement expr=x))';

test.each([
  ['lambda x: T -> R { x }', `hasList params=[${typedX}] result=R`, block],
  ['lambda -> R { x }', 'result=R', block],
  ['lambda (x: T) { x }', `hasList params=[${typedX}]`, block],
  ['lambda { x }', '', block],
  ['lambda x: T { x }', `hasList params=[${typedX}]`, block],
  ['lambda : x', '', 'x'],
  ['lambda x: T, y: U -> R { x }', `hasList params=[${typedX} (Param sort=plain name=y type=U)] result=R`, block],
  ['lambda (x: T) -> R { x }', `hasList params=[${typedX}] result=R`, block],
  ['lambda x: T : x', `hasList params=[${typedX}]`, 'x'],
  ['lambda x: x', `hasList params=[${x}]`, 'x'],
  ['lambda x -> R { x }', `hasList params=[${x}] result=R`, block],
  ['lambda x, y -> R { x }', `hasList params=[${x} (Param sort=plain name=y)] result=R`, block],
  ['lambda x: T -> R : x', `hasList params=[${typedX}] result=R`, 'x'],
  [
    'lambda x: int = 2, y: int = 3: x',
    'hasList params=[(Param sort=plain name=x type=int value=2) (Param sort=plain name=y type=int value=3)]',
    'x',
  ],
  [
    'lambda x=1, *a, **k: x',
    'hasList params=[(Param sort=plain name=x value=1) (Param sort=star name=a) (Param sort=doublestar name=k)]',
    'x',
  ],
  [
    'lambda (x, /, *, y=1) -> R : x',
    `hasList params=[${x} (Param sort=slash) (Param sort=bare) (Param sort=plain name=y value=1)] result=R`,
    'x',
  ],
  ['lambda () -> R { x }', 'hasList result=R', block],
  ["lambda x:dict:x['k']", 'hasList params=[(Param sort=plain name=x type=dict)]', '(Index object=x index="k")'],
  ['lambda x: {"a": x}', `hasList params=[${x}]`, '(DictExpr entries=[{key="a" value=x}])'],
  ['lambda x: x if x else 1', `hasList params=[${x}]`, '(Conditional test=x then=x orElse=1)'],
])('%s', (text, signature, body) => {
  const printed = signature === '' ? '(Signature)' : `(Signature ${signature})`;
  expect(expression(text)).toBe(`(Lambda signature=${printed} body=${body})`);
});

test('speculation ends at the comma or bracket of what is around', () => {
  const lambda = `(Lambda signature=(Signature hasList params=[(Param sort=plain name=r)]) body=(Attribute object=r name=p))`;
  expect(expression('f(key=lambda r: r.p, reverse=True)')).toBe(
    `(Call callee=f args=[(Argument sort=keyword name=key value=${lambda}) (Argument sort=keyword name=reverse value=True)])`,
  );
  expect(expression('[lambda r: r.p]')).toBe(`(ListExpr items=[${lambda}])`);
  expect(expression('{"a": lambda r: r.p, "b": 1}')).toBe(
    `(DictExpr entries=[{key="a" value=${lambda}} {key="b" value=1}])`,
  );
});

test('nested lambdas', () => {
  expect(expression('lambda x: g(lambda y: x)')).toBe(
    '(Lambda signature=(Signature hasList params=[(Param sort=plain name=x)]) body=(Call callee=g args=[(Argument sort=positional value=(Lambda signature=(Signature hasList params=[(Param sort=plain name=y)]) body=x))]))',
  );
  const deep = `${'lambda x: f('.repeat(60)}1${')'.repeat(60)}`;
  expect(expression(deep)).not.toContain('E0');
});

test('a reserved word names a parameter where it is a name for its reader', () => {
  expect(expression('lambda node: int -> int { 1 }')).not.toContain('E0');
  expect(expression('lambda class: 1')).toContain('E0140 7-12');
});
