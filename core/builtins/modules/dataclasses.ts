/** Module `dataclasses`. Classes of the program have constructors and `repr` already; the decorator adds what `dataclass` promises beyond that. */
import { archetype } from '../../archetypes/archetype.ts';
import { Obj } from '../../archetypes/classes.ts';
import { metaOf } from '../../archetypes/meta.ts';
import type { FieldSpec } from '../../archetypes/spec.ts';
import { waitsInside } from '../../values/async-functions.ts';
import { call, callkw } from '../../values/calls.ts';
import { Dict } from '../../values/dict.ts';
import { Enum } from '../../values/enums.ts';
import { eq } from '../../values/equality.ts';
import { AttributeError, nameException, TypeError, ValueError } from '../../values/exceptions.ts';
import { hashNumber } from '../../values/hashing.ts';
import { itemsOf } from '../../values/iteration.ts';
import { lt } from '../../values/ordering.ts';
import { $repr, key } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { native } from '../../values/signature.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { truth } from '../../values/truth.ts';
import { Tuple } from '../../values/tuple.ts';
import { isClass } from '../../values/type-name.ts';
import type { Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { deep, newMemo } from './copy.ts';

export class FrozenInstanceError extends AttributeError {}
nameException(FrozenInstanceError, 'FrozenInstanceError', 'dataclasses');

class Missing {
  [$repr](): string {
    return '<dataclasses._MISSING_TYPE object>';
  }
}
const MISSING = new Missing();

/** What `field(...)` gives, and what `fields(cls)` lists. */
class Field {
  name: string | null = null;
  type: unknown = null;
  readonly default: unknown;
  readonly default_factory: unknown;
  readonly init: boolean;
  readonly repr: boolean;
  readonly compare: boolean;
  /** Undefined until the class tells. */
  kw_only: boolean | undefined;
  readonly metadata: unknown;

  constructor(
    value: unknown,
    factory: unknown,
    init: unknown,
    repr: unknown,
    compare: unknown,
    metadata: unknown,
    kwOnly: unknown,
  ) {
    this.default = value === undefined ? MISSING : value;
    this.default_factory = factory === undefined ? MISSING : factory;
    this.init = init === undefined || truth(init);
    this.repr = repr === undefined || truth(repr);
    this.compare = compare === undefined || truth(compare);
    this.metadata = metadata ?? new Dict();
    this.kw_only = kwOnly === undefined ? undefined : truth(kwOnly);
  }

  [$repr](): string {
    return `Field(name=${reprOf(this.name)},default=${reprOf(this.default)},default_factory=${reprOf(this.default_factory)},init=${reprOf(this.init)},repr=${reprOf(this.repr)})`;
  }
}
nativeClass(Field, { name: 'Field', module: 'dataclasses' });

const described = new WeakMap<object, Map<string, Field>>();

function makeField(
  value: unknown,
  factory: unknown,
  init: unknown,
  repr: unknown,
  _hash: unknown,
  compare: unknown,
  metadata: unknown,
  kwOnly: unknown,
): Field {
  if (value !== undefined && factory !== undefined)
    throw new ValueError('cannot specify both default and default_factory');
  return new Field(value, factory, init, repr, compare, metadata, kwOnly);
}

interface Options {
  readonly eq: boolean;
  readonly order: boolean;
  readonly frozen: boolean;
  readonly hash: boolean;
  readonly keywordOnly: boolean;
}

function decorate(cls: any, options: Options): unknown {
  const meta = metaOf(cls);
  if (meta === undefined) throw new TypeError('dataclass() should be called with a class');
  const known = new Map<string, Field>();
  let byName = options.keywordOnly;
  const fields = meta.spec.fields.flatMap((field): FieldSpec[] => {
    if (field.form === 'ClassVar') return [{ ...field, static: true }];
    if (field.form === 'KW_ONLY') {
      byName = true;
      return [];
    }
    const made = resolveField(meta.kind === 'class' ? ofInstance(cls, field) : field, known);
    const described = known.get(field.name);
    if (described !== undefined) {
      described.kw_only ??= byName;
      if (described.default === MISSING) delete cls[key(field.name)];
      else cls[key(field.name)] = described.default;
    }
    const isByName = described?.kw_only ?? byName;
    if (field.form !== 'InitVar' && !isByName) return [made];
    return [{ ...made, keywordOnly: isByName, initOnly: field.form === 'InitVar' }];
  });
  const changed = fields.length !== meta.spec.fields.length || fields.some((field, i) => field !== meta.spec.fields[i]);
  if (meta.kind === 'class' || changed)
    archetype(cls, { ...meta.spec, kind: meta.kind === 'class' ? 'obj' : meta.kind, fields });
  for (const base of meta.mro.slice(1))
    for (const [name, field] of described.get(base) ?? []) if (!known.has(name)) known.set(name, field);
  described.set(cls, known);
  const define = (name: string, value: unknown) => {
    if (!Object.hasOwn(cls.prototype, name))
      Object.defineProperty(cls.prototype, name, { value, writable: true, configurable: true });
  };
  if (options.eq) {
    define(
      '__eq__',
      {
        f(this: any, other: any) {
          return other?.constructor === this.constructor ? eq(values(this), values(other)) : NotImplemented;
        },
      }.f,
    );
    define(
      '__hash__',
      options.frozen || options.hash
        ? {
            f(this: any) {
              return hashNumber(new Tuple(values(this)));
            },
          }.f
        : null,
    );
  }
  if (options.order) {
    const compare = (test: (a: unknown, b: unknown) => boolean) =>
      ({
        f(this: any, other: any) {
          return other?.constructor === this.constructor ? test(values(this), values(other)) : NotImplemented;
        },
      }).f;
    define('__lt__', compare(lt));
    define(
      '__gt__',
      compare((a, b) => lt(b, a)),
    );
    define(
      '__le__',
      compare((a, b) => !lt(b, a)),
    );
    define(
      '__ge__',
      compare((a, b) => !lt(a, b)),
    );
  }
  if (options.frozen) {
    freezeInstances(cls);
    define(
      '__setattr__',
      {
        f(_this: unknown, name: string) {
          throw new FrozenInstanceError(`cannot assign to field ${reprOf(name)}`);
        },
      }.f.bind(null, null),
    );
    define(
      '__delattr__',
      {
        f(_this: unknown, name: string) {
          throw new FrozenInstanceError(`cannot delete field ${reprOf(name)}`);
        },
      }.f.bind(null, null),
    );
  }
  return cls;
}

// Assignments that name the field go straight to the property, past `__setattr__`.
function freezeInstances(cls: any): void {
  const make = cls.$new;
  const names = metaOf(cls)!.fields.map((field) => field.property);
  const freeze = (self: any) => {
    for (const name of names) {
      const value = self[name];
      const set = () => {
        throw new FrozenInstanceError(`cannot assign to field ${reprOf(name)}`);
      };
      Object.defineProperty(self, name, { get: () => value, set, enumerable: true, configurable: true });
    }
    return self;
  };
  Object.defineProperty(cls, '$new', {
    value: (...slots: unknown[]) => {
      const made = make(...slots);
      return made instanceof Promise ? made.then(freeze) : freeze(made);
    },
    configurable: true,
    writable: true,
  });
}

/** `make_dataclass("P", [("x", int), ("y", int, field(default=5))])` */
function makeDataclass(name: string, fields: unknown): unknown {
  const cls = { [name]: class extends Obj {} }[name]!;
  const specs = itemsOf(fields).map((given): FieldSpec => {
    const [field, , value] = typeof given === 'string' ? [given] : itemsOf(given);
    const spec = { name: String(field), type: { t: 'any' } as const };
    return value === undefined ? spec : { ...spec, default: () => value };
  });
  archetype(cls, { kind: 'obj', name, module: 'types', fields: specs, abilities: [] });
  return decorate(cls, { eq: true, order: false, frozen: false, hash: false, keywordOnly: false });
}

// In a plain `class` a field is an attribute of the class; its value there is the default of the instances'.
function ofInstance(cls: any, field: FieldSpec): FieldSpec {
  const { static: _shared, ...rest } = field;
  delete cls.prototype[key(field.name)];
  if (rest.default !== undefined) return rest;
  if (field.late !== true) {
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
  if (make !== MISSING) return { ...rest, default: waitsInside(make) ? async () => call(make) : () => call(make) };
  return value.default === MISSING ? rest : { ...rest, default: () => value.default };
}

function requireMetaOf(x: any): NonNullable<ReturnType<typeof metaOf>> {
  const meta = metaOf(isClass(x) ? x : x?.constructor);
  if (meta === undefined) throw new TypeError('must be called with a dataclass type or instance');
  return meta;
}

function values(x: any): unknown[] {
  const known = described.get(x.constructor);
  return requireMetaOf(x)
    .fields.filter((field) => known?.get(field.name)?.compare !== false)
    .map((field) => x[field.property]);
}

function fields(x: unknown): Tuple {
  const meta = requireMetaOf(x);
  return new Tuple(
    meta.fields.map((field) => {
      const made =
        described.get(meta.cls)?.get(field.name) ??
        new Field(field.default?.(), undefined, undefined, undefined, undefined, undefined, field.keywordOnly === true);
      made.name = field.name;
      made.type = field.type.t;
      return made;
    }),
  );
}

/** Classes with the decorator and those below them, and archetypes with fields; no plain classes, enums or classes on built-in types. */
function isDataclass(x: any): boolean {
  const cls = isClass(x) ? x : x?.constructor;
  const meta = metaOf(cls);
  if (meta === undefined) return false;
  return meta.mro.some((base) => described.has(base)) || (meta.kind !== 'class' && !isBuiltIn(cls.prototype));
}

function isBuiltIn(x: unknown): boolean {
  return x instanceof Enum || x instanceof Tuple || x instanceof Dict || Array.isArray(x) || x instanceof Error;
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
  if (isClass(x) || !isDataclass(x)) throw new TypeError('asdict() should be called on dataclass instances');
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

function asTuple(x: any): unknown {
  if (isClass(x) || !isDataclass(x)) throw new TypeError('astuple() should be called on dataclass instances');
  return new Tuple(requireMetaOf(x).fields.map((field) => converted(x[field.property], asTuple)));
}

function replace(x: any, changes: Dict | undefined): unknown {
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

export function makeDataclasses(): Members {
  const params =
    'cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False';
  return {
    MISSING,
    KW_ONLY: new Missing(),
    Field,
    FrozenInstanceError,
    InitVar: new Missing(),
    asdict: native('asdict', 'obj, *, dict_factory=None', asDict),
    astuple: native('astuple', 'obj', asTuple),
    dataclass: native(
      'dataclass',
      params,
      (
        cls: unknown,
        _init: unknown,
        _repr: unknown,
        equal: unknown,
        order: unknown,
        hash: unknown,
        frozen: unknown,
        _matchArgs: unknown,
        keywordOnly: unknown,
      ) => {
        const options = {
          eq: equal === undefined || truth(equal),
          order: truth(order),
          frozen: truth(frozen),
          hash: truth(hash),
          keywordOnly: truth(keywordOnly),
        };
        return cls === undefined || cls === null
          ? native('wrap', 'cls, /', (later: unknown) => decorate(later, options))
          : decorate(cls, options);
      },
    ),
    field: native(
      'field',
      '*, default=None, default_factory=None, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=False',
      makeField,
    ),
    fields: native('fields', 'class_or_instance', fields),
    is_dataclass: native('is_dataclass', 'obj', isDataclass),
    make_dataclass: native('make_dataclass', 'cls_name, fields', makeDataclass),
    replace: native('replace', 'obj, /, **changes', replace),
  };
}
