import { expect, test } from 'vitest';
import { signatures } from '../library/signatures/signatures.ts';
import type * as ast from './1-parse/ast.ts';
import { typeText } from './3-infer/classes/type-values.ts';
import type { ModuleTypes } from './3-infer/infer.ts';
import { analyse } from './analysis.ts';
import { forEachNode, typesAt, typesWithin, type View, viewOf } from './editor/view.ts';
import { filesInMemory } from './project/files.ts';
import { createKeptFiles } from './project/kept-files.ts';
import { projectOfText, readProject } from './project.ts';

const options = { signatures, graph: 'sync' } as const;

function codesOf(
  files: Readonly<Record<string, string>>,
  only?: ReadonlySet<string>,
  kept = createKeptFiles(),
): string[] {
  const project = readProject('/p/main.svc', filesInMemory(files), { root: '/p', kept });
  return analyse(project, { ...options, only }).diagnostics.map(({ code, path }) => `${path}: ${code}`);
}

test('a module that is asked about alone knows the variables of others', () => {
  const files = {
    '/p/main.svc': 'import from .shelf { best }\nwith entry { print(best.colour); }',
    '/p/shelf.svc': 'obj Shelf { has name: str; }\nglob best = Shelf(name="a");',
  };
  const found = codesOf(files);
  expect(found).toEqual([expect.stringMatching(/^main.svc: E04/)]);
  expect(codesOf(files, new Set(['main']))).toEqual(found);
});

test('a module that is asked about alone knows classes inside of functions of others', () => {
  const files = {
    '/p/main.svc':
      'import from .shelf { Shelf, made }\nwith entry { made(); print([root -->[?:Shelf, colour == "red"]]); }',
    '/p/shelf.svc':
      'node Shelf { has name: str = ""; }\ndef made() -> None {\n    node Red(Shelf) { has colour: str = "red"; }\n    root ++> Red();\n}',
  };
  expect(codesOf(files)).toEqual([]);
  expect(codesOf(files, new Set(['main']))).toEqual([]);
});

test('names of a module that is as it was are found anew when an import leads elsewhere', () => {
  const kept = createKeptFiles();
  const main = { '/p/main.svc': 'import from .shelf { best }\nwith entry { print(best); }' };
  const shelf = { '/p/shelf.svc': 'glob best = 1;' };
  expect(codesOf({ ...main, ...shelf }, undefined, kept)).toEqual([]);
  expect(codesOf(main, undefined, kept)).toEqual(['main.svc: E0701']);
  expect(codesOf({ ...main, '/p/shelf.svc': 'glob other = 1;' }, undefined, kept)).toEqual(['main.svc: E0702']);
  expect(codesOf({ ...main, ...shelf }, undefined, kept)).toEqual([]);
});

test('of an element asked for alone as much is known as when the whole program is asked', () => {
  const text = `glob count = 0, name: str = "a", made = later();
node Item { has price: float = 1.0; def cost(n: int) -> float { return self.price * n; } }
walker Buy { has count: int = 1; can go with Root entry { report self.count; visit [-->[?:Item]]; } can see with Item entry { x = here.cost(2); report x; } }
def later() { return [1, 2]; }
def raise_it(by: int) { global count; count = "many"; return by + 1; }
def asks(one: Item) { n = count; s = name.upper(); r = raise_it(2); m = made; return one.cost(r); }
def:pub page() -> JsxElement { has rows: list[Item] = []; async can with entry { got = root spawn Buy(count=2); rows = got.reports; } return <p>{for row in rows { <b>{row.price}</b> }}</p>; }
`;
  const whole = analyse(projectOfText(text), { signatures, graph: 'sync' });
  const view = viewOf(whole, 'main.svc')!;
  for (const element of view.module.tree.body) {
    const alone = viewOf(analyse(projectOfText(text), { signatures, graph: 'sync' }), 'main.svc')!;
    const twin = alone.module.tree.body[view.module.tree.body.indexOf(element)]!;
    const told = (of: View, at: ast.Node, types: ModuleTypes) => {
      const found: string[] = [];
      forEachNode(of, (node, around) => {
        if (around === at && node.kind !== 'Markup')
          found.push(`${node.kind} ${typeText(types.of(node as ast.Expression))}`);
      });
      return found;
    };
    expect(told(alone, twin, typesWithin(alone, twin))).toEqual(told(view, element, typesAt(view, element)));
  }
});
