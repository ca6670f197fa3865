import { expect, test } from 'vitest';
import { codes, elements, parseText } from './parse-for-tests.ts';

const path = (rest: string) => `path=(ModulePath ${rest})`;

test.each([
  // imports (docs/language/imports.md#imports)
  ['import os;', `(ImportModules items=[(ImportModuleItem ${path('level=0 segments=[os]')})])`],
  [
    'import a.b as x, json;',
    `(ImportModules items=[(ImportModuleItem ${path('level=0 segments=[a b]')} alias=x) (ImportModuleItem ${path('level=0 segments=[json]')})])`,
  ],
  ['import "./x.css";', `(ImportModules items=[(ImportModuleItem ${path('level=0 quoted="./x.css"')})])`],
  ['import type m;', `(ImportModules typeOnly items=[(ImportModuleItem ${path('level=0 segments=[m]')})])`],
  ['import type;', `(ImportModules items=[(ImportModuleItem ${path('level=0 segments=[type]')})])`],
  ['import:py x;', `(ImportModules items=[(ImportModuleItem ${path('level=0 segments=[x] tag=py')})])\nW0209 7-9`],
  [
    'import from m { a, b as c, node, }',
    `(ImportFrom ${path('level=0 segments=[m]')} items=[(ImportItem what=name name=a) (ImportItem what=name name=b alias=c) (ImportItem what=name name=node)])`,
  ],
  ['import from m { * };', `(ImportFrom ${path('level=0 segments=[m]')} items=[(ImportItem what=star)])`],
  [
    'import from "p" { default as D, * as NS }',
    `(ImportFrom ${path('level=0 quoted="p"')} items=[(ImportItem what=default alias=D) (ImportItem what=star alias=NS)])`,
  ],
  ['import from . { x }', `(ImportFrom ${path('level=1')} items=[(ImportItem what=name name=x)])`],
  ['import from ....a.b { x }', `(ImportFrom ${path('level=4 segments=[a b]')} items=[(ImportItem what=name name=x)])`],
  [
    'import from ."x.css" { x }',
    `(ImportFrom ${path('level=1 quoted="x.css"')} items=[(ImportItem what=name name=x)])`,
  ],
  [
    'import type from m { T }',
    `(ImportFrom typeOnly ${path('level=0 segments=[m]')} items=[(ImportItem what=name name=T)])`,
  ],
  [
    'import from py:m { x }',
    `(ImportFrom ${path('level=0 segments=[m] tag=py')} items=[(ImportItem what=name name=x)])\nW0209 12-14`,
  ],
  ['import from m { }', `(ImportFrom ${path('level=0 segments=[m]')})\nW0208 14-17`],
  ['include .m as x;', `(Include ${path('level=1 segments=[m]')} alias=x)`],
  ['include m.tools;', `(Include ${path('level=0 segments=[m tools]')})`],
  // globals, entry blocks, tests, sem, aliases
  [
    'glob :pub a: int = 1, node, b = c = 2;',
    '(GlobDecl access=pub items=[(GlobItem name=a type=int value=1) (GlobItem name=node) (GlobItem name=b chained=[b c] value=2)])',
  ],
  ['with entry { f(); }', '(EntryBlock body=(Block statements=[(ExprStatement expr=(Call callee=f) semicolon)]))'],
  ['with entry:__main__ { }', '(EntryBlock label=__main__ body=(Block))'],
  [
    'test "t" { } test t { } test { }',
    '(TestBlock title="t" body=(Block))\n(TestBlock title=t body=(Block))\n(TestBlock body=(Block))',
  ],
  [
    '@p(1) test "t" { }',
    '(TestBlock decorators=[(Call callee=p args=[(Argument sort=positional value=1)])] title="t" body=(Block))',
  ],
  ['sem f.return = "a" "b"; sem C is "c"', '(SemDecl target=[f return] text="ab")\n(SemDecl target=[C] text="c")'],
  [
    'type A[T: B = int] = list[T] | None;',
    '(TypeAlias name=A typeParams=[(TypeParam name=T bound=B value=int)] type=(Binary op=| left=(Index object=list index=T) right=None))',
  ],
  ['type:pub A = int;', '(TypeAlias access=pub name=A type=int)'],
  // functions (docs/language/functions.md#functions)
  [
    'def now -> float { 1.0 }',
    '(FunctionDecl mods={} name=now signature=(Signature result=float) body=(Block statements=[(ExprStatement expr=1f)] tail=(ExprStatement expr=1f)))',
  ],
  [
    'def:priv f[T](a: T, b=1, /, *, c, **k) { }',
    '(FunctionDecl mods={} access=priv name=f typeParams=[(TypeParam name=T)] signature=(Signature hasList params=[(Param sort=plain name=a type=T) (Param sort=plain name=b value=1) (Param sort=slash) (Param sort=bare) (Param sort=plain name=c) (Param sort=doublestar name=k)]) body=(Block))',
  ],
  [
    'def f(self, props, here, visitor, list: int, *a: T,) { }',
    '(FunctionDecl mods={} name=f signature=(Signature hasList params=[(Param sort=plain name=self) (Param sort=plain name=props) (Param sort=plain name=here) (Param sort=plain name=visitor) (Param sort=plain name=list type=int) (Param sort=star name=a type=T)]) body=(Block))',
  ],
  [
    'def f() by llm(); def g abs; def h abst; def i;',
    '(FunctionDecl mods={} name=f signature=(Signature hasList) body=(ByBody model=(Call callee=llm)))\n(FunctionDecl mods={} name=g signature=(Signature) body=(AbstractBody))\n(FunctionDecl mods={} name=h signature=(Signature) body=(AbstractBody))\n(FunctionDecl mods={} name=i signature=(Signature) body=(NoBody))',
  ],
  [
    '@a @b.c(1) async def f { }',
    '(FunctionDecl decorators=[a (Call callee=(Attribute object=b name=c) args=[(Argument sort=positional value=1)])] mods={async} name=f signature=(Signature) body=(Block))',
  ],
  [
    'can f(x: int) -> int { x }',
    '(FunctionDecl mods={} name=f signature=(Signature hasList params=[(Param sort=plain name=x type=int)] result=int) body=(Block statements=[(ExprStatement expr=x)] tail=(ExprStatement expr=x)))\nW0221 0-5',
  ],
  [
    'def list() { } def `if { }',
    '(FunctionDecl mods={} name=list signature=(Signature hasList) body=(Block))\n(FunctionDecl mods={} name=`if signature=(Signature) body=(Block))',
  ],
  // archetypes (docs/language/archetypes.md#kinds)
  [
    'async walker:priv W(A, b.C) { }',
    '(Archetype async archetype=walker access=priv name=W bases=[A (Attribute object=b name=C)])',
  ],
  [
    'obj A; node N[T]();',
    '(Archetype archetype=obj name=A)\n(Archetype archetype=node name=N typeParams=[(TypeParam name=T)])',
  ],
  ['edge E : A --> B { }', '(Archetype archetype=edge name=E endpoints={from=A to=B})'],
  [
    'import from react-router-dom { Link } import a-2.b-c as d;',
    '(ImportFrom path=(ModulePath level=0 segments=[react-router-dom]) items=[(ImportItem what=name name=Link)])\n(ImportModules items=[(ImportModuleItem path=(ModulePath level=0 segments=[a-2 b-c]) alias=d)])',
  ],
  ['class node { }', '(Archetype archetype=class name=node)'],
  [
    'obj in { } node from(for); edge and : A --> B { } walker :pub or; enum if { A }',
    '(Archetype archetype=obj name=in)\n(Archetype archetype=node name=from bases=[for])\n(Archetype archetype=edge name=and endpoints={from=A to=B})\n(Archetype archetype=walker access=pub name=or)\n(EnumDecl name=if members=[(EnumMember name=A)])',
  ],
  [
    'obj A { static has :pub x: int = 1, y; has z by postinit; has w: T postinit; }',
    '(Archetype archetype=obj name=A members=[(HasDecl static access=pub items=[(HasItem name=x type=int value=1) (HasItem name=y)]) (HasDecl items=[(HasItem name=z postinit)]) (HasDecl items=[(HasItem name=w type=T postinit)])])',
  ],
  [
    'obj A { has p: T { getter { 1 } setter(v: T) { } deleter; } has entry: int; }',
    '(Archetype archetype=obj name=A members=[(HasDecl items=[(HasItem name=p type=T accessors=[(Accessor sort=getter signature=(Signature) body=(Block statements=[(ExprStatement expr=1)] tail=(ExprStatement expr=1))) (Accessor sort=setter signature=(Signature hasList params=[(Param sort=plain name=v type=T)]) body=(Block)) (Accessor sort=deleter signature=(Signature))])]) (HasDecl items=[(HasItem name=entry type=int)])])',
  ],
  [
    'node N { can a with entry { } can with (A | B, C) exit; can visit with `root entry by m; override async can x with A entry { } }',
    '(Archetype archetype=node name=N members=[(Ability mods={} name=a event=(Event when=entry) body=(Block)) (Ability mods={} event=(Event trigger=(TupleExpr items=[(Binary op=| left=A right=B) C]) when=exit) body=(NoBody)) (Ability mods={} name=visit event=(Event trigger=`root when=entry) body=(ByBody model=m)) (Ability mods={override async} name=x event=(Event trigger=A when=entry) body=(Block))])',
  ],
  [
    'class A { x = 1; y: int = 2; obj B { } enum E; impl f { } with entry { } "d" def m(self: A) { } ; }',
    '(Archetype archetype=class name=A members=[(AssignStatement targets=[x] value=1) (HasDecl items=[(HasItem name=y type=int value=2)]) (Archetype archetype=obj name=B) (EnumDecl name=E) (ImplDecl target=[f] body=(ImplBody block=(Block))) (EntryBlock body=(Block)) (FunctionDecl doc="d" mods={} name=m signature=(Signature hasList params=[(Param sort=plain name=self type=A)]) body=(Block))])',
  ],
  [
    'class A { with entry { x: int = 1; def m { } f(); y = 2; } with entry { z = 3; } } obj B { with entry { x: int = 1; } }',
    '(Archetype archetype=class name=A members=[(HasDecl items=[(HasItem name=x type=int value=1)]) (FunctionDecl mods={} name=m signature=(Signature) body=(Block)) (EntryBlock body=(Block statements=[(ExprStatement expr=(Call callee=f) semicolon)])) (AssignStatement targets=[y] value=2) (EntryBlock body=(Block statements=[(AssignStatement targets=[z] value=3)]))])\n(Archetype archetype=obj name=B members=[(EntryBlock body=(Block statements=[(AssignStatement targets=[x] type=int value=1)]))])',
  ],
  [
    'obj A { has a: int { get; set; } has b: int = 2 { get; }; has c: T { get { 1 } set(v: T) { } } }',
    '(Archetype archetype=obj name=A members=[(HasDecl items=[(HasItem name=a type=int value=None)]) (HasDecl items=[(HasItem name=b type=int value=2)]) (HasDecl items=[(HasItem name=c type=T accessors=[(Accessor sort=getter signature=(Signature) body=(Block statements=[(ExprStatement expr=1)] tail=(ExprStatement expr=1))) (Accessor sort=setter signature=(Signature hasList params=[(Param sort=plain name=v type=T)]) body=(Block))])])])\nW0145 37-38\nW0144 69-72\nW0144 79-82',
  ],
  [
    'obj A { has a: int { get; set; del; } has b: int { get { 1 } del { } } }',
    '(Archetype archetype=obj name=A members=[(HasDecl items=[(HasItem name=a type=int value=None)]) (HasDecl items=[(HasItem name=b type=int accessors=[(Accessor sort=getter signature=(Signature) body=(Block statements=[(ExprStatement expr=1)] tail=(ExprStatement expr=1))) (Accessor sort=deleter signature=(Signature) body=(Block))])])])\nW0144 51-54\nW0144 61-64',
  ],
  [
    'async class A { } async class def f { }',
    '(Archetype async archetype=class name=A)\n(FunctionDecl mods={class async} name=f signature=(Signature) body=(Block))\nW0514 0-5',
  ],
  // enums (docs/language/enums.md#enums)
  [
    'enum E { A = 1, B, node }',
    '(EnumDecl name=E members=[(EnumMember name=A value=1) (EnumMember name=B) (EnumMember name=node)])',
  ],
  [
    'enum:pub E: int { A B = 2 def f { } with entry { } }',
    '(EnumDecl access=pub name=E bases=[int] members=[(EnumMember name=A) (EnumMember name=B value=2)] body=[(FunctionDecl mods={} name=f signature=(Signature) body=(Block)) (EntryBlock body=(Block))])',
  ],
  ['enum E(str, Enum); enum F { }', '(EnumDecl name=E bases=[str Enum])\n(EnumDecl name=F)'],
  // implementations (docs/language/implementations.md#impl)
  [
    'impl A.m(x: int) -> T { }',
    '(ImplDecl target=[A m] signature=(Signature hasList params=[(Param sort=plain name=x type=int)] result=T) body=(ImplBody block=(Block)))',
  ],
  [
    'impl A.init(self, x) { } impl f() { } impl g -> int { 1 } impl h(x=1) { }',
    '(ImplDecl target=[A init] signature=(Signature hasList params=[(Param sort=plain name=self) (Param sort=plain name=x)]) body=(ImplBody block=(Block)))\n(ImplDecl target=[f] signature=(Signature hasList) body=(ImplBody block=(Block)))\n(ImplDecl target=[g] signature=(Signature result=int) body=(ImplBody block=(Block statements=[(ExprStatement expr=1)] tail=(ExprStatement expr=1))))\n(ImplDecl target=[h] signature=(Signature hasList params=[(Param sort=plain name=x value=1)]) body=(ImplBody block=(Block)))',
  ],
  [
    'impl A(Base) { has x: int; }',
    '(ImplDecl target=[A] bases=[Base] body=(ImplBody block=(Block statements=[(HasDecl items=[(HasItem name=x type=int)])]) members=[(HasDecl items=[(HasItem name=x type=int)])]))',
  ],
  [
    'impl A.go with Node entry { }',
    '(ImplDecl target=[A go] event=(Event trigger=Node when=entry) body=(ImplBody block=(Block)))',
  ],
  [
    'impl E { A, B = 1 }',
    '(ImplDecl target=[E] body=(ImplBody enumMembers=[(EnumMember name=A) (EnumMember name=B value=1)]))',
  ],
  [
    'impl E { A = f(1, 2), B }',
    '(ImplDecl target=[E] body=(ImplBody enumMembers=[(EnumMember name=A value=(Call callee=f args=[(Argument sort=positional value=1) (Argument sort=positional value=2)])) (EnumMember name=B)]))',
  ],
  [
    'impl f { a = g(1, 2); }',
    '(ImplDecl target=[f] body=(ImplBody block=(Block statements=[(AssignStatement targets=[a] value=(Call callee=g args=[(Argument sort=positional value=1) (Argument sort=positional value=2)]))]) members=[(AssignStatement targets=[a] value=(Call callee=g args=[(Argument sort=positional value=1) (Argument sort=positional value=2)]))]))',
  ],
  ['@d impl f by m();', '(ImplDecl decorators=[d] target=[f] body=(ImplBody by=(Call callee=m)))'],
  // placement (docs/language/placement.md#placement)
  [
    'cl { def f { } } sv glob a; na import x;',
    '(PlacedBlock placement=cl body=[(FunctionDecl mods={} name=f signature=(Signature) body=(Block))])\n(GlobDecl placement=sv items=[(GlobItem name=a)])\n(ImportModules placement=na items=[(ImportModuleItem path=(ModulePath level=0 segments=[x]))])\nW0206 28-30',
  ],
  [
    '::py:: import os ::py:: def f { }',
    '(InlineForeign text= import os )\n(FunctionDecl mods={} name=f signature=(Signature) body=(Block))\nE0901 0-6',
  ],
])('%s', (text, printed) => {
  expect(elements(text)).toBe(printed);
});

