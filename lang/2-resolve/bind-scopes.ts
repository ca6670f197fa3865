/**
 * Second step of phase 2: with all scopes known, decides what every name refers to
 * (docs/language/statements.md#scopes).
 */

import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import type { ModuleTarget } from '../project.ts';
import { ambientAliases, ambientName, ambientNames, missingBuiltins } from './ambient.ts';
import type { Built } from './build-scopes.ts';
import { meantByName } from './meant-name.ts';
import { type Declared, importedNames, publicNames, type StandardNames, targetOf } from './module-bindings.ts';
import type { Binding, BuiltinBinding, ImportTarget, LocalBinding } from './names.ts';
import { type Frame, type LocalRecord, type ModuleRecord, makeModuleRecord, type Use } from './records.ts';

interface Binder {
  readonly built: Built;
  readonly declared: Declared;
  readonly all: ReadonlyMap<string, Declared>;
  readonly standardNames: StandardNames | undefined;
  readonly slots: Map<Frame, number>;
  readonly usedByServer: Map<ModuleRecord, ast.Node[]>;
  hints: number;
}

/** Names that entry blocks bind become module variables; the frame of the module is done first. */
export function bindModuleFrame(built: Built, declared: Declared): void {
  // Names imported in an entry block belong to the module.
  for (const node of built.frame.stars ?? []) declared.stars.push({ node, target: targetOf(built.module, node.path) });
  for (const use of built.frame.uses.values()) {
    const known = declared.bindings.get(use.name);
    if (known !== undefined) {
      use.binding = known;
      // A typed declaration takes the name of an import, too: `pi: float = 3.14;`
      if (use.assignments > 1 && (use.weak || known.role === 'import')) known.reassigned = true;
      if (use.imports !== undefined && known.role !== 'import') known.reassigned = true;
      if (isReadThrough(known.import) && isFilledOtherwise(built, use, known.import)) makeVariable(known);
    } else if (use.role !== undefined || use.weak) {
      use.binding = addEntryVariable(built, declared, use);
    }
  }
  // `global x` makes a module variable wherever it stands.
  for (const use of built.globals) {
    if (declared.bindings.has(use.name) || use.assignments === 0) continue;
    const role = use.decl?.kind === 'GlobItem' ? 'glob' : 'entry';
    const record = makeModuleRecord(built.module.id, use.name, role, use.decl);
    record.mayBeUnbound = role === 'entry';
    declared.bindings.set(use.name, record);
  }
}

function addEntryVariable(built: Built, declared: Declared, use: Use): ModuleRecord {
  const { module } = built;
  const target = use.role === 'import' && use.decl !== undefined ? importTargetOf(built, use) : undefined;
  // `if old { import from compat { imap as map } }`: the built-in is meant where the import did not run.
  const hidesSometimes = !use.assigned && ambientBindings.has(use.name);
  const isImport =
    target !== undefined && !hidesSometimes && !(isReadThrough(target) && isFilledOtherwise(built, use, target));
  const record = makeModuleRecord(module.id, use.name, isImport ? 'import' : 'entry', use.decl);
  if (isImport) record.import = target;
  record.reassigned = use.reassigned || (target !== undefined && !isImport);
  record.mayBeUnbound = use.early || use.deleted;
  record.used = use.read;
  declared.bindings.set(use.name, record);
  return record;
}

/** Imports of project modules are read where they are declared, and one that fails has no value: neither is a variable that others can fill. */
function isReadThrough(target: ImportTarget | undefined): target is ImportTarget {
  return target?.of === 'module' || target?.of === 'member' || target?.of === 'unavailable';
}

/** Does something else than imports of this very thing give the name a value? */
function isFilledOtherwise(built: Built, use: Use, target: ImportTarget): boolean {
  if (use.weak || use.role !== 'import') return true;
  const further = use.imports?.filter((item) => !isClientOnly(built, item));
  return further?.some((decl) => !isSameTarget(importTargetOf(built, { ...use, decl }), target)) === true;
}

