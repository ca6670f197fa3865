/** Code of names: a local, a variable or declaration of a module, an imported member, a built-in. */
import type * as ast from '../1-parse/ast.ts';
import { ambientAliases, ambientNames } from '../2-resolve/ambient.ts';
import type { Binding, ImportTarget, LocalBinding, ModuleBinding } from '../2-resolve/names.ts';
import {
  type Cx,
  foreignOf,
  type Member,
  mark,
  namespaceOf,
  standardMember,
  standardModule,
  type Unit,
} from './context.ts';
import { exportName, identifier, property, quote } from './identifiers.ts';
import { importer } from './loaded-modules.ts';
import { typeValue } from './type-values.ts';

/** Reads a name (or, with `raw`, gives the code that can also be assigned to). */
export function nameValue(c: Cx, node: ast.NameRef | ast.Name, raw = false): string {
  const { computed } = c.u;
  if (computed.size > 0) {
    const known = computed.get(node);
    if (known !== undefined) return known;
  }
  const binding = c.u.names.binding(node);
  if (raw) return bindingCode(c, binding);
  switch (binding.sort) {
    case 'local': {
      if (isClassMember(c, binding))
        return `$.getattr(${c.u.classCode.get(binding.scope.node as ast.Node)}, ${quote(binding.name)})`;
      const code = localCode(c.u, binding);
      if (!binding.mayBeUnbound || binding.scope.kind === 'class') return code;
      return `(${code} === undefined ? ${mark(c, node)}$.unbound(${quote(binding.name)}) : ${code})`;
    }
    case 'module': {
      const code = bindingCode(c, binding);
      if (binding.import?.of === 'module') return `$.asModule(${code}, ${quote(binding.import.module)})`;
      if (!binding.mayBeUnbound) return code;
      return `(${code} === undefined ? ${beforeAssignment(c, node, binding.name)} : ${code})`;
    }
    case 'builtin':
      return builtinValue(c, binding.name);
    case 'unresolved':
      // Tests of types name types that are not there: `isinstance(x, (int, float, complex))`.
      if (binding.name === 'complex' || binding.name === 'memoryview') return `$.b.${binding.name}`;
      return `${mark(c, node)}$.undefinedName(${quote(binding.name)})`;
  }
}

/** A variable of an entry block may have the name of a built-in, which is meant until it is assigned: `sum = sum(xs);` */
function beforeAssignment(c: Cx, node: ast.Node, name: string): string {
  if (c.u.options.target === 'server' && (ambientNames.has(name) || ambientAliases.has(name)))
    return builtinValue(c, ambientAliases.get(name) ?? name);
  return `${mark(c, node)}$.undefinedName(${quote(name)})`;
}

/** A method or value of the class, named in its body. */
function isClassMember(c: Cx, binding: LocalBinding): boolean {
  const { scope, role } = binding;
  if (scope.kind !== 'class' || (role !== 'def' && role !== 'local')) return false;
  const node = scope.node as ast.Node;
  return node.kind === 'Archetype' && c.u.classCode.has(node);
}

export function bindingCode(c: Cx, binding: Binding): string {
  switch (binding.sort) {
    case 'local':
      return localCode(c.u, binding);
    case 'module':
      return moduleCode(c, binding);
    case 'builtin':
      return builtinValue(c, binding.name);
    case 'unresolved':
      return `$.undefinedName(${quote(binding.name)})`;
  }
}

export function localCode(u: Unit, binding: LocalBinding): string {
  const renamed = u.renamed.size > 0 ? u.renamed.get(binding) : undefined;
  if (renamed !== undefined) return renamed;
  if (binding.scope.kind === 'class') {
    const cls = u.classCode.get(binding.scope.node as ast.Node);
    if (cls !== undefined) return `${cls}.${property(binding.name)}`;
  }
  return identifier(binding.name);
}

function moduleCode(c: Cx, binding: ModuleBinding): string {
  const { u } = c;
  if (binding.module !== u.id) return `${namespaceOf(u, binding.module)}.${exportName(binding.name)}`;
  if (binding.role === 'alias' && binding.decl?.kind === 'TypeAlias') return typeValue(c, binding.decl.type);
  if (binding.role !== 'import' || binding.import === undefined) return identifier(binding.name);
  if (isLiveScript(binding)) return importedValue(u, binding.import);
  return importCode(c, binding.name, binding.import);
}

/**
 * Tells whether an imported TypeScript file may run later than the module that imports it, in a cycle: its exports are
 * read when they are needed.
 */
function isLiveScript({ import: target, reassigned }: ModuleBinding): boolean {
  return target?.of === 'js' && target.member !== undefined && !reassigned && /\.[mc]?ts$/.test(target.specifier);
}

/**
 * Gives the code of an imported name: a member read through its module while it is live, else a variable that the
 * import fills.
 */
function importCode(c: Cx, name: string, target: ImportTarget): string {
  const { u } = c;
  switch (target.of) {
    case 'module':
      return namespaceOf(u, target.module);
    case 'member':
      return liveMember(u, target.module, target.member) ?? identifier(name);
    case 'erased':
      return target.member === undefined ? 'null' : builtinValue(c, target.member);
    default:
      return identifier(name);
  }
}

