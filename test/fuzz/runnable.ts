/**
 * Programs that end and print what they compute: integers, text, lists, dictionaries, objects, closures, generators, walks. The same seed
 * gives the same program with and without annotations, some of which are wrong; they are hints and must not change what it prints.
 */
import type { Random } from '../harness/random.ts';

type Kind = 'int' | 'str' | 'list' | 'dict' | 'bool';

interface Place {
  readonly random: Random;
  readonly typed: boolean;
  readonly depth: number;
  /** Variables that may be read, by kind. */
  readonly vars: Readonly<Record<Kind, readonly string[]>>;
  /** Number of the functions before this one that may be called. */
  readonly callable: number;
}

const kinds: readonly Kind[] = ['int', 'str', 'list', 'dict', 'bool'];
const annotations: Readonly<Record<Kind, string>> = {
  int: 'int',
  str: 'str',
  list: 'list[int]',
  dict: 'dict[str, int]',
  bool: 'bool',
};

export function generateRunnable(random: Random, typed: boolean): string {
  const none = { int: [], str: [], list: [], dict: [], bool: [] };
  const p: Place = { random, typed, depth: 3, vars: none, callable: 0 };
  const functions = Array.from({ length: 3 }, (_, i) => makeFunction({ ...p, callable: i }, i));
  const q = { ...p, callable: 3 };
  const lines = Array.from({ length: 6 }, () => guarded(`print(${value(q, random.pick(kinds))});`));
  return `import from functools { reduce }
glob total${note(p, 'int')} = 0;
obj Point {
    has x${note(p, 'int')} = 1, y${note(p, 'int')} = 2, tags${note(p, 'list')} = [];
    def sum(k${note(p, 'int')} = 1)${result(p, 'int')} { return self.x * k + self.y; }
    def move(far${note(p, 'int')}) { self.x += far; self.tags.append(far); return self; }
    def __add__(other) { return Point(self.x + other.x, self.y + other.y); }
    def __eq__(other) { return isinstance(other, Point) and self.x == other.x; }
}
enum Color { RED = 1, GREEN = 2, BLUE = 3 }
node Stop { has at${note(p, 'int')} = 0, name${note(p, 'str')} = "s"; }
edge Way { has cost${note(p, 'int')} = 1; }
walker Visitor {
    has seen${note(p, 'list')} = [], most${note(p, 'int')} = 9;
    can begin with Root entry { visit [-->]; report "begin"; }
    can stop with Stop entry {
        self.seen.append(here.at);
        if len(self.seen) >= self.most { disengage; }
        visit [->:Way:cost >= ${random.below(3)}:->];
        report here.name;
    }
    can leave with Stop exit { self.seen.append(-here.at); }
}
def counter(start${note(p, 'int')}) { n = start; def step(far${note(p, 'int')} = 1) { n += far; return n; } return step; }
def several(n${note(p, 'int')}) { for i in range(n) { got = yield i * 2; if got is not None { yield got; } } }
${functions.join('\n')}
with entry {
    ${lines.join('\n    ')}
    ${graph(q)}
    print(total);
}
`;
}

function note(p: Place, kind: Kind): string {
  // One in nine annotations is wrong.
  const named = p.random.oneIn(9) ? p.random.pick(kinds) : kind;
  return p.typed ? `: ${annotations[named]}` : '';
}

function result(p: Place, kind: Kind): string {
  return p.typed ? ` -> ${annotations[kind]}` : '';
}

function guarded(statement: string): string {
  return `try { ${statement} } except Exception as e { print(type(e).__name__, e); }`;
}

function makeFunction(p: Place, i: number): string {
  const params: Kind[] = [p.random.pick(kinds), p.random.pick(kinds)];
  const vars = withVar(withVar(p.vars, params[0]!, 'p'), params[1]!, 'q');
  const head = `def f${i}(p${note(p, params[0]!)}, q${note(p, params[1]!)} = ${literal(p.random, params[1]!)})`;
  const body = statements({ ...p, vars, depth: 3 }, 4);
  return `${head} {\n    ${body}\n    return ${value({ ...p, vars }, p.random.pick(kinds))};\n}`;
}

