/** `Counter` of `collections`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { look } from '../../limits/look.ts';
import { methodTable } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { dictM, reprEntries } from '../../values/containers/dict-methods.ts';
import { changed } from '../../values/containers/dict-update.ts';
import { eqDicts } from '../../values/containers/dict-views.ts';
import { iter, PyIterator } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { asNumber } from '../../values/numbers/numbers.ts';
import { eq } from '../../values/objects/equality.ts';
import { NotImplementedError } from '../../values/objects/exceptions.ts';
import { setMethods } from '../../values/objects/method-tables.ts';
import { add, sub } from '../../values/objects/operators.ts';
import { gt, lt } from '../../values/objects/ordering.ts';
import { $eq, $repr, $typeName, type ReprState } from '../../values/objects/protocol.ts';
import { nested } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { $dictKind, type DictKind, registerStored } from '../../values/stored-form.ts';
import { alike } from './alike.ts';
import { filled } from './ordered-dicts.ts';

export class Counter extends Dict {
  __missing__(): number {
    return 0;
  }

  override copy(): Counter {
    return alike(this, this);
  }

  $ranked(): [unknown, unknown][] {
    const entries = [...this.entries()];
    return entries.sort(([, a], [, b]) => (gt(a, b) ? -1 : gt(b, a) ? 1 : 0));
  }

  $combined(other: unknown, combine: (a: unknown, b: unknown) => unknown): unknown {
    if (!(other instanceof Counter)) return NotImplemented;
    const made = new Counter();
    for (const key of new Set([...this.keys(), ...other.keys()])) {
      const n = combine(this.get(key) ?? 0, other.get(key) ?? 0);
      if (gt(n, 0)) made.set(key, n);
    }
    return made;
  }

  __add__(other: unknown): unknown {
    return this.$combined(other, add);
  }

  __sub__(other: unknown): unknown {
    return this.$combined(other, sub);
  }

  __or__(other: unknown): unknown {
    return this.$combined(other, (a, b) => (lt(a, b) ? b : a));
  }

  __and__(other: unknown): unknown {
    return this.$combined(other, (a, b) => (lt(a, b) ? a : b));
  }

  $compare(other: unknown, holds: (a: unknown, b: unknown) => boolean): unknown {
    if (!(other instanceof Counter)) return NotImplemented;
    return [...this.keys(), ...other.keys()].every((key) => holds(this.get(key) ?? 0, other.get(key) ?? 0));
  }

  __le__(other: unknown): unknown {
    return this.$compare(other, (a, b) => !gt(a, b));
  }

  __ge__(other: unknown): unknown {
    return this.$compare(other, (a, b) => !lt(a, b));
  }

  __lt__(other: unknown): unknown {
    return this.__le__(other) === true && this[$eq](other) === false;
  }

  __gt__(other: unknown): unknown {
    return this.__ge__(other) === true && this[$eq](other) === false;
  }

  // Counting to nothing what was never counted is no error.
  __delitem__(key: unknown): void {
    this.delete(key);
  }

  __iadd__(other: unknown): unknown {
    return this.$replace(this.__add__(other));
  }

  __isub__(other: unknown): unknown {
    return this.$replace(this.__sub__(other));
  }

  __ior__(other: unknown): unknown {
    return this.$replace(this.__or__(other));
  }

  __iand__(other: unknown): unknown {
    return this.$replace(this.__and__(other));
  }

  $replace(result: unknown): unknown {
    if (!(result instanceof Counter)) return result;
    this.become(result);
    return this;
  }

  __pos__(): Counter {
    return this.$combined(new Counter(), add) as Counter;
  }

  __neg__(): Counter {
    return new Counter().$combined(this, sub) as Counter;
  }

  [$eq](other: unknown): boolean | undefined {
    if (!(other instanceof Counter)) return other instanceof Dict ? eqDicts(this, other) : undefined;
    for (const key of [...this.keys(), ...other.keys()]) if (!eq(this.get(key) ?? 0, other.get(key) ?? 0)) return false;
    return true;
  }

  [$repr](state: ReprState): string {
    if (this.size === 0) return `${this[$typeName]}()`;
    const sortable = [...this.values()].every((n) => asNumber(n) !== undefined);
    const shown = new Dict(new Map(sortable ? this.$ranked() : this.entries()));
    return nested(this, state, 'Counter(...)', () => `${this[$typeName]}(${reprEntries(shown, state)})`);
  }
}

function* elements(c: Counter): Generator<unknown> {
  for (const [k, n] of c.map) {
    for (let i = 0; i < Number(n); i += 1) {
      if ($due) look();
      yield k;
    }
  }
}

export function count(d: Dict, source: unknown, combine: (a: unknown, b: unknown) => unknown): void {
  if (source instanceof Dict) {
    for (const [k, v] of source.map) d.set(k, combine(d.get(k) ?? 0, v));
  } else for (const x of iter(source)) d.set(x, combine(d.get(x) ?? 0, 1));
}

function counting(
  combine: (a: unknown, b: unknown) => unknown,
): (c: Counter, source: unknown, kwargs: Dict | undefined) => null {
  return (c, source, kwargs) => {
    changed(c, (entries) => {
      if (source !== undefined && source !== null) count(entries, source, combine);
      if (kwargs !== undefined) count(entries, kwargs, combine);
    });
    return null;
  };
}

setMethods(
  Counter,
  methodTable(
    'Counter',
    {
      copy: ['', (c: Counter) => c.copy()],
      elements: ['', (c: Counter) => new PyIterator(elements(c), 'chain')],
      most_common: [
        'n=None',
        (c: Counter, n: unknown) => {
          const ranked = c.$ranked().map((entry) => new Tuple(entry));
          return n === undefined || n === null ? ranked : ranked.slice(0, Math.max(0, requireSize(n)));
        },
      ],
      subtract: ['iterable=None, /, **kwds', counting(sub)],
      total: ['', (c: Counter) => [...c.values()].reduce((a: unknown, b) => add(a, b), 0)],
      update: ['iterable=None, /, **kwds', counting(add)],
    },
    dictM,
  ),
);
Object.defineProperty(Counter.prototype, $dictKind, { value: (): DictKind => ({ tag: 'counter' }) });
registerStored('counter', (content) => filled(new Counter(), content, undefined));
nativeClass(Counter, {
  name: 'Counter',
  module: 'collections',
  params: 'iterable=None, /, **kwds',
  make: (_cls, source, kwargs) => {
    const made = new Counter();
    counting(add)(made, source, kwargs);
    return made;
  },
  statics: {
    fromkeys: [
      'iterable, v=None',
      () => {
        throw new NotImplementedError('Counter.fromkeys() is undefined.  Use Counter(iterable) instead.');
      },
    ],
  },
});
