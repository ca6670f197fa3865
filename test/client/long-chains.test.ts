/** Chains much longer than a stack is deep, in client code: they compile, the bundler takes what is emitted, and their values are right. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { compileProject } from '../../lang/compile.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { repository } from '../harness/server.ts';

const many = 3000;
const times = (text: string): string => text.repeat(many);
const counted = (write: (i: number) => string): string => Array.from({ length: many }, (_, i) => write(i)).join('');

/** The body of `f(a: any, k: int, x: float, s: str)`, and what it gives for `f([], 1, 0.5, "b")`. */
const bodies: Readonly<Record<string, readonly [string, unknown]>> = {
  numbers: [`return 1${times(' + 1')};`, 3001],
  'a float': [`return x${times(' - x')};`, -1499.5],
  'a float of unknown operands': [`a = k; return a${times(' + a')};`, 3001],
  literals: [`return len("a"${times(' + "b"')});`, 3001],
  text: [`return len("a"${times(' + s + str(k)')});`, 6001],
  'mixed levels': [`return k${times(' * k + k - k')};`, 1],
  'integer division': [`return k${times(' // k')};`, 1],
  and: [`return k${times(' and k')} and s;`, 'b'],
  'and of unknown operands': [`return k${times(' and a')};`, []],
  'and that ends early': [`seen = []; 0${times(' and seen.append(1)')}; return len(seen);`, 0],
  or: [`return a${times(' or a')} or s;`, 'b'],
  'or as a condition': [`if a${times(' or a')} { return 1; } return 2;`, 2],
  'and as a condition': [`if k == 1${times(' and k == 1')} { return 1; } return 2;`, 1],
  comparisons: [`return k${times(' <= k')};`, true],
  methods: [`return s${times('.strip()')};`, 'b'],
  calls: [`def again -> any { a.append(1); return again; }\nagain${times('()')}; return len(a);`, 3000],
  subscripts: [`a.append(a); return len(a${times('[0]')});`, 1],
  'arguments that are waited for': [`async def one -> int { return 1; }\nreturn k${times(' + (await one())')};`, 3001],
  'a list longer than a call may have arguments': [`return len([${'k, '.repeat(200_000)}]);`, 200_000],
  'statements that do nothing': [`${times('pass; ')}return k;`, 1],
  elif: [`if k == 0 { return 0; }${counted((i) => ` elif k == ${i - 50} { return ${i}; }`)} return -1;`, 51],
  match: [`match k { ${counted((i) => `case ${i - 50}: return ${i};\n`)} }\nreturn -1;`, 51],
};

const options = {
  target: 'server',
  graph: 'sync',
  runtime: '#runtime',
  signatures,
  mode: 'serve',
  client: { mode: 'production' },
} as const;

test('long chains of elif in client code are checked', () => {
  const branches = Array.from({ length: 20_000 }, (_, i) => `elif k == ${i} { return ${i}; }\n`).join('');
  const text = `def:pub f(k: int) -> int { if k < 0 { return 0; } ${branches} else { return null; } }`;
  const project = readProject('main.cl.svc', filesInMemory({ 'main.cl.svc': text }), { root: '.' });
  expect(compileProject(project, { ...options, rules: true }).diagnostics.map(({ code }) => code)).toEqual(['W0133']);
});

test('values of long chains in client code', async () => {
  const functions = Object.values(bodies).map(
    ([body], i) =>
      `${body.includes('await ') ? 'async ' : ''}def:pub f${i}(a: any, k: int, x: float, s: str) -> any {\n${body}\n}\n`,
  );
  const slots = `def:pub app() -> JsxElement { has k: int = 1; return <p>{if k == 0 { <b/> }${counted((i) => ` elif k == ${i + 1} { <i>${i}</i> }`)}}</p>; }`;
  const project = readProject('main.cl.svc', filesInMemory({ 'main.cl.svc': functions.join('') + slots }), {
    root: '.',
  });
  const { diagnostics, client } = compileProject(project, { ...options, rules: false });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const main = join(repository, 'client/main.js');
  const bundle = await rolldown({
    input: main,
    plugins: [
      {
        name: 'program',
        resolveId(id) {
          if (id.startsWith('@svc/runtime/')) return join(repository, 'client', `${id.slice(13)}.ts`);
          return id === main ? main : null;
        },
        load: (id) => (id === main ? client[0]!.output.code : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  const program = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  const given = await Promise.all(Object.keys(bodies).map((_, i) => program[`f${i}`]([], 1, 0.5, 'b')));
  expect(Object.fromEntries(Object.keys(bodies).map((name, i) => [name, given[i]]))).toEqual(
    Object.fromEntries(Object.entries(bodies).map(([name, [, value]]) => [name, value])),
  );
});