function isClientOnly({ module, statementOf }: Built, item: ast.Node): boolean {
  const placed = module.placement.get(item.kind === 'Include' ? item : (statementOf.get(item) ?? item));
  return placed?.client === true && !placed.server;
}

function isSameTarget(a: ImportTarget | undefined, b: ImportTarget): boolean {
  if (a?.of === 'module' && b.of === 'module') return a.module === b.module;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** `try { import from fast { parse } } except ImportError { import from slow { parse } }`: each fills the one variable. */
function makeVariable(record: ModuleRecord): void {
  Object.assign(record, { role: 'entry', import: undefined, mayBeUnbound: true, reassigned: true });
}

/**
 * Binds every use of every frame. Gives the imports that server code uses, with the elements that do: what they lead to stays on the
 * server when placement was inferred. Reports E0301, E0302, E0905 and W0135.
 */
export function bindScopes(
  built: Built,
  declared: Declared,
  all: ReadonlyMap<string, Declared>,
  isServer: (element: ast.Node) => boolean,
  standardNames?: StandardNames,
): ReadonlyMap<ModuleRecord, readonly ast.Node[]> {
  const binder: Binder = { built, declared, all, standardNames, slots: new Map(), usedByServer: new Map(), hints: 0 };
  bringLocalStars(built, all, standardNames);
  for (const frame of built.frames) {
    for (const use of frame.uses.values()) {
      use.binding ??= bindUse(binder, frame, use);
      noteModuleUse(binder, frame, use, isServer);
    }
    if (frame.earlier === undefined) continue;
    for (const use of frame.earlier.values()) {
      use.binding = bindEarlier(binder, frame, use);
      noteModuleUse(binder, frame, use, isServer);
    }
  }
  for (const record of declared.bindings.values()) {
    if (record.role === 'entry' && !record.assignedInside) record.slot = nextSlot(binder, built.frame);
  }
  return binder.usedByServer;
}

/**
 * Finds the binding of a name that a class body reads before it binds the name: something outside; else the later
 * binding, as for a method that is named before its text.
 */
function bindEarlier(b: Binder, frame: Frame, use: Use): Binding {
  const own = frame.uses.get(use.name)?.binding;
  if (own?.sort !== 'local' || own.scope !== frame.scope) return bindUse(b, frame, use);
  const outer = findOuter(b, frame.parent!, use, true);
  return outer ?? b.declared.bindings.get(use.name) ?? ambientBinding(use.name) ?? own;
}

function bindUse(b: Binder, frame: Frame, use: Use): Binding {
  if (use.role !== undefined && frame.kind !== 'module') return makeLocal(b, frame, use);
  if (frame.kind === 'class' && use.weak) return makeLocal(b, frame, use);
  if (use.directive !== 'global' && frame.parent !== undefined) {
    const outer = findOuter(b, frame.parent, use, frame.kind !== 'comprehension');
    if (outer !== undefined) return outer;
  }
  const ofModule = b.declared.bindings.get(use.name);
  if (use.weak && frame.kind !== 'module' && use.directive !== 'global') {
    if (ofModule?.role !== 'glob') return makeLocal(b, frame, use);
  }
  if (ofModule !== undefined) return ofModule;
  const ambient = ambientBinding(use.name);
  if (ambient !== undefined) return ambient;
  // A name that only a function inside this one reads is reported there.
  if ((use.read || use.weak) && !mayComeFromStar(b, frame)) reportUndefined(b, use);
  return { sort: 'unresolved', name: use.name };
}

const ambientBindings: ReadonlyMap<string, BuiltinBinding> = new Map(
  [...ambientNames, ...ambientAliases.keys()].map((name) => [name, { sort: 'builtin', name: ambientName(name)! }]),
);

/** The one record of a built-in name. */
export function ambientBinding(name: string): BuiltinBinding | undefined {
  return ambientBindings.get(name);
}

/** The local of an enclosing function, comprehension or (from the class body itself) class. */
function findOuter(b: Binder, from: Frame, use: Use, closes: boolean): LocalBinding | undefined {
  for (let outer: Frame | undefined = from; outer !== undefined && outer.kind !== 'module'; outer = outer.parent) {
    if (use.weak && outer.kind === 'class') continue;
    const found = outer.uses.get(use.name)?.binding;
    if (found === undefined || found.sort !== 'local' || found.scope !== outer.scope) continue;
    if (use.late !== undefined) note(b, 'E0302', use);
    found.used = true;
    if (use.deleted) Object.assign(found, { mayBeUnbound: true, assignedInside: true, reassigned: true });
    if (closes) {
      found.captured = true;
      if (use.weak) {
        found.assignedInside = true;
        found.reassigned = true;
      }
    }
    return found;
  }
  return undefined;
}

function makeLocal(b: Binder, frame: Frame, use: Use): LocalBinding {
  if (use.late !== undefined && hasOuterMeaning(b, frame, use)) note(b, 'E0302', use);
  let home = frame;
  while (home.kind === 'comprehension' && home.parent !== undefined) home = home.parent;
  const role = use.role ?? 'local';
  // Functions and classes that name each other are all made before one of them runs.
  const early = role === 'def' || role === 'type' ? use.earlyHere : use.early && role !== 'param';
  const record: LocalRecord = {
    sort: 'local',
    name: use.name,
    scope: frame.scope,
    role,
    decl: use.decl,
    import: role === 'import' ? importTargetOf(b.built, use) : undefined,
    captured: use.captured,
    mayBeUnbound: use.deleted || (early && frame.kind !== 'comprehension'),
    reassigned: use.reassigned,
    assignedInside: false,
    onlyAugmented: use.role === undefined && use.directive === undefined && use.assignments === use.augmented,
    used: use.read,
    slot: nextSlot(b, home),
    home: home.scope,
  };
  frame.scope.add(record);
  return record;
}

function nextSlot(b: Binder, home: Frame): number {
  const slot = b.slots.get(home) ?? 0;
  b.slots.set(home, slot + 1);
  return slot;
}

function hasOuterMeaning(b: Binder, frame: Frame, use: Use): boolean {
  const { name } = use;
  for (let outer = frame.parent; outer !== undefined && outer.kind !== 'module'; outer = outer.parent) {
    const found = outer.uses.get(name)?.binding;
    if (found?.sort === 'local' && found.scope === outer.scope) return true;
  }
  const ofModule = b.declared.bindings.get(name);
  // A plain assignment means a name of the module only if it is a `glob` variable: with any other name it has made a
  // local before.
  return ofModule !== undefined && (ofModule.role === 'glob' || !use.assignedBeforeLate);
}

/** `import from m { * }` inside a function: those of its names that the function or one inside it uses are locals. */
function bringLocalStars(built: Built, all: ReadonlyMap<string, Declared>, standardNames?: StandardNames): void {
  for (const frame of built.frames) {
    for (const node of (frame.kind !== 'module' && frame.stars) || []) {
      for (const [name, target] of namesOfStar(targetOf(built.module, node.path), all, standardNames) ?? []) {
        const use = frame.uses.get(name);
        if (use === undefined || use.role !== undefined) continue;
        Object.assign(use, { role: 'import', decl: node, import: target, reassigned: use.weak });
      }
    }
  }
}

/** Undefined where the names are not known. */
function namesOfStar(
  target: ModuleTarget,
  all: ReadonlyMap<string, Declared>,
  standardNames: StandardNames | undefined,
): readonly (readonly [string, ImportTarget])[] | undefined {
  if (target.of === 'project')
    return publicNames(all.get(target.id)!).map((name) => [name, { of: 'member', module: target.id, member: name }]);
  const names = target.of === 'standard' ? standardNames?.(target.name) : undefined;
  if (target.of !== 'standard' || names === undefined) return undefined;
  return [...names]
    .filter((name) => !name.startsWith('_'))
    .map((name) => [name, { of: 'builtin', module: target.name, member: name }]);
}

/** Is the name perhaps one that an import with `*` brings whose names are not known? */
function mayComeFromStar(b: Binder, from: Frame): boolean {
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.parent) {
    for (const node of frame.stars ?? [])
      if (namesOfStar(targetOf(b.built.module, node.path), b.all, b.standardNames) === undefined) return true;
  }
  return false;
}

