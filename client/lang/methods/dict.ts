import { array } from '../iteration.ts';
import { isPlain } from '../kinds.ts';
import { missingKey } from '../operators.ts';
import { key } from '../places.ts';
import type { Methods } from './methods.ts';

export const dictMethods: Methods = {
  get: (d, [name, other = null]) => (Object.hasOwn(d, key(name)) ? d[key(name)] : other),
  items: (d) => Object.entries(d),
  keys: (d) => Object.keys(d),
  values: (d) => Object.values(d),
  pop: (d, args) => {
    const name = key(args[0]);
    if (!Object.hasOwn(d, name)) {
      if (args.length > 1) return args[1];
      throw missingKey(name);
    }
    const value = d[name];
    delete d[name];
    return value;
  },
  popitem: (d) => {
    const last = Object.entries(d).at(-1);
    if (last === undefined) throw missingKey('popitem(): dictionary is empty');
    delete d[last[0]];
    return last;
  },
  update: (d, [other = {}], named) => {
    Object.assign(d, isPlain(other) ? other : Object.fromEntries(array(other)), named);
    return null;
  },
  setdefault: (d, [name, value = null]) => {
    const own = key(name);
    if (!Object.hasOwn(d, own)) d[own] = value;
    return d[own];
  },
  copy: (d) => ({ ...d }),
  clear: (d) => {
    for (const name of Object.keys(d)) delete d[name];
    return null;
  },
};
