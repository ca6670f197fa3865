/** Module `functools`. */

import type { Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { nativeClass } from '../builtins/native-class.ts';
import type { FunctionSpec, TypeRef } from '../classes/spec.ts';
import { isLong, look, rest } from '../limits/look.ts';
import { waitsInside } from '../values/calls/async-functions.ts';
import { call, callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import { $keysOf, placesOf } from '../values/calls/waiting-calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictUpdate } from '../values/containers/dict-update.ts';
import { isLater, source } from '../values/containers/iteration.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { getattr, getattrOr, setattr, varsOf } from '../values/objects/attributes.ts';
import { $member, methodOfAny } from '../values/objects/class-methods.ts';
import { eq } from '../values/objects/equality.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { lt } from '../values/objects/ordering.ts';
import { $spec } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { truth } from '../values/objects/truth.ts';
import { isClass } from '../values/objects/type-name.ts';
import { isInstance, isSubclass, mroOf, namedType, typeOf } from '../values/objects/types.ts';
import { UnionType } from '../values/objects/union-type.ts';

/** A function with some arguments given beforehand. */
export class Partial {
  readonly func: any;
  readonly args: Tuple;
  readonly keywords: Dict;

  constructor(func: any, args: readonly unknown[], keywords: Dict) {
    this.func = func;
    this.args = new Tuple(args);
    this.keywords = keywords;
  }

  __call__(args: readonly unknown[] = [], kwargs?: Dict): unknown {
    if (this.keywords.size === 0 && (kwargs === undefined || kwargs.size === 0))
      return call(this.func, ...this.args.items, ...args);
    const all = this.keywords.copy();
    if (kwargs !== undefined) dictUpdate(all, kwargs);
    return callkw(this.func, [...this.args.items, ...args], all);
  }

  __repr__(): string {
    const parts = [
      reprOf(this.func),
      ...this.args.items.map((arg) => reprOf(arg)),
      ...[...this.keywords.entries()].map(([k, v]) => `${k}=${reprOf(v)}`),
    ];
    return `functools.partial(${parts.join(', ')})`;
  }
}
nativeClass(Partial, {
  name: 'partial',
  module: 'functools',
  params: 'func, /, *args, **keywords',
  make: (_cls, func, args, keywords) => {
    if (func instanceof Partial) {
      const all = func.keywords.copy();
      dictUpdate(all, keywords ?? new Dict());
      return new Partial(func.func, [...func.args.items, ...(args ?? [])], all);
    }
    return new Partial(func, args ?? [], keywords ?? new Dict());
  },
  methods: { __call__: '*args, **kwargs' },
});

function reduce(f: unknown, xs: unknown, initial: unknown): unknown {
  const items = source(xs);
  if (isLater(items)) return reduceLater(f, items, initial);
  const steps = items[Symbol.iterator]();
  let total = initial;
  if (total === undefined) {
    const first = steps.next();
    if (first.done === true) throw emptyReduce();
    total = first.value;
  }
  for (;;) {
    if ($due) look();
    const step = steps.next();
    if (step.done === true) return total;
    total = call(f, total, step.value);
    if (total instanceof Promise) return reduceWaiting(f, steps, total);
  }
}

async function reduceLater(f: unknown, items: AsyncIterable<unknown>, initial: unknown): Promise<unknown> {
  let total = initial;
  for await (const item of items) total = total === undefined ? item : await call(f, total, item);
  if (total === undefined) throw emptyReduce();
  return total;
}

function emptyReduce(): Error {
  return new TypeError('reduce() of empty iterable with no initial value');
}

async function reduceWaiting(f: unknown, source: Iterator<unknown>, first: Promise<unknown>): Promise<unknown> {
  let total = await first;
  for (;;) {
    if (isLong()) await rest();
    const step = source.next();
    if (step.done === true) return total;
    total = await call(f, total, step.value);
  }
}

const CacheInfo = makeNamedTuple('CacheInfo', ['hits', 'misses', 'maxsize', 'currsize'], { module: 'functools' });

/** A function of any arguments that stands for another one. */
function standIn(target: any, run: (args: readonly unknown[], kwargs: Dict | undefined) => unknown): any {
  return native(
    String(getattrOr(target, '__qualname__', 'wrapper')),
    '*args, **kwargs',
    (args: readonly unknown[] = [], kwargs?: Dict) => run(args, kwargs),
  );
}

function memoize(f: any, maxsize: number | null, typed: boolean): any {
  const cache = new Dict();
  let [hits, misses] = [0, 0];
  const keep = (key: unknown, value: unknown): unknown => {
    if (maxsize !== 0) {
      if (maxsize !== null && cache.size >= maxsize) cache.delete(cache.keys().next().value);
      cache.set(key, value);
    }
    return value;
  };
  const run = (args: readonly unknown[], kwargs: Dict | undefined): unknown => {
    const parts: unknown[] = [...args];
    if (kwargs !== undefined && kwargs.size > 0)
      parts.push(marker, ...[...kwargs.entries()].map((entry) => new Tuple(entry)));
    if (typed) parts.push(...args.map((arg) => typeOf(arg)));
    const key =
      parts.length === 1 && (typeof parts[0] === 'number' || typeof parts[0] === 'string')
        ? parts[0]
        : new Tuple(parts);
    const known = cache.get(key);
    if (known !== undefined) {
      hits += 1;
      if (maxsize !== null) {
        cache.delete(key);
        cache.set(key, known);
      }
      return known;
    }
    misses += 1;
    const value = kwargs !== undefined && kwargs.size > 0 ? callkw(f, args, kwargs) : call(f, ...args);
    return value instanceof Promise ? value.then((ready) => keep(key, ready)) : keep(key, value);
  };
  const wrapper = update(standIn(f, run), f);
  setattr(
    wrapper,
    'cache_info',
    native('cache_info', '', () => new CacheInfo([hits, misses, maxsize, cache.size])),
  );
  setattr(
    wrapper,
    'cache_parameters',
    native('cache_parameters', '', () => Dict.from([['maxsize', maxsize] as const, ['typed', typed] as const])),
  );
  setattr(
    wrapper,
    'cache_clear',
    native('cache_clear', '', () => {
      cache.clear();
      [hits, misses] = [0, 0];
      return null;
    }),
  );
  return wrapper;
}

const marker = Object.freeze({});

function lruCache(maxsize: unknown, typed: unknown): unknown {
  if (typeof maxsize === 'function') return memoize(maxsize, 128, false);
  const size = maxsize === undefined ? 128 : maxsize === null ? null : Math.max(0, Number(maxsize));
  return native('decorating_function', 'user_function, /', (f: unknown) => memoize(f, size, truth(typed)));
}

const copied = ['__module__', '__name__', '__qualname__', '__doc__'];

/** `functools.update_wrapper` */
function update(wrapper: any, wrapped: any): any {
  if (typeof wrapper === 'function' || (typeof wrapper === 'object' && wrapper !== null)) {
    for (const name of copied) {
      const value = getattrOr(wrapped, name, undefined);
      if (value !== undefined) setattr(wrapper, name, value);
    }
    for (const [name, value] of typeof wrapped === 'function'
      ? getattr(wrapped, '__dict__').entries()
      : varsOf(wrapped))
      setattr(wrapper, String(name), value);
    setattr(wrapper, '__wrapped__', wrapped);
  }
  return wrapper;
}

/** Key that `cmp_to_key(f)` gives: keys compare by `f`. */
class CompareKey {
  readonly obj: unknown;
  readonly $compare: unknown;

  constructor(compare: unknown, obj: unknown) {
    this.$compare = compare;
    this.obj = obj;
  }

  __lt__(other: CompareKey): boolean {
    return lt(call(this.$compare, this.obj, other.obj), 0);
  }

  __gt__(other: CompareKey): boolean {
    return lt(0, call(this.$compare, this.obj, other.obj));
  }

  __le__(other: CompareKey): boolean {
    return !this.__gt__(other);
  }

  __ge__(other: CompareKey): boolean {
    return !this.__lt__(other);
  }

  __eq__(other: CompareKey): boolean {
    return eq(call(this.$compare, this.obj, other.obj), 0);
  }
}
nativeClass(CompareKey, { name: 'K', module: 'functools' });

function compareKeys(compare: unknown): unknown {
  const make: any = native('K', 'obj', (x: unknown) => new CompareKey(compare, x));
  if (waitsInside(compare)) make[$keysOf] = (items: readonly unknown[]) => placesOf(items, compare);
  return make;
}

/** `partialmethod(f, …)` in a class: a method with some arguments given beforehand. */
class PartialMethod extends Partial {
  [$member](): PropertyDescriptor {
    const { func, args, keywords } = this;
    const method = native(
      'partialmethod',
      'self, /, *args, **kwargs',
      (self: unknown, rest?: unknown[], kwargs?: Dict) => {
        const all = keywords.copy();
        if (kwargs !== undefined) dictUpdate(all, kwargs);
        return callkw(func, [self, ...args.items, ...(rest ?? [])], all);
      },
    );
    return { value: methodOfAny(method), writable: true };
  }
}
nativeClass(PartialMethod, { name: 'partialmethod', module: 'functools', params: 'func, /, *args, **keywords' });

/** A function that goes by the type of its first argument, `at` 1 when it is a method. */
function singledispatch(f: any, at = 0): any {
  const registry = Dict.from([[namedType('object'), f]]);
  const pick = (order: readonly unknown[], fits: (cls: unknown) => boolean): unknown => {
    const known = [...registry.keys()].slice(1).filter(fits);
    known.sort((a, b) => rank(order, a) - rank(order, b));
    return known.length === 0 ? f : registry.get(known[0]);
  };
  const dispatcher = update(
    standIn(f, (args, kwargs) => {
      if (args.length <= at) throw new TypeError(`${getattr(f, '__name__')} requires at least 1 positional argument`);
      const x = args[at];
      return callkw(
        pick(mroOf(typeOf(x)), (cls) => isInstance(x, cls)),
        args,
        kwargs,
      );
    }),
    f,
  );
  const add = (classes: readonly unknown[], implementation: unknown): unknown => {
    for (const cls of classes) registry.set(cls, implementation);
    return implementation;
  };
  const register = native('register', 'cls, func=None', (cls: unknown, func?: unknown): unknown => {
    const classes = classesOf(cls);
    if (classes !== undefined)
      return func === undefined || func === null
        ? native('register', 'func, /', (later: unknown) => add(classes, later))
        : add(classes, func);
    const annotated = annotatedTypes(cls);
    if (annotated !== undefined) return add(annotated, cls);
    const spec: any = (cls as any)?.[$spec];
    const first = (typeof spec === 'function' ? spec() : spec)?.params?.[0];
    throw new TypeError(
      `Invalid first argument to \`register()\`: ${reprOf(cls)}. Use the form \`register(type)\`${first === undefined ? '' : ` for parameter ${first.name}`}.`,
    );
  });
  setattr(dispatcher, 'register', register);
  setattr(dispatcher, 'registry', registry);
  setattr(
    dispatcher,
    'dispatch',
    native('dispatch', 'cls', (cls: unknown) => pick(mroOf(cls), (known) => isSubclass(cls, known))),
  );
  return dispatcher;
}

/** The classes that `register(int | str)` or `register(int)` names. */
function classesOf(cls: unknown): readonly unknown[] | undefined {
  if (cls instanceof UnionType) return cls.members;
  return isClass(cls) ? [cls] : undefined;
}

// `@show.register def f(x: list)`: the type of the first parameter.
function annotatedTypes(f: any): readonly unknown[] | undefined {
  const spec: FunctionSpec | undefined = typeof f?.[$spec] === 'function' ? f[$spec]() : f?.[$spec];
  const type = spec?.params.find((param) => param.name !== 'self')?.type;
  if (type === undefined) return undefined;
  const classes = (type.t === 'union' ? type.of : [type]).map(annotatedClass);
  return classes.includes(undefined) ? undefined : classes;
}

function annotatedClass(type: TypeRef): unknown {
  if (['any', 'union', 'literal', 'unknown', 'iterator'].includes(type.t)) return undefined;
  return type.t === 'ref' ? type.get() : namedType(type.t === 'none' ? 'NoneType' : type.t);
}

function rank(order: readonly unknown[], cls: unknown): number {
  const at = order.indexOf(cls);
  return at < 0 ? order.length : at;
}

const orderings: Readonly<Record<string, (self: any, other: unknown) => unknown>> = {
  __gt__: (self, other) => not(self.__lt__(other), () => not(eq(self, other), () => true)),
  __le__: (self, other) => orEqual(self.__lt__(other), self, other),
  __ge__: (self, other) => not(self.__lt__(other), () => true),
};

function not(result: unknown, then: () => unknown): unknown {
  return result === NotImplemented ? result : truth(result) ? false : then();
}

function orEqual(result: unknown, self: unknown, other: unknown): unknown {
  return result === NotImplemented ? result : truth(result) || eq(self, other);
}

/** Fills in the other comparisons of a class that has one. */
function totalOrdering(cls: any): any {
  const p = cls.prototype;
  if (!['__lt__', '__le__', '__gt__', '__ge__'].some((name) => typeof p[name] === 'function'))
    throw new ValueError('must define at least one ordering operation: < > <= >=');
  const define = (name: string, fn: any) => {
    if (typeof p[name] !== 'function')
      Object.defineProperty(p, name, { value: fn, writable: true, configurable: true });
  };
  if (typeof p.__lt__ === 'function') {
    for (const [name, rule] of Object.entries(orderings))
      define(
        name,
        {
          [name](this: any, other: unknown) {
            return rule(this, other);
          },
        }[name],
      );
  } else if (typeof p.__gt__ === 'function') {
    define(
      '__lt__',
      {
        f(this: any, other: unknown) {
          return not(this.__gt__(other), () => !eq(this, other));
        },
      }.f,
    );
    define(
      '__ge__',
      {
        f(this: any, other: unknown) {
          return orEqual(this.__gt__(other), this, other);
        },
      }.f,
    );
    define(
      '__le__',
      {
        f(this: any, other: unknown) {
          return not(this.__gt__(other), () => true);
        },
      }.f,
    );
  } else if (typeof p.__le__ === 'function') {
    define(
      '__lt__',
      {
        f(this: any, other: unknown) {
          return truth(this.__le__(other)) && !eq(this, other);
        },
      }.f,
    );
    define(
      '__gt__',
      {
        f(this: any, other: unknown) {
          return !truth(this.__le__(other));
        },
      }.f,
    );
    define(
      '__ge__',
      {
        f(this: any, other: unknown) {
          return !truth(this.__le__(other)) || eq(this, other);
        },
      }.f,
    );
  } else if (typeof p.__ge__ === 'function') {
    define(
      '__gt__',
      {
        f(this: any, other: unknown) {
          return truth(this.__ge__(other)) && !eq(this, other);
        },
      }.f,
    );
    define(
      '__lt__',
      {
        f(this: any, other: unknown) {
          return !truth(this.__ge__(other));
        },
      }.f,
    );
    define(
      '__le__',
      {
        f(this: any, other: unknown) {
          return !truth(this.__ge__(other)) || eq(this, other);
        },
      }.f,
    );
  }
  return cls;
}

/** A property that is computed once per instance. Used as a decorator it gives a getter that remembers. */
function cachedProperty(f: any): unknown {
  const known = new WeakMap<object, unknown>();
  return native('cached_property', 'self', (self: object) => {
    if (!known.has(self)) known.set(self, call(f, self));
    return known.get(self);
  });
}

export function makeFunctools(): Members {
  return {
    partial: Partial,
    partialmethod: PartialMethod,
    WRAPPER_ASSIGNMENTS: new Tuple([...copied, '__annotations__']),
    WRAPPER_UPDATES: new Tuple(['__dict__']),
    cache: native('cache', 'user_function, /', (f: unknown) => memoize(f, null, false)),
    cached_property: native('cached_property', 'func', cachedProperty),
    cmp_to_key: native('cmp_to_key', 'mycmp', compareKeys),
    lru_cache: native('lru_cache', 'maxsize=128, typed=False', lruCache),
    reduce: native('reduce', 'function, iterable, initial=None, /', reduce),
    singledispatch: native('singledispatch', 'func', (f: unknown) => singledispatch(f)),
    singledispatchmethod: native('singledispatchmethod', 'func', (f: unknown) => singledispatch(f, 1)),
    total_ordering: native('total_ordering', 'cls', totalOrdering),
    update_wrapper: native('update_wrapper', 'wrapper, wrapped, assigned=None, updated=None', update),
    wraps: native('wraps', 'wrapped, assigned=None, updated=None', (wrapped: unknown) =>
      native('update_wrapper', 'wrapper, /', (wrapper: unknown) => update(wrapper, wrapped)),
    ),
  };
}
