/**
 * Forms of `typing` and `collections.abc` as values: what `List[int]`, `Optional[str]` and `Callable[[int], str]` give, how they are shown
 * and compared, and what can be read from them. Read when a program imports one of the two.
 */

import { promising } from '../../builtins/class-base.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { SpecialForm, setFormRules } from '../../builtins/special-form.ts';
import { typingNames } from '../../builtins/typing-names.ts';
import { setUnionForms } from '../../classes/annotations.ts';
import { hasModule, stdMember } from '../../registry.ts';
import { native } from '../../values/calls/signature.ts';
import { FrozenSet } from '../../values/containers/sets.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { getattrOr } from '../../values/objects/attributes.ts';
import { same } from '../../values/objects/equality.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { hashOf } from '../../values/objects/hashing.ts';
import { $counted, $eq, $hash, $isInstance, $isSubclass, $repr, $typeName } from '../../values/objects/protocol.ts';
import { qualifiedClass, reprOf } from '../../values/objects/repr.ts';
import { Ellipsis } from '../../values/objects/singletons.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { namedType } from '../../values/objects/types.ts';
import { GenericAlias, UnionType } from '../../values/objects/union-type.ts';
import { abstractForms } from './abstract-forms.ts';
import { MappingItems, MappingKeys, MappingValues } from './mapping-views.ts';
import './form-mixins.ts';

/** `Optional[int]`, `Union[int, str]` */
class TypingUnion extends UnionType {
  override get [$typeName](): string {
    return '_UnionGenericAlias';
  }

  get __origin__(): unknown {
    return typingNames['Union'];
  }

  get __parameters__(): Tuple {
    return new Tuple(parametersOf(this.members));
  }

  get __name__(): string {
    return onlyBesideNone(this) === undefined ? 'Union' : 'Optional';
  }

  __getitem__(index: unknown): unknown {
    return unionOf(substitute(this.members, index));
  }

  override [$repr](): string {
    const only = onlyBesideNone(this);
    if (only !== undefined) return `typing.Optional[${argText(only)}]`;
    return `typing.Union[${this.members.map(argText).join(', ')}]`;
  }
}

/** `X` of `Optional[X]`. */
function onlyBesideNone({ members }: UnionType): unknown {
  const others = members.filter((member) => member !== null);
  return others.length === 1 && members.length === 2 ? others[0] : undefined;
}

/** @throws TypeError for no types */
function unionOf(args: readonly unknown[]): unknown {
  if (args.length === 0) throw new TypeError('Cannot take a Union of no types.');
  const members: unknown[] = [];
  for (const arg of args)
    for (const member of arg instanceof UnionType ? arg.members : [memberOf(arg)])
      if (!members.some((known) => same(known, member))) members.push(member);
  return members.length === 1 ? members[0] : new TypingUnion(members);
}

// None stands for its type.
function memberOf(arg: unknown): unknown {
  return arg === null || arg === namedType('NoneType') ? null : typeArgument(arg);
}

/** `ForwardRef("Node")`, and the text in `List["Node"]`. */
export class ForwardRef {
  readonly __forward_arg__: string;

  constructor(text: string) {
    this.__forward_arg__ = text;
  }

  [$eq](other: unknown): boolean {
    return other instanceof ForwardRef && other.__forward_arg__ === this.__forward_arg__;
  }

  [$hash](): string {
    return `w${this.__forward_arg__}`;
  }

  [$repr](): string {
    return `ForwardRef(${reprOf(this.__forward_arg__)})`;
  }
}
nativeClass(ForwardRef, { name: 'ForwardRef', module: 'typing', params: 'arg, is_argument=True' });

/** A form with its arguments: `List[int]`. */
class Alias extends SpecialForm {
  readonly form: SpecialForm;

  constructor(form: SpecialForm, args: readonly unknown[]) {
    super(form.label, form.test, args);
    this.form = form;
  }

  override get [$typeName](): string {
    if (this.form instanceof AbstractClass) return 'GenericAlias';
    return { Literal: '_LiteralGenericAlias', Annotated: '_AnnotatedAlias' }[this.label] ?? '_GenericAlias';
  }

  override __call__(...args: unknown[]): unknown {
    return (this.form as any).__call__(...args);
  }

  override [$isInstance](): never {
    throw this.noTest('isinstance');
  }

  override [$isSubclass](): never {
    throw this.noTest('issubclass');
  }

  private noTest(test: string): TypeError {
    return new TypeError(
      this.form instanceof AbstractClass
        ? `${test}() argument 2 cannot be a parameterized generic`
        : 'Subscripted generics cannot be used with class and instance checks',
    );
  }

