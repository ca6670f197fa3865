import type * as ast from '../1-parse/ast.ts';
import type { Source } from '../source.ts';
import { type Caught, caughtWithin } from './caught-imports.ts';
import { forEachChild } from './children.ts';

export interface Finding<T extends ast.Node> {
  readonly node: T;
  /** Inside a function, entry block, test or archetype. */
  readonly nested: boolean;
  /** The innermost marker (`cl`, `sv`, `na`) on it or around it. */
  readonly placement: ast.Placement | undefined;
  /** Failures that the code around an import handles; undefined: none. */
  readonly caught: Caught | undefined;
  readonly source: Source;
}

/**
 * All nodes of the kind `isWanted` accepts, in textual order, an outer one before those in it. Walks only into parts of the text where
 * one of `words` (a global regular expression) occurs, so it is cheap for rare constructs.
 */
export function findByWord<T extends ast.Node>(
  tree: ast.Module,
  sourceOf: (element: ast.Node) => Source,
  words: RegExp,
  isWanted: (node: ast.Node) => node is T,
): readonly Finding<T>[] {
  const found: Finding<T>[] = [];
  const places = new Map<Source, readonly number[]>();
  const visit = (node: ast.Node, outside: Omit<Finding<T>, 'node'>, at: readonly number[]): void => {
    const own = 'placement' in node ? node.placement : undefined;
    const around = own === undefined ? outside : { ...outside, placement: own };
    const isFound = isWanted(node);
    if (isFound) {
      // The body of an `impl` may be read in two ways.
      if (found.some((one) => one.node === node)) return;
      found.push({ node, ...around });
    }
    if (anyWithin(at, isFound ? node.start + 1 : node.start, node.end)) {
      const inside = around.nested || node.kind === 'PlacedBlock' ? around : { ...around, nested: true };
      forEachChild(node, (child) => {
        const caught = caughtWithin(node, child, inside.caught);
        visit(child, caught === inside.caught ? inside : { ...inside, caught }, at);
      });
    }
  };
  for (const element of tree.body) {
    const source = sourceOf(element);
    let at = places.get(source);
    if (at === undefined) places.set(source, (at = Array.from(source.text.matchAll(words), (match) => match.index)));
    if (at.length > 0 || isWanted(element))
      visit(element, { nested: false, placement: undefined, caught: undefined, source }, at);
  }
  return found;
}

/** Is one of the offsets, given in order, in `start` to `end`? */
export function anyWithin(sorted: readonly number[], start: number, end: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]! < end;
}
