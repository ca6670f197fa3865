/**
 * Border between programs and JavaScript: converts values on their way across it (decisions/0315). Dicts are given as
 * live views that look like plain objects, and lists that hold such values as views of the list; what cannot be shown
 * that way is given as the kind JavaScript has. What was given comes back as itself. Objects of JavaScript stay what
 * they are; plain ones have the methods of dicts as well.
 */
import { bindArguments, pairsOf } from '../classes/bind.ts';
import { Archetype } from '../classes/classes.ts';
import type { DerivedLayout, Maker } from '../classes/meta.ts';
import { superLayer } from '../classes/super-layer.ts';
import { DateValue } from '../modules/datetime/date.ts';
import { DateTimeValue, fromTimestamp } from '../modules/datetime/datetime.ts';
import { isPlainObject, setBorder } from '../values/calls/border.ts';
import { bindMethod, call } from '../values/calls/calls.ts';
import { Coroutine } from '../values/calls/coroutine.ts';
import { GeneratorObject } from '../values/calls/generators.ts';
import { signatureOf } from '../values/calls/signature.ts';
import { Dict } from '../values/containers/dict.ts';
import { ItemsView, KeysView, ValuesView } from '../values/containers/dict-views.ts';
import { Range } from '../values/containers/range.ts';
import { AnySet, PySet } from '../values/containers/sets.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { lookup } from '../values/objects/attributes.ts';
import { eq } from '../values/objects/equality.ts';
import { BaseException } from '../values/objects/exceptions.ts';
import {
  $await,
  $bound,
  $construct,
  $methods,
  $primitive,
  $spec,
  $typeName,
  $uncatchable,
} from '../values/objects/protocol.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { $builtin, isClass, isTypeObject } from '../values/objects/type-name.ts';
import { AnyBytes, Bytes } from '../values/text/bytes.ts';

/**
 * Values of programs by their images in JavaScript, and the other way round: a value is given as the same object each
 * time.
 */
const originals = new WeakMap<object, object>();
const images = new WeakMap<object, object>();

function remember<T extends object>(original: object, image: T): T {
  images.set(original, image);
  originals.set(image, original);
  return image;
}

// ---------------------------------------------------------------- to JavaScript

function give(x: any): any {
  if (x === null || (typeof x !== 'object' && typeof x !== 'function')) return x;
  const known = images.get(x);
  if (known !== undefined) return known;
  const image = imageOf(x);
  return image === undefined ? x : image();
}

/** Gives a function that makes the image of a value for JavaScript; undefined for a value that goes over as it is. */
function imageOf(x: any): (() => unknown) | undefined {
  if (typeof x === 'function') return isProgramFunction(x) ? () => remember(x, callbackFor(x)) : undefined;
  if (Array.isArray(x)) return holdsImages(x, new Set()) ? () => remember(x, new Proxy(x, givenList)) : undefined;
  if (x instanceof Dict) return () => remember(x, new Proxy(x, givenDict));
  if (x instanceof Tuple) return () => remember(x, x.items.map(give));
  if (x instanceof AnyBytes) return () => Buffer.from(x.data.buffer, x.data.byteOffset, x.data.length);
  if (x instanceof DateValue) return () => remember(x, dateOf(x));
  if (x instanceof AnySet) return () => new Set(Array.from(x.items, give));
  if (x instanceof Range || x instanceof KeysView || x instanceof ValuesView || x instanceof ItemsView)
    return () => Array.from(x as Iterable<unknown>, give);
  if (x instanceof GeneratorObject) return () => remember(x, givenItems(x));
  if (x instanceof Coroutine) return () => started(x);
  if (x[$primitive] !== undefined) return () => x[$primitive];
  return typeof x.__fspath__ === 'function' ? () => x.__fspath__() : undefined;
}

/** Is there something in the list, or in lists in it, that JavaScript does not see as it is? */
function holdsImages(list: readonly unknown[], seen: Set<unknown>): boolean {
  seen.add(list);
  return list.some((item) => {
    if (item === null || (typeof item !== 'object' && typeof item !== 'function') || seen.has(item)) return false;
    return Array.isArray(item) ? holdsImages(item, seen) : imageOf(item) !== undefined;
  });
}