function withVar(vars: Place['vars'], kind: Kind, name: string): Place['vars'] {
  const without = Object.fromEntries(kinds.map((each) => [each, vars[each].filter((one) => one !== name)])) as Record<
    Kind,
    string[]
  >;
  return { ...without, [kind]: [...without[kind], name] };
}

function statements(p: Place, count: number): string {
  const lines: string[] = [];
  let q = p;
  for (let i = 0; i < count; i++) {
    const kind = p.random.pick(kinds);
    const name = `${kind[0]}${p.random.below(3)}`;
    if (p.random.oneIn(2)) {
      lines.push(`${name} = ${value(q, kind)};`);
      q = { ...q, vars: withVar(q.vars, kind, name) };
    } else lines.push(statement(q));
  }
  return lines.join('\n    ');
}

function statement(p: Place): string {
  const { random } = p;
  if (p.depth <= 0) return `print(${value(p, random.pick(kinds))});`;
  const q = { ...p, depth: p.depth - 1 };
  const int = () => value(q, 'int');
  return random.pick([
    () => `print(${value(q, random.pick(kinds))}, ${int()});`,
    () => `total ${random.pick(['+=', '-=', '*=', '|=', '^='])} ${random.below(9)};`,
    () =>
      `for i in range(${random.below(4)}) { ${statements({ ...q, vars: withVar(q.vars, 'int', 'i') }, 2)} ${random.oneIn(3) ? `if i == ${random.below(3)} { ${random.pick(['break', 'continue'])}; }` : ''} }${random.oneIn(4) ? ' else { print("else"); }' : ''}`,
    () => `for (j, c) in enumerate(${value(q, 'str')}[:3]) { print(j, c); }`,
    () => `w = ${random.below(4)}; while w > 0 { w -= 1; ${statement(q)} }`,
    () =>
      `if ${condition(q)} { ${statements(q, 1)} } elif ${condition(q)} { ${statement(q)} } else { ${statements(q, 1)} }`,
    () =>
      `match ${value(q, random.pick(kinds))} { case 0: print("zero"); case True: print("true"); case [a, *r]: print(a, r); case {"a": v, **r}: print(v, len(r)); case str() as s9: print("text", s9); case int() if ${condition(q)}: print("int"); case _: print("other"); }`,
    () => `switch ${int()} { case 1: print("one"); case 2: print("two"); break; default: print("none"); }`,
    () =>
      `try { ${statements(q, 2)} raise ValueError("v${random.below(5)}"); } except (KeyError, ValueError) as e { print(type(e).__name__); } finally { print("end"); }`,
    () => `step = counter(${int()}); print(step(), step(far=${int()}), step(2));`,
    () => `print([x for x in several(${random.below(4)})], sum(several(3)));`,
    () =>
      `pt = Point(${int()}, y=${int()}); pt.x ${random.pick(['+=', '-=', '*='])} ${int()}; print(pt.move(2), pt.sum(), (pt + Point()).x, pt == Point(1));`,
    () =>
      `print((lambda a: any, b: any = 2 : a * b)(${int()}), (lambda (z: any) { z; z + ${random.below(5)} })(${int()}));`,
  ])();
}

function condition(p: Place): string {
  return p.random.oneIn(3) ? value(p, p.random.pick(kinds)) : value(p, 'bool');
}

