import { iter } from '../iteration.ts';
import { bitand, bitor, bitxor, contains, missingKey, sub } from '../operators.ts';
import type { Methods } from './methods.ts';

const setOf = (value: any): Set<any> => (value instanceof Set ? value : new Set(iter(value)));

function fill(s: Set<any>, values: Set<any>): null {
  const items = [...values];
  s.clear();
  for (const item of items) s.add(item);
  return null;
}

export const setMethods: Methods = {
  add: (s, [value]) => {
    s.add(value);
    return null;
  },
  discard: (s, [value]) => {
    s.delete(value);
    return null;
  },
  remove: (s, [value]) => {
    if (!s.delete(value)) throw missingKey(value);
    return null;
  },
  pop: (s) => {
    const [first] = s;
    s.delete(first);
    return first ?? null;
  },
  clear: (s) => {
    s.clear();
    return null;
  },
  copy: (s) => new Set(s),
  union: (s, others) => others.reduce((all, other) => bitor(all, setOf(other)), s),
  intersection: (s, others) => others.reduce((all, other) => bitand(all, setOf(other)), s),
  difference: (s, others) => others.reduce((all, other) => sub(all, setOf(other)), s),
  symmetric_difference: (s, [other]) => bitxor(s, setOf(other)),
  update: (s, others) => {
    for (const other of others) for (const item of iter(other)) s.add(item);
    return null;
  },
  intersection_update: (s, [other]) => fill(s, bitand(s, setOf(other))),
  difference_update: (s, [other]) => fill(s, sub(s, setOf(other))),
  symmetric_difference_update: (s, [other]) => fill(s, bitxor(s, setOf(other))),
  issubset: (s, [other]) => [...s].every((item) => contains(item, setOf(other))),
  issuperset: (s, [other]) => [...iter(other)].every((item) => contains(item, s)),
  isdisjoint: (s, [other]) => ![...iter(other)].some((item) => contains(item, s)),
};
