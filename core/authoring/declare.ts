/** `@node`, `@edge`, `@obj`, `@walker`, `def` and `enumeration` for one module: they register what a program declares. */
import { archetype } from '../../library/classes/archetype.ts';
import { func } from '../../library/classes/func.ts';
import { remember } from '../../library/classes/registry.ts';
import type { ArchetypeKind, ParamSpec } from '../../library/classes/spec.ts';
import { callerFrame } from '../../library/values/calls/stack-frames.ts';
import { Enum, enumeration as registerEnum } from '../../library/values/objects/enums.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { restspec } from '../program/rest-spec.ts';
import { abilitiesOf } from './abilities.ts';
import { converterOf } from './convert.ts';
import { typeOf } from './fields.ts';
import { fieldSpecsOf } from './has.ts';
import type * as types from './types.ts';

export interface Described {
  /** The name under which objects are stored; by default that of the class. */
  readonly name?: string;
  readonly doc?: string;
}

export interface WalkerOptions extends Described, types.Served {
  /** A call does not wait for the walk. Always so behind a socket. */
  readonly async?: boolean;
}

type Register<I> = (cls: types.AnyClass<I>, context: ClassDecoratorContext) => void;
/** Decorator in both forms, `@node` and `@node({ … })`. */
export interface Decorator<I, O> {
  (cls: types.AnyClass<I>, context: ClassDecoratorContext): void;
  (options?: O): Register<I>;
}

/** A parameter of `def`. */
export interface Param<T, Optional extends boolean, Given> {
  readonly name: string;
  readonly field: types.Field<T, Optional, Given>;
}
type Params = readonly Param<any, boolean, any>[];
type Received<P extends Params> = { [I in keyof P]: P[I] extends Param<infer T, boolean, any> ? T : never };
type Sent<P extends readonly unknown[]> = P extends readonly [infer First, ...infer Rest]
  ? First extends Param<any, infer O, infer G>
    ? O extends true
      ? [value?: G, ...rest: Sent<Rest>]
      : [value: G, ...rest: Sent<Rest>]
    : []
  : [];

export interface FunctionOptions<P extends Params, R> extends types.Served {
  readonly params?: P;
  /** Type of the result, for the description of the API. */
  readonly returns?: types.Field<R, boolean, any>;
}

/** A member of an enumeration. */
export interface EnumMember<N = string, V = unknown> {
  readonly name: N;
  readonly value: V;
}
export type EnumClass<M> = { readonly [K in keyof M]: EnumMember<K, M[K]> } & {
  readonly members: readonly EnumMember<keyof M, M[keyof M]>[];
};

export interface Declarations {
  /** Registers a class that extends `has(Node, …)`. */
  readonly node: Decorator<types.Node, Described>;
  readonly edge: Decorator<types.Edge, Described>;
  readonly obj: Decorator<types.Obj, Described>;
  /** Registers a walker, and serves it: `POST /walker/<name>` unless the options say otherwise. */
  readonly walker: Decorator<types.Walker<any>, WalkerOptions>;
  /**
   * A function that is served where the started file exports it: with a token, or without one and `access: 'pub'`, `POST /function/<name>` calls
   * it. Its parameters are checked and converted there; from code it is called like any other, and defaults are filled in. Helpers are plain
   * functions.
   */
  def<const P extends Params = [], R = unknown>(
    name: string,
    options: FunctionOptions<P, NoInfer<Awaited<R>>>,
    run: (...args: Received<P>) => R,
  ): (...args: Sent<P>) => R;
  /** Members are stored by name and served by value. */
  enumeration<const M extends Readonly<Record<string, string | number>>>(name: string, members: M): EnumClass<M>;
  /** Runs when the program is run (`svc run`) and this is the file that was named. */
  main(work: () => unknown): unknown;
  /** A test of `svc test`: it has a graph of its own. */
  test(name: string, work: () => unknown): void;
}

/** Facts about a module that the host hands over. */
export interface ModuleInfo {
  /** Dotted path from the project root; part of the name under which objects are stored. */
  readonly id: string;
  /** Path of the module as places in it are shown. */
  readonly file: string;
  /** Comments above declarations. */
  readonly docs: Readonly<Record<string, string>>;
  readonly isMain: boolean;
}

/** Test of a module, in the form in which compiled `test` blocks are exported. */
export interface TestCase {
  readonly name: string;
  readonly at: string;
  readonly $run: () => unknown;
}

/** A parameter of `def`, by name. */
export function param<T, O extends boolean, G>(name: string, field: types.Field<T, O, G>): Param<T, O, G> {
  return { name, field };
}

