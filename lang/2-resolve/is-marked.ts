import type * as ast from '../1-parse/ast.ts';
import type { Names } from './names.ts';

/** Does a function say that it is an endpoint: by `:pub`, `:priv` or `:protect`, or by `restspec` (docs/server/functions.md#served)? */
export function isMarked(decl: ast.FunctionDecl, names: Names): boolean {
  const decorators = [...decl.decorators, ...(names.implOf(decl)?.impl.decorators ?? [])];
  return decl.access !== undefined || decorators.some(isRestSpec);
}

export function isRestSpec(decorator: ast.Expression): decorator is ast.Call {
  return decorator.kind === 'Call' && decorator.callee.kind === 'NameRef' && decorator.callee.name === 'restspec';
}
