import type { Span } from './1-parse/ast.ts';

/** Nodes that begin within 4096 characters share a small map: its pages stay in the cache, and no table grows to the size of the program. */
const pageBits = 12;

/** A table keyed by tree nodes. Like `Map`, but quick for the hundred thousands of nodes of a large module read in textual order. */
export class NodeMap<V> {
  private readonly pages: (Map<Span, V> | undefined)[] = [];

  get(node: Span): V | undefined {
    const page = this.pages[node.start >>> pageBits];
    return page === undefined ? undefined : page.get(node);
  }

  set(node: Span, value: V): void {
    const at = node.start >>> pageBits;
    const { pages } = this;
    while (pages.length <= at) pages.push(undefined);
    let page = pages[at];
    if (page === undefined) {
      page = new Map();
      pages[at] = page;
    }
    page.set(node, value);
  }

  has(node: Span): boolean {
    return this.pages[node.start >>> pageBits]?.has(node) ?? false;
  }

  delete(node: Span): void {
    this.pages[node.start >>> pageBits]?.delete(node);
  }
}
