/**
 * The layout of a generated module: imports; classes and functions with their registrations, which run when the module
 * is loaded; then `$init`, which runs globs, imports and entry blocks in textual order (docs/language/modules.md#order)
 * when an importer, or for the program the module itself, asks for it. So cyclic imports find every function and class
 * in place. TypeScript in such a cycle may ask before the module has been loaded; then another importer does.
 */

import type * as ast from '../1-parse/ast.ts';
import { isHandedOver } from '../2-resolve/module-bindings.ts';
import { isNeutralDecorator } from '../3-infer/functions/functions.ts';
import { archetypeCode } from './archetypes.ts';
import { decorated } from './closures.ts';
import { type Cx, indented, inFile, line, mark, namespaceOf, nested, tempList, type Unit, unique } from './context.ts';
import { debugEnd, debuggedCall, debuggedModule, debugHead, noteLeftOut, tell } from './debugging.ts';
import { enumCode, enumDecorators, hasLateDecorators, isLateEnum } from './enums.ts';
import { expr } from './expressions.ts';
import { functionSpec, placeOf } from './function-spec.ts';
import { nameEntry, namesOfScope, writeFunction } from './functions.ts';
import { exportName, identifier, quote } from './identifiers.ts';
import { importStatement } from './imports.ts';
import { isDeclaration } from './is-declaration.ts';
import { markHead } from './marks.ts';
import { exports, isVariable, replaceable, standardImports } from './module-names.ts';
import { bindingCode, importedValue } from './names.ts';
import { unmarked } from './printer.ts';
import { statements } from './statements.ts';
import { typeValue } from './type-values.ts';

interface Parts {
  readonly classes: string[];
  readonly functions: string[];
  readonly init: string[];
  readonly entries: string[];
  readonly tests: string[];
  /** Lines for the textual place of each declaration, by element. */
  readonly deferred: Map<ast.Node, string>;
}

/** The text of a module in parts, with marks. `submodules`: for a package, the modules below it by name. */
export function moduleParts(u: Unit, tree: ast.Module, submodules: ReadonlyMap<string, string>): readonly string[] {
  const elements = serverElements(u, tree.body);
  const main = mainContext(u, tree, elements);
  const parts: Parts = { classes: [], functions: [], init: [], entries: [], tests: [], deferred: new Map() };
  collectSem(main, elements);
  nameModule(u);
  writeClasses(main, elements, parts);
  for (const element of elements) if (element.kind === 'FunctionDecl') writeFunctionDecl(main, element, parts);
  u.depth = 1;
  for (const element of elements) inFile(u, element, () => writeInit(main, element, parts));
  const remote = writeRemote(main, parts);
  u.depth = 0;
  const temps = tempList(main);
  const late = [...u.late].map((id) => `\n  await ${namespaceOf(u, id)}.$init();`).join('');
  noteModuleNames(main);
  const body =
    (temps.length > 0 ? `\n  let ${temps.join(', ')};` : '') +
    late +
    debuggedModule(u, parts.init.join('') + debugEnd(u));
  // A module whose body raised is not there: the next import of it runs it again.
  const isTriedAgain = u.options.traits.importsLater && !u.options.isEntry && body !== '';
  const init = isTriedAgain ? `\n  try {${body}\n  } catch ($x) { $started = false; throw $x; }` : body;
  const exported = exports(u, submodules);
  // The header imports the members of JavaScript modules, so it is written last.
  const imported = standardImports(u);
  return [
    header(u),
    exported.head,
    imported,
    debugHead(u),
    markHead(u),
    u.topTemps > 0 ? `\nlet ${Array.from({ length: u.topTemps }, (_, i) => `$${i + 1}`).join(', ')};` : '',
    ...u.constants.map((code) => `\n${code}`),
    ...parts.classes,
    ...parts.functions,
    exported.variables,
    assigner(u),
    `\nvar $started = false;\nexport ${main.isAsync ? 'async ' : ''}function $init() {\n  if ($started !== false) return;\n  $started = true;${init}\n}`,
    `\nexport const $entries = [${parts.entries.join(',')}${parts.entries.length > 0 ? '\n' : ''}];`,
    parts.tests.length > 0 ? `\nexport const $tests = [${parts.tests.join(',')}\n];` : '',
    exported.list,
    remote,
    replaceable(u),
    u.options.isEntry ? `\n${main.isAsync ? 'await ' : ''}$init();` : '',
    '\n',
  ];
}

