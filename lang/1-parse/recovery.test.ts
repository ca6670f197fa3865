import { expect, test } from 'vitest';
import { codes, codesIn, nodesOf, parseText } from './parse-for-tests.ts';

/** Lines on which something was reported, with the codes. */
function byLine(text: string): string[] {
  return parseText(text).diagnostics.map(({ code, start }) => `${text.slice(0, start).split('\n').length} ${code}`);
}

test('ten errors in ten places are ten diagnostics, each at its place', () => {
  const text = `glob total = ;
node Task {
    has title: str
    has done: bool = False;
    can start with Root entry {
        visit [-->;
    }
}
def first(a: int, b int) -> int {
    x = a +;
    return x;
}
walker Find {
    has found: list = [];
    can go with Task entry {
        self.found.append(here.title;
        a, b = 1, 2;
    }
}
def second {
    for i in range(3 {
        print(i);
    }
    s = "unclosed;
    y = 3;
    return y
}
wlker Bad { has x: int; }
test "fine" { assert 1 == 1; }
`;
  expect(byLine(text)).toEqual([
    '1 E0112',
    '3 E0120',
    '6 E0111',
    '9 E0110',
    '10 E0112',
    '16 E0111',
    '17 E0122',
    '21 E0111',
    '24 E0100',
    '26 E0120',
    '28 E0110',
  ]);
  expect(parseText(text).tree.body.map(({ kind }) => kind)).toEqual([
    'GlobDecl',
    'Archetype',
    'FunctionDecl',
    'Archetype',
    'FunctionDecl',
    'TestBlock',
  ]);
});

test('a missing semicolon is reported behind the previous token and changes nothing else', () => {
  const body = 'x = 1\ny = 2\nz = 3;';
  const { tree, diagnostics } = parseText(`def f {\n${body}\n}`);
  expect(diagnostics.map(({ code, start, end }) => [code, start, end])).toEqual([
    ['E0120', 13, 13],
    ['E0120', 19, 19],
  ]);
  expect([...nodesOf(tree)].filter(({ node }) => node.kind === 'AssignStatement').length).toBe(3);
  expect(codesIn('return')).toEqual(['E0120']);
  expect(codesIn('x = 1\nif a { }')).toEqual(['E0120']);
  expect(codesIn('x = 1\nif a { } else { }')).toEqual(['E0120']);
  expect(codesIn('return\nif a { }')).toEqual(['E0120']);
  expect(codesIn('foo bar baz;')).toEqual(['E0120']);
});

test('documentation at the head of a body needs no semicolon', () => {
  expect(codesIn('"""What it does."""\nx = 1;')).toEqual([]);
  expect(codesIn('"What it does."\n"""More."""\nreturn 1;')).toEqual([]);
  expect(codesIn('"""What it does."""\nif a { }')).toEqual([]);
  expect(codesIn('# of {a} and {b}\n"""What it does."""\nx = 1;')).toEqual([]);
  expect(codesIn('"""One.""" x = 1;')).toEqual(['E0120']);
  expect(codesIn('x = 1;\n"""Not at the head."""\ny = 2;')).toEqual(['E0120']);
});

test.each([
  // one root cause, one diagnostic
  ['x = f(1, 2;\ny = 3;', ['E0111']],
  ['x = f(a b, c);\ny = 3;', ['E0110 b']],
  ['x = f(\n  a\n  b\n);\ny = 3;', ['E0110 b']],
  ['x = [1, 2;\ny = 3;', ['E0111']],
  ['x = {1: 2;\ny = 3;', ['E0111']],
  ['x = (1, 2;\ny = 3;', ['E0111']],
  ['x = a[1;\ny = 3;', ['E0111']],
  ['x = ) y;\nz = 3;', ['E0112 )']],
  ['x = 1 + ;', ['E0112 ;']],
  ['x = * ;', ['E0112 ;']],
  ['x = a b c = d;', ['E0120']],
  ['a = b or or c;', ['E0112 or']],
  ['return a, b;', ['E0110 ,']],
  ['f(), g();', ['E0110 ,']],
  ['x = 1, 2;', ['E0110 ,']],
  ['if x = 3 { f(); }', ['E0110 =']],
  ['if x\n  f();\n}\ng();', ['E0110 f', 'E0110 }'].slice(0, 1)],
  ['x = 1;\nif x { y = 2;', ['E0111']],
  ['def g( { }', ['E0113 {']],
  ['def g(a, { }', ['E0113 {']],
  ['def (a) { }', []],
  ['for in xs { }', ['E0112 in']],
  ['for x xs { f(); }', ['E0110 xs']],
  ['x = [i for i xs];', ['E0110 xs']],
  ['with a as { }', ['E0112 {'].slice(0, 0)],
  ['x = lambda a b: c;', ['E0110 b']],
  ['x = lambda (a: int;\ny = 1;', ['E0111']],
  ['x = a.;\ny = 1;', ['E0113 ;']],
  ['x = a ? ;', ['E0150 ?']],
  ['x.y() z.w();', ['E0120']],
  ['import from m a, b;', ['E0110 a']],
  ['raise X from ;', ['E0112 ;']],
  ['x = xs[?a];', ['E0110 ]']],
  ['x = xs(?:T;\ny = 1;', ['E0111']],
  ['a?.b = 1;', ['E0161 a?.b']],
  ['a?.b.c += 1;', ['E0161 a?.b.c']],
  ['f() = 1;', ['E0110 f()']],
  ['1 = x;', ['E0110 1']],
  ['x = y := 3;', []],
  ['x = (y.z := 3);', ['E0113 y.z']],
  ['f(a=1, 2, 3);', ['E0160 2', 'E0160 3']],
])('%s', (body, expected) => {
  const found = codesIn(body);
  if (expected.length > 0) expect(found).toEqual(expected);
  else expect(found.length).toBeLessThanOrEqual(1);
});

