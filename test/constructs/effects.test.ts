/**
 * Nothing is understood and then does nothing: each part of the tree, taken away, leaves other code, or a finding says that it has no effect.
 * Asked of the programs of the repository, and of samples that put every statement into every body and every member into every type.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { type Project, readProject } from '../../lang/project.ts';
import { codeOf, findingsOf, isTold, type Site, sitesOf, takeAway } from './effects.ts';
import { library, preludeSize, samples } from './samples.ts';

const repository = join(import.meta.dirname, '../..');

/** One program, read anew each time it is asked for. */
interface Program {
  readonly name: string;
  readonly read: () => Project;
  readonly code: string;
}

const mostTries = 25;

/** Keys of parts that never make a difference and are never told, each with the place of a site. */
function withoutEffect(sites: ReadonlyMap<string, readonly (readonly [Program, Site])[]>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, some] of sites) {
    if (some.some(([program, site]) => changes(program, site))) continue;
    const silent = some.find(
      ([program, site]) => !isTold(site, findingsOf(program.read())) && !isInside(program, site),
    );
    if (silent !== undefined) found.set(key, `${silent[0].name} ${silent[1].path.join('.')}`);
  }
  return found;
}

/** Tells whether a site is part of something that has no effect either, which is asked about by itself. */
function isInside(program: Program, site: Site): boolean {
  for (let length = 2; length < site.path.length; length++)
    if (!changes(program, { ...site, path: site.path.slice(0, length) })) return true;
  return false;
}

function changes({ read, code }: Program, site: Site): boolean {
  const project = read();
  takeAway(project, site);
  try {
    return codeOf(project) !== code;
  } catch {
    return true;
  }
}

function group(list: Iterable<readonly [Program, Site]>): Map<string, (readonly [Program, Site])[]> {
  const sites = new Map<string, (readonly [Program, Site])[]>();
  for (const entry of list) {
    const known = sites.get(entry[1].key);
    if (known === undefined) sites.set(entry[1].key, [entry]);
    else if (known.length < mostTries) known.push(entry);
  }
  return sites;
}

function programs(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    return existsSync(join(path, 'main.svc')) ? [path] : programs(path);
  });
}

function program(name: string, read: () => Project): Program | undefined {
  const code = codeOf(read());
  return code === '' ? undefined : { name, read, code };
}

/** Small programs first. */
function* sitesOfPrograms(): Generator<readonly [Program, Site]> {
  const folders = ['test/programs', 'examples'].flatMap((top) => programs(join(repository, top)));
  const found = folders.flatMap((folder) => {
    const read = () => readProject(join(folder, 'main.svc'), diskFiles, { root: folder, tests: true });
    return program(relative(repository, folder), read) ?? [];
  });
  for (const one of found.toSorted((a, b) => a.code.length - b.code.length))
    for (const { id, tree } of one.read().modules.values())
      for (const site of sitesOf(id, tree, [], 'Module')) yield [one, site];
}

/** Each statement, member and declaration of a sample is asked about by itself, their parts by the place they stand in. */
function* sitesOfSamples(): Generator<readonly [Program, Site]> {
  for (const { place, text, program: source } of samples) {
    const files = filesInMemory({ 'main.svc': source, 'lib.svc': library, 'x.css': '' });
    const one = program(`${place}: ${text}`, () => readProject('main.svc', files, { root: '.', tests: true }));
    if (one === undefined) continue;
    const { tree } = one.read().modules.get('main')!;
    for (const [i, element] of tree.body.entries()) {
      if (i < preludeSize) continue;
      yield [one, { module: 'main', path: ['body', i], span: element, key: `${place}: ${text}` }];
      for (const site of sitesOf('main', element, ['body', i], place))
        yield [
          one,
          /\.(statements|members|body): /.test(site.key) ? { ...site, key: `${place}: ${text} > ${site.key}` } : site,
        ];
    }
  }
}

/** Parts that make no difference and need not, by the end of the key or by the text of the sample. */
const justified: readonly (readonly [RegExp, string])[] = [
  [/(Param|HasItem|AssignStatement|GlobItem)\.type$|Signature\.result$/, 'a hint; not every one changes code'],
  [
    /typeParams: TypeParam$|TypeParam\.(bound|value)$/,
    'type parameters are erased (docs/language/functions.md#type-parameters)',
  ],
  [/: type LT2 = .*: TypeAlias$/, 'a name for hints'],
  [/mods\.override$/, 'asks that there is something to override (W0512)'],
  [/Block\.tail$/, 'the last of the statements, which is asked about as that'],
  [/EdgeRef\.origin$/, '`root` is also where an edge reference begins without it (docs/language/graph.md#origin)'],
  [/NumberLiteral\.float$/, 'how a number shows is known from the type of the whole'],
  [/: ("just text"|\.\.\.|5); > .*(ExprStatement|EntryBlock)$/, 'a value alone, as in Python'],
  [
    /: glob gbare; > |: global gl; /,
    'directives: a variable declared with `glob` is assigned without them (docs/language/statements.md#scopes)',
  ],
  [/ImplDecl > Block\.statements: ScopeStatement$/, 'the same'],
  [/AssignStatement\.let$/, 'in an entry block every assignment declares'],
  [/: import from math \{ \* \} > /, 'a star fills what the body names, and this one names nothing'],
  [
    /: import type from lib \{ LT \} > .*: EntryBlock$|: import from __future__ /,
    'nothing at run time (docs/language/imports.md#imports)',
  ],
  [/ImplDecl\.event$/, 'the event of the declaration again; another one is W0503'],
  [/Archetype\.endpoints$/, 'what may be connected is checked (W0533)'],
  [/(GlobDecl|TypeAlias)\.access$|PlacedBlock > FunctionDecl\.access$/, 'who may name it is checked (W0510)'],
  [/HasDecl\.access$/, 'of a variable of a body, which nobody outside can name'],
  [/Ability\.access$/, 'abilities run in walks, whoever started them'],
  [/class > HasDecl\.static$/, 'every field of a `class` is one of the class (docs/language/archetypes.md#fields)'],
  [
    /(Module|Ability|EntryBlock|TestBlock|GlobDecl|TypeAlias|SemDecl|ImportModules|Include)\.doc$/,
    'nothing has a `__doc__` of it',
  ],
  [/ModulePath\.quoted$/, 'paths are followed while the project is read'],
  [/: can .*\{ print\("effect"\); \}/, 'in a lambda or a type the ability around it is told (E0121)'],
  [/(EntryBlock|Lambda) > ImplDecl\.body$/, 'the `impl` is told (E0501)'],
];

function expectNothing(found: ReadonlyMap<string, string>): void {
  const left = [...found].filter(([key]) => !justified.some(([pattern]) => pattern.test(key)));
  expect(left.map(([key, where]) => `${key} (${where})`).sort()).toEqual([]);
  for (const key of found.keys()) for (const [pattern] of justified) if (pattern.test(key)) used.add(pattern);
}

const used = new Set<RegExp>();

test('in the programs of the repository', () => {
  expectNothing(withoutEffect(group(sitesOfPrograms())));
});

test('in samples', () => {
  expectNothing(withoutEffect(group(sitesOfSamples())));
});

test('every justification is needed', () => {
  expect(justified.filter(([pattern]) => !used.has(pattern)).map(([, why]) => why)).toEqual([]);
});