test('implementation bodies are members only when every statement may be one', () => {
  const bodyOf = (text: string) => {
    const [decl] = parseText(text).tree.body;
    return decl?.kind === 'ImplDecl' ? decl.body : undefined;
  };
  expect(bodyOf('impl A { has x; def f { } }')?.members?.length).toBe(2);
  expect(bodyOf('impl A { has x; with entry { } }')?.members?.length).toBe(2);
  expect(bodyOf('impl A { x = 1; f(); }')?.members).toBeUndefined();
  expect(bodyOf('impl A { }')?.members).toEqual([]);
});

test('documentation', () => {
  const { tree } = parseText('"module" "first" def f { } "second" obj A { "field" has x; }');
  expect(tree.doc?.value).toBe('module');
  expect(tree.body.map((element) => ('doc' in element ? element.doc?.value : undefined))).toEqual(['first', 'second']);
  expect(parseText('"only" def f { }').tree.doc?.value).toBe('only');
});

test('a section marker places what follows it', () => {
  const placements = (text: string) =>
    parseText(text).tree.body.map((element) => ('placement' in element ? element.placement : undefined));
  expect(placements('def a { } to cl: def b { } sv def c { } glob d = 1; to sv: obj e { }')).toEqual([
    undefined,
    'cl',
    'sv',
    'cl',
    'sv',
  ]);
  const { tree } = parseText('to cl: sv { def a { } to cl: def b { } } def c { }');
  const block = tree.body[0];
  expect(block?.kind === 'PlacedBlock' && block.body.map((element) => element.placement)).toEqual([undefined, 'cl']);
  expect(tree.body[1]?.placement).toBe('cl');
});

