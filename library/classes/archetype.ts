/** `$.archetype`: registers a class of the program with what the compiler knows about it. */

import { callScope } from '../call-scope.ts';
import { installWaiting } from '../values/calls/regions.ts';
import type { Kwargs } from '../values/kwargs.ts';
import { isFloat } from '../values/numbers/float-box.ts';
import { asking } from '../values/objects/attributes.ts';
import { readFromClass } from '../values/objects/class-methods.ts';
import { blankMember, Enum, memberOfValue, openEnumeration } from '../values/objects/enums.ts';
import { BaseException, TypeError } from '../values/objects/exceptions.ts';
import {
  $about,
  $construct,
  $matchArgs,
  $methods,
  $spec,
  $superInit,
  $typeName,
  key,
} from '../values/objects/protocol.ts';
import { bindArguments, pairsOf } from './bind.ts';
import { constructors } from './class-attributes.ts';
import { Archetype, Obj } from './classes.ts';
import { wordsOf } from './closed-fields.ts';
import { construct } from './construct.ts';
import { generate, installAccessors } from './constructors.ts';
import { collectFields } from './fields.ts';
import { specOf } from './func.ts';
import type { Maker } from './meta.ts';
import { type Ability, type ClassMeta, type Field, metaOf, setMeta } from './meta.ts';
import { basesOf, mroOf } from './mro.ts';
import { $rebase, makerOfDerived, nativeBaseOf, type Rebased } from './native-base.ts';
import { remember, rememberEdgeHook } from './registry.ts';
import type { AbilitySpec, ArchetypeSpec, FieldSpec, ParamSpec, TypeRef } from './spec.ts';

let lastClass = 0;

/**
 * Computes the class's resolution order, fields, constructor and abilities (docs/language/archetypes.md#kinds,
 * docs/language/walkers.md#abilities) and returns the class. Bases must be registered before.
 */
export function archetype<C>(cls: C & any, spec: ArchetypeSpec): C {
  freeNames(cls);
  const rebased = rebase(cls, spec);
  const bases = basesOf(cls);
  const mro = mroOf(cls);
  const declared = collectFields(rebased === undefined ? spec : { ...spec, fields: [] }, bases, mro.slice(1));
  const fields = declared.filter((field) => field.initOnly !== true);
  const init = memberOf(cls, 'init');
  const isException = cls.prototype instanceof BaseException;
  const initSpec = specOf(init);
  const constructorFields =
    init !== undefined ? [] : declared.filter((field) => field.postinit !== true && !isReports(spec, field));
  const initName = initSpec?.qualname ?? `${spec.qualname ?? spec.name}.__init__`;
  const params = init !== undefined ? (initSpec?.params ?? []) : constructorFields.map(paramOf);
  const layout = {
    cls,
    kind: spec.kind,
    name: spec.name,
    initName,
    fields,
    constructorFields,
    hasInit: init !== undefined,
    initSlots: initSpec?.params.length ?? init?.length ?? 0,
    hasPostinit: memberOf(cls, 'postinit') !== undefined,
    params,
  };
  const made = generate(layout);
  const base = isException || cls.prototype instanceof Enum ? undefined : nativeBaseOf(cls);
  const isEnum = cls.prototype instanceof Enum;
  if (isEnum)
    openEnumeration(cls, {
      name: spec.name,
      module: spec.module,
      ...(spec.main === undefined ? {} : { main: spec.main }),
      ...(spec.doc === undefined ? {} : { doc: spec.doc }),
      bases,
    });
  const derived = isEnum
    ? makerOfEnum(cls)
    : (rebased?.maker ?? (base === undefined ? undefined : makerOfDerived(base, layout)));
  const meta: ClassMeta = {
    cls,
    spec,
    kind: spec.kind,
    name: spec.name,
    initName,
    module: spec.module,
    mro,
    mroSet: new Set(mro),
    fields,
    declared,
    byName: new Map(fields.map((field) => [field.name, field])),
    params,
    constructorFields,
    abilities: collectAbilities(spec, bases, mro.slice(1)),
    isAsync: spec.async === true || bases.some((base) => metaOf(base)?.isAsync === true),
    isException,
    derived,
    cid: ++lastClass,
    blank: made.blank,
    load: made.load,
    hasAccessHook: typeof memberOf(cls, '__svc_access__') === 'function',
    hasPrivateFields: fields.some((field) => !field.isPublic),
    words: wordsOf(fields),
    missing: missingMethods(cls, spec, mro),
  };
  setMeta(cls, meta);
  remember(meta);
  if (meta.kind === 'edge' && meta.hasAccessHook) rememberEdgeHook();
  install(meta, made.make);
  for (const ability of spec.abilities) installAbility(meta, ability);
  installWaiting(cls.prototype);
  if (meta.derived === undefined && '__getattribute__' in cls.prototype) define(cls.prototype, $methods, asking);
  return cls;
}

