import { expect, test } from 'vitest';
import { signatures } from '../library/signatures/signatures.ts';
import { analyse } from './analysis.ts';
import { filesInMemory } from './project/files.ts';
import { createKeptFiles } from './project/kept-files.ts';
import { readProject } from './project.ts';

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
