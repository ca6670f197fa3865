/** Chains much longer than a stack is deep compile and run; nesting has a fixed limit and says so. */
import { describe, expect, test } from 'vitest';
import { compileFiles, run } from './5-emit/testing.ts';

const many = 3000;
const times = (text: string, count = many) => text.repeat(count);

const helpers = `
obj Acc {
    has n: int = 0, xs: list = [];
    def add(k: int) -> Acc { self.n += k; return self; }
    async def later(k: int) -> Acc { self.n += k; return self; }
    def me -> Acc { return self; }
}
glob log: list = [];
def note(k: any) -> any { log.append(k); return k; }
def inc(k: int) -> int { return k + 1; }
node Stop { has at: int = 0; }
`;

describe('long chains run', () => {
  const programs: Readonly<Record<string, readonly [string, string]>> = {
    'sum of literals': [`print(1${times(' + 1')});`, '3001'],
    'sum of an unknown': [
      `def f(a: any) { return a${times(' + a')}; } print(f(2), f("x") == "x" * 3001);`,
      '6002 True',
    ],
    'difference of floats': [`def f(a: float) { return a${times(' - a')}; } print(f(0.5));`, '-1499.5'],
    'mixed levels': [`def f(a: int) { return a${times(' * a + a - a')}; } print(f(1));`, '1'],
    text: [`s = "x"; print(len("y"${times(' + s')}));`, '3001'],
    bits: [`def f(a: int) { return a${times(' | a')}; } print(f(5));`, '5'],
    'the rest of `and` is not evaluated': [
      `def f(a: any) { return a${times(' and note(a)')}; } print(f(0), len(log)); print(f(1), len(log));`,
      '0 0\n1 3000',
    ],
    'the rest of `or` is not evaluated': [
      `def f(a: any) { if a${times(' or note(a) == 1')} { return "yes"; } return "no"; } print(f(2), len(log), f(0), len(log));`,
      'yes 0 no 3000',
    ],
    order: [
      `x = note(0)${Array.from({ length: many }, (_, i) => ` + note(${i + 1})`).join('')}; print(x, log == list(range(${many + 1})));`,
      `${(many * (many + 1)) / 2} True`,
    ],
    methods: [`print(Acc()${times('.add(1)')}.n);`, '3000'],
    'methods of an unknown': [`def f(a: any) { return a${times('.add(1)')}; } print(f(Acc()).n);`, '3000'],
    'methods of text': [`print(" a "${times('.strip()')});`, 'a'],
    'awaited arguments': [
      `async def one -> int { return 1; } async def f(a: Acc) -> int { return a${times('.add(await one())')}.n; } print(await f(Acc()));`,
      '3000',
    ],
    'calls of calls': [`def f -> any { log.append(1); return f; } f${times('()')}; print(len(log));`, '3000'],
    subscripts: [`a: list = [7]; a.append(a); print(a${times('[1]')}[0]);`, '7'],
    slices: [`print([1, 2, 3]${times('[0:2]')});`, '[1, 2]'],
    filters: [`xs = [Acc(1), Acc(2)]; print(len(xs${times('[?n > 1]')}));`, '1'],
    fields: [`a = Acc(); a.me = a; print(a${times('.me')}.n);`, '0'],
    'assignment to the end of a chain': [
      `a = Acc(); a.me = a; a${times('.me')}.n = 4; a${times('.me')}.n += 1; print(a.n);`,
      '5',
    ],
    pipes: [`print(0${times(' |> inc')});`, '3000'],
    casts: [`print(3${times(' as int')});`, '3'],
    comparisons: [`def f(a: int) { return a${times(' <= a')}; } print(f(1));`, 'True'],
    connections: [`root${times(' ++> Stop()', 400)}; print(len([root -->]), len([root --> -->]));`, '1 1'],
    elif: [
      `def f(a: int) { if a == 0 { return 0; }${Array.from({ length: 1500 }, (_, i) => ` elif a == ${i + 1} { return ${i + 1}; }`).join('')} else { return -1; } } print(f(1400), f(9999));`,
      '1400 -1',
    ],
    'elif of thousands': [
      `def f(a: int) { if a == 0 { return 0; }${Array.from({ length: 20_000 }, (_, i) => ` elif a == ${i + 1} { return ${i + 1}; }`).join('')} else { return -1; } } print(f(0), f(499), f(500), f(501), f(20_000), f(-9));`,
      '0 499 500 501 20000 -1',
    ],
    'long on both sides': [`print((1${times(' + 1')}) + (2${times(' + 2')}) * (1${times(' - 0')}));`, '9003'],
    'in an assignment, a condition and an argument': [
      `def f(a: int) { b = a${times(' + a')}; if b${times(' - 0')} { print(b${times(' + 0')}); } while b${times(' - 1')} > 0 { b -= 1; } return b; } print(f(1));`,
      '3001\n3000',
    ],
  };
  for (const [name, [text, output]] of Object.entries(programs)) {
    test(name, async () => {
      const ran = await run(`${helpers} with entry { ${text} }`);
      expect(ran.error).toBeUndefined();
      expect(ran.output.trim()).toBe(output);
    });
  }
  test('with a store that answers later', async () => {
    const text = `def f(a: Acc) -> int { return a${times('.add(len([root -->]))')}.n; } with entry { root ++> Stop(); print(f(Acc())); print(len([root -->])${times(' + len([root -->])')}); }`;
    const ran = await run(helpers + text, { graph: 'async', slowStore: true });
    expect([ran.error, ran.output]).toEqual([undefined, '3000\n3001\n']);
  });
  test('all checks look at them', () => {
    const text = `${helpers} def f(a: Acc) { return a${times('.me()')}.nothing${times(' + 1')}; }`;
    expect(compileFiles(text).diagnostics.map(({ code }) => code)).toContain('E0413');
  });
});