  [$eq](other: unknown): boolean {
    if (!(other instanceof Alias) || other.label !== this.label || other.args.length !== this.args.length) return false;
    const has = (x: unknown) => other.args.some((one) => same(one, x));
    return this.label === 'Literal' ? this.args.every(has) : this.args.every((arg, i) => same(arg, other.args[i]));
  }

  [$hash](): string {
    return `f${[this.label, ...this.args].map(hashOf).sort().join(',')}`;
  }
}

/** `collections.abc.Iterable`, which is a class where `typing.Iterable` is a form. */
class AbstractClass extends SpecialForm {
  override get [$typeName](): string {
    return 'ABCMeta';
  }

  override get __name__(): string {
    return this.label === 'AbstractSet' ? 'Set' : this.label;
  }

  get __module__(): string {
    return 'collections.abc';
  }

  get __abstractmethods__(): FrozenSet {
    return new FrozenSet(this.$abstract);
  }

  get $abstract(): readonly string[] {
    return abstractMethods[this.__name__]?.split(' ') ?? [];
  }

  override __call__(...args: unknown[]): unknown {
    const view = views[this.label];
    if (view !== undefined) return new view(args[0]);
    const names = this.$abstract.map((name) => `'${name}'`);
    throw new TypeError(
      `Can't instantiate abstract class ${this.__name__} without an implementation for abstract method${names.length === 1 ? '' : 's'} ${names.join(', ')}`,
    );
  }
}

const views: Readonly<Record<string, new (mapping: unknown) => unknown>> = {
  KeysView: MappingKeys,
  ValuesView: MappingValues,
  ItemsView: MappingItems,
};

const abstractMethods: Readonly<Record<string, string>> = {
  AsyncGenerator: 'asend athrow',
  AsyncIterable: '__aiter__',
  AsyncIterator: '__anext__',
  Awaitable: '__await__',
  Callable: '__call__',
  Collection: '__contains__ __iter__ __len__',
  Container: '__contains__',
  Coroutine: '__await__ send throw',
  Generator: 'send throw',
  Hashable: '__hash__',
  Iterable: '__iter__',
  Iterator: '__next__',
  Mapping: '__getitem__ __iter__ __len__',
  MutableMapping: '__delitem__ __getitem__ __iter__ __len__ __setitem__',
  MutableSequence: '__delitem__ __getitem__ __len__ __setitem__ insert',
  MutableSet: '__contains__ __iter__ __len__ add discard',
  Reversible: '__iter__ __reversed__',
  Sequence: '__getitem__ __len__',
  Set: '__contains__ __iter__ __len__',
  Sized: '__len__',
};

const abstractClasses = new Map<string, AbstractClass>();

/** The class of `collections.abc` for a form; undefined for forms that stand for none. */
export function abstractClass(form: SpecialForm): SpecialForm | undefined {
  if (!abstractLabels.has(form.label)) return undefined;
  let made = abstractClasses.get(form.label);
  if (made === undefined) {
    made = new AbstractClass(form.label, form.test);
    if (form.label === 'Callable') Object.defineProperty(made, '__call__', { value: undefined });
    abstractClasses.set(form.label, made);
  }
  return made;
}

export const abstractNames =
  'Callable Iterable Iterator Generator AsyncIterator AsyncIterable AsyncGenerator Awaitable Coroutine Mapping MutableMapping Sequence MutableSequence Collection';
const abstractLabels = new Set([
  ...abstractNames.split(' '),
  ...Object.values(abstractForms).map((form) => form.label),
]);

/** `TypeVar("T", bound=int)`; `ParamSpec` and `TypeVarTuple` have no bound. */
class TypeVariable extends SpecialForm {
  readonly kind: string;
  readonly __bound__: unknown;
  readonly __constraints__: Tuple;
  readonly __covariant__: boolean;
  readonly __contravariant__: boolean;

  constructor(
    kind: string,
    name: string,
    constraints: readonly unknown[] = [],
    bound: unknown = null,
    sides = [false, false],
  ) {
    super(name);
    this.kind = kind;
    this.__constraints__ = new Tuple(constraints);
    this.__bound__ = bound;
    [this.__covariant__, this.__contravariant__] = sides as [boolean, boolean];
  }

  override get [$typeName](): string {
    return this.kind;
  }

  override __call__(): never {
    throw new TypeError(`'${this.kind}' object is not callable`);
  }

  override __getitem__(): never {
    throw new TypeError(`'${this.kind}' object is not subscriptable`);
  }

  override [$repr](): string {
    if (this.kind === 'TypeVarTuple') return this.label;
    return `${this.__covariant__ ? '+' : this.__contravariant__ ? '-' : '~'}${this.label}`;
  }
}