test('syntax of other languages (3.15)', () => {
  expect(codesIn('a, b = 1, 2;')).toEqual(['E0122 a, b']);
  expect(codesIn('for a, b in xs { }')).toEqual(['E0123 a, b']);
  expect(codesIn('x = [a for a, b in xs];')).toEqual(['E0123 a, b']);
  expect(codesIn('x = c ? a : b;')).toEqual(['E0150 ?']);
  expect(codesIn('x = c?a:b;')).toEqual(['E0150 ?']);
  expect(codesIn('x = f(c ?[a] : b);')).toEqual(['E0150 ?']);
  expect(codesIn('x = a > 1 ? "y" : z();')).toEqual(['E0150 ?']);
  expect(codesIn('x = !a;')).toEqual(['E0151 !']);
  expect(codesIn('if !a && b { }')).toEqual(['E0151 !', 'W0134 &&']);
  expect(codesIn('x++;')).toEqual(['E0152 x++']);
  expect(codesIn('self.n--;')).toEqual(['E0152 self.n--']);
  expect(codesIn('x = (a) => a + 1;')).toEqual(['E0153 (a) =>']);
  expect(codesIn('xs.map((a, b) => { return a; });')).toEqual(['E0153 (a, b) =>']);
  expect(codesIn('f(x => x);')).toEqual(['E0153 x =>']);
  expect(codesIn('try { f(); } catch e { g(); }')).toEqual(['E0154 catch']);
  expect(codesIn('try { f(); } catch (e) { g(); } finally { }')).toEqual(['E0154 catch']);
  expect(codesIn('catch { }')).toEqual(['E0154 catch']);
  expect(codesIn('x = new Foo(1);')).toEqual(['E0155 new']);
  expect(codesIn('match x { case 1 { f(); } }')).toEqual(['E0156']);
});

test('help texts say what to write', () => {
  const helpOf = (body: string) => parseText(`def f {\n${body}\n}`).diagnostics[0]?.help;
  expect(helpOf('a, b = b, a;')).toBe('write `(a, b) = (b, a);`');
  expect(helpOf('a, b = f();')).toBe('write `(a, b) = f();`');
  expect(helpOf('for a, b in xs { }')).toBe('write `for (a, b) in …`');
  expect(helpOf('x++;')).toBe('use `x += 1`');
  expect(helpOf('f({"go": async lambda x: int -> None { await g(x); }});')).toBe(
    'write `lambda` alone: one whose body waits is asynchronous',
  );
  expect(helpOf('x = new Foo(1);')).toBe('call `Foo(…)`; for JavaScript classes `new(Foo, …)`');
  const tag = (text: string) => parseText(text).diagnostics.map(({ message, help }) => `${message} (${help})`);
  const expected = 'expected `pub`, `priv` or `protect`, found';
  for (const declaration of ['def:publik f { }', 'obj:publik A { }', 'enum:publik E { A }', 'glob:publik g = 1;'])
    expect(tag(declaration)).toEqual([`${expected} \`publik\` (did you mean \`pub\`?)`]);
  expect(tag('walker:public W { has:protec a: int; can:private go with Root entry { } }')).toEqual([
    `${expected} \`public\` (did you mean \`pub\`?)`,
    `${expected} \`protec\` (did you mean \`protect\`?)`,
    `${expected} \`private\` (did you mean \`priv\`?)`,
  ]);
  expect(tag('def: f { }')).toEqual([`${expected} \`f\` (undefined)`]);
  expect(tag('edge L: N --> N { } def f { node: int = 1; walker: str = "a"; obj: list = [node, walker]; }')).toEqual(
    [],
  );
  expect(parseText('walker W:pub { }').diagnostics[0]?.help).toBe('the tag stands before the name: `walker:pub W`');
});