/** The declaring functions of one module. `tests` is filled by `test`. */
export function declarationsOf(module: ModuleInfo, tests: TestCase[] = []): Declarations {
  const bound = { module, tests };
  return {
    node: decorator(bound, 'node'),
    edge: decorator(bound, 'edge'),
    obj: decorator(bound, 'obj'),
    walker: decorator(bound, 'walker'),
    def: (name, options, run) => declareFunction(bound, name, options, run as any) as any,
    enumeration: (name, members) => declareEnum(bound, name, members) as any,
    main: (work) => (module.isMain ? work() : undefined),
    test: (name, work) => void tests.push({ name, at: placeOf(module), $run: work }),
  };
}

interface Bound {
  readonly module: ModuleInfo;
  readonly tests: TestCase[];
}

function decorator(bound: Bound, kind: ArchetypeKind): any {
  return (first: unknown, context?: unknown) => {
    if (typeof first === 'function') return register(bound, kind, first, context, {});
    return (cls: unknown, given: unknown) => register(bound, kind, cls, given, (first ?? {}) as WalkerOptions);
  };
}

function register({ module }: Bound, kind: ArchetypeKind, cls: any, context: any, options: WalkerOptions): void {
  if (context?.kind !== 'class')
    throw new TypeError(`@${kind} stands in front of a class, without experimentalDecorators in tsconfig.json`);
  const own = context.name ?? cls.name;
  const name = options.name ?? own;
  const doc = options.doc ?? module.docs[own];
  archetype(cls, {
    kind,
    name,
    module: module.id,
    at: placeOf(module),
    fields: fieldSpecsOf(cls),
    abilities: abilitiesOf(cls),
    ...(doc === undefined ? {} : { doc }),
    ...(options.access === undefined ? {} : { access: options.access }),
    // A walker behind a socket is asynchronous; in TypeScript nothing else could be meant.
    ...((options.async ?? options.protocol === 'WEBSOCKET') ? { async: true } : {}),
  });
  serve(cls, options);
}

function declareFunction(
  { module }: Bound,
  name: string,
  options: FunctionOptions<Params, any>,
  run: (...args: unknown[]) => unknown,
): unknown {
  const slots = (options.params ?? []).map(({ name: title, field }) => {
    const type = typeOf(field);
    return { name: title, type, fallback: field.spec.fallback, convert: converterOf(type), doc: field.spec.doc };
  });
  const params = slots.map(({ name: title, type, fallback, convert, doc }): ParamSpec => {
    const initial = fallback !== undefined && convert !== undefined ? () => convert(fallback()) : fallback;
    return {
      name: title,
      kind: 'any',
      type,
      ...(initial === undefined ? {} : { default: initial }),
      ...(doc === undefined ? {} : { doc }),
    };
  });
  const fn = {
    [name]: (...args: unknown[]) =>
      run(
        ...slots.map(({ convert }, i) => {
          const given = args[i];
          if (given === undefined) return params[i]!.default?.();
          return convert === undefined ? given : convert(given);
        }),
      ),
  }[name]!;
  const doc = options.doc ?? module.docs[name];
  func(fn, {
    name,
    qualname: name,
    module: module.id,
    params,
    result: options.returns === undefined ? { t: 'any' } : typeOf(options.returns),
    at: placeOf(module),
    ...(doc === undefined ? {} : { doc }),
    // Helpers are plain functions here: `def` says that this one is an endpoint.
    endpoint: true,
    ...(options.access === undefined ? {} : { access: options.access }),
  });
  serve(fn, options);
  return fn;
}

function declareEnum({ module }: Bound, name: string, members: Readonly<Record<string, string | number>>): unknown {
  const cls: any = { [name]: class extends Enum {} }[name];
  registerEnum(cls, { name, module: module.id, members: Object.entries(members), at: placeOf(module) });
  remember({ module: module.id, name, cls });
  Object.defineProperty(cls, 'members', { value: [...cls] });
  return cls;
}

function serve(target: unknown, options: types.Served): void {
  const { method, path, protocol, broadcast, envelope, produces, verify, secret } = options;
  const given = [method, path, protocol, broadcast, envelope, produces, verify, secret];
  if (given.some((value) => value !== undefined)) (restspec as any)(...given)(target);
}

let serial = 0;

// Declarations are listed in the order of the text, so every one needs a place: where it cannot be found, the order of registration.
function placeOf({ file }: ModuleInfo): string {
  serial += 1;
  const frame = callerFrame();
  return `${file}:${frame?.line ?? 1}:${serial}`;
}
