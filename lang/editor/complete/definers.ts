/** The place that gives a variable its value, for a name before the cursor. */
import type * as ast from '../../1-parse/ast.ts';
import { childrenOf, pathAt, type View } from '../view.ts';

/** Node that has the variables of a function: the `impl` around the name, when that gives the function its body. */
export function bodyOf(view: View, scope: ast.Node, { start }: ast.NameRef): ast.Node {
  const impl = pathAt(view, start).find((node) => node.kind === 'ImplDecl');
  return impl?.kind === 'ImplDecl' && view.names.declOf(impl) === scope ? impl : scope;
}

/** The last place before the name that gives it a value, otherwise the first behind. */
export function definerIn(view: View, scope: ast.Node, name: ast.NameRef): ast.Node | undefined {
  const binding = view.names.binding(name);
  let [before, behind]: (ast.Node | undefined)[] = [undefined, undefined];
  const names = (target: ast.Node | undefined): boolean => {
    if (target === undefined) return false;
    if (target.kind === 'NameRef')
      return target.name === name.name && target.start !== name.start && isSame(view.names.binding(target), binding);
    if (target.kind === 'Name') return target.text === name.name;
    if (target.kind === 'TupleExpr' || target.kind === 'ListExpr') return target.items.some(names);
    return target.kind === 'Starred' && names(target.expr);
  };
  const waiting: ast.Node[] = [scope];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (gives(at, names)) {
      if (at.start > name.start) behind = behind === undefined || behind.start > at.start ? at : behind;
      else if (before === undefined || before.start < at.start) before = at;
    }
    waiting.push(...childrenOf(view, at));
  }
  return before ?? behind;
}

function gives(node: ast.Node, names: (target: ast.Node | undefined) => boolean): boolean {
  switch (node.kind) {
    case 'AssignStatement':
      return node.value !== undefined && node.targets.some(names);
    case 'HasItem':
    case 'GlobItem':
    case 'Walrus':
    case 'Param':
      return names(node.name);
    case 'ExceptClause':
      // `except e`: a name that is no class.
      return names(node.name ?? node.type);
    case 'ForIn':
    case 'CompClause':
      return names(node.target);
    case 'WithStatement':
      return node.items.some(({ target }) => names(target));
    default:
      return false;
  }
}

function isSame(a: ReturnType<View['names']['binding']>, b: ReturnType<View['names']['binding']>): boolean {
  return a === b || a.sort === 'unresolved' || b.sort === 'unresolved';
}
