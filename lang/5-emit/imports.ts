/**
 * Imports (docs/language/imports.md#imports). Generated modules import each other as namespaces; a project module is
 * initialised by the import statement that reaches it first. Members that may change are copied when the import runs,
 * functions and types are read live.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Binding, ImportTarget } from '../2-resolve/names.ts';
import { type Cx, line, mark, namespaceOf, type Unit } from './context.ts';
import { exportName, identifier, quote } from './identifiers.ts';
import { isOfClient } from './is-of-client.ts';
import { bindingCode, importedValue, isLive } from './names.ts';

type ImportNode = ast.ImportModules | ast.ImportFrom | ast.Include;

/** An import statement, in a function or among the module's initialisation code. */
export function importStatement(c: Cx, s: ImportNode): string {
  if (s.kind !== 'Include' && s.typeOnly) return '';
  const plan = c.u.names.importPlan(s);
  let text = plan.loads.map((id) => loadModule(c, s, id)).join('');
  const items: readonly (ast.ImportModuleItem | ast.ImportItem | ast.Include)[] = s.kind === 'Include' ? [s] : s.items;
  items.forEach((item, i) => {
    const target = plan.targets[i]!;
    const brought = plan.stars[i] ?? [];
    for (const binding of brought) text += bringName(c, binding.module, binding.name, plan.source);
    if (isStar(item)) text += bringLocals(c, s, item);
    const name = nameOf(item);
    if (target.of === 'unavailable') text += unavailable(c, item, target);
    else if (name !== undefined) text += bindItem(c, item, name, target);
  });
  return text;
}

function isStar(item: ast.ImportModuleItem | ast.ImportItem | ast.Include): boolean {
  if (item.kind === 'ImportItem') return item.what === 'star' && item.alias === undefined;
  return item.kind === 'Include' && item.alias === undefined;
}

/** Writes a star in a function: it fills the variables of its names that are used there. */
function bringLocals(c: Cx, s: ImportNode, item: ast.Node): string {
  let text = '';
  for (const binding of c.scope?.locals.values() ?? []) {
    const target = binding.decl === s ? binding.import : undefined;
    if (target !== undefined) text += assign(c, item, bindingCode(c, binding), importedValue(c.u, target), target);
  }
  return text;
}

function nameOf(item: ast.ImportModuleItem | ast.ImportItem | ast.Include): ast.Name | undefined {
  if (item.kind === 'ImportModuleItem') return item.alias ?? item.path.segments[0];
  if (item.kind === 'Include') return item.alias;
  return item.alias ?? item.name;
}

/** Runs the initialisation of a module, once. */
function loadModule(c: Cx, s: ImportNode, id: string): string {
  const { u } = c;
  if (id === u.id || u.options.isHollow?.(id) === true) return '';
  const namespace = namespaceOf(u, id);
  const waits = u.options.waitsForModule?.(id) === true;
  if (waits && !c.isAsync) {
    // A function that cannot wait: the module is initialised with this one.
    u.late.add(id);
    return '';
  }
  return line(c, `${mark(c, s)}${waits ? 'await ' : ''}${namespace}.$init();`);
}

function unavailable(c: Cx, item: ast.Node, target: ImportTarget & { of: 'unavailable' }): string {
  const error = `Object.assign(new $.ModuleNotFoundError(${quote(target.message)}), { name: ${quote(target.module)} })`;
  return line(c, `${mark(c, item)}throw ${error};`);
}

function bindItem(c: Cx, item: ast.Node, name: ast.Name, target: ImportTarget): string {
  // The server has nothing to bind.
  const found = target.of === 'member' ? c.u.options.member?.(target.module, target.member) : undefined;
  if (found !== undefined && isOfClient(c.u, found)) return '';
  const binding = c.u.names.binding(name);
  const code = localVariable(c, binding, name.text);
  if (code !== undefined) {
    // In a function every import fills a variable of it.
    if (target.of === 'erased') return '';
    return assign(c, item, code, valueBehind(c.u, target), target);
  }
  const isCopied = target.of !== 'erased' && isFilled(c.u, binding, target);
  if (isCopied) return assign(c, item, identifier(name.text), importedValue(c.u, target), target);
  if (target.of === 'builtin' && target.member !== undefined)
    return checkStandard(c, item, identifier(name.text), target);
  return '';
}

/** Gives the code of a variable that may have the name of a declaration of the module itself. */
function valueBehind(u: Unit, target: ImportTarget): string {
  const isOwn = target.of === 'member' && target.module === u.id;
  return isOwn ? `${namespaceOf(u, u.id)}.${exportName(target.member)}` : importedValue(u, target);
}

/** Does the import give a variable of the module its value? What else has the name may have been assigned before. */
function isFilled(u: Unit, binding: Binding, target: ImportTarget): boolean {
  if (binding.sort === 'module') {
    const { import: own, role, reassigned } = binding;
    const isItself = target.of === 'member' && target.module === u.id && target.member === binding.name;
    if (role !== 'import') return !isItself;
    if (own?.of === 'module' || (own?.of === 'member' && isLive(u, own.module, own.member))) return false;
    if (reassigned) return true;
  }
  return target.of === 'member' && !isLive(u, target.module, target.member);
}

function localVariable(c: Cx, binding: Binding, _name: string): string | undefined {
  return binding.sort === 'local' ? bindingCode(c, binding) : undefined;
}

function assign(c: Cx, item: ast.Node, code: string, value: string, target: ImportTarget): string {
  const { of } = target;
  if (of === 'module') value = `$.asModule(${value}, ${quote(target.module)})`;
  if (of !== 'member' && !(of === 'builtin' && target.member !== undefined))
    return line(c, `${mark(c, item)}${code} = ${value};`);
  const { member, module } = target as { member: string; module: string };
  // An own variable that has no value yet is None, as everywhere else.
  if (module === c.u.id) return line(c, `${mark(c, item)}${code} = ${value} ?? null;`);
  return line(
    c,
    `${mark(c, item)}if ((${code} = ${value}) === undefined) throw new $.ImportError(${quote(`cannot import name '${member}' from '${module}'`)});`,
  );
}

function checkStandard(c: Cx, item: ast.Node, code: string, target: ImportTarget & { of: 'builtin' }): string {
  const message = quote(`cannot import name '${target.member}' from '${target.module}'`);
  return line(c, `${mark(c, item)}if (${code} === undefined) throw new $.ImportError(${message});`);
}

// A name that `*` or `include` brings: copied like any other, unless it is read live.
function bringName(c: Cx, module: string, name: string, from: string | undefined): string {
  const mine = c.u.names.bindings.get(name);
  if (mine?.role === 'entry' && mine.module === c.u.id && from !== undefined)
    return line(c, `${identifier(name)} = ${importedValue(c.u, { of: 'member', module: from, member: name })};`);
  if (mine?.role !== 'import' || mine.import?.of !== 'member') return '';
  const source = from ?? module;
  if (mine.import.module !== source || isLive(c.u, source, name)) return '';
  const found = c.u.options.member?.(source, name);
  if (found !== undefined && isOfClient(c.u, found)) return '';
  return line(c, `${identifier(name)} = ${namespaceOf(c.u, source)}.${exportName(name)};`);
}
