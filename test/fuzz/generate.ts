/**
 * Programs of every construct of the grammar (docs/language/grammar.md#grammar) that has a server meaning, put together
 * at random. They compile: names may be undefined and types may not fit, but there is nothing in them that keeps a
 * program from running.
 */
import type { Random } from '../harness/random.ts';

interface Place {
  readonly random: Random;
  /** Number of levels that expressions and statements may still go deeper. */
  readonly depth: number;
  readonly inFunction: boolean;
  readonly inLoop: boolean;
  readonly inAbility: boolean;
  readonly isAsync: boolean;
}

const names = ['a', 'b', 'c', 'xs', 'd', 'n', 's', 'item', 'value', 'count', '`list', '`node', 'test', 'print', 'len'];
const fields = ['name', 'left', 'items', 'n', 'from', 'default', 'type', 'reports'];
const types = [
  'int',
  'str',
  'float',
  'bool',
  'list',
  'dict',
  'any',
  'list[int]',
  'dict[str, A]',
  'A | None',
  'N',
  '"A"',
  'tuple[int, ...]',
  'set[str]',
  'bytes',
];
const binary = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '**',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  'and',
  'or',
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'not in',
  'is',
  'is not',
  '|>',
  '<|',
];
const augmented = ['+=', '-=', '*=', '/=', '//=', '%=', '**=', '&=', '|=', '^=', '<<=', '>>='];

/** A whole program. */
export function generateProgram(random: Random): string {
  const p: Place = { random, depth: 3, inFunction: false, inLoop: false, inAbility: false, isAsync: false };
  const parts = random.oneIn(3) ? ['"""Documentation."""'] : [];
  parts.push('import math, json as j;', 'import from os.path { join as path_join }');
  parts.push(`obj A ${members(p, 'obj')}`, `obj B(A) ${members(p, 'obj')}`);
  parts.push(`node N ${members(p, 'node')}`, `node M(N) ${members(p, 'node')}`, `edge E ${members(p, 'edge')}`);
  parts.push(
    `${random.oneIn(4) ? 'async ' : ''}walker W ${members(p, 'walker')}`,
    `class K { has v: int = 1; def m(self) { return self.v; } }`,
  );
  parts.push(
    random.pick([
      'enum Color { RED = 1, GREEN, BLUE = "b" }',
      'enum Color: int { RED = 200, GREEN = 404 }',
      'enum Color { RED = auto(), GREEN = auto() }',
    ]),
  );
  for (let i = random.below(4) + 1; i > 0; i--) parts.push(globals(p, i));
  for (let i = random.below(4) + 1; i > 0; i--) parts.push(definition(p, `f${i}`));
  if (random.oneIn(3))
    parts.push('def later(a: int, b: str = "x") -> int;', `impl later { ; ${statements(inside(p), 2)} }`);
  if (random.oneIn(3)) parts.push(`type Alias = ${random.pick(types)};`, 'sem f1 = "what it does";');
  if (random.oneIn(2)) parts.push(`with entry ${block({ ...p, isAsync: true })}`);
  if (random.oneIn(3)) parts.push(`with entry:__main__ ${block({ ...p, isAsync: true })}`);
  if (random.oneIn(3)) parts.push(`test "it" ${block({ ...p, isAsync: true, inFunction: true })}`);
  return `${parts.join('\n')}\n`;
}

function deeper(p: Place): Place {
  return { ...p, depth: p.depth - 1 };
}

function inside(p: Place, isAsync = false): Place {
  return { ...p, inFunction: true, inLoop: false, inAbility: false, isAsync };
}

function many(random: Random, most: number, make: () => string, joint = ', '): string {
  return Array.from({ length: random.below(most + 1) }, make).join(joint);
}

function some(random: Random, most: number, make: () => string, joint = ', '): string {
  return Array.from({ length: 1 + random.below(most) }, make).join(joint);
}

// ---------------------------------------------------------------- declarations

function globals(p: Place, i: number): string {
  return p.random.pick([
    () => `glob g${i}: ${p.random.pick(types)} = ${expression(p)};`,
    () => `glob g${i} = ${expression(p)}, h${i};`,
    () => `glob g${i} = h${i} = ${expression(p)};`,
    () => `glob:pub g${i} = ${expression(p)};`,
  ])();
}

function definition(p: Place, name: string): string {
  const isAsync = p.random.oneIn(5);
  const q = inside(p, isAsync);
  const body = p.random.oneIn(8) ? `{ ${statements(q, 2)} ${expression(q)} }` : block(q);
  const result = p.random.oneIn(2) ? ` -> ${p.random.pick(types)}` : '';
  const decorator = p.random.oneIn(12) ? '@memo ' : '';
  return `${decorator}${isAsync ? 'async ' : ''}def ${p.random.pick(['', ':pub ', ':priv '])}${name}${params(p)}${result} ${body}`;
}