function importTargetOf(built: Built, use: Pick<Use, 'import' | 'decl'>): LocalRecord['import'] {
  if (use.import !== undefined) return use.import;
  const { decl } = use;
  if (decl === undefined) return undefined;
  const statement = importStatementOf(built, decl);
  if (statement === undefined) return undefined;
  return importedNames(built.module, statement).find(([, item]) => item === decl)?.[2];
}

/** The import statement around an item: found by its path, which the project knows. */
function importStatementOf(built: Built, decl: ast.Node): ast.ImportModules | ast.ImportFrom | ast.Include | undefined {
  return decl.kind === 'Include' ? decl : built.statementOf.get(decl);
}

function noteModuleUse(b: Binder, frame: Frame, use: Use, isServer: (element: ast.Node) => boolean): void {
  if (use.binding?.sort !== 'module') return;
  const record = use.binding as ModuleRecord;
  if (use.read || use.directive !== undefined) record.used = true;
  if (frame.kind !== 'module') {
    if (use.weak) {
      record.reassigned = true;
      if (isReadThrough(record.import)) makeVariable(record);
      record.assignedInside = true;
    }
    if (use.read && record.role === 'entry') record.mayBeUnbound = true;
  }
  if (record.role === 'import' && use.read && record.decl !== undefined) {
    const readers = frame.kind === 'module' ? use.readers : use.firstElement && [use.firstElement];
    const served = readers?.filter(isServer) ?? [];
    if (served.length > 0) b.usedByServer.set(record, [...(b.usedByServer.get(record) ?? []), ...served]);
  }
  if (!use.deleted) return;
  if (record.role === 'import') makeVariable(record);
  else Object.assign(record, { mayBeUnbound: true, reassigned: true });
}

