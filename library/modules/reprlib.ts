/** Module `reprlib`: short texts of long values. */

import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { call } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import type { Dict } from '../values/containers/dict.ts';
import type { Tuple } from '../values/containers/tuple.ts';
import { hasattr } from '../values/objects/attributes.ts';
import { callMethod } from '../values/objects/methods.ts';
import { lt } from '../values/objects/ordering.ts';
import { reprOf } from '../values/objects/repr.ts';
import { typeName } from '../values/objects/type-name.ts';

/** Limits are attributes that a program may set; `repr_<type>` of a class below it shows that type. */
export class Repr {
  maxlevel = 6;
  maxtuple = 6;
  maxlist = 6;
  maxarray = 5;
  maxdict = 4;
  maxset = 6;
  maxfrozenset = 6;
  maxdeque = 6;
  maxstring = 30;
  maxlong = 40;
  maxother = 30;
  fillvalue = '...';

  repr(x: unknown): unknown {
    return this.repr1(x, this.maxlevel);
  }

  repr1(x: any, level: number): unknown {
    const name = `repr_${typeName(x).replaceAll(' ', '_')}`;
    return hasattr(this, name) ? callMethod(this, name, x, level) : this.repr_instance(x, level);
  }

  repr_tuple(x: Tuple, level: number): string {
    return this.$joined([...x.items], level, '(', ')', this.maxtuple, x.items.length === 1 ? ',' : '');
  }

  repr_list(x: unknown[], level: number): string {
    return this.$joined(x, level, '[', ']', this.maxlist);
  }

  repr_deque(x: Iterable<unknown>, level: number): string {
    return this.$joined([...x], level, 'deque([', '])', this.maxdeque);
  }

  repr_set(x: Iterable<unknown>, level: number): string {
    const items = [...x];
    return items.length === 0 ? 'set()' : this.$joined(sorted(items), level, '{', '}', this.maxset);
  }

  repr_frozenset(x: Iterable<unknown>, level: number): string {
    const items = [...x];
    return items.length === 0
      ? 'frozenset()'
      : this.$joined(sorted(items), level, 'frozenset({', '})', this.maxfrozenset);
  }

  repr_dict(x: Dict, level: number): string {
    if (x.size === 0) return '{}';
    if (level <= 0) return `{${this.fillvalue}}`;
    const shown = sorted([...x.keys()])
      .slice(0, this.maxdict)
      .map((key) => `${this.repr1(key, level - 1)}: ${this.repr1(x.get(key), level - 1)}`);
    if (x.size > this.maxdict) shown.push(this.fillvalue);
    return `{${shown.join(', ')}}`;
  }

  repr_str(x: string): string {
    const chars = Array.from(x);
    const text = reprOf(chars.slice(0, this.maxstring).join(''));
    if (Array.from(text).length <= this.maxstring && chars.length <= this.maxstring) return text;
    const [head, tail] = this.$ends(this.maxstring);
    const short = reprOf([...chars.slice(0, head), ...chars.slice(chars.length - tail)].join(''));
    return this.$cut(short, this.maxstring);
  }

  repr_int(x: unknown): string {
    const text = reprOf(x);
    return text.length > this.maxlong ? this.$cut(text, this.maxlong) : text;
  }

  repr_instance(x: unknown, _level: number): string {
    const text = reprOf(x);
    return text.length > this.maxother ? this.$cut(text, this.maxother) : text;
  }

  $ends(limit: number): [number, number] {
    const head = Math.max(0, Math.floor((limit - 3) / 2));
    return [head, Math.max(0, limit - 3 - head)];
  }

  $cut(text: string, limit: number): string {
    const [head, tail] = this.$ends(limit);
    const chars = Array.from(text);
    return chars.slice(0, head).join('') + this.fillvalue + chars.slice(chars.length - tail).join('');
  }

  $joined(items: unknown[], level: number, left: string, right: string, most: number, trail = ''): string {
    if (level <= 0 && items.length > 0) return `${left}${this.fillvalue}${right}`;
    const shown = items.slice(0, most).map((item) => String(this.repr1(item, level - 1)));
    if (items.length > most) shown.push(this.fillvalue);
    return `${left}${shown.join(', ')}${trail}${right}`;
  }
}
const level = 'x, level, /';
nativeClass(Repr, {
  name: 'Repr',
  module: 'reprlib',
  methods: {
    repr: 'x, /',
    repr1: level,
    repr_tuple: level,
    repr_list: level,
    repr_deque: level,
    repr_set: level,
    repr_frozenset: level,
    repr_dict: level,
    repr_str: level,
    repr_int: level,
    repr_instance: level,
  },
});

function sorted(items: unknown[]): unknown[] {
  try {
    return items.slice().sort((a, b) => (lt(a, b) ? -1 : lt(b, a) ? 1 : 0));
  } catch {
    return items;
  }
}

/** `@recursive_repr("...")`: what a `__repr__` gives for an object that it is showing already. */
function recursiveRepr(fill: unknown): unknown {
  return native('decorating_function', 'user_function', (show: any) => {
    const active = new Set<unknown>();
    return native('wrapper', 'self', (self: unknown) => {
      if (active.has(self)) return fill ?? '...';
      active.add(self);
      try {
        return call(show, self);
      } finally {
        active.delete(self);
      }
    });
  });
}

export function makeReprlib(): Members {
  const shared = new Repr();
  return {
    Repr,
    aRepr: shared,
    repr: native('repr', 'x, /', (x: unknown) => shared.repr(x)),
    recursive_repr: native('recursive_repr', 'fillvalue="..."', recursiveRepr),
  };
}