test('one mistake is one error', () => {
  expect(codes('obj A { has name str; has size: int 3; }')).toEqual(['E0110 str', 'E0110 3']);
  expect(codes('obj A has x: int; }\ndef g { }')).toEqual(['E0110 has']);
  expect(codes('obj A\n    has x: int;\n    def f { }\n}\ndef g { }')).toEqual(['E0110 has']);
  expect(codes('with entry\n    f();\n    g();\n}\ndef g { }')).toEqual(['E0110 f']);
  expect(codes('walker W {\n    can a with Root entry f(); }\n    can b with Root entry { }\n}')).toEqual(['E0110 f']);
  expect(codes('def f { try g(); } except E { } h(); }')).toEqual(['E0110 g']);
  expect(codes('class A {\n    def f {\n        g();\n\n}\n\nwith entry { A(); }\ntest "x" { }')).toEqual(['E0111']);
  expect(codes('def f { g 1, 2); h(); }')).toEqual(['E0120']);
  expect(codes('def f { g(1), 2); h(); }')).toEqual(['E0110 ,']);
  expect(codes('def f { print(1 2.1, 3), 4); h({"a": 1, 2, 3, "b": 4}); }')).toEqual(['E0110 2.1', 'E0110 ,']);
  expect(codes('def f { g(a(, b(1)); h(); }')).toEqual(['E0112 ,']);
  expect(codes('def f { g(lambda ) : h(1, 2)); h(); }')).toEqual(['E0113 )']);
  expect(codes('def f { x = 1 y = 2; a b = 3; }\ndef g { f( }')).toEqual(['E0120', 'E0112 }']);
});