function reportUndefined(b: Binder, use: Use): void {
  const { first, firstSource, firstElement } = use;
  if (first === undefined || firstSource === undefined || firstElement === undefined || b.declared.openStar) return;
  const missing = missingBuiltins.get(use.name);
  const finding = { span: first, source: firstSource, element: firstElement };
  if (missing !== undefined) {
    b.built.findings.push({
      ...finding,
      code: 'E0905',
      params: { f: use.name },
      details: { help: missing, blocking: false },
    });
    return;
  }
  // Written where Python needs a statement; here it is one that does nothing.
  if (use.name === 'pass') {
    b.built.findings.push({ ...finding, code: 'W0135', params: undefined, details: undefined });
    return;
  }
  const { name } = use;
  let found: { readonly help: string | undefined } | undefined;
  const details = {
    // Asked for when it is shown: the search takes longer than everything else about a name.
    get help() {
      found ??= { help: meantByName(name, first, firstSource.text, firstElement) ?? nearName(b, name) };
      return found.help;
    },
  };
  b.built.findings.push({ ...finding, code: 'E0301', params: { name }, details });
}

/** A look through all names is worth it for as many as are ever shown. */
function nearName(b: Binder, name: string): string | undefined {
  const near = b.hints++ < 50 ? didYouMean(name, namesInScope(b)) : undefined;
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

/** Words of the language that stand where names do, or are read as names when they are misspelt. */
const words = [
  'True',
  'False',
  'None',
  'visit',
  'report',
  'return',
  'disengage',
  'skip',
  'break',
  'continue',
  'root',
  'self',
  'here',
];

function* namesInScope(b: Binder): Iterable<string> {
  for (const frame of b.built.frames) yield* frame.scope.locals.keys();
  yield* b.declared.bindings.keys();
  yield* words;
  yield* ambientNames;
}

function note(b: Binder, code: 'E0302', use: Use): void {
  const { late, firstSource, firstElement } = use;
  if (late === undefined || firstSource === undefined || firstElement === undefined) return;
  b.built.findings.push({
    code,
    span: late,
    params: { name: use.name },
    details: undefined,
    source: firstSource,
    element: firstElement,
  });
}
