/** Module `copy`. */

import { isEdge, isNode } from '../../archetypes/classes.ts';
import { metaOf } from '../../archetypes/meta.ts';
import { ByteArray } from '../../values/bytes.ts';
import { Dict } from '../../values/dict.ts';
import { Enum } from '../../values/enums.ts';
import { Exception, nameException } from '../../values/exceptions.ts';
import { FrozenSet, PySet } from '../../values/sets.ts';
import { Tuple } from '../../values/tuple.ts';
import { functions, type Members } from '../module.ts';
import { Deque } from './collections.ts';

class CopyError extends Exception {}
nameException(CopyError, 'Error', 'copy');

/** `copy.copy` */
export function shallow(x: any): unknown {
  if (typeof x !== 'object' || x === null) return x;
  if (typeof x.__copy__ === 'function') return x.__copy__();
  if (Array.isArray(x)) return x.slice();
  if (x instanceof Dict) return x.copy();
  if (x instanceof PySet) return new PySet(x.items);
  if (x instanceof ByteArray) return new ByteArray(x.data.slice());
  if (x instanceof Deque) return new Deque(x.$items(), x.maxlen);
  return isInstance(x) ? fields(blank(x), x, (value) => value) : x;
}

/** `copy.deepcopy`: shared and cyclic parts stay shared and cyclic. */
export function deep(x: any, memo: Map<unknown, unknown>): unknown {
  if (typeof x !== 'object' || x === null) return x;
  const known = memo.get(x);
  if (known !== undefined) return known;
  if (typeof x.__deepcopy__ === 'function') return remember(memo, x, x.__deepcopy__(new Dict()));
  if (Array.isArray(x)) {
    const made: unknown[] = remember(memo, x, []);
    for (const item of x) made.push(deep(item, memo));
    return made;
  }
  if (x instanceof Tuple) return copyTuple(x, memo);
  if (x instanceof Dict) {
    const made = remember(memo, x, x.copy());
    made.clear();
    for (const [k, v] of x.entries()) made.set(deep(k, memo), deep(v, memo));
    return made;
  }
  if (x instanceof PySet || x instanceof FrozenSet)
    return remember(memo, x, new (x.constructor as any)([...x.items].map((item) => deep(item, memo))));
  if (x instanceof ByteArray) return remember(memo, x, new ByteArray(x.data.slice()));
  if (x instanceof Deque)
    return remember(
      memo,
      x,
      new Deque(
        x.$items().map((item) => deep(item, memo)),
        x.maxlen,
      ),
    );
  return isInstance(x) ? fields(remember(memo, x, blank(x)), x, (value) => deep(value, memo)) : x;
}

function remember<T>(memo: Map<unknown, unknown>, x: unknown, made: T): T {
  memo.set(x, made);
  return made;
}

// A tuple of unchanged parts stays itself.
function copyTuple(x: Tuple, memo: Map<unknown, unknown>): Tuple {
  const items = x.items.map((item) => deep(item, memo));
  if (items.every((item, i) => item === x.items[i])) return x;
  return remember(memo, x, new (x.constructor as any)(items));
}

/** Instances of program classes are copied; nodes, edges, enum members, modules, functions and values of the runtime are themselves. */
function isInstance(x: any): boolean {
  if (x instanceof Enum || isNode(x) || isEdge(x) || x instanceof Error || x instanceof Promise) return false;
  return metaOf(x.constructor) !== undefined;
}

function blank(x: any): any {
  return x.$meta.blank();
}

function fields(made: any, x: any, copy: (value: unknown) => unknown): unknown {
  for (const name of Object.keys(x)) if (name.charCodeAt(0) !== 36) made[name] = copy(x[name]);
  return made;
}

export function makeCopy(): Members {
  return {
    Error: CopyError,
    error: CopyError,
    ...functions('copy', {
      copy: ['x', shallow],
      deepcopy: ['x, memo=None', (x: unknown) => deep(x, new Map())],
      replace: [
        'obj, /, **changes',
        (x: any, changes: Dict) => {
          const made: any = shallow(x);
          for (const [name, value] of changes.entries()) made[name as string] = value;
          return made;
        },
      ],
    }),
  };
}