function params(p: Place): string {
  const { random } = p;
  return random.pick([
    () => '',
    () => '()',
    () => `(a: ${random.pick(types)}, b: ${random.pick(types)} = ${literal(random)})`,
    () => `(a: int, *xs: any, c: int = ${literal(random)}, **d: any)`,
    () => '(a: int, /, b: int, *, n: int = 1)',
    () => `(xs: list[int], s: str = ${literal(random)})`,
  ])();
}

function members(p: Place, kind: string): string {
  const { random } = p;
  const list: string[] = [];
  if (random.oneIn(2)) list.push(`"""About this ${kind}."""`);
  list.push(`has name: str = ${literal(random)}, left: any = None;`);
  if (random.oneIn(2))
    list.push(
      `has items: list = ${random.pick(['[]', '[1, 2]', '{}'])}, n: ${random.pick(['int', 'float'])} = ${literal(random)};`,
    );
  if (random.oneIn(4)) list.push('has made: int by postinit;', 'def postinit { self.made = 1; }');
  if (random.oneIn(5)) list.push('static has shared: int = 0;');
  if (random.oneIn(5))
    list.push(`has area: float { getter { return ${expression(inside(p))}; } setter { self.n = value; } }`);
  for (let i = random.below(3); i > 0; i--) list.push(definition(p, `m${i}`));
  if (random.oneIn(4)) list.push(`static def make -> any ${block(inside(p))}`);
  if (random.oneIn(5))
    list.push(`def __str__ -> str { return ${literal(random)}; }`, 'def __len__ -> int { return 1; }');
  if (kind === 'walker' || kind === 'node' || kind === 'edge') {
    const triggers = kind === 'walker' ? ['Root', 'N', 'M', 'N | M', '`root', '(N, M)', 'E'] : ['W', 'W'];
    for (let i = random.below(3) + (kind === 'walker' ? 1 : 0); i > 0; i--) {
      const isAsync = random.oneIn(8);
      const q = { ...inside(p, isAsync), inAbility: true };
      const name = random.oneIn(3) ? '' : ` ability${i}`;
      const trigger = random.oneIn(4) ? '' : ` ${random.pick(triggers)}`;
      list.push(
        `${isAsync ? 'async ' : ''}can${name} with${trigger} ${random.pick(['entry', 'entry', 'exit'])} ${block(q)}`,
      );
    }
  }
  return `{ ${list.join('\n    ')} }`;
}

// ---------------------------------------------------------------- statements

function block(p: Place): string {
  return `{ ${statements(deeper(p), 3)} }`;
}

function statements(p: Place, most: number): string {
  return some(p.random, most, () => statement(p), '\n    ');
}

