/** `defaultdict` and `OrderedDict` of `collections`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { call } from '../../values/calls/calls.ts';
import { methodTable } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { dictM, fromKeys, reprEntries } from '../../values/containers/dict-methods.ts';
import { changed, dictUpdate } from '../../values/containers/dict-update.ts';
import { eqDicts } from '../../values/containers/dict-views.ts';
import { takeFirst } from '../../values/containers/sets.ts';
import { setitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { $exposed, $open } from '../../values/objects/attributes.ts';
import { same } from '../../values/objects/equality.ts';
import { KeyError, TypeError } from '../../values/objects/exceptions.ts';
import { setMethods } from '../../values/objects/method-tables.ts';
import { $eq, $repr, $typeName, type ReprState } from '../../values/objects/protocol.ts';
import { nested, reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { className, isTypeObject } from '../../values/objects/type-name.ts';
import { namedType } from '../../values/objects/types.ts';
import { $dictKind, type DictKind, registerStored, type Tagged } from '../../values/stored-form.ts';
import { alike } from './alike.ts';

export class DefaultDict extends Dict {
  default_factory: unknown;

  constructor(factory: unknown) {
    super();
    this.default_factory = factory ?? null;
  }

  __missing__(key: unknown): unknown {
    if (this.default_factory === null) throw new KeyError(key);
    const value = call(this.default_factory);
    this.set(key, value);
    return value;
  }

  override copy(): DefaultDict {
    return alike(this, this.default_factory, this);
  }

  [$repr](state: ReprState): string {
    return nested(
      this,
      state,
      'defaultdict(...)',
      () => `${this[$typeName]}(${reprOf(this.default_factory)}, ${reprEntries(this, state)})`,
    );
  }
}
Object.defineProperty(DefaultDict.prototype, $open, { value: true });
setMethods(DefaultDict, methodTable('defaultdict', { copy: ['', (d: DefaultDict) => d.copy()] }, dictM));
Object.defineProperty(DefaultDict.prototype, $exposed, { value: new Set(['default_factory']) });
Object.defineProperty(DefaultDict.prototype, $dictKind, {
  value(this: DefaultDict): DictKind | undefined {
    const factory = this.default_factory;
    return isTypeObject(factory) ? { tag: 'defaultdict', of: className(factory) } : undefined;
  },
});
registerStored('defaultdict', (content, { of }: Tagged) => filled(new DefaultDict(namedType(of!)), content, undefined));
nativeClass(DefaultDict, {
  name: 'defaultdict',
  module: 'collections',
  params: 'default_factory=None, iterable=None, /, **kwargs',
  make: (_cls, factory, source, kwargs) => {
    if (
      factory !== undefined &&
      factory !== null &&
      typeof factory !== 'function' &&
      typeof factory?.__call__ !== 'function'
    ) {
      throw new TypeError('first argument must be callable or None');
    }
    return filled(new DefaultDict(factory), source, kwargs);
  },
  classMethods: { fromkeys: ['iterable, value=None, /', filledKeys] },
});

function filledKeys(cls: any, keys: unknown, value: unknown): Dict {
  const made = call(cls);
  for (const [key, item] of fromKeys(keys, value).map) setitem(made, key, item);
  return made;
}

export function filled<D extends Dict>(made: D, source: unknown, kwargs: Dict | undefined): D {
  if (source !== undefined && source !== null) dictUpdate(made, source);
  if (kwargs !== undefined) dictUpdate(made, kwargs);
  return made;
}

export class OrderedDict extends Dict {
  override copy(): OrderedDict {
    return alike(this, this);
  }

  [$repr](state: ReprState): string {
    return nested(this, state, '...', () =>
      this.size === 0 ? `${this[$typeName]}()` : `${this[$typeName]}(${reprEntries(this, state)})`,
    );
  }

  [$eq](other: unknown): boolean | undefined {
    if (!(other instanceof Dict)) return undefined;
    if (!eqDicts(this, other)) return false;
    if (!(other instanceof OrderedDict)) return true;
    const keys = [...other.keys()];
    return [...this.keys()].every((key, i) => same(key, keys[i]));
  }
}

function moveToEnd(given: Dict, key: unknown, last: unknown): null {
  return changed(given, (d) => moved(d, key, last));
}

function moved(d: Dict, key: unknown, last: unknown): null {
  const value = d.get(key);
  if (value === undefined) throw new KeyError(key);
  d.delete(key);
  if (last === undefined || truth(last)) {
    d.set(key, value);
    return null;
  }
  const entries = [...d.entries()];
  d.clear();
  d.set(key, value);
  for (const [k, v] of entries) d.set(k, v);
  return null;
}

setMethods(
  OrderedDict,
  methodTable(
    'OrderedDict',
    {
      copy: ['', (d: OrderedDict) => d.copy()],
      move_to_end: ['key, last=True', moveToEnd],
      popitem: [
        'last=True',
        (d: Dict, last: unknown) => {
          if (d.size === 0) throw new KeyError('dictionary is empty');
          if (last === undefined || truth(last)) return dictM.popitem(d);
          const key = takeFirst(d.map);
          const value = d.map.get(key);
          d.delete(key);
          return new Tuple([key, value]);
        },
      ],
    },
    dictM,
  ),
);
Object.defineProperty(OrderedDict.prototype, $dictKind, { value: (): DictKind => ({ tag: 'ordereddict' }) });
registerStored('ordereddict', (content) => filled(new OrderedDict(), content, undefined));
nativeClass(OrderedDict, {
  name: 'OrderedDict',
  module: 'collections',
  params: 'iterable=None, /, **kwargs',
  make: (_cls, source, kwargs) => filled(new OrderedDict(), source, kwargs),
  classMethods: { fromkeys: ['iterable, value=None', filledKeys] },
});
