/** Views of mappings of the program: `keys()`, `values()` and `items()` of a class that derives from `Mapping`. They are live, as those of a dict. */
import { contains } from '../../values/containers/contains.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { ItemsView, KeysView, ValuesView } from '../../values/containers/dict-views.ts';
import { iter } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { same } from '../../values/objects/equality.ts';
import { KeyError } from '../../values/objects/exceptions.ts';
import { $repr, $typeName, type ReprState } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';

/** Makes a dict that has only a size: views ask a dict for it besides its items. */
const sized = (mapping: unknown): Dict =>
  ({
    get size(): number {
      return len(mapping);
    },
  }) as Dict;

export class MappingKeys extends KeysView {
  readonly _mapping: any;

  constructor(mapping: unknown) {
    super(sized(mapping));
    this._mapping = mapping;
  }

  override [Symbol.iterator](): IterableIterator<unknown> {
    return iter(this._mapping)[Symbol.iterator]() as IterableIterator<unknown>;
  }

  override __contains__(key: unknown): boolean {
    return contains(this._mapping, key);
  }

  override [$repr](state: ReprState): string {
    return shown(this, state);
  }
}

export class MappingValues extends ValuesView {
  readonly _mapping: any;

  constructor(mapping: unknown) {
    super(sized(mapping));
    this._mapping = mapping;
  }

  override *[Symbol.iterator](): IterableIterator<unknown> {
    for (const key of iter(this._mapping)) yield getitem(this._mapping, key);
  }

  override __contains__(value: unknown): boolean {
    for (const one of this) if (same(one, value)) return true;
    return false;
  }

  override [$repr](state: ReprState): string {
    return shown(this, state);
  }
}

export class MappingItems extends ItemsView {
  readonly _mapping: any;

  constructor(mapping: unknown) {
    super(sized(mapping));
    this._mapping = mapping;
  }

  override *[Symbol.iterator](): IterableIterator<unknown> {
    for (const key of iter(this._mapping)) yield new Tuple([key, getitem(this._mapping, key)]);
  }

  override __contains__(item: unknown): boolean {
    if (!(item instanceof Tuple) || item.items.length !== 2) return false;
    try {
      return same(getitem(this._mapping, item.items[0]), item.items[1]);
    } catch (e) {
      if (e instanceof KeyError) return false;
      throw e;
    }
  }

  override [$repr](state: ReprState): string {
    return shown(this, state);
  }
}

function shown(view: { readonly _mapping: unknown; readonly [$typeName]: string }, state: ReprState): string {
  return `${view[$typeName]}(${reprOf(view._mapping, state)})`;
}

for (const [cls, name] of [
  [MappingKeys, 'KeysView'],
  [MappingValues, 'ValuesView'],
  [MappingItems, 'ItemsView'],
] as const)
  Object.defineProperty(cls.prototype, $typeName, { value: name });