/** An expression that gives a value of that kind, most of the time. */
function value(p: Place, kind: Kind): string {
  const { random } = p;
  const known = p.vars[kind];
  if (p.depth <= 0) return known.length > 0 && random.oneIn(2) ? random.pick(known) : literal(random, kind);
  if (known.length > 0 && random.oneIn(5)) return random.pick(known);
  const wanted = random.oneIn(25) ? random.pick(kinds) : kind;
  if (p.callable > 0 && random.oneIn(10))
    return `f${random.below(p.callable)}(${value({ ...p, depth: 0 }, random.pick(kinds))})`;
  const q = { ...p, depth: p.depth - 1 };
  const v = (of: Kind) => value(q, of);
  switch (wanted) {
    case 'int':
      return random.pick([
        () => literal(random, 'int'),
        () => `(${v('int')} ${random.pick(['+', '-', '*', '//', '%', '&', '|', '^', '+', '-'])} ${v('int')})`,
        () => `(${v('int')} + ${v('int')} - ${v('int')})`,
        () => `(${v('int')} % 7) ** (${v('int')} % 5)`,
        () => `(${v('int')} ${random.pick(['<<', '>>'])} (${v('int')} % 9))`,
        () => `${random.pick(['-', '+', '~'])}(${v('int')})`,
        () => `len(${v(random.pick(['str', 'list', 'dict'] as const))})`,
        () => `${random.pick(['sum', 'max', 'min', 'len'])}(${v('list')})`,
        () => `${v('list')}[${random.pick(['0', '-1', '1', v('int')])}]`,
        () => `${v('dict')}.get("${random.pick(['a', 'b', 'z'])}", ${v('int')})`,
        () => `${v('str')}.${random.pick(['find', 'count', 'index'])}("${random.pick(['a', 'b', 'x'])}")`,
        () => `int(${v('str')})`,
        () => `(${v('int')} if ${v('bool')} else ${v('int')})`,
        () => `abs(${v('int')})`,
        () => `ord(${v('str')}[0])`,
        () => `reduce(lambda a: any, b: any : a + b, ${v('list')}, ${v('int')})`,
        () => `Color(${v('int')} % 4).value`,
      ])();
    case 'str':
      return random.pick([
        () => literal(random, 'str'),
        () => `(${v('str')} + ${v('str')})`,
        () => `(${v('str')} * (${v('int')} % 4))`,
        () =>
          `${v('str')}[${random.pick(['', '1', '-2', v('int')])}:${random.pick(['', '3', '-1'])}${random.pick(['', ':2', ':-1'])}]`,
        () =>
          `${v('str')}.${random.pick(['upper()', 'strip()', 'title()', 'replace("a", "bb")', 'rjust(6, ".")', 'zfill(4)', 'swapcase()', 'split("b")[0]'])}`,
        () => `f"{ ${v('int')}:>5}|{ ${v('list')}}|{ ${v('str')}!r:6}|{ ${v('int')}:x}"`,
        () => `str(${v(random.pick(kinds))})`,
        () => `repr(${v(random.pick(kinds))})`,
        () => `"${random.pick(['-', ', ', ''])}".join([str(x) for x in ${v('list')}])`,
        () => `("%s/%5d" % (${v('str')}, ${v('int')}))`,
        () => `(${v('str')} or ${v('str')})`,
      ])();
    case 'list':
      return random.pick([
        () => `[${v('int')}, ${v('int')}, ${v('int')}]`,
        () =>
          `[x ${random.pick(['+', '*', '-'])} ${v('int')} for x in ${v('list')} if x ${random.pick(['>', '!=', '<='])} ${v('int')}]`,
        () => `[a + b for (a, b) in zip(${v('list')}, ${v('list')})]`,
        () => `(${v('list')} + ${v('list')})`,
        () => `sorted(${v('list')}, reverse=${v('bool')})`,
        () => `${v('list')}[${random.pick(['', '1', '-2'])}:${random.pick(['', '2', '-1'])}]`,
        () => `list(range(${v('int')} % 5))`,
        () => `list(reversed(${v('list')}))`,
        () => `(${v('list')} * (${v('int')} % 3))`,
        () => `sorted(list(set(${v('list')})))`,
        () => `[*${random.pick(['[1, 2]', '(3, 4)', 'range(2)'])}, ${v('int')}]`,
        () => `list(map(lambda x: any : x + 1, ${v('list')}))`,
        () => `(${v('list')} if ${v('bool')} else ${v('list')})`,
      ])();
    case 'dict':
      return random.pick([
        () => `{"a": ${v('int')}, "b": ${v('int')}}`,
        () => `{**${v('dict')}, "c": ${v('int')}}`,
        () => `{str(k): k * 2 for k in ${v('list')}}`,
        () => `dict(sorted(${v('dict')}.items()))`,
        () => `(${v('dict')} | ${v('dict')})`,
      ])();
    case 'bool':
      return random.pick([
        () => `(${v('int')} ${random.pick(['<', '<=', '>', '>=', '==', '!='])} ${v('int')})`,
        () => `(${v('int')} < ${v('int')} <= ${v('int')})`,
        () => `(${v('str')} ${random.pick(['in', 'not in', '==', '<'])} ${v('str')})`,
        () => `(${v('int')} ${random.pick(['in', 'not in'])} ${v('list')})`,
        () => `(${v('list')} ${random.pick(['==', '!=', '<'])} ${v('list')})`,
        () => `(not ${v('bool')})`,
        () => `(${v('bool')} ${random.pick(['and', 'or'])} ${v('bool')})`,
        () => `isinstance(${v(random.pick(kinds))}, ${random.pick(['int', 'str', '(list, dict)', 'bool'])})`,
        () => `bool(${v(random.pick(kinds))})`,
        () => `${random.pick(['any', 'all'])}(x > ${v('int')} for x in ${v('list')})`,
        () => `("a" in ${v('dict')})`,
      ])();
  }
}