/**
 * Writes the members of other modules that client code alone names: their modules are initialised last, and the server
 * finds the members in `$remote`.
 */
function writeRemote(c: Cx, parts: Parts): string {
  const { remote = [] } = c.u.options;
  for (const id of new Set(remote.map(({ module }) => module))) {
    const waits = c.u.options.waitsForModule?.(id) === true;
    parts.init.push(line(c, `${waits ? 'await ' : ''}${namespaceOf(c.u, id)}.$init();`));
  }
  const members = remote.map(({ module, name }) => `${namespaceOf(c.u, module)}.${exportName(name)}`);
  return members.length === 0 ? '' : `\nexport const $remote = () => [${members.join(', ')}];`;
}

/** Sets variables for other modules, which see them but cannot assign them: `settings.debug = True`. */
function assigner(u: Unit): string {
  let cases = '';
  for (const { name, role, module } of u.names.bindings.values()) {
    const isVariable = role === 'glob' || role === 'entry';
    const isReplaced = (role === 'function' || role === 'archetype') && u.types.mocked.has(name);
    if (module !== u.id || !(isVariable || isReplaced) || !u.types.isAssignedName(name)) continue;
    cases += `\n  if ($name === ${quote(name)}) { ${identifier(name)} = $value; return true; }`;
  }
  return cases === '' ? '' : `\nexport function $assign($name, $value) {${cases}\n  return false;\n}`;
}

/** Notes the names of the module, when all of it has been written. */
function noteModuleNames(c: Cx): void {
  const { debugging, names } = c.u;
  if (debugging === undefined) return;
  for (const binding of names.bindings.values()) {
    if (binding.role === 'alias' || !/^[A-Za-z_]\w*$/.test(binding.name)) continue;
    const code = unmarked(bindingCode(c, binding));
    const isStandard = binding.import?.of === 'builtin';
    debugging.tables.names.push(
      isStandard ? [binding.name, code, 'standard'] : nameEntry(c, binding.name, code, binding),
    );
  }
}

function header(u: Unit): string {
  const lines = [`import * as $ from ${quote(u.options.runtime)};`];
  for (const id of u.options.importsFirst ?? []) lines.push(`import ${quote(u.options.moduleSpecifier(id))};`);
  for (const [id, name] of u.namespaces)
    lines.push(`import * as ${name} from ${quote(u.options.moduleSpecifier(id))};`);
  for (const [specifier, name] of u.foreign) {
    const attributes = specifier.endsWith('.json') ? ' with { type: "json" }' : '';
    lines.push(`import * as ${name} from ${quote(u.options.foreignSpecifier?.(specifier) ?? specifier)}${attributes};`);
  }
  if (u.foreign.size > 0) lines.push('await $.openBorder();');
  if (u.standard.size > 0) lines.push(`await $.load(${[...u.standard].map(quote).join(', ')});`);
  return lines.join('\n');
}

/** Elements placed on the server, blocks opened. */
function serverElements(u: Unit, list: readonly ast.Element[]): Exclude<ast.Element, ast.PlacedBlock>[] {
  const found: Exclude<ast.Element, ast.PlacedBlock>[] = [];
  for (const element of list) {
    if (element.kind === 'PlacedBlock') found.push(...serverElements(u, element.body));
    else if (u.clientNodes.has(element)) noteLeftOut(u, element, 'browser');
    else found.push(element);
  }
  return found;
}

