/** `d.keys()`, `d.values()`, `d.items()`: live views. */

import { methodTable } from '../calls/signature.ts';
import { eq, same } from '../objects/equality.ts';
import { setMethods } from '../objects/method-tables.ts';
import { $eq, $methods, $repr, $truth, $typeName, type ReprState } from '../objects/protocol.ts';
import { nested, reprOf } from '../objects/repr.ts';
import { NotImplemented } from '../objects/singletons.ts';
import { inItems } from './contains.ts';
import { CheckedIterator, type Dict } from './dict.ts';
import { iter } from './iteration.ts';
import { AnySet, difference, intersection, isSubset, PySet, symmetricDifference, union } from './sets.ts';
import { Tuple } from './tuple.ts';

abstract class View implements Iterable<unknown> {
  readonly mapping: Dict;
  declare [$methods]: Record<string, (...args: any[]) => unknown>;
  declare [$typeName]: string;

  constructor(mapping: Dict) {
    this.mapping = mapping;
  }

  abstract [Symbol.iterator](): IterableIterator<unknown>;

  __len__(): number {
    return this.mapping.size;
  }

  [$truth](): boolean {
    return this.mapping.size > 0;
  }

  [$repr](state: ReprState): string {
    return nested(
      this,
      state,
      '...',
      () => `${this[$typeName]}([${[...this].map((item) => reprOf(item, state)).join(', ')}])`,
    );
  }
}

/** Base of key and item views: the operators they share with sets. */
export abstract class SetView extends View {
  __and__(other: unknown): unknown {
    return intersection(new PySet(this), [iter(other)]);
  }

  __or__(other: unknown): unknown {
    return union(new PySet(this), [iter(other)]);
  }

  __sub__(other: unknown): unknown {
    return difference(new PySet(this), [iter(other)]);
  }

  __xor__(other: unknown): unknown {
    return symmetricDifference(new PySet(this), iter(other));
  }

  __rand__(other: unknown): unknown {
    return intersection(new PySet(iter(other)), [this]);
  }

  __ror__(other: unknown): unknown {
    return union(new PySet(iter(other)), [this]);
  }

  __rsub__(other: unknown): unknown {
    return difference(new PySet(iter(other)), [this]);
  }

  __rxor__(other: unknown): unknown {
    return symmetricDifference(new PySet(iter(other)), this);
  }

  __le__(other: unknown): unknown {
    const right = asSet(other);
    return right === undefined ? NotImplemented : isSubset(new PySet(this), right);
  }

  __lt__(other: unknown): unknown {
    const right = asSet(other);
    return right === undefined ? NotImplemented : this.mapping.size < right.size && isSubset(new PySet(this), right);
  }

  __ge__(other: unknown): unknown {
    const right = asSet(other);
    return right === undefined ? NotImplemented : isSubset(right, new PySet(this));
  }

  __gt__(other: unknown): unknown {
    const right = asSet(other);
    return right === undefined ? NotImplemented : right.size < this.mapping.size && isSubset(right, new PySet(this));
  }

  [$eq](other: unknown): boolean | undefined {
    const right = asSet(other);
    if (right === undefined) return undefined;
    return right.size === this.mapping.size && isSubset(new PySet(this), right);
  }

  isdisjoint(other: unknown): boolean {
    return intersection(new PySet(this), [iter(other)]).size === 0;
  }
}

function asSet(x: unknown): AnySet | undefined {
  return x instanceof AnySet ? x : x instanceof SetView ? new PySet(x) : undefined;
}

export class KeysView extends SetView {
  [Symbol.iterator](): IterableIterator<unknown> {
    return this.mapping[Symbol.iterator]();
  }

  __contains__(key: unknown): boolean {
    return this.mapping.has(key);
  }
}
KeysView.prototype[$typeName] = 'dict_keys';

export class ValuesView extends View {
  [Symbol.iterator](): IterableIterator<unknown> {
    return new CheckedIterator(this.mapping.map, this.mapping.values(), (value) => value);
  }

  __contains__(value: unknown): boolean {
    return inItems([...this.mapping.values()], value);
  }
}
ValuesView.prototype[$typeName] = 'dict_values';

export class ItemsView extends SetView {
  [Symbol.iterator](): IterableIterator<unknown> {
    return new CheckedIterator(this.mapping.map, this.mapping.entries(), (entry) => new Tuple(entry));
  }

  __contains__(item: unknown): boolean {
    if (!(item instanceof Tuple) || item.items.length !== 2) return false;
    const value = this.mapping.get(item.items[0]);
    return value !== undefined && same(value, item.items[1]);
  }
}
ItemsView.prototype[$typeName] = 'dict_items';

const viewM = methodTable('dict_keys', {
  isdisjoint: ['other, /', (view: SetView, other: unknown) => view.isdisjoint(other)],
});
for (const cls of [KeysView, ItemsView]) setMethods(cls, viewM);
setMethods(ValuesView, methodTable('dict_values', {}));

/** Equality of dicts: same keys, equal values, any order. */
export function eqDicts(a: Dict, b: Dict): boolean {
  if (a.size !== b.size) return false;
  for (const [k, v] of a.map) {
    const other = b.get(k);
    if (other === undefined || !(v === other || eq(v, other))) return false;
  }
  return true;
}