/** A brace behind the label of a case opens a block. */
function caseBody(p: Place, most: number): string {
  return statements(deeper(p), most).replace(/^(?=\{)/, '; ');
}

function statement(p: Place): string {
  const { random } = p;
  const e = () => expression(p);
  const name = () => random.pick(names);
  if (p.depth <= 0) return random.pick([() => `${name()} = ${e()};`, () => `${e()};`, () => ';'])();
  const loop = { ...deeper(p), inLoop: true };
  const forms: (() => string)[] = [
    () => `${name()} = ${e()};`,
    () => `${name()} = ${e()};`,
    () => `${e()};`,
    () => `(${name()}, ${name()}) = ${e()};`,
    () => `[${name()}, *${name()}] = ${e()};`,
    () => `${name()} ${random.pick(augmented)} ${e()};`,
    () => `v${random.below(9)}: ${random.pick(types)} = ${e()};`,
    () => `${target(p)} = ${e()};`,
    () => `${target(p)} ${random.pick(augmented)} ${e()};`,
    () => `a = b = ${e()};`,
    () => `let ${random.pick(['a', 'b'])} = ${e()};`,
    () =>
      `if ${operand(p)} ${block(p)}${random.oneIn(2) ? ` elif ${operand(p)} ${block(p)}` : ''}${random.oneIn(2) ? ` else ${block(p)}` : ''}`,
    () => `while ${operand(p)} ${block(loop)}${random.oneIn(5) ? ` else ${block(p)}` : ''}`,
    () =>
      `for ${random.pick(['a', '(a, b)', '[a, *b]'])} in ${operand(p)} ${block(loop)}${random.oneIn(5) ? ` else ${block(p)}` : ''}`,
    () => `for a = 0 to a < ${random.below(5)} by a += 1 ${block(loop)}`,
    () => `for a = 0 while a < ${random.below(5)} with a += 1 ${block(loop)}`,
    () =>
      `try ${block(p)} except ${random.pick(['ValueError', '(KeyError, TypeError)', 'Exception'])} as e ${block(p)}${random.oneIn(3) ? ` else ${block(p)}` : ''}${random.oneIn(3) ? ` finally ${block(p)}` : ''}`,
    () => `with ${operand(p)}${random.oneIn(2) ? ' as a' : ''} ${block(p)}`,
    () =>
      `match ${operand(p)} { ${some(random, 3, () => `case ${pattern(p, 2)}${random.oneIn(4) ? ` if ${e()}` : ''}: ${caseBody(p, 2)}`, ' ')} }`,
    () =>
      `switch ${operand(p)} { ${some(random, 3, () => `case ${literal(random)}: ${caseBody(p, 1)}`, ' ')} default: ${caseBody(p, 1)} }`,
    () => `raise ${random.pick([`ValueError(${e()})`, 'KeyError', `Exception(${e()}) from ${e()}`])};`,
    () => `assert ${e()}${random.oneIn(2) ? `, ${e()}` : ''};`,
    () => `del ${random.pick(['a[0]', 'd.name', 'a', 'd["k"], a[1:]'])};`,
    () => `report ${e()};`,
    () => 'global g1;',
    () => `def inner${random.below(9)}${params(p)} ${block(inside(p))}`,
    () => `obj Inner${random.below(9)} { has x: int = 1; }`,
    () => `import from ${random.pick(['math { sqrt }', 'collections { deque, Counter as C }'])}`,
    () => `->N ${block(p)}`,
    () => `in A() ${block(p)}`,
    () => `root ${random.pick(['++>', '+>: E() :+>', '+>: E : n=1 :+>', '<++>', '<++'])} N();`,
    () => `root spawn W(name=${e()});`,
    () => `a del --> b;`,
  ];
  if (p.inFunction)
    forms.push(
      () => `return ${e()};`,
      () => 'return;',
      () => 'skip;',
    );
  if (p.inLoop)
    forms.push(
      () => 'break;',
      () => 'continue;',
    );
  if (p.inAbility) {
    forms.push(
      () => `visit ${edges(p)};`,
      () => `visit ${edges(p)} else ${block(p)}`,
      () => `visit : 0 : ${edges(p)};`,
      () => 'disengage;',
      () => `report here.name;`,
    );
  }
  if (p.isAsync) forms.push(() => `await ${random.pick(['f1()', 'a', 'a.m1(1)'])};`);
  return random.pick(forms)();
}

function target(p: Place): string {
  const { random } = p;
  return random.pick([
    () => `a.${random.pick(fields)}`,
    () => `a[${expression(deeper(p))}]`,
    () => 'xs[1:2]',
    () => `a.left.${random.pick(fields)}`,
    () => 'd["k"]["l"]',
  ])();
}

function pattern(p: Place, depth: number): string {
  const { random } = p;
  if (depth === 0) return random.pick(['1', '-1', '"a"', 'None', 'True', '_', 'captured', 'Color.RED', '2.5']);
  const inner = () => pattern(p, depth - 1);
  return random.pick([
    () => inner(),
    () => `[${many(random, 3, inner)}]`,
    () => `[${inner()}, *rest]`,
    () => `(${inner()}, ${inner()})`,
    () => `{"k": ${inner()}, **rest}`,
    () => `A(name=${inner()})`,
    () => `int() | str() as w`,
    () => `1 | 2 | "x"`,
  ])();
}

// ---------------------------------------------------------------- expressions

function expression(p: Place): string {
  const { random } = p;
  if (p.depth <= 0) return operand(p);
  const q = deeper(p);
  const e = () => expression(q);
  const o = () => operand(q);
  return random.pick([
    () => o(),
    () => o(),
    () => o(),
    () => `${o()} ${random.pick(binary)} ${o()}`,
    () => `${o()} ${random.pick(binary)} ${o()} ${random.pick(binary)} ${o()}`,
    () => `${random.pick(['-', '+', '~', 'not '])}${o()}`,
    () => `${o()} if ${o()} else ${e()}`,
    () => lambda(q),
    () => `${o()} as ${random.pick(['int', 'str', 'A'])}`,
    () => `root ${random.pick(['++>', '<++>', '+>: E() :+>'])} N(name=${e()})`,
    () => `root spawn W(${e()})`,
  ])();
}

function lambda(p: Place): string {
  const q = inside(p);
  return p.random.pick([
    () => `lambda : ${expression(q)}`,
    () => `lambda x: int, y: int : x + ${operand(q)}`,
    () => `lambda (x: any) { ${expression(q)} }`,
    () => `lambda x: any -> any { return ${expression(q)}; }`,
    () => `lambda -> any { ${statements(q, 2)} }`,
    () => `lambda { ${expression(q)}; }`,
    () => 'lambda x, y -> int { return x; }',
  ])();
}

/** Makes an expression that can stand next to any operator. */
function operand(p: Place): string {
  const { random } = p;
  if (p.depth <= 0) return random.oneIn(3) ? random.pick(names.slice(0, 12)) : literal(random);
  const q = deeper(p);
  const e = () => expression(q);
  return random.pick([
    () => literal(random),
    () => random.pick(names),
    () => `(${e()})`,
    () => `${operand(q)}.${random.pick(fields)}`,
    () => `${operand(q)}?.${random.pick(fields)}`,
    () => `${operand(q)}[${e()}]`,
    () => `${operand(q)}[${many(random, 1, e)}:${many(random, 1, e)}]`,
    () => `${operand(q)}?[${e()}]`,
    () =>
      `${random.pick(['f1', 'f2', 'len', 'str', 'print', 'sorted', 'A', 'N', 'int', 'math.floor', 'isinstance', 'sum', 'range'])}(${args(q)})`,
    () =>
      `${operand(q)}.${random.pick(['append', 'm1', 'get', 'items', 'upper', 'join', 'split', 'copy'])}(${args(q)})`,
    () => `[${many(random, 3, () => (random.oneIn(6) ? `*(${operand(q)})` : e()))}]`,
    () => `(${e()}, ${e()})`,
    () => `{${some(random, 2, () => (random.oneIn(6) ? `**${operand(q)}` : `${literal(random)}: ${e()}`))}}`,
    () => `{${operand(q)}, ${operand(q)}}`,
    () => `[${e()} for a in ${operand(q)}${random.oneIn(2) ? ` if ${operand(q)}` : ''}]`,
    () => `{a: ${e()} for (a, b) in ${operand(q)}}`,
    () => `sum(${e()} for a in ${operand(q)})`,
    () => formatted(q),
    () => edges(q),
    () =>
      `xs${random.pick(['[?:N]', '[?:N, n > 1]', '[?n == 1, name != "x"]', '(?:N)', '(`?N: n > 1)', '(?n > 2)', '(=n=1, name="x")'])}`,
    () => `(${random.pick(['a', 'b'])} := ${e()})`,
    () => (p.isAsync ? '(await a)' : 'self'),
    () =>
      random.pick([
        'self',
        'here',
        'root',
        'visitor',
        'Color.RED',
        'Color["GREEN"]',
        'Color(1)',
        'super.m1()',
        'self.n',
        'here.name',
        'math.pi',
        'a .> copy()',
        '`list(xs)',
      ]),
    () => `(${operand(q)} if ${operand(q)} else ${e()})`,
  ])();
}

