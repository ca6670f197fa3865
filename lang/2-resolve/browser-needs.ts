/**
 * Served functions that only a browser can run as they stand. `def:pub` without markup is an endpoint, and client code calls it over the network
 * (docs/language/placement.md#inference); but one that joins class names by `clsx`, or reads `localStorage`, and whose value is used at once,
 * is a helper of the page.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Project, ProjectModule } from '../project.ts';
import { browserGlobals } from './browser-globals.ts';
import type { ModuleBinding, Names } from './names.ts';

/** `package`: names a package that is client code where nothing says otherwise. `browser`: names what only browsers have. */
export type BrowserNeed = 'package' | 'browser' | undefined;

export interface NeedsInput {
  readonly project: Project;
  of(module: string): Names;
  follow(binding: ModuleBinding): ModuleBinding | undefined;
}

/** Answers for functions and variables of the program, each looked at once. */
export function browserNeeds(input: NeedsInput): (module: ProjectModule, decl: ast.Node) => BrowserNeed {
  const known = new Map<ast.Node, BrowserNeed>();
  const needOf = (module: ProjectModule, decl: ast.Node): BrowserNeed => {
    if (known.has(decl)) return known.get(decl);
    // Those that name each other need what something else in them does.
    known.set(decl, undefined);
    const names = input.of(module.id);
    const joined = names.implOf(decl)?.impl;
    let found: BrowserNeed;
    for (const part of joined === undefined ? [decl] : [decl, joined])
      for (const node of names.mentions(part).nodes) {
        if (found === 'browser') break;
        if (node.kind === 'NameRef') found = needOfName(module, node) ?? found;
      }
    known.set(decl, found);
    return found;
  };
  const needOfName = (module: ProjectModule, node: ast.NameRef): BrowserNeed => {
    const binding = input.of(module.id).binding(node);
    if (binding.sort === 'unresolved') return browserGlobals.has(binding.name) ? 'browser' : undefined;
    if (binding.sort !== 'module') return undefined;
    if (binding.import?.of === 'js')
      return isClientImport(module, binding) ? needOfPackage(binding.import.specifier) : undefined;
    const declared = binding.role === 'import' ? input.follow(binding) : binding;
    if (declared?.import?.of === 'js') return 'package';
    const home = declared && input.project.modules.get(declared.module);
    if (home === undefined || declared?.decl === undefined) return undefined;
    return declared.role === 'glob' || declared.role === 'function' ? needOf(home, declared.decl) : undefined;
  };
  return needOf;
}

function needOfPackage(specifier: string): BrowserNeed {
  return specifier.startsWith('@svc') ? 'browser' : 'package';
}

/** Is the import a statement that inference places on the client? */
function isClientImport(module: ProjectModule, { decl }: ModuleBinding): boolean {
  for (const [element, { client }] of module.placement) {
    if (!client || (element.kind !== 'ImportFrom' && element.kind !== 'ImportModules')) continue;
    if (element === decl || (element.items as readonly ast.Node[]).includes(decl!)) return true;
  }
  return false;
}
