/** `ChainMap` of `collections`. */

import { promising } from '../../builtins/class-base.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { call } from '../../values/calls/calls.ts';
import { native } from '../../values/calls/signature.ts';
import { contains } from '../../values/containers/contains.ts';
import { Dict } from '../../values/containers/dict.ts';
import { fromKeys } from '../../values/containers/dict-methods.ts';
import { dictUpdate } from '../../values/containers/dict-update.ts';
import { PyIterator } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { delitem, getitem, setitem } from '../../values/containers/subscripts.ts';
import { KeyError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import '../typing/form-mixins.ts';

const MutableMapping = promising('MutableMapping') as new () => object;

/** Several mappings seen as one; writes go to the first. */
export class ChainMap extends MutableMapping {
  declare maps: any[];

  constructor(maps: any[] = []) {
    super();
    this.init(maps);
  }

  init(maps: any[]): void {
    this.maps = maps.length === 0 ? [new Dict()] : [...maps];
  }

  /** A chain of the same class. */
  $like(maps: any[]): ChainMap {
    return call(this.constructor, ...maps);
  }

  $merged(): Dict {
    const all = new Dict();
    for (const map of [...this.maps].reverse()) dictUpdate(all, map);
    return all;
  }

  get parents(): ChainMap {
    return this.$like(this.maps.slice(1));
  }

  new_child(map?: any, more?: Dict): ChainMap {
    const first = map ?? new Dict();
    if (more !== undefined) dictUpdate(first, more);
    return this.$like([first, ...this.maps]);
  }

  copy(): ChainMap {
    return this.$like([callMethod(this.maps[0], 'copy'), ...this.maps.slice(1)]);
  }

  get(key: unknown, fallback?: unknown): unknown {
    return contains(this, key) ? getitem(this, key) : (fallback ?? null);
  }

  pop(key: unknown, ...fallback: unknown[]): unknown {
    if (fallback.length > 0 || contains(this.maps[0], key)) return callMethod(this.maps[0], 'pop', key, ...fallback);
    throw missing(key);
  }

  popitem(): unknown {
    if (len(this.maps[0]) === 0) throw new KeyError('No keys found in the first mapping.');
    return callMethod(this.maps[0], 'popitem');
  }

  clear(): null {
    return callMethod(this.maps[0], 'clear');
  }

  __iter__(): unknown {
    return new PyIterator(this.$merged().keys(), 'dict_keyiterator');
  }

  __len__(): number {
    return this.$merged().size;
  }

  __bool__(): boolean {
    return this.maps.some((map) => truth(map));
  }

  __contains__(key: unknown): boolean {
    return this.maps.some((map) => contains(map, key));
  }

  __getitem__(key: unknown): unknown {
    for (const map of this.maps) {
      try {
        return getitem(map, key);
      } catch (e) {
        if (!(e instanceof KeyError)) throw e;
      }
    }
    return (this as any).__missing__(key);
  }

  __missing__(key: unknown): unknown {
    throw new KeyError(key);
  }

  __setitem__(key: unknown, value: unknown): void {
    setitem(this.maps[0], key, value);
  }

  __delitem__(key: unknown): void {
    if (!contains(this.maps[0], key)) throw missing(key);
    delitem(this.maps[0], key);
  }

  __or__(other: unknown): unknown {
    const made = this.copy();
    return isMapping(other) ? dictInto(made, other) : NotImplemented;
  }

  __ror__(other: unknown): unknown {
    if (!isMapping(other)) return NotImplemented;
    const all = dictUpdate(new Dict(), other);
    return this.$like([dictUpdate(all, this.$merged())]);
  }

  __ior__(other: unknown): this {
    dictInto(this, other);
    return this;
  }

  __repr__(): string {
    return `${typeName(this)}(${this.maps.map((map) => reprOf(map)).join(', ')})`;
  }
}

const missing = (key: unknown) => new KeyError(`Key not found in the first mapping: ${reprOf(key)}`);

function isMapping(x: any): boolean {
  return x instanceof Dict || typeof x?.keys === 'function';
}

function dictInto(chain: ChainMap, other: unknown): ChainMap {
  dictUpdate(chain.maps[0], other instanceof ChainMap ? other.$merged() : other);
  return chain;
}

native('ChainMap.__init__', '*maps', ChainMap.prototype.init);
nativeClass(ChainMap, {
  name: 'ChainMap',
  module: 'collections',
  params: '*maps',
  make: (cls, maps) => new cls(maps ?? []),
  methods: { get: 'key, default=None', new_child: 'm=None, **kwargs', copy: '', clear: '', popitem: '' },
  statics: {
    fromkeys: [
      'iterable, value=None, /',
      (keys: unknown, value: unknown) => new ChainMap([fromKeys(keys, value ?? null)]),
    ],
  },
});
