import type { Span } from './1-parse/ast.ts';

/** Nodes that begin within 4096 characters share a page: it stays in the cache while the text is read in order. */
const pageBits = 12;
const smallest = 32;

/**
 * A table keyed by tree nodes. Like `Map`, but quick for the hundred thousands of nodes of a large module: where a node begins chooses
 * its page, so nodes that are near in the text are near in the table, and no table grows to the size of the program. In a page its hash is where it
 * begins and ends together: all links of a long chain begin at the same place, or end there. Holds no `undefined`.
 */
export class NodeMap<V> {
  private readonly pages: (Page<V> | undefined)[] = [];
  /** Room a new page begins with, and the least that one grows to: what others needed, since a text is about as dense everywhere. */
  private capacity = smallest;

  get(node: Span): V | undefined {
    const { start } = node;
    const page = this.pages[start >>> pageBits];
    if (page === undefined) return undefined;
    const { keys } = page;
    const mask = keys.length - 1;
    for (let i = (start + node.end) & mask; ; i = (i + 1) & mask) {
      const key = keys[i];
      if (key === node) return page.values[i];
      if (key === undefined) return undefined;
    }
  }

  set(node: Span, value: V): void {
    const at = node.start >>> pageBits;
    const { pages } = this;
    while (pages.length <= at) pages.push(undefined);
    let page = pages[at];
    if (page === undefined) pages[at] = page = new Page<V>(this.capacity);
    else if (page.used * 4 > page.keys.length * 3) {
      pages[at] = page = larger(page, this.capacity);
      this.capacity = page.keys.length;
    }
    put(page, node, value);
  }

  has(node: Span): boolean {
    return this.get(node) !== undefined;
  }

  delete(node: Span): void {
    if (this.has(node)) put(this.pages[node.start >>> pageBits]!, node, undefined);
  }
}

class Page<V> {
  readonly keys: (Span | undefined)[];
  readonly values: (V | undefined)[];
  used = 0;

  constructor(capacity: number) {
    this.keys = new Array<Span | undefined>(capacity).fill(undefined);
    this.values = new Array<V | undefined>(capacity).fill(undefined);
  }
}

function put<V>(page: Page<V>, node: Span, value: V | undefined): void {
  const { keys } = page;
  const mask = keys.length - 1;
  let i = (node.start + node.end) & mask;
  for (let key = keys[i]; key !== undefined && key !== node; key = keys[i]) i = (i + 1) & mask;
  if (keys[i] === undefined) {
    keys[i] = node;
    page.used += 1;
  }
  page.values[i] = value;
}

function larger<V>(page: Page<V>, least: number): Page<V> {
  const { keys, values } = page;
  const made = new Page<V>(Math.max(keys.length * 2, least));
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (key !== undefined && values[i] !== undefined) put(made, key, values[i]);
  }
  return made;
}
