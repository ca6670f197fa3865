/** Context managers that take what is raised inside of them, as far as the text tells: for the debugger, which stops at what nothing catches. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import type { Cx } from './context.ts';
import { mainTypeOf } from './kinds.ts';

/** Exceptions that a manager may take: all, none (undefined), or those that these clauses do. */
export function takenBy(c: Cx, manager: ast.Expression): 'all' | readonly ast.ExceptClause[] | undefined {
  if (manager.kind === 'Call') {
    const name = manager.callee.kind === 'NameRef' ? manager.callee.name : lastName(manager.callee);
    if (/(raises|suppress)/i.test(name)) return 'all';
    const made = manager.callee.kind === 'NameRef' ? declarationOf(c, manager.callee) : undefined;
    if (made !== undefined && made.decorators.length > 0) return aroundYields(made.body);
  }
  const type = mainTypeOf(c, manager);
  if (type.t !== 'instance') return undefined;
  const exit = type.cls.methods.get('__exit__') ?? type.cls.methods.get('__aexit__');
  return exit?.decl?.kind === 'FunctionDecl' && mayGiveTrue(exit.decl.body) ? 'all' : undefined;
}

function lastName(e: ast.Expression): string {
  return e.kind === 'Attribute' ? e.name.text : '';
}

function declarationOf(c: Cx, name: ast.NameRef): ast.FunctionDecl | undefined {
  const binding = c.u.names.binding(name) as { readonly decl?: ast.Node | undefined } | undefined;
  return binding?.decl?.kind === 'FunctionDecl' ? (binding.decl as ast.FunctionDecl) : undefined;
}

/** Clauses of each `try` around a `yield` of a generator, which is raised there what the `with` body raises. */
function aroundYields(body: ast.FunctionDecl['body']): readonly ast.ExceptClause[] {
  const found: ast.ExceptClause[] = [];
  containsNode(
    body,
    (node) => {
      if (node.kind === 'TryStatement' && containsNode(node.body, ({ kind }) => kind === 'Yield', isInside))
        found.push(...node.handlers);
      return false;
    },
    isInside,
  );
  return found;
}

function mayGiveTrue(body: ast.FunctionDecl['body']): boolean {
  return containsNode(
    body,
    (node) =>
      node.kind === 'ReturnStatement' &&
      node.value !== undefined &&
      !(node.value.kind === 'Constant' && node.value.value !== true),
    isInside,
  );
}

function isInside({ kind }: ast.Node): boolean {
  return kind !== 'FunctionDecl' && kind !== 'Lambda';
}
