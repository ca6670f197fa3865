/** Names in scope at the cursor, modules to import, parts of markup. */
import type * as ast from '../../1-parse/ast.ts';
import { ambientAliases, ambientNames } from '../../2-resolve/ambient.ts';
import { browserGlobals } from '../../2-resolve/browser-globals.ts';
import type { LocalBinding, Scope } from '../../2-resolve/names.ts';
import { classOfExpr } from '../../3-infer/classes/classes.ts';
import { typeText } from '../../3-infer/classes/type-values.ts';
import type { ModuleTypes } from '../../3-infer/infer.ts';
import type { ClassInfo } from '../../3-infer/types.ts';
import { dirName, joinPath } from '../../project/paths.ts';
import { standardModules } from '../../project/standard-modules.ts';
import { classesIn } from '../definition.ts';
import { signatureText } from '../describe.ts';
import { docOf } from '../docs.ts';
import { componentOf } from '../meanings.ts';
import { elementClasses } from '../members.ts';
import { scopesAround } from '../scopes.ts';
import { callableOf } from '../signature.ts';
import { shownType, type View } from '../view.ts';
import type { Candidate, World } from './candidate.ts';
import { kindOfRole } from './module-names.ts';
import { ariaAttributes, attributes, events, runtimeNames, tagAttributes, tags } from './words.ts';

/** Variables of the functions around the cursor, the innermost first, then names of the module and built-in ones. */
export function namesInScope(
  view: View,
  types: ModuleTypes,
  path: readonly ast.Node[],
  isOfBrowser: boolean,
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (candidate: Candidate) => {
    if (!found.has(candidate.name)) found.set(candidate.name, candidate);
  };
  for (const scope of scopesAround(view, path))
    for (const local of localsOf(scope))
      add({
        name: local.name,
        kind: local.role === 'param' ? 'param' : local.role === 'def' ? 'function' : 'variable',
        detail: typeOf(types, local),
        rank: 40,
      });
  for (const binding of view.names.bindings.values()) {
    const { name, role, decl, access } = binding;
    const end = role === 'import' ? (view.analysis.names.follow(binding) ?? binding) : binding;
    add({
      name,
      kind: kindOfRole(end.role, end.decl),
      detail: role === 'import' ? 'import' : (access ?? ''),
      rank: role === 'import' ? 28 : 26,
      doc: docOf(decl),
    });
  }
  if (isOfBrowser)
    for (const name of browserGlobals)
      add({ name, kind: /^[A-Z]/.test(name) ? 'class' : 'variable', detail: 'browser', rank: 4 });
  const { functions } = types.program.builtins;
  for (const name of [...ambientNames, ...ambientAliases.keys()]) {
    if (name.startsWith('__')) continue;
    const signature = functions.get(name);
    add({
      name,
      kind: /^[A-Z]/.test(name) ? 'class' : 'function',
      detail: signature === undefined ? 'built in' : signatureText(signature),
      rank: usualBuiltins.has(name) ? 18 : 8,
    });
  }
  return [...found.values()];
}

const usualBuiltins: ReadonlySet<string> = new Set(
  'print len str range int isinstance enumerate float round set sum min max list dict sorted any all oid bool next zip'.split(
    ' ',
  ),
);

function localsOf({ locals }: Scope): readonly LocalBinding[] {
  return [...locals.values()].filter(({ name }) => name !== '');
}

function typeOf(types: ModuleTypes, binding: LocalBinding): string {
  const type = shownType(types.ofBinding(binding));
  return type.t === 'any' || type.t === 'never' ? '' : typeText(type);
}

/** Names of parameters that may be given by name in a call. */
export function argumentNames(view: View, types: ModuleTypes, call: ast.Call, at: number): readonly Candidate[] {
  const given = new Set(call.args.filter(({ start, end }) => at < start || at > end).map(({ name }) => name?.text));
  const callable = callableOf(view, call, types);
  const params = callable?.params ?? [];
  // Fields of an object that is made are mostly given by name, arguments of a function mostly not.
  const usual = callable?.makes === true ? 110 : 44;
  return params
    .filter(({ name, kind }) => (kind === 'any' || kind === 'kw') && !given.has(name))
    .map(
      ({ name, type, optional }): Candidate => ({
        name,
        kind: 'param',
        detail: typeText(type),
        rank: optional ? usual : usual + 4,
        insert: `${name}=`,
      }),
    );
}