/**
 * A class attribute may be called `name` or `length`, which every JavaScript class has of its own and read-only. What a program puts there is
 * enumerable, and inherited like any other attribute.
 */
function freeNames(cls: any): void {
  for (const name of ['name', 'length']) {
    const own = Object.getOwnPropertyDescriptor(cls, name);
    if (typeof own?.value === 'function') {
      Object.defineProperty(cls, name, { ...own, enumerable: true });
      continue;
    }
    delete cls[name];
    const inherited = inheritedDescriptor(cls, name);
    if (inherited?.set !== undefined || inherited?.enumerable === true) continue;
    Object.defineProperty(cls, name, {
      configurable: true,
      get(this: any) {
        return name === 'name' ? this.prototype?.[$typeName] : 0;
      },
      set(this: any, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

function inheritedDescriptor(cls: any, name: string): PropertyDescriptor | undefined {
  let at = Object.getPrototypeOf(cls);
  while (typeof at === 'function' && !Object.hasOwn(at, name)) at = Object.getPrototypeOf(at);
  return Object.getOwnPropertyDescriptor(at, name);
}

function install(meta: ClassMeta, make: (...args: any[]) => any): void {
  const { cls, spec } = meta;
  define(cls.prototype, '$meta', meta);
  define(cls.prototype, '$cid', meta.cid);
  define(cls.prototype, $typeName, meta.name);
  define(cls, $about, {
    module: meta.module,
    main: spec.main,
    qualname: spec.qualname ?? meta.name,
    doc: spec.doc,
    bases: basesOf(cls),
  });
  const positions = meta.constructorFields.filter((field) => field.keywordOnly !== true).map((field) => field.name);
  // A class made from a named tuple is matched by the fields of that.
  if (positions.length > 0 || meta.derived === undefined || (cls as any)[$matchArgs] === undefined)
    define(cls, $matchArgs, positions);
  if (meta.isException) installException(meta);
  else if (meta.missing.length > 0) {
    define(cls, '$new', (...args: unknown[]) => {
      refuseAbstract(meta);
      return make(...args);
    });
  } else if (meta.derived !== undefined) installDerived(meta, meta.derived);
  else {
    define(cls, '$new', make);
    // A class of a standard module, set up by its `init`, says how instances of its own are made.
    if ((cls as any)[$construct] !== Archetype[$construct]) defineConstruct(cls);
  }
  if (meta.kind === 'node' || meta.kind === 'edge') installAccessors(cls, meta.fields);
  if (meta.fields.length === 0 && meta.derived !== undefined) return;
  for (const field of spec.fields) if (field.static === true || spec.kind === 'class') installShared(cls, field);
}

// `class P(NamedTuple) { has x: int; }`: the base is made from the fields.
function rebase(cls: any, spec: ArchetypeSpec): Rebased | undefined {
  const parent = Object.getPrototypeOf(cls);
  if (typeof parent !== 'function' || !Object.hasOwn(parent, $rebase)) return undefined;
  const made: Rebased = parent[$rebase](spec, cls);
  if (made.base !== undefined) {
    Object.setPrototypeOf(cls, made.base);
    Object.setPrototypeOf(cls.prototype, made.base.prototype);
  }
  return made;
}

function makerOfEnum(cls: any): Maker {
  return {
    blank: (args) => blankMember(cls, args),
    make: (args, kwargs) => memberOfValue(cls, args, pairsOf(kwargs)),
    fromSlots: (slots) => memberOfValue(cls, slots, []),
  };
}

function installDerived(meta: ClassMeta, derived: Maker): void {
  define(meta.cls, '$new', (...slots: unknown[]) => derived.fromSlots(slots));
  defineConstruct(meta.cls);
}

function defineConstruct(cls: any): void {
  define(cls, $construct, (args: readonly unknown[], kwargs?: Kwargs) => construct(cls, args, kwargs));
  // Built-in types are functions with a signature, which classes below them are not.
  define(cls, $spec, undefined);
}

function define(target: object, property: PropertyKey, value: unknown): void {
  Object.defineProperty(target, property, { value, writable: true, enumerable: false, configurable: true });
}

/** `static has`, and `has` of a `class`: one value, read through the class and through instances; an instance may have its own. */
function installShared(cls: any, field: FieldSpec): void {
  const property = key(field.name);
  const value = field.default === undefined ? null : field.default();
  Object.defineProperty(cls, property, { value, writable: true, enumerable: true, configurable: true });
  readFromClass(cls.prototype, property, (self) => self.constructor[property]);
}

/**
 * Exceptions keep positional arguments in `args`; fields are set by name and, in an `obj`, by position
 * (docs/language/archetypes.md#exceptions-of-a-program).
 */
function installException(meta: ClassMeta): void {
  const { cls, fields } = meta;
  const placed = meta.kind === 'obj' ? meta.constructorFields.filter((field) => field.keywordOnly !== true) : [];
  const place = (self: any, args: readonly unknown[], pairs: readonly (readonly [string, unknown])[]) => {
    if (args.length === 0 || args.length > placed.length) return;
    const named = new Set(pairs.map(([name]) => name));
    const free = placed.slice(0, args.length);
    if (free.some((field, i) => named.has(field.name) || (field.default !== undefined && !suits(field.type, args[i]))))
      return;
    free.forEach((field, i) => {
      self[field.property] = args[i];
    });
  };
  const allocate = (args: readonly unknown[]) => {
    const self = Reflect.construct(BaseException, args, cls as any) as any;
    // V8 leaves out the frames above the class that was asked for, which is not among the callers here.
    Error.captureStackTrace(self, allocate);
    // V8 leaves out every frame up to the constructor of the class, which never runs: without this the stack is empty.
    Error.captureStackTrace(self, allocate);
    for (const field of fields) if (field.default !== undefined) self[field.property] = field.default();
    return self;
  };
  const finish = (self: any) => {
    if (typeof self.postinit === 'function') self.postinit();
    return self;
  };
  define(cls, '$raise', (args: readonly unknown[], pairs: readonly (readonly [string, unknown])[]) => {
    const self = allocate(args);
    if (typeof memberOf(cls, 'init') === 'function') {
      self.init(...bindArguments(meta.initName, meta.params, args, pairs, 1));
      return finish(self);
    }
    for (const [name, value] of pairs) {
      const field = meta.byName.get(name);
      if (field === undefined)
        throw new TypeError(`${meta.name}.__init__() got an unexpected keyword argument '${name}'`);
      self[field.property] = value;
    }
    place(self, args, pairs);
    return finish(self);
  });
  define(cls, $construct, (args: readonly unknown[], kwargs?: Kwargs) => (cls as any).$raise(args, pairsOf(kwargs)));
  define(cls, '$new', (...args: unknown[]) => {
    const self = allocate(args);
    if (typeof memberOf(cls, 'init') === 'function') self.init(...args);
    else place(self, args, []);
    return finish(self);
  });
}

// A text is no value of a field for numbers: it is the message then.
function suits(type: TypeRef, value: unknown): boolean {
  if (type.t === 'int' || type.t === 'float')
    return typeof value === 'number' || typeof value === 'bigint' || isFloat(value);
  if (type.t === 'bool') return typeof value === 'boolean';
  return type.t !== 'str' || typeof value === 'string';
}

/** `super.step()`, `self.step(here)`: an ability may be called like a method, without its argument where the walk stands. */
function installAbility(meta: ClassMeta, { name, run }: AbilitySpec): void {
  const { prototype } = meta.cls;
  const property = key(name);
  if (name in constructors || meta.byName.has(name) || Object.hasOwn(prototype, property)) return;
  const isWalker = meta.kind === 'walker';
  define(prototype, property, function (this: any, other?: unknown) {
    const walk = callScope.walk();
    return run.call(this, other ?? (isWalker ? walk?.here : walk?.walker), walk);
  });
}

function refuseAbstract(meta: ClassMeta): void {
  const names = stillMissing(meta.cls);
  if (names.length === 0) return;
  const list = names.length === 1 ? `method '${names[0]}'` : `methods ${names.map((name) => `'${name}'`).join(', ')}`;
  throw new TypeError(`Can't instantiate abstract class ${meta.name} without an implementation for abstract ${list}`);
}

/** Names that are abstract in the class, sorted: those without a method and without a value assigned in its body. */
export function stillMissing(cls: any): readonly string[] {
  const meta = metaOf(cls);
  return meta === undefined ? [] : meta.missing.filter((name) => !isAssigned(meta, name)).sort();
}

function missingMethods(cls: any, spec: ArchetypeSpec, mro: readonly any[]): string[] {
  const declared = new Set(spec.abstract ?? []);
  for (const base of mro) for (const name of metaOf(base)?.spec.abstract ?? []) declared.add(name);
  return [...declared].filter((name) => {
    for (const holder of mro) {
      const k = key(name);
      const ofClass = Object.hasOwn(holder, k) ? holder[k]?.[$spec] : undefined;
      const own = Object.getOwnPropertyDescriptor(holder.prototype, k) ?? ofClass;
      const about = holder === cls ? spec : metaOf(holder)?.spec;
      const isAbstract = about?.abstract?.includes(name) === true;
      if (own !== undefined || isAbstract || about?.fields.some((field) => field.name === name)) return isAbstract;
    }
    return true;
  });
}

/** An abstract property may be given as an attribute of the class, `name = 'square'`, which is assigned after the class is declared. */
function isAssigned(meta: ClassMeta, name: string): boolean {
  for (const holder of meta.mro) {
    if (metaOf(holder)?.spec.abstract?.includes(name) === true) return false;
    if (Object.getOwnPropertyDescriptor(holder, key(name))?.enumerable === true) return true;
  }
  return false;
}

/** A method the program defines, not one of the runtime's exception classes or of a built-in base. */
function memberOf(cls: any, name: string): any {
  const found = cls.prototype[name];
  if (typeof found !== 'function' || found === (BaseException.prototype as any)[name]) return undefined;
  return (found as any)[$superInit] === undefined ? found : undefined;
}

function isReports(spec: ArchetypeSpec, field: Field): boolean {
  return spec.kind === 'walker' && field.name === 'reports';
}

function paramOf(field: Field): ParamSpec {
  const kind = field.keywordOnly === true ? ('kw' as const) : ('any' as const);
  const param = { name: field.name, kind, type: field.type };
  return field.default === undefined ? param : { ...param, default: field.default };
}

/** Inherited abilities first; one of the same name takes the inherited one's place. */
function collectAbilities(spec: ArchetypeSpec, bases: readonly unknown[], mro: readonly unknown[]): Ability[] {
  const names = new Set<string>();
  for (const base of bases) for (const ability of metaOf(base)?.abilities ?? []) names.add(ability.name);
  for (const ability of spec.abilities) names.add(ability.name);
  const specs = [spec, ...mro.map((cls) => metaOf(cls)?.spec)];
  return [...names].map((name) => {
    for (const known of specs) {
      const ability = known?.abilities.find((candidate) => candidate.name === name);
      if (ability !== undefined) return { ...ability };
    }
    throw new Error(`ability ${name} has no declaration`);
  });
}

for (const cls of [Archetype, Obj]) {
  archetype(cls, { kind: 'obj', name: cls.name, module: '', fields: [], abilities: [] });
}