function mainContext(u: Unit, tree: ast.Module, elements: readonly ast.Element[]): Cx {
  const inline = (element: ast.Element) =>
    element.kind === 'EntryBlock' &&
    runsInPlace(u, element) &&
    (u.debugging !== undefined || u.types.suspends(element));
  const waitsForRemote = u.options.remote?.some(({ module }) => u.options.waitsForModule?.(module) === true) === true;
  const waitsForImport = elements.some(
    (element) =>
      (element.kind === 'ImportModules' || element.kind === 'ImportFrom' || element.kind === 'Include') &&
      u.names.importPlan(element).loads.some((id) => u.options.waitsForModule?.(id) === true),
  );
  return {
    u,
    parent: undefined,
    isAsync: u.types.suspends(tree) || waitsForImport || waitsForRemote || elements.some(inline),
    isTop: true,
    result: 'module',
    exit: undefined,
    cls: undefined,
    scope: u.names.module,
    self: undefined,
    here: undefined,
    visitor: undefined,
    walk: undefined,
    ability: undefined,
    canSuper: false,
    temps: 0,
    mostTemps: 0,
    qualname: '',
    listTests: undefined,
    listMarks: undefined,
    jumps: [],
    caught: [],
  };
}

function runsInPlace(u: Unit, element: ast.EntryBlock): boolean {
  return element.label === undefined || (u.options.isEntry && element.label.text === u.options.entryLabel);
}

// ---------------------------------------------------------------- declarations

function collectSem(c: Cx, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'SemDecl')
      c.u.sem.set(element.target.map((name) => name.text).join('.'), expr(c, element.text));
  }
}

/** A description of what another module declares; that of an own declaration is a part of the declaration. */
function describeForeign(c: Cx, element: ast.SemDecl): string {
  const [first, ...path] = element.target.map((name) => name.text);
  const binding = first === undefined ? undefined : c.u.names.bindings.get(first);
  if (binding?.role !== 'import' || binding.import === undefined) return '';
  if (binding.import.of !== 'member' && binding.import.of !== 'module') return '';
  const target = importedValue(c.u, binding.import);
  return line(c, `$.describe(${target}, [${path.map(quote).join(', ')}], ${expr(c, element.text)});`);
}

function nameModule(u: Unit): void {
  for (const binding of u.names.bindings.values()) {
    if (isVariable(u, binding) || isDeclaration(binding)) u.moduleNames.set(binding.name, identifier(binding.name));
  }
}

type ClassElement = ast.Archetype | ast.EnumDecl;

// Bases come before what inherits from them, otherwise the order of the text.
function writeClasses(c: Cx, elements: readonly ast.Element[], parts: Parts): void {
  const classes = elements.filter(
    (element): element is ClassElement => element.kind === 'Archetype' || element.kind === 'EnumDecl',
  );
  const byName = new Map<string, ClassElement>();
  const kept: ClassElement[] = [];
  for (const element of classes) {
    const isKnown = isMain(c.u, element);
    if (isKnown) byName.set(element.name.text, element);
    if (!isKnown && !isHandedOver({ decl: element })) continue;
    kept.push(element);
    c.u.classCode.set(element, codeOf(c.u, element));
  }
  const written = new Set<ast.Node>();
  const write = (element: ClassElement) => {
    if (written.has(element)) return;
    written.add(element);
    const bases = element.bases.length > 0 ? element.bases : (c.u.names.implOf(element)?.impl.bases ?? []);
    for (const base of bases) {
      const e = base.kind === 'Index' ? base.object : base;
      const other = e.kind === 'NameRef' ? byName.get(e.name) : undefined;
      if (other !== undefined) write(other);
    }
    inFile(c.u, element, () => writeClass(c, element, parts));
  };
  for (const element of kept) write(element);
}

/** Text that was put together from many pieces, as one: V8 copies it when it is looked at, and the pieces go early. */
function flat(text: string): string {
  return text.charCodeAt(text.length >> 1) < 0 ? '' : text;
}

function isMain(u: Unit, element: ast.FunctionDecl | ClassElement): boolean {
  const name = element.name?.text;
  return name !== undefined && u.names.bindings.get(name)?.decl === element;
}

/** The variable of a declaration. One whose name a later one has lives on under a name of its own, for what its decorators do with it. */
function codeOf(u: Unit, element: ast.FunctionDecl | ClassElement): string {
  return isMain(u, element) ? identifier(element.name!.text) : unique(u, `${element.name!.text}$`);
}

