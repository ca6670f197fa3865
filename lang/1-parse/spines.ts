/**
 * Long chains that grow to the left: `1 + 1 + …`, `a.b().c()…`. Their trees are as deep as they are long, deeper than the stack of a
 * phase that descends into them. So the parser notes resting places on the way down, and a phase settles those first, innermost first:
 * from one to the next it is never far.
 */
import type { Expression, Spines } from './ast.ts';

/** Number of links of one kind in a row from which the parser looks for long chains at all. */
export const longChain = 32;

const distance = 48;

/** Finds all long chains below `tree`. */
export function findSpines(tree: unknown): Spines {
  const spines = new Map<Expression, readonly Expression[]>();
  const todo: unknown[] = [tree];
  while (todo.length > 0) {
    const at = todo.pop();
    if (typeof at !== 'object' || at === null) continue;
    if (!('kind' in at) || leftOf(at as Expression) === undefined) {
      for (const part of Object.values(at)) if (typeof part === 'object') todo.push(part);
      continue;
    }
    const links: Expression[] = [];
    let node: Expression | undefined = at as Expression;
    for (let left = leftOf(node); left !== undefined; left = leftOf(node)) {
      links.push(node);
      for (const part of Object.values(node)) if (part !== left && typeof part === 'object') todo.push(part);
      node = left;
    }
    todo.push(node);
    if (links.length >= distance) noteRests(spines, links);
  }
  return spines;
}

/** The child on the left that is evaluated before everything else of the node. */
export function leftOf(e: Expression): Expression | undefined {
  switch (e.kind) {
    case 'Binary':
    case 'Logical':
    case 'Connect':
    case 'Disconnect':
    case 'Spawn':
      return e.left;
    case 'Pipe':
      return e.op === '|>' || e.op === ':>' ? e.left : undefined;
    case 'Call':
      return e.callee;
    case 'Cast':
      return e.expr;
    case 'Attribute':
    case 'Index':
    case 'Filter':
    case 'AssignTrailer':
      return e.object;
    default:
      return undefined;
  }
}

function noteRests(spines: Map<Expression, readonly Expression[]>, links: readonly Expression[]): void {
  const rests: Expression[] = [];
  let since = 0;
  let isSafe = false;
  for (let i = links.length - 1; i >= 0; i--) {
    const link = links[i]!;
    const outer = links[i - 1];
    since++;
    if (!isTrailer(link)) isSafe = false;
    else if ((link.kind === 'Attribute' || link.kind === 'Index') && link.safe) isSafe = true;
    if (since < distance || (link.kind === 'Attribute' && outer?.kind === 'Call')) continue;
    // Behind a `?.` the rest of the chain may be skipped: it is settled as a whole.
    if (isSafe && outer !== undefined && isTrailer(outer)) continue;
    spines.set(link, [...rests]);
    rests.push(link);
    since = 0;
  }
}

function isTrailer({ kind }: Expression): boolean {
  return kind === 'Attribute' || kind === 'Call' || kind === 'Index' || kind === 'Filter' || kind === 'AssignTrailer';
}