function literal(random: Random, kind: Kind): string {
  switch (kind) {
    case 'int':
      return random.pick([
        '0',
        '1',
        '2',
        '3',
        '-1',
        '7',
        '10',
        '255',
        '-13',
        '9007199254740991',
        '1073741824',
        '4294967296',
        '123456789012345678901',
      ]);
    case 'str':
      return random.pick(['""', '"a"', '"abc"', '"12"', '"b a"', '"Zz"', '"ä€😀"', '"-3"']);
    case 'list':
      return random.pick(['[]', '[1]', '[3, 1, 2]', '[0, -5]', '[2, 2, 9]']);
    case 'dict':
      return random.pick(['{}', '{"a": 1}', '{"b": 2, "a": 0}']);
    default:
      return random.pick(['True', 'False']);
  }
}

function graph(p: Place): string {
  const { random } = p;
  const count = 3 + random.below(3);
  const lines = [`stops = [Stop(at=i, name=f"s{i}") for i in range(${count})];`];
  for (let i = random.below(4) + 2; i > 0; i--) {
    const [from, to] = [random.pick(['root', `stops[${random.below(count)}]`]), `stops[${random.below(count)}]`];
    lines.push(
      random.pick([
        `${from} ++> ${to};`,
        `${from} +>: Way(cost=${random.below(4)}) :+> ${to};`,
        `${from} <++> ${to};`,
        `${from} +>: Way : cost=${random.below(4)} :+> [${to}, stops[0]];`,
      ]),
    );
  }
  lines.push('root ++> stops[0];');
  lines.push(guarded(`v = root spawn Visitor(most=${1 + random.below(9)}); print(v.seen, v.reports);`));
  lines.push(
    guarded(
      `print([s.at for s in [root -->][?:Stop, at >= ${random.below(3)}]], len([edge stops[0] -->]), [e.cost for e in [edge stops[0] ->:Way:->]]);`,
    ),
  );
  lines.push(
    guarded(
      `print(stops[0] in [root -->], root del --> stops[0], stops[0] in [root -->], [s.name for s in [stops[0] <-->]]);`,
    ),
  );
  lines.push(guarded(`del stops[1]; print(len(stops), len([root --> -->]));`));
  return lines.join('\n    ');
}
