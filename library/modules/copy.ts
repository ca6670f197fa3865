/** Module `copy`. */

import { id } from '../builtins/arithmetic.ts';
import { functions, type Members } from '../builtins/module.ts';
import { metaOf, metaOfInstance } from '../classes/meta.ts';
import { look } from '../limits/look.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { toArray } from '../values/containers/iteration.ts';
import { FrozenSet, PySet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { Enum } from '../values/objects/enums.ts';
import { Exception, nameException } from '../values/objects/exceptions.ts';
import { instanceDict } from '../values/objects/instance-dict.ts';
import { $primitive, key } from '../values/objects/protocol.ts';
import { ByteArray } from '../values/text/bytes.ts';
import { Deque } from './collections/deque.ts';

class CopyError extends Exception {}
nameException(CopyError, 'Error', 'copy');

/** `copy.copy` */
export function shallow(x: any): unknown {
  if (typeof x !== 'object' || x === null) return x;
  if (typeof x.__copy__ === 'function') return x.__copy__();
  if (isReduced(x)) return rebuilt(x, same);
  if (Array.isArray(x))
    return likeItself(
      x,
      Array.from({ length: x.length }, (_, at) => x[at]),
      same,
    );
  if (x instanceof Dict) return likeItself(x, contentOf(x), same);
  if (x instanceof PySet) return likeItself(x, new PySet(x.items), same);
  if (x instanceof ByteArray) return likeItself(x, new ByteArray(x.data.slice()), same);
  if (x instanceof Deque) return likeItself(x, new Deque(x.$items(), x.maxlen), same);
  return isInstance(x) && !isFixed(x) ? restore(blank(x), x, same) : x;
}

function same<T>(value: T): T {
  return value;
}

/** Objects that `deepcopy` has made so far, by the object each is a copy of. */
export interface Memo {
  readonly made: Map<unknown, unknown>;
  /** The same for the program, by `id`: what `__deepcopy__` is given and writes to. */
  dict: Dict | undefined;
}

export function newMemo(): Memo {
  return { made: new Map(), dict: undefined };
}

const memos = new WeakMap<Dict, Memo>();

function memoOf(dict: unknown): Memo {
  if (!(dict instanceof Dict)) return newMemo();
  let memo = memos.get(dict);
  if (memo === undefined) memos.set(dict, (memo = { ...newMemo(), dict }));
  return memo;
}

function dictOf(memo: Memo): Dict {
  if (memo.dict === undefined) memos.set((memo.dict = new Dict()), memo);
  return memo.dict;
}

/** `copy.deepcopy`: shared and cyclic parts stay shared and cyclic. */
export function deep(x: any, memo: Memo): unknown {
  if (typeof x !== 'object' || x === null) return x;
  const known =
    memo.made.get(x) ?? (memo.dict === undefined || memo.dict.size === 0 ? undefined : memo.dict.get(id(x)));
  if (known !== undefined) return known;
  if (typeof x.__deepcopy__ === 'function') return remember(memo, x, x.__deepcopy__(dictOf(memo)));
  const copy = (value: unknown) => deep(value, memo);
  if (isReduced(x)) return remember(memo, x, rebuilt(x, copy));
  if (Array.isArray(x)) {
    const made: unknown[] = remember(memo, x, []);
    for (let at = 0; at < x.length; at += 1) {
      if ($due) look();
      made.push(deep(x[at], memo));
    }
    return likeItself(x, made, copy);
  }
  if (x instanceof Tuple) return copyTuple(x, memo);
  if (x instanceof Dict) {
    const made = remember(memo, x, contentOf(x));
    const entries = [...made.entries()];
    made.clear();
    for (const [k, v] of entries) {
      if ($due) look();
      made.set(deep(k, memo), deep(v, memo));
    }
    return likeItself(x, made, copy);
  }
  if (x instanceof PySet) {
    const made = remember(memo, x, new PySet());
    for (const item of x.items) made.add(deep(item, memo));
    return likeItself(x, made, copy);
  }
  if (x instanceof FrozenSet) return remember(memo, x, new (x.constructor as any)([...x.items].map(copy)));
  if (x instanceof ByteArray) return likeItself(x, remember(memo, x, new ByteArray(x.data.slice())), copy);
  if (x instanceof Deque) return likeItself(x, remember(memo, x, new Deque(x.$items().map(copy), x.maxlen)), copy);
  return isInstance(x) && !isFixed(x) ? restore(remember(memo, x, blank(x)), x, copy) : x;
}

function remember<T>(memo: Memo, x: unknown, made: T): T {
  memo.made.set(x, made);
  return made;
}

// A class of the program may have a `copy` of its own.
function contentOf(x: Dict): Dict {
  let at = Object.getPrototypeOf(x);
  while (Object.hasOwn(at, 'constructor') && metaOf(at.constructor) !== undefined) at = Object.getPrototypeOf(at);
  return at.copy.call(x);
}

/** Makes a copied container what `x` is: of its class, with its attributes. */
function likeItself(x: any, made: any, copy: (value: unknown) => unknown): unknown {
  if (metaOf(x.constructor) === undefined) return made;
  const attributes = Array.isArray(x) ? Object.keys(x).slice(x.length) : Object.keys(x);
  const own = attributes.filter((name) => !Object.hasOwn(made, name));
  Object.setPrototypeOf(made, Object.getPrototypeOf(x));
  for (const name of own) if (name.charCodeAt(0) !== 36) made[name] = copy(x[name]);
  return made;
}

function isReduced(x: any): boolean {
  return typeof x.__reduce__ === 'function';
}

/** `(callable, args)`, then perhaps a state: the copy is made anew. A text means the object itself. */
function rebuilt(x: any, copy: (value: unknown) => unknown): any {
  const parts: any = x.__reduce__();
  if (!(parts instanceof Tuple)) return x;
  const [make, args, state] = parts.items as [unknown, unknown, unknown?];
  const made: any = call(make, ...toArray(args).map(copy));
  if ((state ?? null) === null) return made;
  const kept = copy(state);
  if (typeof made.__setstate__ === 'function') made.__setstate__(kept);
  else if (kept instanceof Dict) for (const [name, value] of kept.entries()) made[key(String(name))] = value;
  return made;
}

// A tuple of unchanged parts stays itself.
function copyTuple(x: Tuple, memo: Memo): Tuple {
  const items = x.items.map((item) => deep(item, memo));
  if (items.every((item, i) => item === x.items[i])) return x;
  return remember(memo, x, new (x.constructor as any)(items));
}

/** Instances of program classes are copied; nodes, edges, enum members, modules, functions and values of the runtime are themselves. */
function isInstance(x: any): boolean {
  if (x instanceof Enum || isGraphObject(x) || x instanceof Error || x instanceof Promise) return false;
  return metaOf(x.constructor) !== undefined;
}

function blank(x: any): any {
  return x.$meta.blank();
}

/** Texts, numbers and tuples of a class of the program stay themselves, as those without one do. */
function isFixed(x: any): boolean {
  return x[$primitive] !== undefined || x instanceof Tuple || x instanceof FrozenSet;
}

/** Gives `made` what `x` keeps: its attributes, or what `__getstate__` and `__setstate__` say. */
function restore(made: any, x: any, copy: (value: unknown) => unknown): unknown {
  const says = typeof x.__getstate__ === 'function';
  if (!says && typeof made.__setstate__ !== 'function') return fields(made, x, copy);
  const state = copy(says ? x.__getstate__() : dictUpdate(new Dict(), instanceDict(x)));
  if (state === null) return made;
  if (typeof made.__setstate__ === 'function') made.__setstate__(state);
  else if (state instanceof Dict) for (const [name, value] of state.entries()) made[key(String(name))] = value;
  return made;
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
      deepcopy: ['x, memo=None', (x: unknown, memo?: unknown) => deep(x, memoOf(memo))],
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

/** Tells whether an object is a node or an edge. These stand for themselves in a copy. */
function isGraphObject(x: object): boolean {
  const kind = metaOfInstance(x)?.kind;
  return kind === 'node' || kind === 'edge';
}