function isProgramFunction(f: any): boolean {
  return f[$spec] !== undefined && (isTypeObject(f) || (f[$construct] === undefined && !isClass(f)));
}

/** `o.method` is made each time it is read; for JavaScript it is one function. */
function callbackFor(f: any): any {
  const bound: { self: unknown; fn: object } | undefined = f[$bound];
  if (typeof bound?.self !== 'object' || bound.self === null) return callbackOf(f);
  let ofSelf = callbacks.get(bound.self);
  if (ofSelf === undefined) callbacks.set(bound.self, (ofSelf = new WeakMap()));
  let callback = ofSelf.get(bound.fn);
  if (callback === undefined) ofSelf.set(bound.fn, (callback = callbackOf(f)));
  return callback;
}

const callbacks = new WeakMap<object, WeakMap<object, object>>();

/** A function of the program for JavaScript to call. It gets the arguments it has parameters for; a coroutine starts at once. */
function callbackOf(f: any): any {
  const { params, least, restAt } = signatureOf(f)!;
  const most = params.filter(({ kind }) => kind === 'pos' || kind === 'any').length;
  const run = (...args: unknown[]) => {
    const slots = args.slice(0, most).map(take);
    if (restAt >= 0) slots[restAt] = args.slice(restAt).map(take);
    // A function without a result gives `undefined`, JavaScript's kind of nothing.
    return give(f(...slots)) ?? undefined;
  };
  return Object.defineProperties(run, { length: { value: least }, name: { value: f.name } });
}

// The coroutine comes back as the promise, which may be awaited more than once.
function started(x: Coroutine): unknown {
  const promise = x[$await]().then(give);
  images.set(x, promise);
  return promise;
}

function dateOf(x: DateValue): Date {
  if (x instanceof DateTimeValue) return new Date(Math.round(x.$timestamp() * 1000));
  const date = new Date(x.year, x.month - 1, x.day);
  if (x.year < 100) date.setFullYear(x.year);
  return date;
}

function* givenItems(source: Iterable<unknown>): Generator<unknown> {
  for (const item of source) yield give(item);
}

/** The property that a key is for JavaScript, as in JSON. */
function propertyOf(key: unknown): string {
  return typeof key === 'string' ? key : key === null || typeof key === 'boolean' ? String(key) : strOf(key);
}

/** The key behind a property, or the property where there is none. */
function keyOf(dict: Dict, name: string): unknown {
  if (dict.has(name)) return name;
  const number = Number(name);
  if (String(number) === name && dict.has(number)) return number;
  for (const key of dict.keys()) if (typeof key !== 'string' && propertyOf(key) === name) return key;
  return name;
}

// The target of a view is the dict, so that one handler serves all of them; nothing of it shows.
const givenDict: ProxyHandler<Dict> = {
  get(dict, name) {
    const value = typeof name === 'string' ? dict.get(keyOf(dict, name)) : undefined;
    return value === undefined ? Reflect.get(Object.prototype, name) : give(value);
  },
  set(dict, name, value) {
    if (typeof name === 'string') dict.set(keyOf(dict, name), take(value));
    return typeof name === 'string';
  },
  has: (dict, name) => (typeof name === 'string' && dict.has(keyOf(dict, name))) || name in Object.prototype,
  deleteProperty(dict, name) {
    if (typeof name === 'string') dict.delete(keyOf(dict, name));
    return true;
  },
  ownKeys: (dict) => [...new Set(Array.from(dict.keys(), propertyOf))],
  getOwnPropertyDescriptor(dict, name) {
    const value = typeof name === 'string' ? dict.get(keyOf(dict, name)) : undefined;
    return value === undefined
      ? undefined
      : { value: give(value), writable: true, enumerable: true, configurable: true };
  },
  defineProperty(dict, name, descriptor) {
    const isPlain = typeof name === 'string' && 'value' in descriptor;
    if (isPlain) dict.set(keyOf(dict, name), take(descriptor.value));
    return isPlain;
  },
  getPrototypeOf: () => Object.prototype,
  setPrototypeOf: () => false,
  // The dict goes on changing with the program.
  preventExtensions: () => false,
};

