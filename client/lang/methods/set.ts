import { iter } from '../iteration.ts';
import { bitand, bitor, bitxor, contains, missingKey, put, setOf, sub, takeOut } from '../operators.ts';
import type { Methods } from './methods.ts';

const asSet = (value: any): Set<any> => (value instanceof Set ? value : setOf(iter(value)));

function fill(s: Set<any>, values: Set<any>): null {
  const items = [...values];
  s.clear();
  for (const item of items) put(s, item);
  return null;
}

export const setMethods: Methods = {
  add: (s, [value]) => {
    put(s, value);
    return null;
  },
  discard: (s, [value]) => {
    takeOut(s, value);
    return null;
  },
  remove: (s, [value]) => {
    if (!takeOut(s, value)) throw missingKey(value);
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
  union: (s, others) => others.reduce((all, other) => bitor(all, asSet(other)), s),
  intersection: (s, others) => others.reduce((all, other) => bitand(all, asSet(other)), s),
  difference: (s, others) => others.reduce((all, other) => sub(all, asSet(other)), s),
  symmetric_difference: (s, [other]) => bitxor(s, asSet(other)),
  update: (s, others) => {
    for (const other of others) for (const item of iter(other)) put(s, item);
    return null;
  },
  intersection_update: (s, [other]) => fill(s, bitand(s, asSet(other))),
  difference_update: (s, [other]) => fill(s, sub(s, asSet(other))),
  symmetric_difference_update: (s, [other]) => fill(s, bitxor(s, asSet(other))),
  issubset: (s, [other]) => [...s].every((item) => contains(item, asSet(other))),
  issuperset: (s, [other]) => [...iter(other)].every((item) => contains(item, s)),
  isdisjoint: (s, [other]) => ![...iter(other)].some((item) => contains(item, s)),
};