/** Fields of the class that a filter or the conditions of an edge speak of. */
export function conditionFields(
  view: View,
  types: ModuleTypes,
  node: ast.Node,
  path: readonly ast.Node[],
): readonly Candidate[] {
  const classes = conditionClasses(view, types, node, path);
  return classes.flatMap((cls) =>
    [...cls.fields.values()]
      .filter(({ property }) => !property)
      .map((field): Candidate => ({ name: field.name, kind: 'field', detail: typeText(field.type), rank: 60 })),
  );
}

function conditionClasses(
  view: View,
  types: ModuleTypes,
  node: ast.Node,
  path: readonly ast.Node[],
): readonly ClassInfo[] {
  const named = (type: ast.Expression | undefined): readonly ClassInfo[] => {
    const state = types.program.modules.get(view.module.id);
    const cls = type === undefined || state === undefined ? undefined : classOfExpr(types.program, state, type);
    return cls === undefined ? [] : [cls];
  };
  if (node.kind === 'ClassPattern') return named(node.type);
  if (node.kind === 'AssignTrailer') return elementClasses(types.of(node.object));
  if (node.kind === 'FilterSpec' || node.kind === 'EdgeOp') {
    if (node.type !== undefined && node.type.kind !== 'Missing') return named(node.type);
    const filter = path.findLast((one) => one.kind === 'Filter' || one.kind === 'EdgeRef');
    if (filter?.kind === 'Filter') return elementClasses(types.of(filter.object));
    // Edges may lead to any class.
    return filter === undefined ? [] : classesIn(view, types.program).filter(({ kind }) => kind === 'node');
  }
  const filter =
    node.kind === 'Filter'
      ? node.filter
      : node.kind === 'Hop'
        ? node.filter
        : node.kind === 'EdgeRef'
          ? node.hops.at(-1)?.filter
          : undefined;
  if (filter?.type !== undefined) return named(filter.type);
  return node.kind === 'Filter' ? elementClasses(types.of(node.object)) : [];
}

/** Modules that an import may name: of the language, files of the project, npm packages. `written`: the path up to the cursor. */
export function modulePaths(
  view: View,
  written: string,
  quote: string,
  { files, packages }: World,
): readonly Candidate[] {
  const dots = /^\.*/.exec(written)![0].length;
  const segments = written.slice(dots).split('.').slice(0, -1);
  const found = new Map<string, Candidate>();
  const add = (name: string, detail: string, rank: number) => {
    if (!found.has(name)) found.set(name, { name, kind: 'module', detail, rank });
  };
  if (quote !== '') {
    for (const name of [...packages, '@svc/runtime']) add(name, 'package', 30);
    const folder = joinPath(dirName(view.module.path), written.slice(0, written.lastIndexOf('/') + 1));
    if (written.startsWith('.')) for (const name of files.listDir(folder)) add(name, 'file', 20);
    return [...found.values()];
  }
  let base = dots > 0 ? dirName(view.module.path) : view.analysis.project.root;
  for (let up = 1; up < dots; up++) base = dirName(base);
  const folders =
    dots === 0
      ? [...new Set([joinPath(base, ...segments), joinPath(dirName(view.module.path), ...segments)])]
      : [joinPath(base, ...segments)];
  for (const folder of folders) {
    for (const name of files.listDir(folder)) {
      const module = /^([A-Za-z_]\w*)(?:\.(?:cl|sv|na))?\.svc$/.exec(name)?.[1];
      if (module !== undefined && joinPath(folder, name) !== view.module.path) add(module, 'module of the project', 40);
      else if (
        /^[A-Za-z_]\w*$/.test(name) &&
        name !== 'node_modules' &&
        files.exists(joinPath(folder, name)) === 'directory'
      )
        add(name, 'folder', 30);
    }
  }
  if (dots > 0) return [...found.values()];
  const prefix = segments.length === 0 ? '' : `${segments.join('.')}.`;
  for (const name of standardModules)
    if (name.startsWith(prefix))
      add(name.slice(prefix.length).split('.')[0]!, 'standard module', usualModules.has(name) ? 35 : 15);
  if (segments.length === 0) for (const name of packages) if (/^\w+$/.test(name)) add(name, 'package', 30);
  return [...found.values()];
}

