/** Methods of `dict` (language.md 6.6), its `repr` and equality. */
import { look } from '../../limits/look.ts';
import { builtinMethods } from '../calls/builtin.ts';
import type { Hint } from '../hint.ts';
import { KeyError } from '../objects/exceptions.ts';
import { setMethods } from '../objects/method-tables.ts';
import { $eq, $repr, type ReprState } from '../objects/protocol.ts';
import { nested, reprOf } from '../objects/repr.ts';
import { Dict } from './dict.ts';
import { dictUpdate } from './dict-update.ts';
import { eqDicts, ItemsView, KeysView, ValuesView } from './dict-views.ts';
import { dictHints, valueHint } from './item-hint.ts';
import { iter } from './iteration.ts';
import { Tuple } from './tuple.ts';

Object.assign(Dict.prototype, {
  [$eq](this: Dict, other: unknown): boolean | undefined {
    return other instanceof Dict ? eqDicts(this, other) : undefined;
  },
  [$repr](this: Dict, state: ReprState, hint?: Hint): string {
    return nested(this, state, '{...}', () => reprEntries(this, state, hint));
  },
});

/** `{k: v, …}` without looking for cycles. */
export function reprEntries(d: Dict, state: ReprState, hint?: Hint): string {
  const hints = dictHints(hint);
  const parts: string[] = [];
  for (const [k, v] of d.map) {
    if ($due) look();
    parts.push(`${reprOf(k, hints[0], state)}: ${reprOf(v, valueHint(hints, k), state)}`);
  }
  return `{${parts.join(', ')}}`;
}

function popEntry(d: Dict, key: unknown, fallback: unknown): unknown {
  const value = d.get(key);
  if (value === undefined) {
    if (fallback === undefined) throw new KeyError(key);
    return fallback;
  }
  d.delete(key);
  return value;
}

/** Keys of dicts that items are taken from at the end, in their order; keys that have gone since, or have moved to the end, stand in it too. */
const tails = new WeakMap<Dict, unknown[]>();

function popLast(d: Dict): Tuple {
  if (d.size === 0) throw new KeyError('popitem(): dictionary is empty');
  const tail = tails.get(d) ?? followTail(d);
  let last = tail.pop();
  while (!d.map.has(last)) last = tail.pop();
  const value = d.map.get(last);
  d.delete(last);
  return new Tuple([last, value]);
}

/** A Map is gone through from its start only: once for all items that are taken, instead of once for each. */
function followTail(d: Dict): unknown[] {
  const tail = [...d.map.keys()];
  if (tail.length < 64) return tail;
  tails.set(d, tail);
  const { set } = d;
  d.set = (key, value) => {
    const { size } = d;
    set.call(d, key, value);
    if (d.size > size) tail.push(key ?? null);
    if (tail.length > 2 * d.size + 64) {
      tails.delete(d);
      d.set = set;
    }
  };
  return tail;
}

/** `dict.fromkeys(keys, value=None)` */
export function fromKeys(keys: unknown, value: unknown): Dict {
  const made = new Dict();
  for (const key of iter(keys)) made.set(key, value ?? null);
  return made;
}

export const dictM = builtinMethods('dict', {
  clear: (d: Dict) => {
    d.clear();
    return null;
  },
  copy: (d: Dict) => d.copy(),
  fromkeys: (_d: Dict, keys: unknown, value: unknown) => fromKeys(keys, value),
  get: (d: Dict, key: unknown, fallback: unknown) => {
    const value = d.get(key);
    return value !== undefined ? value : fallback === undefined ? null : fallback;
  },
  items: (d: Dict) => new ItemsView(d),
  keys: (d: Dict) => new KeysView(d),
  pop: popEntry,
  popitem: popLast,
  setdefault: (d: Dict, key: unknown, fallback: unknown) => {
    const value = d.get(key);
    if (value !== undefined) return value;
    d.set(key, fallback ?? null);
    return fallback ?? null;
  },
  update: (d: Dict, other: unknown, kwargs: Dict | undefined) => {
    if (other !== undefined) dictUpdate(d, other);
    if (kwargs !== undefined) dictUpdate(d, kwargs);
    return null;
  },
  values: (d: Dict) => new ValuesView(d),
});
setMethods(Dict, dictM);