/**
 * Functions and types hardly ever change under their name, so importers read them where they are declared. What a module imports of itself
 * is its own, variables that have no value yet included (docs/language/imports.md#imports).
 */
export function liveMember(u: Unit, module: string, member: string): string | undefined {
  const found = findLive(u, module, member);
  if (found === undefined) return undefined;
  return found.module === u.id ? identifier(found.name) : `${namespaceOf(u, found.module)}.${exportName(found.name)}`;
}

export function isLive(u: Unit, module: string, member: string): boolean {
  return findLive(u, module, member) !== undefined;
}

function findLive(u: Unit, module: string, member: string): Member | undefined {
  const found = u.options.member?.(module, member);
  if (module === u.id && found?.module === u.id && (found.role === 'glob' || found.role === 'entry')) return found;
  if (found === undefined || (found.role !== 'function' && found.role !== 'archetype' && found.role !== 'enum'))
    return undefined;
  // A replacement that a test puts in the place of an imported function is seen in that module only.
  return found.role === 'function' && u.types.mocked.has(member) ? undefined : found;
}

/** The value a standard or JavaScript import stands for, before any import statement has run. */
export function importedValue(u: Unit, target: ImportTarget): string {
  switch (target.of) {
    case 'module':
      return namespaceOf(u, target.module);
    case 'member':
      return (
        liveMember(u, target.module, target.member) ?? `${namespaceOf(u, target.module)}.${exportName(target.member)}`
      );
    case 'builtin':
      if (target.module === 'importlib' && target.member === 'import_module') return importer(u);
      return target.member === undefined
        ? standardModule(u, target.module)
        : standardMember(u, target.module, target.member);
    case 'js': {
      const namespace = foreignOf(u, target.specifier);
      if (target.member === undefined) return target.isName === true ? `$.jsModule(${namespace})` : namespace;
      if (target.member === 'default') return `(${namespace}.default ?? ${namespace})`;
      return `(${namespace}.${target.member} ?? ${namespace}.default?.${target.member} ?? null)`;
    }
    default:
      return 'null';
  }
}

/** Tells whether the module is the one that `svc run` was given. */
export function isProgram(u: Unit): boolean {
  const { isEntry, mode } = u.options;
  return isEntry && mode !== 'serve' && mode !== 'test';
}

const runtimeClasses = new Set(['Root', 'Node', 'Edge', 'Walker', 'Archetype', 'GenericEdge']);
const numericTypes = /^[iuf](8|16|32|64)$/;

/** Tells whether a test puts something in the place of a built-in: `patch("builtins.input")` (decisions/0211). */
export function isMockedBuiltin(u: Unit, name: string): boolean {
  return u.types.mocked.size > 0 && u.types.mocked.has(`builtins.${name}`);
}

/** A built-in by canonical name, as a value. */
export function builtinValue(c: Cx, name: string): string {
  if (isMockedBuiltin(c.u, name)) return `$.getattr(${standardModule(c.u, 'builtins')}, ${quote(name)})`;
  switch (name) {
    case '__name__':
      return quote(isProgram(c.u) ? '__main__' : c.u.id);
    case '__file__':
      return `$.sourcePath(${quote(c.u.path)})`;
    case '__doc__':
      return c.u.doc === undefined ? 'null' : quote(c.u.doc);
    case '__class__':
      return c.cls?.code ?? '$.undefinedName("__class__")';
    case 'Self':
      if (c.self === undefined || c.cls?.receives === undefined) return c.cls?.code ?? 'null';
      return c.cls.receives === 'class' ? c.self : `${c.self}.constructor`;
    case 'check':
    case 'testraises': // both match with regular expressions
      c.u.standard.add('re');
      return `${standardModule(c.u, 'svclang.checks')}.${name}`;
    case 'llm': // another module may put a model on this one
      if (!c.u.types.isAssignedName(name)) break;
      return `$.getattrOr(${namespaceOf(c.u, c.u.id)}, "llm", $.b.llm)`;
    case 'system_root':
    case 'user_root':
    case 'entry_node': // of the call
      return `$.get_context().${name}`;
    case 'open':
      return `${standardModule(c.u, 'svclang.files')}.open`;
    case 'JsxElement':
      return `${standardModule(c.u, 'svclang.markup')}.JsxElement`;
    case 'testfail':
    case 'testskip':
      return `${standardModule(c.u, 'svclang.checks')}.${name}`;
    case 'BaseExceptionGroup':
    case 'ExceptionGroup': // with what takes groups apart
      c.u.standard.add('svclang.groups');
      break;
    case '__import__': // of a name that is not known here: all standard modules have to be ready
      c.u.standard.add(name);
      break;
    default:
  }
  if (numericTypes.test(name)) return name.startsWith('f') ? '$.b.float' : '$.b.int';
  if (runtimeClasses.has(name) || isException(name)) return `$.${name}`;
  return `$.b.${property(name)}`;
}

const exceptionLike = /(Error|Exception|Warning|Exit|Interrupt|Iteration|Group)$/;

function isException(name: string): boolean {
  return exceptionLike.test(name) && name !== 'HTTPError';
}
