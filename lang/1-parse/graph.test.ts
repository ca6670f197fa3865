import { expect, test } from 'vitest';
import { codesIn, expression } from './parse-for-tests.ts';

const hop = (direction: string, rest = '') => `(Hop op=(EdgeOp direction=${direction})${rest})`;

test.each([
  ['[-->]', `(EdgeRef want=node hops=[${hop('out')}])`],
  ['[<--]', `(EdgeRef want=node hops=[${hop('in')}])`],
  ['[<-->]', `(EdgeRef want=node hops=[${hop('any')}])`],
  ['[edge -->]', `(EdgeRef want=edge hops=[${hop('out')}])`],
  ['[node a -->]', `(EdgeRef want=node origin=a hops=[${hop('out')}])`],
  ['[async edge -->]', `(EdgeRef want=edge async hops=[${hop('out')}])`],
  ['[async a -->]', `(EdgeRef want=node async origin=a hops=[${hop('out')}])`],
  ['[root --> -->]', `(EdgeRef want=node origin=@root hops=[${hop('out')} ${hop('out')}])`],
  ['[[a, b] -->]', `(EdgeRef want=node origin=(ListExpr items=[a b]) hops=[${hop('out')}])`],
  ['[edge (a) --> b]', `(EdgeRef want=edge origin=a hops=[${hop('out', ' only=b')}])`],
  ['[edge [a, b] -->]', `(EdgeRef want=edge origin=(ListExpr items=[a b]) hops=[${hop('out')}])`],
  [
    '[edge [a][?:T] -->]',
    `(EdgeRef want=edge origin=(Filter object=(ListExpr items=[a]) filter=(FilterSpec type=T)) hops=[${hop('out')}])`,
  ],
  [
    '[edge (a)[0].b -->]',
    `(EdgeRef want=edge origin=(Attribute object=(Index object=a index=0) name=b) hops=[${hop('out')}])`,
  ],
  ['[a --> (b)]', `(EdgeRef want=node origin=a hops=[${hop('out', ' only=b')}])`],
  ['[-->[?:T]]', `(EdgeRef want=node hops=[${hop('out', ' filter=(FilterSpec type=T)')}])`],
  ['[-->(`?T)]', `(EdgeRef want=node hops=[${hop('out', ' filter=(FilterSpec type=T)')}])`],
  ['[root --> (?:T) ]', `(EdgeRef want=node origin=@root hops=[${hop('out', ' filter=(FilterSpec type=T)')}])`],
  ['[a ->:E:->]', '(EdgeRef want=node origin=a hops=[(Hop op=(EdgeOp direction=out type=E))])'],
  [
    '[a ->:E:w > 5, v == 1:->]',
    '(EdgeRef want=node origin=a hops=[(Hop op=(EdgeOp direction=out type=E conditions=[(FilterCondition field=w op=> value=5) (FilterCondition field=v op=== value=1)]))])',
  ],
  ['[b <-:E:<-]', '(EdgeRef want=node origin=b hops=[(Hop op=(EdgeOp direction=in type=E))])'],
  [
    '[b <-:m.E:->]',
    '(EdgeRef want=node origin=b hops=[(Hop op=(EdgeOp direction=any type=(Attribute object=m name=E)))])',
  ],
  [
    '[->::w > 1:->]',
    '(EdgeRef want=node hops=[(Hop op=(EdgeOp direction=out conditions=[(FilterCondition field=w op=> value=1)]))])',
  ],
  ['[->::->]', '(EdgeRef want=node hops=[(Hop op=(EdgeOp direction=out))])'],
  // markers that are names
  ['[edge, node]', '(ListExpr items=[edge node])'],
  [
    '[edge(1), node.x]',
    '(ListExpr items=[(Call callee=edge args=[(Argument sort=positional value=1)]) (Attribute object=node name=x)])',
  ],
  ['[node for node in xs]', '(Comprehension sort=list value=node clauses=[(CompClause target=node iter=xs)])'],
  ['[node --> edge]', `(EdgeRef want=node hops=[${hop('out', ' only=edge')}])`],
])('edge reference %s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test.each([
  ['a ++> b ++> c', '(Connect left=(Connect left=a right=b direction=out) right=c direction=out)'],
  ['a <++ b', '(Connect left=a right=b direction=in)'],
  ['a <++> b', '(Connect left=a right=b direction=any)'],
  ['a +>: E() :+> b', '(Connect left=a right=b direction=out edge=(Call callee=E))'],
  [
    'a +>: E : w=3, v=4, :+> b',
    '(Connect left=a right=b direction=out edge=E fields=[{name=w value=3} {name=v value=4}])',
  ],
  ['a <+: E :<+ b', '(Connect left=a right=b direction=in edge=E)'],
  ['a <+: E :+> b', '(Connect left=a right=b direction=any edge=E)'],
  ['a del --> b', '(Disconnect left=a right=b op=(EdgeOp direction=out))'],
  ['a del->:E:->b', '(Disconnect left=a right=b op=(EdgeOp direction=out type=E))'],
  ['a ++> b + 1', '(Binary op=+ left=(Connect left=a right=b direction=out) right=1)'],
])('connect %s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test('what is wrong with connections', () => {
  expect(codesIn('a ++> ;')).toEqual(['E0162 ++>']);
  expect(codesIn('a +>: E b;')).toEqual(['E0163 +>:']);
  expect(codesIn('a +>: E :<+ b;')).toEqual(['E0163 +>:']);
  expect(codesIn('del a --> b;')).toEqual(['E0125 del a -->']);
  expect(codesIn('x = [->:E;')).toEqual(['E0110 ;']);
  expect(codesIn('x = [a --> ;')).toEqual(['E0111']);
});