describe('nesting has a limit', () => {
  const forms: Readonly<Record<string, (count: number) => string>> = {
    parentheses: (n) => `def f(a: any) { return ${times('(', n)}a${times(')', n)}; }`,
    lists: (n) => `def f(a: any) { return ${times('[', n)}a${times(']', n)}; }`,
    dictionaries: (n) => `def f(a: any) { return ${times('{1: ', n)}a${times('}', n)}; }`,
    calls: (n) => `def f(a: any) { return ${times('f(', n)}a${times(')', n)}; }`,
    subscripts: (n) => `def f(a: any) { return ${times('a[', n)}0${times(']', n)}; }`,
    blocks: (n) => `def f(a: any) { ${times('if a { ', n)}a; ${times('}', n)} }`,
    loops: (n) => `def f(a: any) { ${times('for x in a { ', n)}a; ${times('}', n)} }`,
    'try blocks': (n) => `def f(a: any) { ${times('try { ', n)}a; ${times('} finally { a; }', n)} }`,
    functions: (n) => `${times('def f { ', n)}${times('}', n)}`,
    archetypes: (n) => `${times('obj f { ', n)}${times('}', n)}`,
    'placement blocks': (n) => `${times('sv { ', n)}${times('}', n)}`,
    lambdas: (n) => `def f(a: any) { return ${times('lambda : ', n)}a; }`,
    'lambda blocks': (n) => `def f(a: any) { return ${times('lambda { ', n)}a; ${times('}', n)}; }`,
    not: (n) => `def f(a: any) { return ${times('not ', n)}a; }`,
    signs: (n) => `def f(a: any) { return ${times('- ', n)}a; }`,
    powers: (n) => `def f(a: any) { return a${times(' ** a', n)}; }`,
    'conditional expressions': (n) => `def f(a: any) { return ${times('a if a else ', n)}a; }`,
    'back pipes': (n) => `def f(a: any) { return f${times(' <| a', n)}; }`,
    'tight back pipes': (n) => `def f(a: any) { return f${times(' <: a', n)}; }`,
    'null-safe chains': (n) => `def f(a: any) { return a${times('?.b', n)}; }`,
    'by operators': (n) => `def f(a: any) { return a${times(' by a', n)}; }`,
    managers: (n) => `def f(a: any) { with a${times(', a', n)} { } }`,
    'comprehension clauses': (n) => `def f(a: any) { return [a ${times('for x in a ', n)}]; }`,
    decorators: (n) => `def a(f: any) -> any { return f; } ${times('@a ', n)}def f { }`,
    annotations: (n) => `glob a: ${times('list[', n)}int${times(']', n)};`,
    'sequence patterns': (n) => `def f(a: any) { match a { case ${times('[', n)}1${times(']', n)}: print(1); } }`,
    'fields of formatted strings': (n) => `def f(a: any) { return ${times('f"{', n)}a${times('}"', n)}; }`,
    'format specs': (n) => `def f(a: any) { return f"{a${times(':{a', n)}${times('}', n)}}"; }`,
    markup: (n) => `def f { return ${times('<b>', n)}x${times('</b>', n)}; }`,
    'markup slots': (n) => `def f(x: any) { return ${times('<b>{', n)}x${times('}</b>', n)}; }`,
  };
  for (const [name, write] of Object.entries(forms)) {
    test(name, () => {
      expect(compileFiles(write(90), { mode: 'run' }).modules.length, 'ninety levels').toBe(1);
      const { diagnostics, modules } = compileFiles(write(5000), { mode: 'run' });
      expect(modules).toEqual([]);
      expect(
        diagnostics.filter(({ code }) => code !== 'W0124').map(({ code, message }) => `${code} ${message}`),
      ).toEqual(['E0107 nested more than 200 levels deep']);
    });
  }
});
