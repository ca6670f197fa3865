import type * as ast from '../1-parse/ast.ts';

/**
 * Calls `visit` for every node directly below `node`, in property order. Reads the records reflectively, so it is for rare
 * questions; hot walks name their parts.
 */
export function forEachChild(node: ast.Node, visit: (child: ast.Node) => void): void {
  // A quarter of all nodes are names, with nothing below them.
  if (node.kind === 'NameRef' || node.kind === 'Name') return;
  visitParts(node as unknown as Parts, visit);
}

type Parts = Readonly<Record<string, unknown>>;

// `for in` reads the names that V8 keeps with the shape of a record; `Object.values` would make an array for each.
function visitParts(record: Parts, visit: (child: ast.Node) => void): void {
  for (const key in record) {
    const value = record[key];
    if (typeof value === 'object' && value !== null) visitValue(value, visit);
  }
}

function visitValue(value: object, visit: (child: ast.Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) visitValue(item, visit);
  } else if ((value as { kind?: unknown }).kind !== undefined) {
    visit(value as ast.Node);
  } else {
    visitParts(value as Parts, visit);
  }
}

/** Visits `whole` and the nodes below it in textual order: what is below one only where `enters` gives true for it. */
export function walkInOrder(whole: ast.Node, enters: (node: ast.Node) => boolean): void {
  // Chains of operators may be longer than the stack is deep, and lists longer than a call may have arguments.
  const waiting: ast.Node[] = [whole];
  const parts: ast.Node[] = [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!enters(node)) continue;
    forEachChild(node, (part) => parts.push(part));
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) waiting.push(part);
  }
}

/** Is there a node for which `test` holds in the tree below and including `node`? `enters`: whether to look below one. */
export function containsNode(
  node: ast.Node,
  test: (node: ast.Node) => boolean,
  enters: (node: ast.Node) => boolean = () => true,
): boolean {
  // Chains of operators may be longer than the stack is deep.
  const waiting: ast.Node[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (test(at)) return true;
    if (enters(at)) forEachChild(at, (child) => waiting.push(child));
  }
  return false;
}
