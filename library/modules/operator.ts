/** Module `operator`. */

import { abs } from '../builtins/arithmetic.ts';
import { functions, type Members } from '../builtins/module.ts';
import { call, callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import { contains } from '../values/containers/contains.ts';
import type { Dict } from '../values/containers/dict.ts';
import { iter } from '../values/containers/iteration.ts';
import { len } from '../values/containers/length.ts';
import { delitem, getitem, setitem } from '../values/containers/subscripts.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { Float } from '../values/numbers/float-box.ts';
import { requireIndex } from '../values/numbers/index-value.ts';
import { getattr } from '../values/objects/attributes.ts';
import { eq, is, ne, same } from '../values/objects/equality.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { callMethodKw } from '../values/objects/methods.ts';
import * as op from '../values/objects/operators.ts';
import { ge, gt, le, lt } from '../values/objects/ordering.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';

const binary = (f: (a: any, b: any) => unknown) => ['a, b, /', f] as const;
const unary = (f: (a: any) => unknown) => ['a, /', f] as const;

function itemgetter(first: unknown, rest: unknown[]): unknown {
  if (rest.length === 0) return native('itemgetter', 'obj, /', (x: unknown) => getitem(x, first));
  return native('itemgetter', 'obj, /', (x: unknown) => new Tuple([first, ...rest].map((item) => getitem(x, item))));
}

function attrgetter(first: unknown, rest: unknown[]): unknown {
  const paths = [first, ...rest].map((path) => {
    if (typeof path !== 'string') throw new TypeError('attribute name must be a string');
    return path.split('.');
  });
  const read = (x: unknown, path: readonly string[]) => path.reduce((value, name) => getattr(value, name), x as any);
  return native('attrgetter', 'obj, /', (x: unknown) =>
    paths.length === 1 ? read(x, paths[0]!) : new Tuple(paths.map((path) => read(x, path))),
  );
}

function methodcaller(name: unknown, args: unknown[], kwargs: Dict): unknown {
  if (typeof name !== 'string') throw new TypeError('method name must be a string');
  return native('methodcaller', 'obj, /', (x: unknown) => callMethodKw(x, name, args, kwargs));
}

function countOf(items: unknown, x: unknown): number {
  let count = 0;
  for (const item of iter(items)) if (same(item, x)) count += 1;
  return count;
}

function indexOf(items: unknown, x: unknown): number {
  let at = 0;
  for (const item of iter(items)) {
    if (same(item, x)) return at;
    at += 1;
  }
  throw new ValueError('sequence.index(x): x not in sequence');
}

function concat(a: any, b: any): unknown {
  if (typeof a === 'number' || typeof a === 'bigint' || a instanceof Float)
    throw new TypeError(`'${typeName(a)}' object can't be concatenated`);
  return op.add(a, b);
}

export function makeOperator(): Members {
  return functions('operator', {
    abs: unary((a) => abs(a)),
    add: binary(op.add),
    and_: binary(op.band),
    attrgetter: ['attr, /, *attrs', attrgetter],
    call: [
      'obj, /, *args, **kwargs',
      (f: unknown, args: unknown[], kwargs: Dict) => (kwargs.size === 0 ? call(f, ...args) : callkw(f, args, kwargs)),
    ],
    concat: binary(concat),
    contains: binary(contains),
    countOf: binary(countOf),
    delitem: binary((a, b) => {
      delitem(a, b);
      return null;
    }),
    eq: binary(eq),
    floordiv: binary(op.floordiv),
    ge: binary(ge),
    getitem: binary(getitem),
    gt: binary(gt),
    iadd: binary(op.iadd),
    iand: binary(op.iband),
    iconcat: binary(op.iadd),
    ifloordiv: binary(op.ifloordiv),
    ilshift: binary(op.ilshift),
    imatmul: binary(op.imatmul),
    imod: binary(op.imod),
    imul: binary(op.imul),
    index: unary(requireIndex),
    indexOf: binary(indexOf),
    inv: unary(op.invert),
    invert: unary(op.invert),
    ior: binary(op.ibor),
    ipow: binary(op.ipow),
    irshift: binary(op.irshift),
    is_: binary(is),
    is_not: binary((a, b) => !is(a, b)),
    isub: binary(op.isub),
    itemgetter: ['item, /, *items', itemgetter],
    itruediv: binary(op.idiv),
    ixor: binary(op.ibxor),
    le: binary(le),
    length_hint: [
      'obj, default=0, /',
      (x: any, fallback?: unknown) =>
        typeof x === 'object' && typeof x?.__length_hint__ === 'function'
          ? x.__length_hint__()
          : tryLength(x, fallback ?? 0),
    ],
    lshift: binary(op.lshift),
    lt: binary(lt),
    matmul: binary(op.matmul),
    methodcaller: ['name, /, *args, **kwargs', methodcaller],
    mod: binary(op.mod),
    mul: binary(op.mul),
    ne: binary(ne),
    neg: unary(op.neg),
    not_: unary((a) => !truth(a)),
    or_: binary(op.bor),
    pos: unary(op.pos),
    pow: binary((a, b) => op.pow(a, b)),
    rshift: binary(op.rshift),
    setitem: [
      'a, b, c, /',
      (a: unknown, b: unknown, c: unknown) => {
        setitem(a, b, c);
        return null;
      },
    ],
    sub: binary(op.sub),
    truediv: binary(op.div),
    truth: unary(truth),
    xor: binary(op.bxor),
  });
}

function tryLength(x: unknown, fallback: unknown): unknown {
  try {
    return len(x);
  } catch (e) {
    if (e instanceof TypeError) return fallback;
    throw e;
  }
}