test('clauses without their statement', () => {
  expect(codesIn('else { f(); }')).toEqual(['E0121 else']);
  expect(codesIn('elif a { f(); }')).toEqual(['E0121 elif']);
  expect(codesIn('except E as e { f(); }')).toEqual(['E0121 except']);
  expect(codesIn('finally { f(); }')).toEqual(['E0121 finally']);
  expect(codesIn('if a { }; else { f(); }')).toEqual(['E0121 else']);
});

test('what only stands at module level ends unclosed blocks', () => {
  expect(byLine('def f {\n    if a {\n        g();\n}\nwith entry {\n    f();\n}\ntest "t" { x = ; }\n')).toEqual([
    '4 E0111',
    '8 E0112',
  ]);
});

test('a block without its brace is found by indentation', () => {
  const text = 'def f {\n    while x > 0\n        x -= 1;\n    }\n    y = 2;\n}\ndef g { }\n';
  expect(byLine(text)).toEqual(['3 E0110']);
  expect(parseText(text).tree.body.length).toBe(2);
  expect(byLine('def f {\n    if x:\n        y = 1;\n    z = 2;\n}\n')).toEqual(['2 E0110']);
});

test('text nested too deeply is reported once and does not overflow the stack', () => {
  const opened = [
    '(',
    '[',
    '{a: ',
    'f(',
    '-',
    'not ',
    'lambda: ',
    'lambda x: f(',
    'lambda (a=',
    'f"{',
    '<a>{',
    '<a b={',
    'a ** ',
    'a if b else ',
    '[a --> (',
    'a +>: ',
    'await ',
    'yield ',
    '(def { ',
  ];
  for (const piece of opened)
    expect(codes(`def f { x = ${piece.repeat(3000)}`)).toEqual([expect.stringMatching(/^E0107/)]);
  for (const piece of ['def f { ', 'obj A { ', 'cl { ', 'impl f { ', 'def f { match x { case 1: ']) {
    expect(codes(piece.repeat(3000))).toEqual([expect.stringMatching(/^E0107/)]);
  }
  expect(codesIn(`x = ${'('.repeat(150)}1${')'.repeat(150)};`)).toEqual([]);
  expect(codesIn(`x = ${'a + '.repeat(20_000)}1;`)).toEqual([]);
});

test('nested text that has to be tried is not tried again and again', () => {
  const pieces = [
    '(a\nif ',
    'f(a\nif (',
    'lambda: (a\nif ',
    'lambda x: {a: lambda x: ',
    'lambda a=lambda: { ',
    'match x { case a(lambda { match x { case a(',
    'match x { case a.b + (lambda { match x { case a.c + (',
    'a\nif lambda { a\nif ',
    '[edge (lambda { [edge (',
    'match (lambda { match (',
  ];
  for (const piece of pieces) expect(codes(`def f { ${piece.repeat(60)}`).length).toBeGreaterThan(0);
});

test('what is skipped after an error may hold formatted strings: their text is not taken for code', () => {
  const text = `:thing:Shape:way:describe() -> str { return f"{self.name}:{self.area:.2f}'s {{"; }
:thing:A { f'it''s {d["k"]} {e['k']}'; f"""a "b" {c}
"""; }
obj B { has x: int; }
test bad! f"{a}" {
}
with entry { print(f"{1:>{2}}"); }
`;
  expect(byLine(text)).toEqual(['1 E0110', '2 E0110', '5 E0110']);
});

test('clauses with and without a star do not mix', () => {
  expect(byLine('with entry {\n  try { f(); }\n  except *A as e { }\n  except B { }\n}')).toEqual(['4 E0110']);
  expect(byLine('with entry {\n  try { f(); }\n  except A { }\n  except *B { }\n}')).toEqual(['4 E0110']);
  expect(codesIn('try { } except* ValueError { } except TypeError { }')).toEqual(['E0110 TypeError']);
  expect(codesIn('try { } except ValueError { } except* TypeError { }')).toEqual(['E0110 *']);
  expect(byLine('with entry {\n  try { f(); }\n  except* { }\n}')).toEqual(['3 E0110']);
});

test('a long body of texts that stand alone takes time by its length', () => {
  // Whether a text documents its body is asked for each: looking back to the brace every time took minutes.
  const text = `def f { x = 1;\n${'"a text"\nx = 2;\n'.repeat(80_000)}}`;
  expect(codes(text)).toHaveLength(80_000);
});