const givenList: ProxyHandler<unknown[]> = {
  get: (list, name) => give(Reflect.get(list, name)),
  set: (list, name, value) => Reflect.set(list, name, take(value)),
  getOwnPropertyDescriptor(list, name) {
    const found = Reflect.getOwnPropertyDescriptor(list, name);
    return found?.configurable === true ? { ...found, value: give(found.value) } : found;
  },
  defineProperty: (list, name, descriptor) =>
    Reflect.defineProperty(
      list,
      name,
      'value' in descriptor ? { ...descriptor, value: take(descriptor.value) } : descriptor,
    ),
  preventExtensions: () => false,
};

// ---------------------------------------------------------------- what JavaScript prints and writes of values it has got as they are

function showsAs(cls: any, inspected: (x: any) => unknown, written: (x: any) => unknown): void {
  const define = (name: PropertyKey, show: (x: any) => unknown) =>
    Object.defineProperty(cls.prototype, name, {
      value(this: any) {
        return show(this);
      },
      configurable: true,
      writable: true,
    });
  define(Symbol.for('nodejs.util.inspect.custom'), inspected);
  define('toJSON', written);
}

showsAs(Dict, (d) => ({ ...give(take(d)) }), give);
showsAs(Tuple, give, give);
showsAs(AnySet, give, (x) => [...give(x)]);
showsAs(AnyBytes, give, (x) => give(x).toString('base64'));
showsAs(DateValue, strOf, (x) => x.isoformat());
showsAs(Archetype, reprOf, fieldsOf);

function fieldsOf(x: Archetype): unknown {
  const fields = x.$meta.fields.filter((field) => field.isPublic && field.hidden !== true);
  return Object.fromEntries(fields.map(({ name, property }) => [name, (x as any)[property]]));
}

// ---------------------------------------------------------------- from JavaScript

function take(x: any): any {
  if (x === null || (typeof x !== 'object' && typeof x !== 'function')) return x;
  const original = originals.get(x);
  if (original !== undefined) return original;
  if (Array.isArray(x)) return x.some(isImage) ? takenList(x) : x;
  return x instanceof Promise && x.constructor === Promise ? x.then(take) : x;
}

function isImage(x: unknown): boolean {
  return typeof x === 'object' && x !== null && originals.has(x);
}

/** A list of JavaScript with what was given in it, as the program sees it. */
function takenList(list: unknown[]): unknown[] {
  const known = takenLists.get(list);
  if (known !== undefined) return known;
  const view = new Proxy(list, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      return isImage(value) ? originals.get(value as object) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, give(value)),
  });
  takenLists.set(list, view);
  images.set(view, list);
  return view;
}

const takenLists = new WeakMap<unknown[], unknown[]>();

// ---------------------------------------------------------------- calls

type Pairs = readonly (readonly [string, unknown])[];

function callForeign(f: any, args: readonly unknown[], keywords: Pairs): unknown {
  const makes = f.prototype !== undefined && isClass(f);
  if (!isOwnFunction(f)) {
    const given = givenArguments(args, keywords);
    return take(makes ? new (f as any)(...given) : f(...given));
  }
  const all = keywords.length === 0 ? args : [...args, Object.fromEntries(keywords)];
  return makes ? new (f as any)(...all) : f(...all);
}

function givenArguments(args: readonly unknown[], keywords: Pairs): unknown[] {
  const given = args.map(give);
  if (keywords.length > 0) given.push(Object.fromEntries(keywords.map(([name, value]) => [name, give(value)])));
  return given;
}

function applyForeign(method: any, self: any, args: readonly unknown[]): unknown {
  const ours = methodOfBoth(self, method);
  if (ours !== undefined) return call(ours, ...args);
  return isForeign(self) || self[$fromJavaScript] === true
    ? take(method.apply(self, args.map(give)))
    : method.apply(self, args);
}

/**
 * Gives the method of sets for one that JavaScript's `Set` got in Node 22 under the same name: the language's takes any iterables, and does
 * so in every version of Node. Undefined for other methods.
 */
function methodOfBoth(o: any, f: unknown): any {
  const name = o instanceof Set ? methodsOfBoth.get(f) : undefined;
  return name === undefined ? undefined : lookup(setOf(o), name);
}

const methodsOfBoth: ReadonlyMap<unknown, string> = new Map(
  ['union', 'intersection', 'difference'].map((name) => [(Set.prototype as any)[name], name]),
);

