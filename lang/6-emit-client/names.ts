/** Names in the emitted module. */

import type * as ast from '../1-parse/ast.ts';
import { ambientName } from '../2-resolve/ambient.ts';
import { testingNames } from '../2-resolve/browser-globals.ts';
import { isClientModule } from '../2-resolve/client-modules.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { Binding, ImportTarget, LocalBinding, ModuleBinding } from '../2-resolve/names.ts';
import { type Cx, imported, lang, type Unit, wire } from './cx.ts';
import { identifier } from './identifier.ts';
import { relativePath } from './paths.ts';
import { functionDescriptor, typeStub, walkerDescriptor } from './remote.ts';
import { runtimePart } from './runtime-parts.ts';

/** Words that client code may write as in JavaScript. */
const javascriptWords = new Set(['true', 'false', 'null', 'this', 'import', 'arguments']);

/** Built-in names of the language that mean the browser's own where both exist and a program of the client asks for them. */
const python: ReadonlySet<string> = new Set(
  (
    'print len range enumerate zip sorted reversed sum min max map filter any all abs round str int float bool list dict set tuple ' +
    'frozenset type isinstance issubclass repr ord chr divmod pow hex bin oct iter next input callable hasattr getattr setattr delattr ' +
    'id hash format slice bytes object ascii vars dir oid almostEqual'
  ).split(' '),
);

export function reference(c: Cx, node: ast.NameRef): string {
  const binding = c.u.names.binding(node);
  return binding.sort === 'unresolved' ? unresolved(c, node.name) : bindingCode(c, binding);
}

function unresolved(c: Cx, name: string): string {
  if (javascriptWords.has(name)) return name;
  if (ambientName(name) !== undefined) return builtin(c, name);
  // Programs of every era call helpers of the runtime without importing them.
  if (/^(__svc|svc[A-Z]|__(get|set|remove)(LocalStorage|ApiBaseUrl)$)/.test(name))
    return imported(c.u, '@svc/runtime', name, name);
  if (c.u.link.options.tests === true && testingNames.has(name))
    return imported(c.u, '@svc/runtime/testing', name, name);
  return identifier(name);
}

export function bindingCode(c: Cx, binding: Binding): string {
  switch (binding.sort) {
    case 'local':
      return localCode(c, binding);
    case 'module':
      return moduleCode(c, binding);
    case 'builtin':
      return builtin(c, binding.name);
    default:
      return unresolved(c, binding.name);
  }
}

export function localCode(c: Cx, binding: LocalBinding): string {
  const { u } = c;
  // An import in a function is one of the module.
  const target = binding.role === 'import' ? binding.import : undefined;
  if (target?.of === 'member') {
    const member = u.link.namesOf(target.module).bindings.get(target.member);
    if (member !== undefined) return moduleCode(c, member);
  }
  if (target !== undefined) return importValue(c, target, binding.name);
  return u.renamed.get(binding) ?? identifier(binding.name);
}

function moduleCode(c: Cx, binding: ModuleBinding): string {
  const { u } = c;
  const own = binding.module === u.module.id;
  if (binding.role !== 'import') {
    const { decl } = binding;
    if (decl === undefined || u.link.plan.isHere(decl) || binding.role === 'entry')
      return own ? ownName(u, binding) : memberImport(u, binding);
    return serverValue(c, binding);
  }
  const written = u.importOf.get(binding);
  if (written !== undefined) {
    written.used = true;
    return written.local;
  }
  const declared = u.link.follow(binding);
  if (declared !== undefined) return moduleCode(c, declared);
  return importValue(c, binding.import, binding.name);
}

/** The spelling of a declaration of this module: components begin in upper case. */
export function ownName(u: Unit, binding: ModuleBinding): string {
  const known = u.renamed.get(binding);
  if (known !== undefined) return known;
  const code = declaredName(u, binding);
  u.renamed.set(binding, code);
  return code;
}

export function declaredName(u: Unit, { name, decl }: ModuleBinding): string {
  if (decl?.kind !== 'FunctionDecl' || !/^[a-z]/.test(name) || !isComponent(decl)) return identifier(name);
  const upper = name[0]!.toUpperCase() + name.slice(1);
  return u.names.bindings.has(upper) ? `${upper}$` : upper;
}

/** A declaration of another module's client code. */
function memberImport(u: Unit, binding: ModuleBinding): string {
  const module = u.link.module(binding.module)!;
  return imported(u, relativePath(u.module.path, module.path), binding.name, identifier(binding.name));
}

/** Code of a name of the server that client code may use: walkers, functions and types. */
function serverValue(c: Cx, { decl, name, module }: ModuleBinding): string {
  if (decl?.kind === 'FunctionDecl') return functionDescriptor(c.u, name, decl, module);
  if (decl?.kind === 'Archetype')
    return decl.archetype === 'walker' ? walkerDescriptor(c.u, name, decl, module) : typeStub(c.u, name, decl, module);
  return `${wire(c.u, 'absent')}(${JSON.stringify(name)})`;
}

/** Code of an import that leads out of the project. */
function importValue(c: Cx, target: ImportTarget | undefined, name: string): string {
  const { u } = c;
  // The name is the import's own in the text already.
  if (u.names.bindings.get(name)?.role === 'import') u.taken.delete(identifier(name));
  switch (target?.of) {
    case 'js':
      return imported(u, scriptSpecifier(u, target.specifier, target.member), target.member ?? '*', identifier(name));
    case 'builtin': {
      if (!isClientModule(target.module)) return `${wire(u, 'absent')}(${JSON.stringify(name)})`;
      const specifier = `@svc/runtime/modules/${target.module}`;
      return imported(u, specifier, target.member ?? '*', identifier(name));
    }
    case 'module': {
      const module = u.link.module(target.module);
      if (module !== undefined) return imported(u, relativePath(u.module.path, module.path), '*', identifier(name));
      return identifier(name);
    }
    default:
      return identifier(name);
  }
}

/** JavaScript files are named from where the module stands, packages by their names; parts of the runtime that need packages are apart. */
export function scriptSpecifier(u: Unit, specifier: string, member?: string): string {
  if (specifier.startsWith('/')) return relativePath(u.module.path, specifier);
  return specifier !== '@svc/runtime' || member === undefined ? specifier : runtimePart(member);
}

/** A built-in name: of the runtime, or JavaScript's own that is called so (`Set`, `SyntaxError`). Others stop the program where it reaches them. */
export function builtin(c: Cx, name: string): string {
  if (python.has(name)) return lang(c.u, name);
  if (scriptNames.has(name)) return name;
  if (isExceptionName(name)) return lang(c.u, name);
  if (name === 'unsafe_html') return lang(c.u, 'html');
  if (name === '__name__') return JSON.stringify(c.u.module.id);
  if (name === 'NotImplemented' || name === 'Ellipsis') return 'null';
  return `${wire(c.u, 'absent')}(${JSON.stringify(name)})`;
}

const scriptNames: ReadonlySet<string> = new Set(['Set', 'Iterator', 'SyntaxError', 'ReferenceError']);

/** `ValueError`, `KeyError`, … */
export function isExceptionName(name: string): boolean {
  return (
    /^[A-Z]\w*(Error|Exception|Exit|Interrupt|Iteration|Warning|Group)$/.test(name) ||
    name === 'Exception' ||
    name === 'BaseException'
  );
}
