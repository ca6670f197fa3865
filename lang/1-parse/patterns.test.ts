import { expect, test } from 'vitest';
import { codesIn, statements } from './parse-for-tests.ts';

const pattern = (text: string) =>
  statements(`match x { case ${text}: }`)
    .replace(/^\(MatchStatement subject=x cases=\[\(MatchCase pattern=/, '')
    .replace(/ body=\(Block\)\)\]\)$/, '');

const capture = (name: string) => `(CapturePattern name=${name})`;
const value = (text: string) => `(ValuePattern value=${text})`;

test.each([
  ['1', value('1')],
  ['-1.5', value('(Unary op=- operand=1.5f)')],
  ['0xff', value('255')],
  ['"a" "b"', value('"ab"')],
  ['True', value('True')],
  ['None', value('None')],
  ['_', '(WildcardPattern)'],
  ['x', capture('x')],
  ['node', capture('node')],
  ['`x', value('`x')],
  ['a.b.c', value('(Attribute object=(Attribute object=a name=b) name=c)')],
  ['1 | "a" | x', `(OrPattern options=[${value('1')} ${value('"a"')} ${capture('x')}])`],
  ['int() as n', '(AsPattern pattern=(ClassPattern type=int) name=n)'],
  [
    'm.P(1, y=b,)',
    `(ClassPattern type=(Attribute object=m name=P) positional=[${value('1')}] named=[{name=y pattern=${capture('b')}}])`,
  ],
  ['[1, *rest]', `(SequencePattern items=[${value('1')} (StarPattern name=rest)])`],
  ['[*_]', '(SequencePattern items=[(StarPattern)])'],
  ['(a, b)', `(SequencePattern items=[${capture('a')} ${capture('b')}])`],
  ['(a,)', `(SequencePattern items=[${capture('a')}])`],
  ['(a)', capture('a')],
  ['()', '(SequencePattern)'],
  ['[]', '(SequencePattern)'],
  [
    '{"k": v, 1: _, **r}',
    `(MappingPattern entries=[{key="k" value=${capture('v')}} {key=1 value=(WildcardPattern)}] rest=r)`,
  ],
  ['{}', '(MappingPattern)'],
  ['a + 1', value('(Binary op=+ left=a right=1)')],
  ['f(x).y', value('(Attribute object=(Call callee=f args=[(Argument sort=positional value=x)]) name=y)')],
])('%s', (text, printed) => {
  expect(pattern(text)).toBe(printed);
});

test('guards, bodies and braces around them', () => {
  expect(statements('match x { case n if n > 1: a; b; case _: { c; } }')).toBe(
    '(MatchStatement subject=x cases=[' +
      '(MatchCase pattern=(CapturePattern name=n) guard=(Compare operands=[n 1] ops=[>]) body=(Block statements=[(ExprStatement expr=a semicolon) (ExprStatement expr=b semicolon)])) ' +
      '(MatchCase pattern=(WildcardPattern) body=(Block statements=[(Block statements=[(ExprStatement expr=c semicolon)])]))])',
  );
});

test('switch', () => {
  expect(statements('switch x { case 1 | 2: default: break; }')).toBe(
    '(SwitchStatement subject=x cases=[(SwitchCase pattern=(OrPattern options=[(ValuePattern value=1) (ValuePattern value=2)]) body=(Block)) ' +
      '(SwitchCase body=(Block statements=[(CtrlStatement word=break)]))])',
  );
  expect(codesIn('switch x { default: f(); case 1: g(); }')).toEqual(['W0126 default']);
});

test('what is wrong with cases', () => {
  expect(codesIn('match x { case 1 { f(); } case 2: g(); }')).toEqual(['E0156']);
  expect(codesIn('match x { f(); case 2: g(); }')).toEqual(['E0110 f']);
  expect(codesIn('match x { case : g(); }')).toEqual(['E0112 :']);
  expect(codesIn('match x { case [a, : g(); case 2: h(); }')).toEqual(['E0112 :']);
  for (const items of ['a, b', '(a), b', '{"a": 1}, b', '*a, b', 'a,'])
    expect(codesIn(`match x { case ${items}: f(); }`)).toEqual(['E0110 ,']);
  expect(codesIn('case 1: f();')).toEqual(['E0121 case']);
  expect(codesIn('default: f();')).toEqual(['E0121 default']);
});
