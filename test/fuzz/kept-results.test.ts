/**
 * A program that is edited again and again: what is found out with the results of the edit before is what a fresh reading of the same texts
 * finds, for the whole program and for the module that was edited alone. `SEED` repeats a run, `EDITS` makes it longer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientEmitter } from '../../lang/6-emit-client/emitter.ts';
import { analyse } from '../../lang/analysis.ts';
import { beginCompilation, type CompileOptions } from '../../lang/phases.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { createKeptFiles, type KeptFiles } from '../../lang/project/kept-files.ts';
import { type Project, readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { createRandom, type Random } from '../harness/random.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const edits = Number(process.env['EDITS'] ?? 15);
const options: CompileOptions = {
  target: 'server',
  graph: 'sync',
  runtime: '#runtime',
  signatures,
  mode: 'serve',
  client: { mode: 'development' },
};

/** Modules that depend on each other in every way: variables, inferred results, bases, members by name, stars, annexes, walks. */
const woven: Readonly<Record<string, string>> = {
  'main.svc': `import from .store { counted, limit, Shelf, settings }
import from .walks { Count, Tell }
import from .shapes { * }
import store;
def total(items: list[int]) { return sum([area(Square(side=i)) for i in items]) + limit; }
def tell() { store.settings = {"deep": 2}; return counted(3).upper(); }
with entry { print(total([1, 2]), tell(), (root spawn Count()).reports); }
def:pub app() -> JsxElement {
    has found: int = 0;
    async can with entry { found = len((root spawn Tell(word="x")).reports); }
    return <p class="a">{found + 1}{label(found)}</p>;
}
def label(n: int) -> str { return f"{n} found"; }
`,
  'store.svc': `import from .walks { Count }
glob limit = 3, settings: dict[str, int] = {}, last = None;
node Shelf { has name: str; has size: int = 1; def grow(by: int) -> int { self.size += by; return self.size; } }
def counted(n) { global last; last = Shelf(name=str(n)); return helped(n); }
def helped(n: int) { if n > limit { return "many"; } return str(last.size if last else n); }
def later() -> int { import from .shapes { area, Square } return area(Square(side=4)); }
`,
  'walks.svc': `import from .store { Shelf, limit }
walker Count { has seen: int = 0; can look with Shelf entry { self.seen += here.grow(limit); report self.seen; visit [-->]; } }
walker:pub Tell { has word: str; can start with Root entry { visit [-->[?:Shelf]]; } can say with Shelf entry { report here; } }
async walker Later { can go with Root entry { report 1; } }
def spread() { root spawn Later(); root spawn Count(); }
`,
  'shapes.svc': `obj Shape { has name: str = "shape"; def area() -> int; def tell() { return self.name + ":" + str(self.area()); } }
obj Square(Shape) { has side: int; def area() -> int { return self.side * self.side; } }
def area(shape: Shape) { return shape.area(); }
def made() { obj Inner(Square) { has extra: int = 0; } return Inner(side=1).extra; }
`,
  'shapes.impl.svc': `impl Shape.area() -> int { return 0; }
`,
};

const programs = { woven, ...Object.fromEntries(['social', 'board', 'orgchart'].map((name) => [name, example(name)])) };

test.each(Object.entries(programs))(`%s gives the same with kept results (SEED=${seed})`, (name, texts) => {
  const random = createRandom(seed);
  const files = new Map(Object.entries(texts).map(([path, text]) => [`/p/${path}`, text]));
  const sources = [...files.keys()].filter((path) => path.endsWith('.svc'));
  const kept = createKeptFiles();
  let before: (readonly [string, string])[] = [];
  for (let count = 0; count < edits; count += 1) {
    const path = random.pick(sources);
    if (random.oneIn(4) && before.length > 0) {
      for (const [one, text] of before.reverse()) files.set(one, text);
      before = [];
    } else {
      const text = files.get(path);
      if (text !== undefined) before.push([path, text]);
      if (random.oneIn(8) && path !== '/p/main.svc') files.delete(path);
      else files.set(path, edited(text ?? '', random));
    }
    const told = `${name}, SEED=${seed}, edit ${count + 1} of ${path}`;
    const read = (memory?: KeptFiles) =>
      readProject('/p/main.svc', filesInMemory(Object.fromEntries(files)), { kept: memory, root: '/p', tests: true });
    const fresh = analyse(read(), { signatures, graph: 'sync' }).diagnostics;
    const project = read(kept);
    const module = [...project.modules.values()].find((one) =>
      one.sources.some((source) => `/p/${source.path}` === path),
    );
    if (module !== undefined) {
      const own = new Set(module.sources.map((source) => source.path));
      const alone = analyse(project, { signatures, graph: 'sync', only: new Set([module.id]) }).diagnostics;
      expect(
        alone.filter((one) => own.has(one.path)),
        told,
      ).toEqual(fresh.filter((one) => own.has(one.path)));
    }
    expect(analyse(read(kept), { signatures, graph: 'sync' }).diagnostics, told).toEqual(fresh);
    if (count % 4 === 0) expect(emitted(read(kept)), told).toEqual(emitted(read()));
  }
});

function emitted(project: Project) {
  return beginCompilation(project, options, clientEmitter).finish();
}

function example(name: string): Readonly<Record<string, string>> {
  const folder = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  const paths = readdirSync(folder, { recursive: true }).map(String);
  const texts = paths
    .filter((path) => path.endsWith('.svc') && !path.endsWith('.e2e.svc'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
  const pages = paths.filter((path) => path.startsWith('pages/') && path.endsWith('.svc') && !path.includes('.test.'));
  const imports = pages.map((path) => `import "./${path}";\n`).join('');
  return Object.fromEntries(texts.map(([path, text]) => [path, path === 'main.svc' ? imports + text : text]));
}

const pieces = [
  'x',
  ' limit ',
  '.name',
  '(1)',
  ' + 1',
  ';',
  '{',
  '}',
  '"',
  ': int',
  ' = 3;',
  'return ',
  'self.',
  'here.size',
  ' await ',
];

/** The text with one token or one declaration left out, given twice, moved, or in another one's place. */
function edited(text: string, random: Random): string {
  const parts = random.oneIn(3) ? text.split(/(?<=\n)(?=\S)/) : text.split(/(?<=\W)|(?=\W)/);
  const at = random.below(parts.length);
  const other = random.pick(random.oneIn(2) ? parts : pieces);
  switch (random.below(5)) {
    case 0:
      return parts.toSpliced(at, 1).join('');
    case 1:
      return parts.toSpliced(at, 0, other).join('');
    case 2:
      return parts.toSpliced(at, 1, other).join('');
    case 3:
      return parts.toSpliced(at, 0, parts[at]!).join('');
    default:
      return parts.toSpliced(at, 1).toSpliced(random.below(parts.length), 0, parts[at]!).join('');
  }
}