export const typeVariables = {
  TypeVar: native(
    'TypeVar',
    'name, /, *constraints, bound=None, covariant=False, contravariant=False, default=None, infer_variance=False',
    (name: string, constraints: unknown[], bound: unknown, covariant: unknown, contravariant: unknown) =>
      new TypeVariable('TypeVar', name, constraints, bound, [truth(covariant), truth(contravariant)]),
  ),
  ParamSpec: native(
    'ParamSpec',
    'name, /, *, bound=None, covariant=False, contravariant=False',
    (name: string) => new TypeVariable('ParamSpec', name),
  ),
  TypeVarTuple: native('TypeVarTuple', 'name, /', (name: string) => new TypeVariable('TypeVarTuple', name)),
  AnyStr: new TypeVariable('TypeVar', 'AnyStr', [namedType('bytes'), namedType('str')]),
};

/** `NewType("UserId", int)`: gives back what it is called with. */
class DistinctType extends SpecialForm {
  readonly __supertype__: unknown;

  constructor(name: string, of: unknown) {
    super(name);
    this.__supertype__ = of;
  }

  override get [$typeName](): string {
    return 'NewType';
  }

  override __call__(...args: unknown[]): unknown {
    return args[0];
  }

  override [$repr](): string {
    return `__main__.${this.label}`;
  }
}

export const newType = native('NewType', 'name, tp, /', (name: string, of: unknown) => new DistinctType(name, of));

// ---------------------------------------------------------------- what is read from them

const builtinOrigins = { List: 'list', Dict: 'dict', Set: 'set', FrozenSet: 'frozenset', Tuple: 'tuple', Type: 'type' };
const collectionOrigins = {
  DefaultDict: 'defaultdict',
  Deque: 'deque',
  OrderedDict: 'OrderedDict',
  Counter: 'Counter',
  ChainMap: 'ChainMap',
};

function runtimeOrigin(form: SpecialForm): unknown {
  const builtin = builtinOrigins[form.label as keyof typeof builtinOrigins];
  if (builtin !== undefined) return namedType(builtin);
  const collection = collectionOrigins[form.label as keyof typeof collectionOrigins];
  if (collection !== undefined) return hasModule('collections') ? stdMember('collections', collection) : null;
  return abstractClass(form);
}

/** `get_origin(tp)` */
export function originOf(x: unknown): unknown {
  if (x instanceof GenericAlias) return x.origin;
  if (x instanceof TypingUnion) return typingNames['Union'];
  if (x instanceof UnionType) return namedType('UnionType');
  if (x instanceof Alias) return runtimeOrigin(x.form) ?? x.form;
  if (!(x instanceof SpecialForm) || x instanceof AbstractClass) return x === typingNames['Generic'] ? x : null;
  return runtimeOrigin(x) ?? (x === typingNames['Generic'] ? x : null);
}

/** `get_args(tp)` */
export function argumentsOf(x: unknown): Tuple {
  if (x instanceof UnionType) return x.__args__;
  if (x instanceof GenericAlias) return new Tuple(x.args);
  if (!(x instanceof Alias)) return new Tuple([]);
  if (x.label !== 'Callable' || x.args[0] === Ellipsis) return new Tuple(x.args);
  return new Tuple([x.args.slice(0, -1), x.args.at(-1)]);
}

function parametersOf(args: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  for (const arg of args) {
    const inner =
      arg instanceof TypeVariable
        ? [arg]
        : arg instanceof Alias || arg instanceof GenericAlias
          ? parametersOf(arg.args)
          : arg instanceof UnionType
            ? parametersOf(arg.members)
            : [];
    for (const one of inner) if (!found.includes(one)) found.push(one);
  }
  return found;
}

// `List[T][int]`
function substitute(args: readonly unknown[], index: unknown): readonly unknown[] {
  const given = index instanceof Tuple ? index.items : [index];
  const parameters = parametersOf(args);
  const swap = (arg: unknown): unknown => {
    if (arg instanceof TypeVariable) return given[parameters.indexOf(arg)] ?? arg;
    if (arg instanceof Alias) return new Alias(arg.form, arg.args.map(swap));
    if (arg instanceof GenericAlias) return new GenericAlias(arg.origin, arg.args.map(swap));
    return arg instanceof UnionType ? unionOf(arg.members.map(swap)) : arg;
  };
  return args.map(swap);
}

function subscript(form: SpecialForm, args: readonly unknown[]): unknown {
  if (form instanceof Alias) {
    if (parametersOf(form.args).length === 0) throw new TypeError(`${reprOf(form)} is not a generic class`);
    return new Alias(form.form, substitute(form.args, new Tuple(args)));
  }
  switch (form.label) {
    case 'Optional':
      if (args.length !== 1)
        throw new TypeError(`typing.Optional requires a single type. Got ${reprOf(new Tuple(args))}.`);
      return unionOf([...args, null]);
    case 'Union':
      return unionOf(args);
    case 'Literal':
      return new Alias(form, literalValues(args));
    case 'Annotated':
      return annotated(form, args);
    case 'Callable':
      return new Alias(form, callableTypes(args));
    case 'ClassVar':
    case 'Final':
      if (args.length !== 1)
        throw new TypeError(`typing.${form.label} accepts only single type. Got ${reprOf(new Tuple(args))}.`);
      return new Alias(form, args.map(typeArgument));
    case 'Any':
    case 'NoReturn':
    case 'Never':
      throw new TypeError(`typing.${form.label} is not subscriptable`);
    default:
      return new Alias(form, args.map(typeArgument));
  }
}