function writeClass(c: Cx, element: ClassElement, parts: Parts): void {
  const code = c.u.classCode.get(element)!;
  if (element.kind === 'EnumDecl') {
    if (isLateEnum(c.u, element)) {
      const at = { ...c, isTop: false };
      const text = enumCode(at, element, code, `${code} = `);
      c.mostTemps = Math.max(c.mostTemps, at.mostTemps);
      parts.classes.push(`\nvar ${code};`);
      defer(parts, element, deeper(text));
    } else {
      const isLater = hasLateDecorators(c.u, element);
      parts.classes.push(enumCode(c, element, code, '', !isLater));
      if (isLater) defer(parts, element, deeper(enumDecorators(c, element, code)));
    }
    return;
  }
  const isLate = element.bases.some((base) => c.u.options.isLateBase?.(base) === true);
  const at = { ...c, isTop: !isLate, temps: 0, mostTemps: 0 };
  const { text, deferred } = archetypeCode(at, element, code, isLate ? `${code} = ` : '', element.name.text);
  if (isLate) c.mostTemps = Math.max(c.mostTemps, at.mostTemps);
  else c.u.topTemps = Math.max(c.u.topTemps, at.mostTemps);
  parts.classes.push(isLate ? `\nvar ${code};` : flat(text));
  defer(parts, element, deeper((isLate ? text : '') + deferred));
}

/** Most declarations leave nothing to do at their textual place. */
function defer(parts: Parts, element: ast.Node, text: string): void {
  if (text !== '') parts.deferred.set(element, text);
}

/** Indents code at the place of a declaration like the rest of `$init`. */
function deeper(text: string): string {
  return text === '' ? '' : text.replaceAll('\n', '\n  ');
}

/** Does something know the function by what its decorators do? `@overload` only describes the function that follows. */
function isRegistered(decl: ast.FunctionDecl): boolean {
  return isHandedOver({ decl }) && !decl.decorators.every(isNeutralDecorator);
}

function writeFunctionDecl(c: Cx, decl: ast.FunctionDecl, parts: Parts): void {
  if (decl.name === undefined || !(isMain(c.u, decl) || isRegistered(decl))) return;
  inFile(c.u, decl, () => {
    const name = decl.name!.text;
    const code = codeOf(c.u, decl);
    const joined = c.u.names.implOf(decl);
    const signature = joined?.signature ?? decl.signature;
    const spec = { name, qualname: name, decl, signature, receivers: 0, local: false };
    const written = writeFunction(c, {
      node: decl,
      signature,
      body: joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined),
      by: joined?.impl.body.by ?? (decl.body.kind === 'ByBody' ? decl.body.model : undefined),
      bodyNode: joined?.impl,
      async: decl.mods.async,
      coroutine: name,
      result: 'plain',
      receivers: 0,
      declared: true,
      missing: decl.body.kind === 'AbstractBody' ? undefined : `${name} is declared without an implementation`,
      spec,
    });
    const text = line(
      c,
      `${mark(c, decl.name!, name)}${written.prefix}function ${code}(${written.params}) ${written.body}`,
    );
    parts.functions.push(flat(text + line(c, `$.func(${code}, ${functionSpec(c, spec)});`)));
    const decorators = [...decl.decorators, ...(joined?.impl.decorators ?? [])];
    const wrap = decorators.length === 0 ? '' : line(c, `  ${code} = ${decorated(c, decl, decorators, code)};`);
    defer(parts, decl, deeper(written.before) + wrap);
  });
}

// ---------------------------------------------------------------- initialisation