function args(p: Place): string {
  const positional = many(p.random, 2, () => (p.random.oneIn(8) ? `*(${operand(p)})` : expression(p)));
  const named = p.random.oneIn(4) ? `${p.random.pick(['key', 'n', 'name', 'from'])}=${expression(p)}` : '';
  return [positional, named].filter((part) => part !== '').join(', ');
}

function edges(p: Place): string {
  return p.random.pick([
    () => '[-->]',
    () => '[<--]',
    () => '[root -->]',
    () => '[here <-->]',
    () => '[->:E:->]',
    () => '[a ->:E:n > 1:->]',
    () => '[<-:E:<-]',
    () => '[edge -->]',
    () => '[edge a ->:E:-> b]',
    () => '[-->[?:N]]',
    () => `[-->(\`?M: n == ${literal(p.random)})]`,
    () => '[root --> -->]',
    () => '[-->][?:N, name == "x"]',
    () => '[[a, b] -->]',
  ])();
}

function formatted(p: Place): string {
  const part = () =>
    p.random.pick([
      () => 'text ',
      () => '{{}}',
      () => `{ ${operand(p)}}`,
      () => `{${random(p)}!r}`,
      () => `{${random(p)}:>10}`,
      () => `{${random(p)}:{n}.2f}`,
      () => `{${random(p)}=}`,
    ])();
  return `f"${many(p.random, 3, part, '')}"`;
}

function random(p: Place): string {
  return p.random.pick(names.slice(0, 9));
}

function literal(random: Random): string {
  return random.pick([
    '0',
    '1',
    '2',
    '-1',
    '10',
    '2.5',
    '1e3',
    '0xff',
    '12345678901234567890',
    '"a"',
    "'it'",
    '"x y"',
    'b"ab"',
    'True',
    'False',
    'None',
    '""',
    'r"\\d"',
    '"a" "b"',
    '"""t"""',
    '1_000',
  ]);
}
