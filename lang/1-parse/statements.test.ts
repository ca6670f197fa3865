import { expect, test } from 'vitest';
import { statements } from './parse-for-tests.ts';

const call = (name: string) => `(ExprStatement expr=(Call callee=${name}) semicolon)`;
const edges = '(EdgeRef want=node hops=[(Hop op=(EdgeOp direction=out))])';

test.each([
  // assignment (docs/language/statements.md#assignment)
  ['a = 1;', '(AssignStatement targets=[a] value=1)'],
  ['a = b = c;', '(AssignStatement targets=[a b] value=c)'],
  [
    '(a, (b, *c)) = d;',
    '(AssignStatement targets=[(TupleExpr items=[a (TupleExpr items=[b (Starred expr=c)])])] value=d)',
  ],
  ['[a, b] = d;', '(AssignStatement targets=[(ListExpr items=[a b])] value=d)'],
  ['a.b[0] = 1;', '(AssignStatement targets=[(Index object=(Attribute object=a name=b) index=0)] value=1)'],
  ['x: int = 3;', '(AssignStatement targets=[x] type=int value=3)'],
  ['x: int;', '(AssignStatement targets=[x] type=int)'],
  [
    'self.x: int | None = 3;',
    '(AssignStatement targets=[(Attribute object=@self name=x)] type=(Binary op=| left=int right=None) value=3)',
  ],
  ['x: own T = v;', '(AssignStatement targets=[x] type=T value=v)\nW0137 4-7'],
  ['x = yield y;', '(AssignStatement targets=[x] value=(Yield value=y))'],
  ['let x = 1;', '(AssignStatement let targets=[x] value=1)'],
  ['let [a, b] = f();', '(AssignStatement let targets=[(ListExpr items=[a b])] value=(Call callee=f))'],
  ['let x: int = 1;', '(AssignStatement let targets=[x] type=int value=1)'],
  ['let = 1;', '(AssignStatement targets=[let] value=1)'],
  ...['+', '-', '*', '/', '//', '%', '**', '@', '&', '|', '^', '<<', '>>'].map((op): [string, string] => [
    `a ${op}= b;`,
    `(AugAssign target=a op=${op} value=b)`,
  ]),
  // conditionals and loops (docs/language/statements.md#loops)
  [
    'if a { f(); } elif b { g(); } else { h(); }',
    `(IfStatement test=a body=(Block statements=[${call('f')}]) orElse=(IfStatement test=b body=(Block statements=[${call('g')}]) orElse=(Block statements=[${call('h')}])))`,
  ],
  ['if a { } else if b { }', '(IfStatement test=a body=(Block) orElse=(IfStatement test=b body=(Block)))\nW0142 10-17'],
  [
    'while a { break; } else { continue; }',
    '(WhileStatement test=a body=(Block statements=[(CtrlStatement word=break)]) orElse=(Block statements=[(CtrlStatement word=continue)]))',
  ],
  [
    'forever { skip; disengage; }',
    '(WhileStatement body=(Block statements=[(CtrlStatement word=skip) (CtrlStatement word=disengage)]))',
  ],
  ['for x in xs { } else { }', '(ForIn target=x iter=xs body=(Block) orElse=(Block))'],
  ['for (k, v) in d { }', '(ForIn target=(TupleExpr items=[k v]) iter=d body=(Block))'],
  ['flow for x in xs { }', '(ForIn target=x iter=xs body=(Block))'],
  ['async for x in xs { }', '(ForIn async target=x iter=xs body=(Block))'],
  [
    'for i=0 to i<10 by i+=1 { }',
    '(ForCount init=(AssignStatement targets=[i] value=0) test=(Compare operands=[i 10] ops=[<]) step=(AugAssign target=i op=+ value=1) body=(Block))',
  ],
  [
    'for i = 0 while i < 10 with i = n(i) { } else { }',
    '(ForCount init=(AssignStatement targets=[i] value=0) test=(Compare operands=[i 10] ops=[<]) step=(AssignStatement targets=[i] value=(Call callee=n args=[(Argument sort=positional value=i)])) body=(Block) orElse=(Block))',
  ],
  // exceptions and contexts (docs/language/statements.md#exceptions, docs/language/statements.md#with)
  [
    'try { } awaiting { } except (A, B) as e { } except { } else { } finally { }',
    '(TryStatement body=(Block) awaiting=(Block) handlers=[(ExceptClause type=(TupleExpr items=[A B]) name=e body=(Block)) (ExceptClause body=(Block))] orElse=(Block) finally=(Block))',
  ],
  ['try { }', '(TryStatement body=(Block))\nW0124 1-4'],
  ['raise; raise E from c;', '(RaiseStatement)\n(RaiseStatement value=E from=c)'],
  ['assert a; assert a, "m";', '(AssertStatement test=a)\n(AssertStatement test=a message="m")'],
  ['check a == b;', '(AssertStatement test=(Compare operands=[a b] ops=[==]))\nW0132 1-6'],
  ['with a as b, c { }', '(WithStatement items=[{expr=a target=b} {expr=c}] body=(Block))'],
  ['async with (x as T) as y { }', '(WithStatement async items=[{expr=(Cast expr=x type=T) target=y}] body=(Block))'],
  // results and graph statements
  ['return; return a;', '(ReturnStatement)\n(ReturnStatement value=a)'],
  ['return\n  a;', '(ReturnStatement value=a)'],
  [
    'yield; yield a; yield from a;',
    '(ExprStatement expr=(Yield) semicolon)\n(ExprStatement expr=(Yield value=a) semicolon)\n(ExprStatement expr=(Yield from value=a) semicolon)',
  ],
  ['del a, b[0];', '(DeleteStatement targets=[a (Index object=b index=0)])'],
  ['global a, b; nonlocal c;', '(ScopeStatement word=global names=[a b])\n(ScopeStatement word=nonlocal names=[c])'],
  ['visit [-->];', `(VisitStatement what=${edges})`],
  ['visit:0:[-->] else { f(); }', `(VisitStatement index=0 what=${edges} orElse=(Block statements=[${call('f')}]))`],
  ['visit : -1 : xs;', '(VisitStatement index=(Unary op=- operand=1) what=xs)'],
  ['report [a];', '(ReportStatement value=(ListExpr items=[a]))'],
  [
    '->A | B { f(); } ->_ { }',
    `(TypedContext type=(Binary op=| left=A right=B) body=(Block statements=[${call('f')}]))\n(TypedContext body=(Block))`,
  ],
  ['in Region() { }', '(Region region=(Call callee=Region) body=(Block))\nW0137 1-3'],
  ['ignore x;', '(ExprStatement expr=x semicolon)\nE0907 1-9'],
  ['ignore [-->];', `(ExprStatement expr=${edges} semicolon)\nE0907 1-13`],
  ['ignore[0];', '(ExprStatement expr=(Index object=ignore index=0) semicolon)'],
  // declarations in blocks
  [
    'import a; import from m { b } include c;',
    '(ImportModules items=[(ImportModuleItem path=(ModulePath level=0 segments=[a]))])\n(ImportFrom path=(ModulePath level=0 segments=[m]) items=[(ImportItem what=name name=b)])\n(Include path=(ModulePath level=0 segments=[c]))',
  ],
  ['"doc" def g;', '(FunctionDecl doc="doc" mods={} name=g signature=(Signature) body=(NoBody))'],
  [
    '"text"; "a".b();',
    '(ExprStatement expr="text" semicolon)\n(ExprStatement expr=(Call callee=(Attribute object="a" name=b)) semicolon)',
  ],
  ['@d class def g { }', '(FunctionDecl decorators=[d] mods={class} name=g signature=(Signature) body=(Block))'],
  [
    'obj A { } enum E; impl A.m { }',
    '(Archetype archetype=obj name=A)\n(EnumDecl name=E)\n(ImplDecl target=[A m] body=(ImplBody block=(Block)))',
  ],
  [
    'has n: int = 0; can with [a] entry { }',
    '(HasDecl items=[(HasItem name=n type=int value=0)])\n(Ability mods={} event=(Event trigger=(ListExpr items=[a]) when=entry) body=(Block))',
  ],
  ['glob a = 1; type T = int;', '(GlobDecl items=[(GlobItem name=a value=1)])\n(TypeAlias name=T type=int)'],
  ['::py:: x = 1 ::py::', '(InlineForeign text= x = 1 )\nE0901 1-7'],
  [';;', ''],
])('%s', (text, printed) => {
  expect(statements(` ${text}`)).toBe(printed);
});