// ---------------------------------------------------------------- classes derived from one of JavaScript

/** Mark on the prototype of such a class: `true`. */
const $fromJavaScript = Symbol('svc.fromJavaScript');

function makerOfForeign(base: any, layout: DerivedLayout): Maker {
  const { cls, hasInit, kind, fields, constructorFields, params, name } = layout;
  cls.prototype[$fromJavaScript] = true;
  superLayer(cls, base, undefined, (self, args, kwargs) => setUp(base, self, givenArguments(args, pairsOf(kwargs))));
  const takesFields = !hasInit && kind !== 'class' && constructorFields.length > 0;
  const finish = (self: any) => {
    if (!complete.has(self)) setUp(base, self, []);
    const waits = typeof self.postinit === 'function' ? self.postinit() : undefined;
    return waits instanceof Promise ? waits.then(() => self) : self;
  };
  const start = (self: any, slots: readonly unknown[]) => {
    for (const field of kind === 'class' ? [] : fields) {
      const value = takesFields ? slots[constructorFields.indexOf(field)] : undefined;
      self[field.property] = value ?? field.default?.() ?? null;
    }
    const waits = hasInit ? self.init(...slots) : undefined;
    return waits instanceof Promise ? waits.then(() => finish(self)) : finish(self);
  };
  const construct = (given: readonly unknown[]) => {
    const self: any = Reflect.construct(base, given as unknown[], cls);
    complete.add(self);
    return self;
  };
  const fromSlots = (slots: readonly unknown[]) => {
    if (hasInit) return start(allocate(base, cls, slots), slots);
    return takesFields ? start(construct([]), slots) : start(construct(slots.map(give)), []);
  };
  return {
    fromSlots,
    make: (args, kwargs) =>
      hasInit || takesFields
        ? fromSlots(bindArguments(`${name}.__init__`, params, args, kwargs, 1))
        : start(construct(givenArguments(args, pairsOf(kwargs))), []),
  };
}

/** Runs the constructor of a base of JavaScript on an instance: `super().init(…)`. */
function setUp(base: any, self: any, given: unknown[]): void {
  if (drafts.has(self)) throw new Begun(self, given);
  if (complete.has(self) && begun.delete(self)) return;
  complete.add(self);
  // Older JavaScript sets up any object; a `class` makes its own.
  if (isWrittenAsClass(base)) Object.assign(self, Reflect.construct(base, given, self.constructor));
  else base.apply(self, given);
}

/** Instances that have been through the constructor of the base. */
const complete = new WeakSet<object>();

/**
 * An object of a `class` is made by its constructor only, with the arguments that `super().init(…)` gives. So `init` runs twice: on a draft as far
 * as that call, then on what the constructor makes of its arguments, where the call does nothing more.
 */
function allocate(base: any, cls: any, slots: readonly unknown[]): any {
  const draft = Object.create(cls.prototype);
  if (!isWrittenAsClass(base)) return draft;
  drafts.add(draft);
  try {
    draft.init(...slots);
  } catch (e) {
    if (!(e instanceof Begun) || e.draft !== draft) throw e;
    const made: any = Reflect.construct(base, e.args as unknown[], cls);
    begun.add(made);
    complete.add(made);
    return made;
  }
  // The instance never asked for its base, and its own `init` has run: the base is made without arguments.
  const made: any = Object.assign(Reflect.construct(base, [], cls) as object, draft);
  complete.add(made);
  return Object.defineProperty(made, 'init', { value: () => delete made.init, configurable: true });
}

const drafts = new WeakSet<object>();
const begun = new WeakSet<object>();

/** Leaves `init` of a draft where it asks for its base. */
class Begun {
  readonly draft: object;
  readonly args: readonly unknown[];

  constructor(draft: object, args: readonly unknown[]) {
    this.draft = draft;
    this.args = args;
  }

  get [$uncatchable](): boolean {
    return true;
  }
}

function isWrittenAsClass(f: object): boolean {
  return Function.prototype.toString.call(f).startsWith('class');
}

/** Tells whether a function belongs to the runtime or to an archetype, although it has no signature. */
function isOwnFunction(f: any): boolean {
  const bound = f[$bound];
  if (bound !== undefined) return !isForeign(bound.self) && bound.self[$fromJavaScript] !== true;
  return f[$builtin] === true || isTypeObject(f) || typeof f.prototype?.[$typeName] === 'string';
}