function writeInit(c: Cx, element: Exclude<ast.Element, ast.PlacedBlock>, parts: Parts): void {
  c.temps = 0;
  switch (element.kind) {
    case 'GlobDecl':
      for (const item of element.items) {
        const names = [item.name, ...item.chained].map((name) => `${identifier(name.text)} = `).join('');
        const value = item.value === undefined ? 'null' : expr(c, item.value);
        if (c.u.debugging !== undefined && item.value !== undefined) parts.init.push(line(c, `${tell(c, item)};`));
        parts.init.push(line(c, `${mark(c, item)}${names}${value};`));
      }
      return;
    case 'TypeAlias':
      parts.init.push(line(c, `${identifier(element.name.text)} = ${typeValue(c, element.type)};`));
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      parts.init.push(importStatement(c, element));
      return;
    case 'SemDecl':
      parts.init.push(describeForeign(c, element));
      return;
    case 'EntryBlock':
      writeEntry(c, element, parts);
      return;
    case 'TestBlock':
      if (c.u.options.mode === undefined || c.u.options.mode === 'test') writeTest(c, element, parts);
      else noteLeftOut(c.u, element, 'test');
      return;
    case 'InlineForeign':
      parts.init.push(
        line(c, `${mark(c, element)}throw new $.RuntimeError("inline Python blocks are not supported");`),
      );
      return;
    default:
      parts.init.push(parts.deferred.get(element) ?? '');
  }
}

function writeEntry(c: Cx, element: ast.EntryBlock, parts: Parts): void {
  if (c.u.options.withoutEntries === true && c.u.options.isEntry) {
    noteLeftOut(c.u, element, 'entry');
    return;
  }
  if (!runsInPlace(c.u, element)) {
    const label = element.label!.text;
    const { isAsync, text } = procedure(c, element, element.body);
    parts.entries.push(`\n  { label: ${quote(label)}, run: ${isAsync ? 'async ' : ''}() => {${text}\n  } }`);
    return;
  }
  const exit = { label: `$entry${(c.u.serial += 1)}`, used: false };
  const inner = { ...c, exit };
  const text = exit ? statements(inner, element.body.statements) : '';
  c.mostTemps = Math.max(c.mostTemps, inner.mostTemps);
  parts.init.push(exit.used ? `\n  ${exit.label}: {${text}\n  }` : text);
}

// A block as a function of its own: labelled entry blocks and tests.
function procedure(c: Cx, node: ast.EntryBlock | ast.TestBlock, body: ast.Block): { isAsync: boolean; text: string } {
  const isAsync = c.u.debugging !== undefined || c.u.types.suspends(node);
  const isTest = node.kind === 'TestBlock';
  const scope = isTest ? c.u.names.scope(node) : c.scope;
  const inner = nested(c, isAsync, 'void', { scope });
  const text = indented(inner, () => {
    const title = node.kind === 'TestBlock' ? testName(node, 0) : (node.label?.text ?? '');
    const call = () =>
      ({
        name: title,
        kind: isTest ? 'test' : 'function',
        start: node.start,
        node,
        names: namesOfScope(inner, scope),
      }) as const;
    const code = debuggedCall(inner, call, () => statements(inner, body.statements));
    const locals = isTest
      ? [...scope!.locals.values()].map((binding) => c.u.renamed.get(binding) ?? identifier(binding.name))
      : [];
    const names = [...locals, ...tempList(inner)];
    return (names.length > 0 ? line(inner, `let ${names.join(', ')};`) : '') + code;
  });
  return { isAsync, text };
}

function testName({ title }: ast.TestBlock, before: number): string {
  return title === undefined ? `test_${before + 1}` : title.kind === 'StringLiteral' ? title.value : title.text;
}

function writeTest(c: Cx, element: ast.TestBlock, parts: Parts): void {
  const name = testName(element, parts.tests.length);
  const { isAsync, text } = procedure(c, element, element.body);
  const code = `${isAsync ? 'async ' : ''}() => {${text}\n  }`;
  const run = element.decorators.length === 0 ? `$run: ${code}` : decoratedTest(c, element, code);
  parts.tests.push(`\n  { name: ${quote(name)}, at: ${quote(placeOf(c, element))}, ${run} }`);
}

// Decorators are applied when the test runs: globs and imports have their values then.
function decoratedTest(c: Cx, element: ast.TestBlock, code: string): string {
  const inner = nested(c, false, 'void');
  const value = decorated(inner, element, element.decorators, code);
  const temps = tempList(inner);
  return `get $run() { ${temps.length > 0 ? `let ${temps.join(', ')}; ` : ''}return ${value}; }`;
}
