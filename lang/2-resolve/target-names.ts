/** Names that statements give values to. */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from './children.ts';

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

/** The functions and assignments that a block of a class body holds, whatever they stand in; not what is in its functions and classes. */
export function bindersIn(block: ast.Block): readonly (ast.FunctionDecl | ast.AssignStatement)[] {
  const found: (ast.FunctionDecl | ast.AssignStatement)[] = [];
  const visit = (node: ast.Node): void => {
    if (node.kind === 'FunctionDecl' || node.kind === 'AssignStatement') found.push(node);
    else if (node.kind !== 'Archetype' && node.kind !== 'Lambda') forEachChild(node, visit);
  };
  forEachChild(block, visit);
  return found;
}
