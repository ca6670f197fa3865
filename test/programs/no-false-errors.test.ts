/**
 * `svc check` finds no errors in the programs of the repository but those that are there
 * (docs/language/diagnostics.md#static-checks).
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { compileProject } from '../../lang/compile.ts';
import { readProject } from '../../lang/project.ts';
import { positionAt } from '../../lang/source.ts';
import { signatures } from '../../library/signatures/signatures.ts';

const repository = join(import.meta.dirname, '../..');

/** Mistakes that are made on purpose, to see what running them gives; programs about syntax errors are left out. */
const intended: Readonly<Record<string, readonly string[]>> = {
  'test/programs/data/lists': ['E0414 66'],
  'test/programs/data/sets-and-bytes': ['E0414 50'],
  'test/programs/data/string-methods': ['E0413 47', 'E0414 52', 'E0414 57'],
  'test/programs/errors/at-runtime': ['E0413 23', 'E0415 24', 'E0412 25'],
  'test/programs/errors/contexts': ['E0413 4'],
  'test/programs/functions/unpacking': ['E0415 40'],
  'test/programs/functions/parameters': [38, 39, 40, 41, 42, 43, 44, 45, 46].map((line) => `E0412 ${line}`),
  'test/programs/graph/connections': ['E0413 43'],
  'test/programs/graph/route-planner': ['E0412 90'],
  'test/programs/language/c08-objects': ['E0412 9', 'E0412 10', 'E0412 11'],
  'test/programs/language/c19-errors': ['E0413 9', 'E0414 10', 'E0413 14', 'E0415 23'],
  'test/programs/modules/annexes': ['E0502 28'],
  'test/programs/modules/impl-files': ['E0502 26'],
  'test/programs/modules/javascript-types': [
    ...['E0414 29', 'E0414 29', 'E0414 30', 'E0414 43', 'E0414 43', 'E0414 43', 'E0413 44', 'E0413 44', 'E0420 44'],
    ...['E0412 45', 'E0412 45', 'E0410 45', 'E0410 45', 'E0410 45', 'E0410 45', 'E0415 46', 'E0411 47'],
  ],
  'test/programs/objects/bases-that-are-computed': ['E0527 73'],
  'test/programs/objects/brackets-behind-types': ['E0413 12'],
  'test/programs/objects/enums': ['E0413 35', 'E0413 36'],
  'test/programs/objects/inheritance': ['E0412 60', 'E0412 61', 'E0413 62'],
  'test/programs/objects/special-methods': [
    ...['E0414 77', 'E0414 78', 'E0415 80', 'E0415 81', 'E0415 82', 'E0414 83', 'E0415 84'],
  ],
  'test/programs/ported/dataclass-forms': ['E0412 64', 'E0412 64'],
  'test/programs/ported/dataclass-rules': ['E0412 18', 'E0412 19', 'E0412 20'],
  'test/programs/ported/exception-context': ['E0413 62'],
  'test/programs/ported/private-names': ['E0413 50'],
  'test/programs/statements/lexical': ['E0414 21'],
  'test/programs/statements/loops': ['E0415 93'],
};
const broken = new Set(
  ['errors/syntax', 'errors/inline-python', 'modules/mistakes', 'modules/one-mistake-each'].map(
    (name) => `test/programs/${name}`,
  ),
);

for (const folder of ['test/programs', 'test/wire/app', 'examples', 'bench/apps'].flatMap((top) =>
  programs(join(repository, top)),
)) {
  const name = relative(repository, folder.file).replace(/\/main\.svc$/, '');
  if (broken.has(name)) continue;
  test(name, () => {
    const project = readProject(folder.file, diskFiles, { root: folder.root, tests: true });
    const options = { target: 'server', signatures, graph: 'sync', runtime: '#runtime', standardMembers } as const;
    const { diagnostics, modules } = compileProject(project, options);
    const sources = new Map(
      [...project.modules.values()].flatMap((module) => module.sources.map((source) => [source.path, source])),
    );
    const errors = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, path, start }) => `${code} ${positionAt(sources.get(path)!, start).line}`);
    expect(errors).toEqual(intended[name] ?? []);
    expect(modules.length).toBeGreaterThan(0);
  });
}

/** Folders with a `main.svc`, and the single files of others. */
function programs(directory: string): { readonly root: string; readonly file: string }[] {
  if (existsSync(join(directory, 'main.svc'))) return [{ root: directory, file: join(directory, 'main.svc') }];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : programs(path);
    return entry.name.endsWith('.svc') ? [{ root: directory, file: path }] : [];
  });
}
