import { expect, test } from 'vitest';
import { expression } from './parse-for-tests.ts';

test.each([
  // signs and powers (docs/language/expressions.md#powers)
  ['-2 ** 2', '(Binary op=** left=(Unary op=- operand=2) right=2)\nW0139 0-5'],
  ['2 ** -1', '(Binary op=** left=2 right=(Unary op=- operand=1))'],
  ['2 ** 3 ** 2', '(Binary op=** left=2 right=(Binary op=** left=3 right=2))'],
  ['a * -b', '(Binary op=* left=a right=(Unary op=- operand=b))'],
  ['(-a) ** b', '(Binary op=** left=(Unary op=- operand=a) right=b)'],
  // arithmetic and bits
  ['a + b * c - d', '(Binary op=- left=(Binary op=+ left=a right=(Binary op=* left=b right=c)) right=d)'],
  [
    'a | b ^ c & d << e + f',
    '(Binary op=| left=a right=(Binary op=^ left=b right=(Binary op=& left=c right=(Binary op=<< left=d right=(Binary op=+ left=e right=f)))))',
  ],
  ['1 | 2 == 3', '(Compare operands=[(Binary op=| left=1 right=2) 3] ops=[==])\nW0138 0-5'],
  ['(1 | 2) == 3', '(Compare operands=[(Binary op=| left=1 right=2) 3] ops=[==])'],
  ['a & b and c', '(Logical op=and left=(Binary op=& left=a right=b) right=c)\nW0138 0-5'],
  // comparison and logic
  ['a < b <= c', '(Compare operands=[a b c] ops=[< <=])'],
  ['a not in b is not c', '(Compare operands=[a b c] ops=[not in is not])'],
  ['not a in b', '(Unary op=not operand=(Compare operands=[a b] ops=[in]))'],
  ['not True == False', '(Unary op=not operand=(Compare operands=[True False] ops=[==]))'],
  ['a or b and not c', '(Logical op=or left=a right=(Logical op=and left=b right=(Unary op=not operand=c)))'],
  ['a && b || c', '(Logical op=or left=(Logical op=and left=a right=b) right=c)\nW0134 2-4\nW0134 7-9'],
  ['x as int | None', '(Cast expr=x type=(Binary op=| left=int right=None))'],
  // conditional, walrus, by, flow
  ['a if b else c if d else e', '(Conditional test=b then=a orElse=(Conditional test=d then=c orElse=e))'],
  ['x := y by m', '(Walrus name=x value=(By value=y model=m))'],
  ['a by b by c', '(By value=a model=(By value=b model=c))'],
  ['flow f(1)', '(Flow word=flow expr=(Call callee=f args=[(Argument sort=positional value=1)]))'],
  ['wait t', '(Flow word=wait expr=t)'],
  ['flow + 1', '(Binary op=+ left=flow right=1)'],
  // pipes
  ['a |> f |> g', '(Pipe op=|> left=(Pipe op=|> left=a right=f) right=g)'],
  ['f <| x or y', '(Pipe op=<| left=f right=(Logical op=or left=x right=y))'],
  ['a :> b <: c', '(Pipe op=:> left=a right=(Pipe op=<: left=b right=c))'],
  [':> f', '(Pipe op=:> right=f)'],
  ['|> f', '(Pipe op=|> right=f)'],
  ['(2, 3) |> pow', '(Pipe op=|> left=(TupleExpr items=[2 3]) right=pow)'],
  ['(a=1, b=2,) |> f', '(Pipe op=|> left=(TupleExpr items=[1 2] names=[a b]) right=f)'],
  // spawn, await, prefixes
  ['root spawn W().reports', '(Spawn left=@root right=(Attribute object=(Call callee=W) name=reports))'],
  ['(root spawn W()).reports', '(Attribute object=(Spawn left=@root right=(Call callee=W)) name=reports)'],
  ['a ++> b spawn W()', '(Connect left=a right=(Spawn left=b right=(Call callee=W)) direction=out)'],
  ['await root spawn W()', '(Await expr=(Spawn left=@root right=(Call callee=W)))'],
  ['(await x) spawn W()', '(Spawn left=(Await expr=x) right=(Call callee=W))'],
  ['await a spawn b spawn c', '(Await expr=(Spawn left=(Spawn left=a right=b) right=c))'],
  ['await f().x + 1', '(Binary op=+ left=(Await expr=(Attribute object=(Call callee=f) name=x)) right=1)'],
  ['a spawn |> W()', '(Spawn left=a right=(Call callee=W))'],
  ['spawn W()', '(Spawn right=(Call callee=W))'],
  [
    'here ++> A() if c else None',
    '(Conditional test=c then=(Connect left=@here right=(Call callee=A) direction=out) orElse=None)',
  ],
  ['[*a, b]', '(ListExpr items=[(Starred expr=a) b])'],
  ['&x', '(Borrow word=& expr=x)'],
  ['&mut x', '(Borrow word=&mut expr=x)\nW0137 0-6'],
  ['own x', '(Borrow word=own expr=x)\nW0137 0-3'],
  ['own(x)', '(Call callee=own args=[(Argument sort=positional value=x)])'],
])('%s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test.each([
  ['a.b?.c?d', '(Attribute object=(Attribute object=(Attribute object=a name=b) name=c safe) name=d safe)'],
  ['a?[0]', '(Index object=a index=0 safe)'],
  [
    'e.type.from.default',
    '(Attribute object=(Attribute object=(Attribute object=e name=type) name=from) name=default)',
  ],
  [
    'a .> m(x) .> n()',
    '(Call callee=(Attribute object=(Call callee=(Attribute object=a name=m) args=[(Argument sort=positional value=x)]) name=n))',
  ],
  ['m(x) <. a', '(Call callee=(Attribute object=a name=m) args=[(Argument sort=positional value=x)])'],
  ['a<.5', '(Compare operands=[a 0.5f] ops=[<])'],
  ['a[i, j]', '(Index object=a index=(TupleExpr items=[i j]))'],
  ['a[1:2]', '(Index object=a index=(Slice lower=1 upper=2))'],
  ['a[:]', '(Index object=a index=(Slice))'],
  ['a[::-1]', '(Index object=a index=(Slice step=(Unary op=- operand=1)))'],
  ['a[1:2, ::3]', '(Index object=a index=(TupleExpr items=[(Slice lower=1 upper=2) (Slice step=3)]))'],
  [
    'f(a, *b, c=1, **d,)',
    '(Call callee=f args=[(Argument sort=positional value=a) (Argument sort=star value=b) (Argument sort=keyword name=c value=1) (Argument sort=doublestar value=d)])',
  ],
  [
    'f(from=1, node=n)',
    '(Call callee=f args=[(Argument sort=keyword name=from value=1) (Argument sort=keyword name=node value=n)])',
  ],
  ['f(a == b)', '(Call callee=f args=[(Argument sort=positional value=(Compare operands=[a b] ops=[==]))])'],
  [
    'sum(x for x in xs)',
    '(Call callee=sum args=[(Argument sort=positional value=(Comprehension sort=generator value=x clauses=[(CompClause target=x iter=xs)]))])',
  ],
  [
    'xs[?:T, a > 1]',
    '(Filter object=xs filter=(FilterSpec type=T conditions=[(FilterCondition field=a op=> value=1)]))',
  ],
  [
    'xs[?a > 1, b in c]',
    '(Filter object=xs filter=(FilterSpec conditions=[(FilterCondition field=a op=> value=1) (FilterCondition field=b op=in value=c)]))',
  ],
  ['xs(?:T | U)', '(Filter object=xs filter=(FilterSpec type=(Binary op=| left=T right=U)))'],
  [
    'xs(`?T: a is not None)',
    '(Filter object=xs filter=(FilterSpec type=T conditions=[(FilterCondition field=a op=is not value=None)]))',
  ],
  ['xs(=a=1, b=f())', '(AssignTrailer object=xs fields=[{name=a value=1} {name=b value=(Call callee=f)}])'],
])('trailers of %s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test.each([
  ['()', '(TupleExpr)'],
  ['(e)', 'e'],
  ['(e,)', '(TupleExpr items=[e])'],
  ['(a, b,)', '(TupleExpr items=[a b])'],
  ['(yield x)', '(Yield value=x)'],
  [
    '(x for x in xs if x)',
    '(Comprehension sort=generator value=x clauses=[(CompClause target=x iter=xs conditions=[x])])',
  ],
  ['[]', '(ListExpr)'],
  ['[a, b,]', '(ListExpr items=[a b])'],
  [
    '[x async for (x, *_) in f() if a if b for y in z or w]',
    '(Comprehension sort=list value=x clauses=[(CompClause async target=(TupleExpr items=[x (Starred expr=_)]) iter=(Call callee=f) conditions=[a b]) (CompClause target=y iter=(Logical op=or left=z right=w))])',
  ],
  ['{}', '(DictExpr)'],
  ['{a: 1, **b,}', '(DictExpr entries=[{key=a value=1} {value=b}])'],
  ['{**a}', '(DictExpr entries=[{value=a}])'],
  ['{a, b,}', '(SetExpr items=[a b])'],
  [
    '{k: v for (k, v) in d}',
    '(Comprehension sort=dict key=k value=v clauses=[(CompClause target=(TupleExpr items=[k v]) iter=d)])',
  ],
  ['{k for k in d}', '(Comprehension sort=set value=k clauses=[(CompClause target=k iter=d)])'],
  ['...', '...'],
  ['[...a, b]', '(ListExpr items=[(Starred expr=a) b])\nW0134 1-4'],
  ['{...a, k: 1}', '(DictExpr entries=[{value=a} {key=k value=1}])\nW0134 1-4'],
  ['f(...a.b)', '(Call callee=f args=[(Argument sort=star value=(Attribute object=a name=b))])\nW0134 2-5'],
  ['[..., a]', '(ListExpr items=[... a])'],
  ['`list', '`list'],
  ['`root', '`root'],
  ['entry', 'entry'],
  ['exit(1)', '(Call callee=exit args=[(Argument sort=positional value=1)])'],
  ['<>node.x', '(Attribute object=`node name=x)\nW0131 0-6'],
  [
    '(def f(x) { return x; })',
    '(FunctionExpr decl=(FunctionDecl mods={} name=f signature=(Signature hasList params=[(Param sort=plain name=x)]) body=(Block statements=[(ReturnStatement value=x)])))',
  ],
  [
    '(async def { 1 })',
    '(FunctionExpr decl=(FunctionDecl mods={async} signature=(Signature) body=(Block statements=[(ExprStatement expr=1)] tail=(ExprStatement expr=1))))',
  ],
  ['new(Foo, 1)', '(Call callee=new args=[(Argument sort=positional value=Foo) (Argument sort=positional value=1)])'],
])('atom %s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test('special references and constants', () => {
  expect(expression('[self, super, here, visitor, root, props, init, postinit, None, True, False]')).toBe(
    '(ListExpr items=[@self @super @here @visitor @root @props init postinit None True False])',
  );
});