test('keywords are names before `=`, an augmented assignment or a dot', () => {
  for (const word of [
    'match',
    'report',
    'if',
    'return',
    'visit',
    'del',
    'import',
    'default',
    'case',
    'skip',
    'has',
    'node',
    'type',
    'async',
    'yield',
  ]) {
    expect(statements(`${word} = 1;`)).toBe(`(AssignStatement targets=[${word}] value=1)`);
    expect(statements(`${word} += 1;`)).toBe(`(AugAssign target=${word} op=+ value=1)`);
    expect(statements(`${word}.x();`)).toBe(
      `(ExprStatement expr=(Call callee=(Attribute object=${word} name=x)) semicolon)`,
    );
  }
});

test('keywords that nothing can be assigned to are names in front of `[…] =` and of a type', () => {
  for (const word of ['match', 'report', 'switch', 'visit'])
    expect(statements(`${word}["a"][0] = 1; ${word}["a"] |= b;`)).not.toContain('E0');
  for (const word of ['match', 'report', 'switch'])
    expect(statements(`${word}: dict = {};`)).toBe(`(AssignStatement targets=[${word}] type=dict value=(DictExpr))`);
  expect(statements('report["a"]; visit[-->]; match[a] { case [1]: b; }')).toMatch(/ReportS.*\n.*VisitS.*\n.*MatchS/);
  expect(statements('visit:0:[-->];')).toContain('VisitStatement');
});

test('loops, comprehensions and `with` bind what can be assigned to', () => {
  const refused = ['for f() in xs { }', 'for (a, 3) in xs { }', '[x for x() in xs];', 'with a as f() { }', '*a = b;'];
  for (const text of [...refused, '(a, b) += c;']) expect(statements(text)).toMatch(/E0110 \d+-\d+$/);
  expect(statements('for a?.b in xs { }')).toContain('E0161');
  const fine =
    'for a.b in xs { } for a[0] in xs { } for (a, *b) in xs { } [x for [x, (y, z)] in xs]; with a as (b, c.d) { }';
  expect(statements(fine)).not.toContain('E0');
});

test('words that are names unless their rule applies', () => {
  expect(
    statements('own = 1; forever(2); getter[0]; type(x); check(x); ignore(x); abs(x); to = 1; cl = 2;'),
  ).not.toContain('E0');
  expect(
    statements(
      'node(1); match(a, b); switch(a); has(a); edge in xs; walker is None; test(1); default(1); skip(1); entry;',
    ),
  ).not.toContain('E0');
});

test('the tail of a block is its expression without semicolon', () => {
  expect(statements(' f = lambda { a; b };')).toContain('tail=(ExprStatement expr=b)');
  expect(statements(' if a { b }')).toContain('E0220 8-9');
  expect(statements(' x = lambda { if a { b } };')).toContain('E0220 21-22');
});
