/** Variables of the functions around a place. */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding, Scope, ScopeNode } from '../2-resolve/names.ts';
import { openPathAt, type View } from './view.ts';

const scopeKinds: ReadonlySet<string> = new Set([
  'FunctionDecl',
  'Ability',
  'Accessor',
  'ImplDecl',
  'Lambda',
  'TestBlock',
  'Comprehension',
  'Archetype',
  'EnumDecl',
]);

/** Scopes of functions, the innermost first: those of the nodes, and of the component whose function an `impl` far from it gives a body. */
export function scopesAround(view: View, path: readonly ast.Node[]): readonly Scope[] {
  const found = new Set<Scope>();
  for (const node of [...path].reverse()) {
    if (!scopeKinds.has(node.kind)) continue;
    for (
      let scope: Scope | undefined = view.names.scope(node as ScopeNode);
      scope?.kind === 'function' || scope?.kind === 'comprehension';
      scope = node.kind === 'ImplDecl' ? scope.parent : undefined
    )
      found.add(scope);
  }
  return [...found];
}

/** The variable of a function around a place that has a name. */
export function localAt(view: View, name: string, offset: number): LocalBinding | undefined {
  for (const scope of scopesAround(view, openPathAt(view, offset))) {
    const local = scope.locals.get(name);
    if (local !== undefined) return local;
  }
  return undefined;
}
