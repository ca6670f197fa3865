import type * as ast from '../1-parse/ast.ts';

/**
 * Calls `visit` for every node directly below `node`, in property order. Reads the records reflectively, so it is for rare
 * questions; hot walks name their parts.
 */
export function forEachChild(node: ast.Node, visit: (child: ast.Node) => void): void {
  for (const value of Object.values(node)) visitValue(value, visit);
}

function visitValue(value: unknown, visit: (child: ast.Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visitValue(item, visit);
  } else if ('kind' in value) {
    visit(value as ast.Node);
  } else {
    for (const part of Object.values(value)) visitValue(part, visit);
  }
}

/** Is there a node for which `test` holds in the tree below and including `node`? */
export function containsNode(node: ast.Node, test: (node: ast.Node) => boolean): boolean {
  // Chains of operators may be longer than the stack is deep.
  const waiting: ast.Node[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (test(at)) return true;
    forEachChild(at, (child) => waiting.push(child));
  }
  return false;
}
