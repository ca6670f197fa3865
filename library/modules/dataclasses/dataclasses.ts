/** Module `dataclasses`. Classes of the program have constructors and `repr` already; the decorator adds what `dataclass` promises beyond that. */

import type { Members } from '../../builtins/module.ts';
import { archetype } from '../../classes/archetype.ts';
import { Archetype } from '../../classes/classes.ts';
import { makeClass } from '../../classes/make-class.ts';
import { type ClassMeta, metaOf } from '../../classes/meta.ts';
import type { FieldSpec, TypeRef } from '../../classes/spec.ts';
import { waitsInside } from '../../values/calls/async-functions.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { native } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { PySet } from '../../values/containers/sets.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { Enum } from '../../values/objects/enums.ts';
import { eq } from '../../values/objects/equality.ts';
import { AttributeError, nameException, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { hashNumber } from '../../values/objects/hashing.ts';
import { lt } from '../../values/objects/ordering.ts';
import { $about, $matchArgs, $repr, attributeName, key } from '../../values/objects/protocol.ts';
import { bareRepr, reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass, typeName } from '../../values/objects/type-name.ts';
import { namedType } from '../../values/objects/types.ts';
import { ByteArray } from '../../values/text/bytes.ts';
import { deep, newMemo } from '../copy.ts';
import { asFactory, isFactory, parametersText } from '../inspect/type-words.ts';
import {
  describedFields,
  describeFields,
  Field,
  type FieldOptions,
  fieldsOf,
  MISSING,
  Missing,
  makeField,
} from './fields.ts';

class FrozenInstanceError extends AttributeError {}
nameException(FrozenInstanceError, 'FrozenInstanceError', 'dataclasses');

interface Options {
  readonly repr: boolean;
  readonly eq: boolean;
  readonly order: boolean;
  readonly hash: boolean;
  readonly frozen: boolean;
  readonly matchArgs: boolean;
  readonly keywordOnly: boolean;
  readonly slots: boolean;
}

const decorated = new WeakMap<object, Options>();

function decorate(cls: any, options: Options): unknown {
  const meta = metaOf(cls);
  if (meta === undefined) throw new TypeError('dataclass() should be called with a class');
  if (options.order && !options.eq) throw new ValueError('eq must be true if order is true');
  requireSameFreezing(meta, options);
  const isPlain = meta.kind === 'class';
  const known = new Map<string, Field>();
  const fields = resolveFields(meta, options, known);
  const changed = fields.length !== meta.spec.fields.length || fields.some((field, i) => field !== meta.spec.fields[i]);
  if (isPlain || changed) archetype(cls, { ...meta.spec, kind: isPlain ? 'obj' : meta.kind, fields });
  for (const base of meta.mro.slice(1))
    for (const [name, field] of describedFields(base) ?? []) if (!known.has(name)) known.set(name, field);
  describeFields(cls, known);
  decorated.set(cls, options);
  if (isPlain) requireDefaultsLast(cls);
  describeClass(cls, options);
  addMethods(cls, options);
  if (options.frozen) freezeInstances(cls);
  if (options.slots) closeInstances(cls);
  return cls;
}

function requireSameFreezing(meta: ClassMeta, { frozen }: Options): void {
  for (const base of meta.mro.slice(1)) {
    const above = decorated.get(base);
    if (above === undefined || above.frozen === frozen) continue;
    throw new TypeError(
      frozen
        ? 'cannot inherit frozen dataclass from a non-frozen one'
        : 'cannot inherit non-frozen dataclass from a frozen one',
    );
  }
}

function resolveFields(meta: ClassMeta, options: Options, known: Map<string, Field>): FieldSpec[] {
  const { cls } = meta as { cls: any };
  let byName = options.keywordOnly;
  return meta.spec.fields.flatMap((field): FieldSpec[] => {
    if (field.form === 'ClassVar') return [{ ...field, static: true }];
    if (field.form === 'KW_ONLY') {
      byName = true;
      return [];
    }
    const made = resolveField(meta.kind === 'class' ? ofInstance(cls, field) : field, known);
    if (meta.kind === 'class') refuseMutable(made);
    const given = known.get(field.name);
    if (given !== undefined) {
      if (given.kw_only === MISSING) given.kw_only = byName;
      if (given.default === MISSING) delete cls[key(field.name)];
      else cls[key(field.name)] = given.default;
    }
    const isByName = given === undefined ? byName : given.kw_only === true;
    if (field.form !== 'InitVar' && !isByName) return [made];
    return [{ ...made, keywordOnly: isByName, initOnly: field.form === 'InitVar' }];
  });
}

// In a plain `class` a field is an attribute of the class; its value there is the default of the instances'.
function ofInstance(cls: any, field: FieldSpec): FieldSpec {
  const { static: _shared, ...rest } = field;
  delete cls.prototype[key(field.name)];
  if (field.literal !== undefined) return rest;
  if (rest.default === undefined && field.late !== true) {
    delete cls[key(field.name)];
    return rest;
  }
  const value = cls[key(field.name)];
  return { ...rest, default: () => value };
}

// `has x: list = field(default_factory=list)`: the default is a description of a default.
function resolveField(field: FieldSpec, known: Map<string, Field>): FieldSpec {
  if (field.default === undefined || field.literal !== undefined || waitsInside(field.default)) return field;
  const value = field.default();
  if (!(value instanceof Field)) return field;
  value.name = field.name;
  known.set(field.name, value);
  const { default: _old, ...bare } = field;
  const rest = {
    ...bare,
    ...(value.init ? {} : { postinit: true }),
    ...(value.repr ? {} : { hidden: true }),
  };
  const { default_factory: make } = value;
  if (make !== MISSING)
    return { ...rest, default: asFactory(waitsInside(make) ? async () => call(make) : () => call(make)) };
  return value.default === MISSING ? rest : { ...rest, default: () => value.default };
}

// One value for all instances; an `obj` makes a new one for each.
function refuseMutable(field: FieldSpec): void {
  if (field.default === undefined || isFactory(field.default) || waitsInside(field.default)) return;
  const value: any = field.default();
  const isMutable =
    Array.isArray(value) ||
    value instanceof Dict ||
    value instanceof PySet ||
    value instanceof ByteArray ||
    value?.__hash__ === null;
  if (isMutable)
    throw new ValueError(
      `mutable default ${reprOf(isClass(value) ? value : value.constructor === Array ? namedType('list') : typeOf(value))} for field ${field.name} is not allowed: use default_factory`,
    );
}

function typeOf(value: any): unknown {
  return metaOf(value.constructor)?.cls ?? namedType(typeName(value));
}

function requireDefaultsLast(cls: any): void {
  let hasDefault = false;
  for (const field of metaOf(cls)!.constructorFields) {
    if (field.keywordOnly === true) continue;
    if (field.default !== undefined) hasDefault = true;
    else if (hasDefault) throw new TypeError(`non-default argument ${reprOf(field.name)} follows default argument`);
  }
}

function describeClass(cls: any, { matchArgs, slots }: Options): void {
  const about = cls[$about];
  if (about.doc === undefined)
    Object.defineProperty(cls, $about, {
      value: {
        ...about,
        get doc() {
          return `${about.qualname}(${parametersText(metaOf(cls)!.params)})`;
        },
      },
      configurable: true,
      writable: true,
    });
  if (!matchArgs) Object.defineProperty(cls, $matchArgs, { value: undefined, configurable: true, writable: true });
  const own = metaOf(cls)!.spec.fields.filter((field) => field.static !== true && field.initOnly !== true);
  share(cls, '__dataclass_fields__', () => Dict.from([...fieldsOf(cls)]));
  if (slots) share(cls, '__slots__', () => new Tuple(own.map((field) => field.name)));
}

function share(cls: any, name: string, get: () => unknown): void {
  Object.defineProperty(cls, name, { get, enumerable: true, configurable: true });
}

function addMethods(cls: any, options: Options): void {
  const own = (name: string) => Object.hasOwn(cls.prototype, name);
  const define = (name: string, value: unknown) => {
    if (!own(name)) Object.defineProperty(cls.prototype, name, { value, writable: true, configurable: true });
  };
  // The class gets a method in any case: that of a base would be inherited.
  if (!options.repr) define('__repr__', cls.prototype.__repr__ ?? method(bareRepr));
  else if (cls.prototype.__repr__ !== undefined) define('__repr__', method(generatedRepr));
  if (options.eq) {
    define('__eq__', comparing(eq));
    if (options.hash && typeof cls.prototype.__hash__ === 'function' && own('__hash__'))
      throw new TypeError(`Cannot overwrite attribute __hash__ in class ${cls.name}`);
  }
  if (options.hash || (options.eq && options.frozen))
    define(
      '__hash__',
      method((self) => hashNumber(new Tuple(hashedValues(self)))),
    );
  else if (options.eq) define('__hash__', null);
  if (options.order) addOrder(cls);
  if (options.frozen) {
    define(
      '__setattr__',
      method((_self, name) => refuseChange('assign to', name)),
    );
    define(
      '__delattr__',
      method((_self, name) => refuseChange('delete', name)),
    );
  }
}

function addOrder(cls: any): void {
  const tests: Record<string, (a: unknown, b: unknown) => boolean> = {
    __lt__: lt,
    __le__: (a, b) => !lt(b, a),
    __gt__: (a, b) => lt(b, a),
    __ge__: (a, b) => !lt(a, b),
  };
  for (const [name, test] of Object.entries(tests)) {
    if (Object.hasOwn(cls.prototype, name))
      throw new TypeError(
        `Cannot overwrite attribute ${name} in class ${cls.name}. Consider using functools.total_ordering`,
      );
    Object.defineProperty(cls.prototype, name, { value: comparing(test), writable: true, configurable: true });
  }
}

function method(run: (self: any, ...rest: any[]) => unknown): (...rest: any[]) => unknown {
  return {
    f(this: any, ...rest: any[]) {
      return run(this, ...rest);
    },
  }.f;
}

function comparing(test: (a: unknown, b: unknown) => boolean): (other: any) => unknown {
  return {
    f(this: any, other: any) {
      return other?.constructor === this.constructor ? test(values(this), values(other)) : NotImplemented;
    },
  }.f;
}

function generatedRepr(self: any): string {
  return Archetype.prototype[$repr].call(self, { active: new Set<object>() });
}

function refuseChange(verb: string, name: string): never {
  throw new FrozenInstanceError(`cannot ${verb} field ${reprOf(name)}`);
}

// Assignments that name the field go straight to the property, past `__setattr__`.
function freezeInstances(cls: any): void {
  const names = metaOf(cls)!.fields.map((field) => field.property);
  afterConstruction(cls, (self) => {
    for (const name of names) {
      const value = self[name];
      const set = () => refuseChange('assign to', attributeName(name));
      Object.defineProperty(self, name, { get: () => value, set, enumerable: true, configurable: true });
    }
  });
  refuseOthers(cls, (name) => refuseChange('assign to', name));
}

/** `slots=True`: instances have no attributes but their fields. */
function closeInstances(cls: any): void {
  refuseOthers(cls, (name) => {
    throw new AttributeError(`'${cls.name}' object has no attribute '${name}'`);
  });
}

/** Calls `refuse` when an attribute that is no field is assigned: what an object does not have is looked for in what it inherits from. */
function refuseOthers(cls: any, refuse: (name: string) => never): void {
  const names = new Set(metaOf(cls)!.fields.map((field) => field.property));
  const guard = new Proxy<any>(Object.create(Object.getPrototypeOf(cls.prototype)), {
    set(_target, name, value, receiver) {
      if (typeof name === 'string' && name.charCodeAt(0) !== 36 && !names.has(name) && receiver instanceof cls)
        if (receiver.constructor === cls) refuse(attributeName(name));
      Object.defineProperty(receiver, name, { value, writable: true, enumerable: true, configurable: true });
      return true;
    },
  });
  Object.setPrototypeOf(cls.prototype, guard);
}

function afterConstruction(cls: any, change: (self: any) => void): void {
  const make = cls.$new;
  const changed = (self: any) => {
    change(self);
    return self;
  };
  Object.defineProperty(cls, '$new', {
    value: (...slots: unknown[]) => {
      const made = make(...slots);
      return made instanceof Promise ? made.then(changed) : changed(made);
    },
    configurable: true,
    writable: true,
  });
}

/** `make_dataclass("P", [("x", int), ("y", int, field(default=5))])` */
function makeDataclass(name: string, fields: unknown, bases: unknown, namespace: unknown, options: Options): unknown {
  const names = new Set<string>();
  const specs = itemsOf(fields).map((given): FieldSpec => {
    const [field, type, value] = typeof given === 'string' ? [given] : itemsOf(given);
    const text = String(field);
    if (names.has(text)) throw new TypeError(`Field name duplicated: ${reprOf(text)}`);
    names.add(text);
    const ref: TypeRef = type === undefined ? { t: 'any' } : { t: 'ref', name: reprOf(type), get: () => type };
    return value === undefined ? { name: text, type: ref } : { name: text, type: ref, default: () => value };
  });
  const members = namespace instanceof Dict ? namespace : new Dict();
  const parents = bases === undefined ? [] : itemsOf(bases);
  const cls: any = makeClass(name, parents, members);
  archetype(cls, { ...metaOf(cls)!.spec, module: 'types', fields: specs });
  return decorate(cls, options);
}

function requireMetaOf(x: any): ClassMeta {
  const meta = metaOf(isClass(x) ? x : x?.constructor);
  if (meta === undefined) throw new TypeError('must be called with a dataclass type or instance');
  return meta;
}

function values(x: any): unknown[] {
  const known = describedFields(x.constructor);
  return requireMetaOf(x)
    .fields.filter((field) => known?.get(field.name)?.compare !== false)
    .map((field) => x[field.property]);
}

function hashedValues(x: any): unknown[] {
  const known = describedFields(x.constructor);
  const isHashed = (field: Field | undefined) => field === undefined || truth(field.hash ?? field.compare);
  return requireMetaOf(x)
    .fields.filter((field) => isHashed(known?.get(field.name)))
    .map((field) => x[field.property]);
}

/** Classes with the decorator and those below them, and archetypes with fields; no plain classes, enums or classes on built-in types. */
function isDataclass(x: any): boolean {
  const cls = isClass(x) ? x : x?.constructor;
  const meta = metaOf(cls);
  if (meta === undefined) return false;
  return meta.mro.some((base) => decorated.has(base)) || (meta.kind !== 'class' && !isBuiltIn(cls.prototype));
}

function isBuiltIn(x: unknown): boolean {
  return x instanceof Enum || x instanceof Tuple || x instanceof Dict || Array.isArray(x) || x instanceof Error;
}

function requireInstance(x: any, caller: string): void {
  if (isClass(x) || !isDataclass(x)) throw new TypeError(`${caller}() should be called on dataclass instances`);
}

function converted(x: any, whole: (x: any) => unknown): unknown {
  if (typeof x !== 'object' || x === null) return x;
  if (isDataclass(x)) return whole(x);
  if (Array.isArray(x)) return x.map((item) => converted(item, whole));
  if (x instanceof Tuple) return new (x.constructor as any)(x.items.map((item) => converted(item, whole)));
  if (x instanceof Dict) {
    const made = x.copy();
    made.clear();
    for (const [k, v] of x.entries()) made.set(converted(k, whole), converted(v, whole));
    return made;
  }
  return deep(x, newMemo());
}

function asDict(x: any, factory: unknown): unknown {
  requireInstance(x, 'asdict');
  const pairs = requireMetaOf(x).fields.map(
    (field) => [field.name, converted(x[field.property], (inner) => asDict(inner, factory))] as const,
  );
  return factory === undefined || factory === null
    ? Dict.from(pairs)
    : call(
        factory,
        pairs.map((pair) => new Tuple(pair)),
      );
}

function asTuple(x: any, factory: unknown): unknown {
  requireInstance(x, 'astuple');
  const items = requireMetaOf(x).fields.map((field) =>
    converted(x[field.property], (inner) => asTuple(inner, factory)),
  );
  return factory === undefined || factory === null ? new Tuple(items) : call(factory, items);
}

function replace(x: any, changes: Dict | undefined): unknown {
  requireInstance(x, 'replace');
  const meta = requireMetaOf(x);
  const kwargs = new Dict();
  for (const field of meta.constructorFields) {
    if (field.initOnly !== true) kwargs.set(field.name, x[key(field.name)]);
    else if (field.default === undefined && changes?.has(field.name) !== true)
      throw new ValueError(`InitVar '${field.name}' must be specified with replace()`);
  }
  for (const [name, value] of changes?.entries() ?? []) {
    if (meta.byName.get(name as string)?.postinit === true)
      throw new ValueError(`field ${name} is declared with init=False, it cannot be specified with replace()`);
    kwargs.set(name, value);
  }
  return callkw(meta.cls, [], kwargs);
}

const optionNames = 'repr eq order unsafe_hash frozen match_args kw_only slots';

/** Reads the options from the values of the keyword `init` and those of `optionNames`, in their order. */
function optionsOf([, repr, eq, order, hash, frozen, matchArgs, keywordOnly, slots]: readonly unknown[]): Options {
  const isOn = (given: unknown) => given === undefined || truth(given);
  return {
    repr: isOn(repr),
    eq: isOn(eq),
    order: truth(order),
    hash: truth(hash),
    frozen: truth(frozen),
    matchArgs: isOn(matchArgs),
    keywordOnly: truth(keywordOnly),
    slots: truth(slots),
  };
}

export function makeDataclasses(): Members {
  const options = `init=True, ${optionNames.replaceAll(' ', '=None, ')}=None, weakref_slot=False`;
  return {
    MISSING,
    KW_ONLY: new Missing(),
    Field,
    FrozenInstanceError,
    InitVar: new Missing(),
    asdict: native('asdict', 'obj, *, dict_factory=None', asDict),
    astuple: native('astuple', 'obj, *, tuple_factory=None', asTuple),
    dataclass: native('dataclass', `cls=None, /, *, ${options}`, (cls: unknown, ...given: unknown[]) => {
      const chosen = optionsOf(given);
      return cls === undefined || cls === null
        ? native('wrap', 'cls, /', (later: unknown) => decorate(later, chosen))
        : decorate(cls, chosen);
    }),
    field: native(
      'field',
      '*, default=None, default_factory=None, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=False',
      (...[value, factory, init, repr, hash, compare, metadata, kwOnly]: unknown[]) => {
        const given: FieldOptions = { default: value, factory, init, repr, hash, compare, metadata, kwOnly };
        return makeField(given);
      },
    ),
    fields: native('fields', 'class_or_instance', (x: unknown) => new Tuple([...fieldsOf(x).values()])),
    is_dataclass: native('is_dataclass', 'obj', isDataclass),
    make_dataclass: native(
      'make_dataclass',
      `cls_name, fields, *, bases=None, namespace=None, ${options}, module=None`,
      (name: string, fields: unknown, bases: unknown, namespace: unknown, ...given: unknown[]) =>
        makeDataclass(name, fields, bases, namespace, optionsOf(given)),
    ),
    replace: native('replace', 'obj, /, **changes', replace),
  };
}
