/** Methods of `set` and `frozenset` (language.md 6.6). */

import { builtinMethods } from '../calls/builtin.ts';
import { inRegion } from '../calls/regions.ts';
import { KeyError } from '../objects/exceptions.ts';
import { setMethods } from '../objects/method-tables.ts';
import { NotImplemented } from '../objects/singletons.ts';
import { iter } from './iteration.ts';
import {
  AnySet,
  assignSet,
  difference,
  FrozenSet,
  intersection,
  isSubset,
  PySet,
  popSet,
  symmetricDifference,
  union,
} from './sets.ts';

function setOf(x: unknown): AnySet {
  return x instanceof AnySet ? x : new PySet(iter(x));
}

function iterables(others: readonly unknown[] | undefined): Iterable<unknown>[] {
  return (others ?? []).map((other) => iter(other));
}

function isDisjoint(s: AnySet, other: unknown): boolean {
  for (const item of iter(other)) if (s.has(item)) return false;
  return true;
}

const shared = {
  difference: (s: AnySet, others: unknown[]) => difference(s, iterables(others)),
  intersection: (s: AnySet, others: unknown[]) => intersection(s, iterables(others)),
  isdisjoint: isDisjoint,
  issubset: (s: AnySet, other: unknown) => isSubset(s, setOf(other)),
  issuperset: (s: AnySet, other: unknown) => isSubset(setOf(other), s),
  symmetric_difference: (s: AnySet, other: unknown) => symmetricDifference(s, iter(other)),
  union: (s: AnySet, others: unknown[]) => union(s, iterables(others)),
} as const;

export const frozensetM = builtinMethods('frozenset', {
  ...shared,
  copy: (s: FrozenSet) => s,
});
setMethods(FrozenSet, frozensetM);

function updating(
  change: (s: PySet, others: readonly unknown[]) => void,
): (s: PySet, others: readonly unknown[] | undefined) => null {
  return (s, others) => {
    change(s, others ?? []);
    return null;
  };
}

export const setM = builtinMethods('set', {
  ...shared,
  add: (s: PySet, x: unknown) => {
    s.add(x);
    return null;
  },
  clear: (s: PySet) => {
    s.clear();
    return null;
  },
  copy: (s: PySet) => union(s, []),
  difference_update: updating((s, others) => assignSet(s, difference(s, iterables(others)))),
  discard: (s: PySet, x: unknown) => {
    s.delete(x);
    return null;
  },
  intersection_update: updating((s, others) => assignSet(s, intersection(s, iterables(others)))),
  pop: popSet,
  remove: (s: PySet, x: unknown) => {
    if (!s.delete(x)) throw new KeyError(x);
    return null;
  },
  symmetric_difference_update: (s: PySet, other: unknown) => {
    assignSet(s, symmetricDifference(s, iter(other)));
    return null;
  },
  update: updating((s, others) => {
    // Nothing is changed before all items are known (decisions/0210).
    if (inRegion()) assignSet(s, union(s, iterables(others)));
    else for (const other of others) for (const item of other === s ? [] : iter(other)) s.add(item);
  }),
});
setMethods(PySet, setM);

function order(test: (a: AnySet, b: AnySet) => boolean): (this: AnySet, other: unknown) => unknown {
  return function (this: AnySet, other: unknown) {
    return other instanceof AnySet ? test(this, other) : NotImplemented;
  };
}

Object.assign(AnySet.prototype, {
  __le__: order(isSubset),
  __lt__: order((a, b) => a.size < b.size && isSubset(a, b)),
  __ge__: order((a, b) => isSubset(b, a)),
  __gt__: order((a, b) => b.size < a.size && isSubset(b, a)),
});