test('what is wrong with declarations', () => {
  expect(codes('; def f { };')).toEqual(['W0201 ;']);
  expect(codes('print(1); x = 2; def f { } y = 3;')).toEqual(['E0202 print(1);', 'E0202 y = 3;']);
  expect(codes('let a = 1; cl { let b: dict = {}; let: pub d = 3; } cl let c = 2;')).toEqual(
    Array(4).fill('W0144 let'),
  );
  expect(codes('def f(a: obj, b: int) -> obj { x: obj = a; return x; }')).toEqual(Array(3).fill('W0144 obj'));
  expect(codes('def f(a: list[obj], b: None | dict[str, obj | int]) { }')).toEqual(Array(2).fill('W0144 obj'));
  expect(codes('to cl: def f { }')).toEqual(['W0207 to cl:']);
  expect(codes('with exit { }')).toEqual(['E0210 with exit']);
  expect(codes('def f { cl def g { } sv { x = 1; } }')).toEqual(['E0205 cl', 'E0205 sv']);
  expect(codes('def f(class, root: int) { }')).toEqual(['E0140 class', 'E0140 root']);
  expect(codes('def f(node: int, entry, *test, **case) { node.x = entry; }')).toEqual([]);
  expect(codes('obj A { has constructor; has `__proto__; }')).toEqual(['E0142 constructor', 'E0142 `__proto__']);
  expect(codes('node N : A --> B { }')).toEqual(['E0521 : A --> B']);
  expect(codes('obj A(B, metaclass=M) { }')).toEqual(['E0906 metaclass=M']);
  expect(codes('class M(type) { } class N(abc.ABCMeta) { } class O(EnumMeta) { } class P(ABC) { }')).toEqual([
    'E0906 type',
    'E0906 abc.ABCMeta',
    'E0906 EnumMeta',
  ]);
  expect(codes('class A(Enum, metaclass=EnumMeta) { }')).toEqual([]);
  expect(codes('class M(type) { }')).toEqual(['E0906 type']);
  expect(codes('class A(metaclass=ABCMeta) { } class C(B, metaclass=abc.ABCMeta, name="c", rank=1 + 2) { }')).toEqual(
    [],
  );
  expect(codes('impl A(B, name=1) { }')).toEqual(['E0906 name=1']);
  expect(codes('import from "m" { def sqrt(x: f64) -> f64; }')).toEqual(['E0903 def']);
  expect(codes('obj A { def(x: int) { } }')).toEqual(['E0113 (']);
  expect(codes('obj A { can(y: int) { } }')).toEqual(['E0110 can']);
  expect(codes('def { }')).toEqual(['E0113 {']);
  expect(codes('with entry { f() }')).toEqual(['E0220 f()']);
  expect(codes('test "t" { 1 }')).toEqual(['E0220 1']);
  expect(codes('walkr W { has x; }')).toEqual(['E0110 walkr']);
  expect(codes('obj { }')).toEqual(['E0113 {']);
  expect(codes('can x with T entry { }')).toEqual(['E0110 can x with T entry { }']);
  expect(codes('enum E { A, B ::py:: x = 1 ::py:: }')).toEqual(['E0901 ::py::']);
  expect(codes('import date-fns;')).toEqual(['E0110 ;']);
  expect(codes('import date - fns as d;')).toEqual(['E0120']);
  expect(codes('::py:: x')).toEqual(['E0103 ::py::']);
  expect(codes('enum E { A; B }')).toEqual(['E0110 ;']);
});

test('a member that is only dots says nothing', () => {
  for (const kind of ['class', 'obj', 'node', 'walker']) expect(codes(`${kind} A { ...; }`)).toEqual([]);
  expect(codes('class A { """doc"""; x: int = 3; }')).toEqual([]);
  expect(codes('class A { """doc""" ...; x: int = 3; ... }')).toEqual([]);
});
