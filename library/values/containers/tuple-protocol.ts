/** Equality and hashing of tuples, kept out of tuple.ts so that file needs nothing. */
import { eqItems } from '../objects/equality.ts';
import { hashOf } from '../objects/hashing.ts';
import { $eq, $hash } from '../objects/protocol.ts';
import { Tuple } from './tuple.ts';

Object.assign(Tuple.prototype, {
  [$eq](this: Tuple, other: unknown): boolean | undefined {
    return other instanceof Tuple ? eqItems(this.items, other.items) : undefined;
  },
  [$hash](this: Tuple): string {
    return `(${this.items.map(hashOf).join(',')})`;
  },
});