const usualModules: ReadonlySet<string> = new Set(
  'http datetime math json random time os re uuid collections typing functools itertools svc_scale'.split(' '),
);

export function tagNames(names: readonly Candidate[], closes: string | undefined): readonly Candidate[] {
  const first: Candidate[] = closes === undefined ? [] : [{ name: closes, kind: 'tag', detail: '', rank: 100 }];
  const components = names
    .filter(
      ({ name, kind, detail }) =>
        /^[A-Z]/.test(name) && !isOfGraph.has(kind) && detail !== 'browser' && detail !== 'built in',
    )
    .map((one): Candidate => ({ ...one, rank: 35 }));
  return [
    ...first,
    ...tags.map((name, i): Candidate => ({ name, kind: 'tag', detail: 'element', rank: 30 - i / 4 })),
    ...components,
  ];
}

/** Kinds of names that are no components. */
const isOfGraph: ReadonlySet<string> = new Set(['node', 'edge', 'walker', 'enum']);

export function attributeNames(view: View, { tag, attributes: given }: ast.Markup, at: number): readonly Candidate[] {
  const used = new Set(given.filter(({ start, end }) => at < start || at > end).map(({ name }) => name));
  const found: Candidate[] = [];
  const insert = (name: string) => `${name}={$1}`;
  if (tag !== undefined && typeof tag !== 'string') {
    const component = tag.kind === 'NameRef' ? componentOf(view, tag) : undefined;
    const params = component?.decl.signature.params ?? [];
    // A component that gets its attributes together may take any.
    const takesAny = component === undefined || (params.length === 1 && params[0]?.name?.text === 'props');
    for (const param of takesAny ? [] : params)
      if (param.name !== undefined)
        found.push({
          name: param.name.text,
          kind: 'attribute',
          detail: 'property',
          rank: 60,
          insert: insert(param.name.text),
          isSnippet: true,
        });
    const isClosed =
      !takesAny && params.length > 0 && params.every(({ sort }) => sort !== 'star' && sort !== 'doublestar');
    if (isClosed) {
      found.push({ name: 'key', kind: 'attribute', detail: '', rank: 30, insert: insert('key'), isSnippet: true });
      return found.filter(({ name }) => !used.has(name));
    }
    for (const name of ['to', 'element', 'path', 'end', 'replace', 'redirect', 'children', 'fallback'])
      found.push({ name, kind: 'attribute', detail: '', rank: 12 });
    if (takesAny)
      for (const name of new Set(Object.values(tagAttributes).flat()))
        found.push({ name, kind: 'attribute', detail: '', rank: 8 });
  }
  for (const [i, name] of (typeof tag === 'string' ? (tagAttributes[tag] ?? []) : []).entries())
    found.push({ name, kind: 'attribute', detail: '', rank: 40 - i / 2 });
  for (const [i, name] of attributes.entries()) found.push({ name, kind: 'attribute', detail: '', rank: 30 - i });
  for (const [i, name] of events.entries())
    found.push({ name, kind: 'event', detail: 'event', rank: 28 - i / 3, insert: insert(name), isSnippet: true });
  for (const [i, name] of ariaAttributes.entries())
    found.push({ name, kind: 'attribute', detail: '', rank: 12 - i / 3 });
  return found.filter(({ name }) => !used.has(name));
}

/** Names that a JavaScript module of the browser runtime gives. */
export function runtimeCandidates(): readonly Candidate[] {
  return runtimeNames.map(
    (name, i): Candidate => ({
      name,
      kind: /^[A-Z]/.test(name) ? 'class' : 'function',
      detail: '@svc/runtime',
      rank: 40 - i / 2,
    }),
  );
}