function typeArgument(arg: unknown): unknown {
  if (arg === null || arg === undefined) return namedType('NoneType');
  return typeof arg === 'string' ? new ForwardRef(arg) : arg;
}

function literalValues(args: readonly unknown[]): unknown[] {
  const values: unknown[] = [];
  for (const arg of args)
    for (const value of arg instanceof Alias && arg.label === 'Literal' ? arg.args : [arg])
      if (!values.some((known) => typeof known === typeof value && same(known, value))) values.push(value);
  return values;
}

function annotated(form: SpecialForm, args: readonly unknown[]): unknown {
  if (args.length < 2)
    throw new TypeError('Annotated[...] should be used with at least two arguments (a type and an annotation).');
  const [type, ...notes] = args;
  const inner = type instanceof Alias && type.label === 'Annotated' ? type.args : [typeArgument(type)];
  return new Alias(form, [...inner, ...notes]);
}

function callableTypes(args: readonly unknown[]): unknown[] {
  if (args.length !== 2) throw new TypeError('Callable must be used as Callable[[arg, ...], result].');
  const [taken, result] = args;
  const types = Array.isArray(taken) ? taken.map(typeArgument) : [taken];
  return [...types, typeArgument(result)];
}

function argText(arg: unknown): string {
  if (arg === null || arg === undefined) return 'NoneType';
  if (arg === Ellipsis) return '...';
  return isClass(arg) ? qualifiedClass(arg) : reprOf(arg);
}

function show(form: SpecialForm): string {
  if (form instanceof AbstractClass) return `<class 'collections.abc.${form.__name__}'>`;
  if (!(form instanceof Alias)) return `typing.${form.label}`;
  const { args } = form;
  const name = form.form instanceof AbstractClass ? `collections.abc.${form.form.__name__}` : `typing.${form.label}`;
  switch (form.label) {
    case 'Literal':
      return `${name}[${args.map((arg) => reprOf(arg)).join(', ')}]`;
    case 'Annotated':
      return `${name}[${argText(args[0])}, ${args
        .slice(1)
        .map((arg) => reprOf(arg))
        .join(', ')}]`;
    case 'Callable':
      if (args[0] !== Ellipsis)
        return `${name}[[${args.slice(0, -1).map(argText).join(', ')}], ${argText(args.at(-1))}]`;
      break;
    default:
  }
  return `${name}[${args.length === 0 ? '()' : args.map(argText).join(', ')}]`;
}

function attribute(form: SpecialForm, name: string): unknown {
  if (form instanceof Alias) {
    switch (name) {
      case '__args__':
        return new Tuple(form.label === 'Annotated' ? form.args.slice(0, 1) : form.args);
      case '__origin__':
        return form.label === 'Annotated' ? form.args[0] : originOf(form);
      case '__metadata__':
        return form.label === 'Annotated' ? new Tuple(form.args.slice(1)) : undefined;
      case '__parameters__':
        return new Tuple(parametersOf(form.args));
      default:
    }
  }
  if (name === 'register' && form instanceof AbstractClass)
    return native('register', 'subclass', (cls: unknown) => register(form, cls));
  if (name === '__origin__') return runtimeOrigin(form);
  if (name === '__module__') return 'typing';
  if (form instanceof AbstractClass) return unboundMethod(form, name);
  return undefined;
}

/** `Sequence.register(C)`: instances of `C` count as the form. @throws TypeError */
function register(form: SpecialForm, cls: any): unknown {
  if (!isClass(cls)) throw new TypeError('Can only register classes');
  const known: readonly string[] = cls.prototype[$counted] ?? [];
  Object.defineProperty(cls.prototype, $counted, { value: [...known, form.label], configurable: true });
  return cls;
}

// `MutableMapping.update`, as a function of the object.
function unboundMethod(form: SpecialForm, name: string): unknown {
  const method = promising(form.label).prototype[name];
  if (typeof method !== 'function' || name === 'constructor') return undefined;
  return getattrOr(promising(form.label), name, undefined);
}

setFormRules({ subscript, show, attribute, union: unionOf });
setUnionForms({
  union: (members) => new TypingUnion(members),
  literal: (values) => new Alias(typingNames['Literal'] as SpecialForm, values),
});
