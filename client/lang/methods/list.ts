import { ValueError } from '../exceptions.ts';
import { sortInPlace } from '../functions.ts';
import { iter } from '../iteration.ts';
import { eq } from '../operators.ts';
import { repr } from '../text.ts';
import type { Methods } from './methods.ts';

export const listMethods: Methods = {
  append: (xs, [value]) => {
    xs.push(value);
    return null;
  },
  extend: (xs, [values]) => {
    for (const value of [...iter(values)]) xs.push(value);
    return null;
  },
  insert: (xs, [at, value]) => {
    xs.splice(at, 0, value);
    return null;
  },
  pop: (xs, [at]) => (at === undefined ? (xs.pop() ?? null) : (xs.splice(at, 1)[0] ?? null)),
  remove: (xs, [value]) => {
    const at = place(xs, value);
    if (at < 0) throw new ValueError('list.remove(x): x not in list');
    xs.splice(at, 1);
    return null;
  },
  clear: (xs) => {
    xs.length = 0;
    return null;
  },
  copy: (xs) => [...xs],
  count: (xs, [value]) => xs.filter((one: unknown) => eq(one, value)).length,
  index: (xs, [value, start = 0]) => {
    const at = place(xs.slice(start), value);
    if (at < 0) throw new ValueError(`${repr(value)} is not in list`);
    return at + start;
  },
  reverse: (xs) => {
    return xs.reverse();
  },
  sort: (xs, _, named) => {
    return sortInPlace(xs, named);
  },
};

function place(xs: unknown[], value: unknown): number {
  return xs.findIndex((one) => eq(one, value));
}
