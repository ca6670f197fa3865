/**
 * Contracts of generated code (docs/language/generated-code.md#contracts), one by one. Positions of run-time errors:
 * sourcemap.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping';
import { expect, test } from 'vitest';
import type * as ast from '../1-parse/ast.ts';
import { parse } from '../1-parse/parse.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { createReporter } from '../diagnostics.ts';
import { positionAt } from '../source.ts';
import { compileFiles, run } from './testing.ts';

test('one ES module for a source module, annexes merged into it', () => {
  const { modules } = compileFiles({
    'main.svc': 'import from lib { f }\nobj A { def m -> int; }\nwith entry { print(A().m(), f()); }',
    'main.impl.svc': 'impl A.m { return more(); }\ndef more -> int { return 3; }',
    'lib.svc': 'def f -> int;',
    'lib.impl.svc': 'impl f { return 4; }',
  });
  expect(modules.map(({ path }) => path).sort()).toEqual(['lib.mjs', 'main.mjs']);
  expect(modules.find(({ path }) => path === 'main.mjs')!.output.map.sources).toEqual(['main.svc', 'main.impl.svc']);
});

test('every statement and call has an entry in the source map, and its names are names of the source', () => {
  const programs = join(import.meta.dirname, '../../test/programs');
  let checked = 0;
  for (const file of readdirSync(programs, { recursive: true, encoding: 'utf8' }).filter(isSmallProgram).map(dirname)) {
    const text = readFileSync(join(programs, file, 'main.svc'), 'utf8');
    const source = { path: 'main.svc', text };
    const [module] = compileFiles({ 'main.svc': text }).modules;
    const { map } = module!.output;
    const places = new Set<string>();
    eachMapping(new TraceMap(map as never), ({ originalLine, originalColumn }) => {
      places.add(`${originalLine}:${(originalColumn ?? 0) + 1}`);
    });
    const words = new Set(text.match(/[A-Za-z_]\w*/g));
    expect(map.names.filter((name) => !words.has(name) && name !== '<lambda>')).toEqual([]);
    const missed: string[] = [];
    const visit = (node: ast.Node): void => {
      const spots = entriesOf(node);
      if (spots !== undefined) {
        checked++;
        const found = spots.some((offset) => {
          // Columns of source maps are UTF-16 units.
          const before = text.slice(0, offset);
          return places.has(`${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`);
        });
        if (!found)
          missed.push(
            `${file}:${positionAt(source, node.start).line} ${text.slice(node.start, node.end).slice(0, 50)}`,
          );
      }
      forEachChild(node, visit);
    };
    visit(parse(source, createReporter(source)));
    expect(missed).toEqual([]);
  }
  expect(checked).toBeGreaterThan(1000);
});

/** Programs of one file without errors. */
function isSmallProgram(path: string): boolean {
  const [group] = path.split('/');
  return basename(path) === 'main.svc' && group !== 'errors' && group !== 'modules';
}

/** Lists the places that the entry of a statement or call may point to: its beginning, or the function it calls. */
function entriesOf(node: ast.Node): readonly number[] | undefined {
  switch (node.kind) {
    case 'ReturnStatement':
    case 'ReportStatement':
    case 'VisitStatement':
    case 'RaiseStatement':
    case 'AssertStatement':
    case 'DeleteStatement':
    case 'AugAssign':
      return [node.start];
    case 'AssignStatement':
      return node.value === undefined ? undefined : [node.start];
    case 'Call': {
      const { start, callee, args } = node;
      if (callee.kind === 'SpecialRef') return undefined; // `super()` and `root()` are the words alone
      // A form written inline begins with the code of its argument, which has the entry then.
      return [
        start,
        callee.end,
        ...(callee.kind === 'Attribute' ? [callee.name.start] : []),
        ...args.slice(0, 1).map((arg) => arg.start),
      ];
    }
    default:
      return undefined;
  }
}

const reserved =
  'var function new delete this typeof let const package void debugger instanceof throw export extends interface protected private public arguments eval undefined NaN Infinity Object Array Promise Map globalThis process'.split(
    ' ',
  );

test('words of JavaScript are names like any other, and properties keep them', async () => {
  const assigned = reserved.map((word, i) => `${word} = ${i};`).join(' ');
  const text = `
    obj A { has ${reserved.map((word) => `${word}: int = 1`).join(', ')}; def sum { return ${reserved.map((word) => `self.${word}`).join(' + ')}; } }
    def f(${reserved.map((word) => `${word}: int`).join(', ')}) { return ${reserved.join(' + ')}; }
    def locals { ${assigned} return [${reserved.join(', ')}]; }
    def yields { for var in [1] { yield var; } }
    glob switchable = 1;
    with entry {
      print(A().sum(), f(${reserved.map((word) => `${word}=1`).join(', ')}), locals() == list(range(${reserved.length})), list(yields()));
      print(A(new=5).new, getattr(A(), "function"), hasattr(A(), "this"), f"{A(this=7).this}");
    }`;
  const ran = await run(text);
  expect([ran.error, ran.output]).toEqual([undefined, `${reserved.length} ${reserved.length} True [1]\n5 1 True 7\n`]);
});

test('helpers come as one namespace that no name of a program can be', () => {
  const { code } = compileFiles(
    'def add(a: any, b: any) { helpers = a + b; return helpers; }\nwith entry { print(add(1, "x")); }',
  ).modules[0]!.output;
  const imports = code.split('\n').filter((line) => line.startsWith('import'));
  expect(imports).toEqual(['import * as $ from "#runtime";']);
});

test('declarations stand in front, everything else runs in the order of the text', async () => {
  const ran = await run({
    'main.svc': `
      with entry { print("first", late(), Later().n, g); }
      glob g = note("second");
      import from lib { value }
      with entry { print("fourth", value); }
      def late -> int { return 7; }
      def note(text: str) -> str { print(text); return text; }
      obj Later { has n: int = 8; }
      with entry { print("fifth", g); }`,
    'lib.svc': 'glob value = 3; with entry { print("third"); }',
  });
  expect([ran.error, ran.output]).toEqual([undefined, 'first 7 8 None\nsecond\nthird\nfourth 3\nfifth second\n']);
});
