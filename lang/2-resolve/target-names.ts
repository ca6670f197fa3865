import type * as ast from '../1-parse/ast.ts';

/** The names that an assignment to `target` gives values to, in order; one that stands twice comes twice. */
export function namesOfTarget(target: ast.Expression): readonly ast.NameRef[] {
  switch (target.kind) {
    case 'NameRef':
      return [target];
    case 'TupleExpr':
    case 'ListExpr':
      return target.items.flatMap(namesOfTarget);
    case 'Starred':
      return namesOfTarget(target.expr);
    default:
      return [];
  }
}