function isForeign(o: any): boolean {
  if (typeof o === 'function') return o[$spec] === undefined && !isOwnFunction(o);
  return typeof o === 'object' && typeof o[$typeName] !== 'string' && o[$methods] === undefined;
}

/** A function that an object of JavaScript has as a property is called with that object as its `this`. */
function memberOf(o: any, f: any): any {
  if (typeof f !== 'function' || f[$spec] !== undefined || f[$bound] !== undefined || isClass(f)) return f;
  const ours = methodOfBoth(o, f);
  if (ours !== undefined) return ours;
  return (isForeign(o) || typeof o === 'function') && !Array.isArray(o) ? bindMethod(o, f) : f;
}

// ---------------------------------------------------------------- objects of JavaScript as values of the language

function attributeOf(o: any, name: string): unknown {
  if (o instanceof BaseException) return o.jsError === undefined ? undefined : ofError(o.jsError, name);
  const meant = meaningOf(o);
  return meant === undefined ? undefined : lookup(meant, name);
}

function ofError(error: any, name: string): unknown {
  const value = error[name];
  return typeof value === 'function' ? bindMethod(error, value) : take(value);
}

/** Gives a dict that reads and writes the entries of a Map or a plain object; undefined for other values. */
function asDict(o: any): Dict | undefined {
  if (o instanceof Dict) return o;
  if (o instanceof Map) return new Dict(o);
  if (!isPlainObject(o)) return undefined;
  return (originals.get(o) as Dict | undefined) ?? new Dict(new Properties(o));
}

/** The own properties of a plain object as the map of a dict. */
class Properties extends Map<unknown, unknown> {
  private readonly of: Record<string, unknown>;

  constructor(of: Record<string, unknown>) {
    super();
    this.of = of;
  }

  override get size(): number {
    return Object.keys(this.of).length;
  }

  override has(name: unknown): boolean {
    return typeof name === 'string' && Object.hasOwn(this.of, name);
  }

  override get(name: unknown): unknown {
    return this.has(name) ? (take(this.of[name as string]) ?? null) : undefined;
  }

  override set(name: unknown, value: unknown): this {
    this.of[name as string] = give(value);
    return this;
  }

  override delete(name: unknown): boolean {
    return this.has(name) && delete this.of[name as string];
  }

  override clear(): void {
    for (const name of Object.keys(this.of)) delete this.of[name];
  }

  override keys(): MapIterator<unknown> {
    return Object.keys(this.of).values();
  }

  override *values(): MapIterator<unknown> {
    for (const name of Object.keys(this.of)) yield this.get(name);
  }

  override *entries(): MapIterator<[unknown, unknown]> {
    for (const name of Object.keys(this.of)) yield [name, this.get(name)];
  }

  override [Symbol.iterator](): MapIterator<[unknown, unknown]> {
    return this.entries();
  }
}

function meaningOf(o: any): any {
  if (typeof o !== 'object' || o === null || o instanceof Dict) return undefined;
  if (o instanceof Set) return setOf(o);
  if (o instanceof Uint8Array) return new Bytes(o);
  if (o instanceof Date) return Number.isNaN(o.getTime()) ? undefined : fromTimestamp(o.getTime() / 1000, null);
  return asDict(o);
}

/** A set that reads and writes a Set of JavaScript. */
function setOf(o: Set<unknown>): PySet {
  return Object.assign(new PySet(), { items: o });
}

function areEqual(a: any, b: any): boolean {
  if (isMoment(a) && isMoment(b)) return give(a).getTime() === give(b).getTime();
  const [x, y] = [meaningOf(a) ?? a, meaningOf(b) ?? b];
  return (x !== a || y !== b) && eq(x, y);
}

function isMoment(x: unknown): boolean {
  return x instanceof Date || x instanceof DateTimeValue;
}

setBorder({
  call: callForeign,
  makerOf: makerOfForeign,
  isForeign,
  apply: applyForeign,
  member: memberOf,
  give,
  take,
  attribute: attributeOf,
  meaning: meaningOf,
  equal: areEqual,
});
