/** The immutable sequence type. Generated code reads `.items`; nothing may change that array once the tuple is made. */
import { $methods, $truth, $typeName } from '../objects/protocol.ts';

export class Tuple implements Iterable<unknown> {
  readonly items: readonly unknown[];
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(items: readonly unknown[]) {
    this.items = items;
  }

  [Symbol.iterator](): IterableIterator<unknown> {
    return this.items[Symbol.iterator]();
  }

  [$truth](): boolean {
    return this.items.length > 0;
  }
}
Tuple.prototype[$typeName] = 'tuple';

/** `(a, b, c)` */
export function tuple(...items: unknown[]): Tuple {
  return items.length === 0 ? emptyTuple : new Tuple(items);
}

export const emptyTuple: Tuple = new Tuple([]);
