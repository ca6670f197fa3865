/** Module `typing`: annotation names mean nothing at run time. */

import { str } from '../../builtins/conversions.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { SpecialForm } from '../../builtins/special-form.ts';
import { typingNames } from '../../builtins/typing-names.ts';
import { annotationsOf } from '../../classes/annotations.ts';
import { hintOf } from '../../classes/hints.ts';
import { makeClass } from '../../classes/make-class.ts';
import { metaOf } from '../../classes/meta.ts';
import { $rebase, type Rebased } from '../../classes/native-base.ts';
import type { ArchetypeSpec } from '../../classes/spec.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { FrozenSet } from '../../values/containers/sets.ts';
import { hasattr } from '../../values/objects/attributes.ts';
import { AssertionError, TypeError } from '../../values/objects/exceptions.ts';
import { $construct, $isInstance, $keywords, $typeName, key } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { namedType } from '../../values/objects/types.ts';
import { runtimeCheckable } from '../protocols.ts';
import { abstractForms } from './abstract-forms.ts';
import { argumentsOf, ForwardRef, newType, originOf, typeVariables } from './typing-forms.ts';

const same = () => (x: unknown) => x;

// `NamedTuple("P", [("x", int), ("y", int)])`
function namedTuple(name: string, fields: unknown): unknown {
  const pairs = itemsOf(fields).map((field) => itemsOf(field));
  const made = makeNamedTuple(
    name,
    pairs.map(([field]) => String(field)),
  );
  const types = Dict.from(pairs as [unknown, unknown][]);
  return Object.defineProperty(made, '__annotations__', { value: types, configurable: true });
}

/** `class P(NamedTuple) { has x: int; has y: int = 0; }`, and `NamedTuple("P", [("x", int)])`. */
// biome-ignore lint/complexity/noStaticOnlyClass: programs derive from it
class NamedTupleBase {
  static [$rebase](spec: ArchetypeSpec, cls: any): Rebased {
    const names = spec.fields.map((field) => field.name);
    const defaults = spec.fields.flatMap((field) =>
      field.late === true ? [null] : field.default === undefined ? [] : [field.default()],
    );
    const late = spec.fields.filter((field) => field.late === true);
    const lateDefaults = new Map(
      late.map(({ name }) => [name, () => Object.getOwnPropertyDescriptor(cls, key(name))?.value]),
    );
    const hints = spec.fields.map((field) => hintOf(field.type));
    return { base: makeNamedTuple(spec.name, names, { defaults, lateDefaults, hints, module: spec.module }) };
  }

  static [$construct](args: readonly unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    const pairs = [...(kwargs ?? [])].map(([name, type]) => [name, type]);
    return namedTuple(String(args[0]), args[1] ?? pairs);
  }
}
Object.defineProperty(NamedTupleBase.prototype, $typeName, { value: 'NamedTuple' });

/** `class Movie(TypedDict) { has title: str; }`: its instances are plain dicts. */
// biome-ignore lint/complexity/noStaticOnlyClass: programs derive from it
class TypedDictBase {
  static [$rebase](_spec: ArchetypeSpec, cls: object): Rebased {
    // So do the classes below.
    Object.defineProperty(cls, $rebase, { value: TypedDictBase[$rebase] });
    Object.defineProperty(cls, '__annotations__', { get: () => keyTypes(cls), configurable: true });
    const dict = namedType('dict');
    return {
      maker: { make: (args, kwargs) => callkw(dict, args, kwargs), fromSlots: (slots) => call(dict, ...slots) },
    };
  }

  static [$construct](args: readonly unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    const [name, fields] = args;
    const members = Dict.from([
      ['__annotations__', fields ?? new Dict()],
      ['__total__', new Map(kwargs ?? []).get('total') ?? true],
    ]);
    return makeClass(String(name), [TypedDictBase], members);
  }

  static [$keywords](cls: any, given: ReadonlyMap<string, unknown>): boolean {
    Object.defineProperty(cls, '__total__', { value: given.get('total') ?? true, configurable: true });
    return given.size === 1;
  }

  static get __required_keys__(): FrozenSet {
    return keysOfTyped(this, true);
  }

  static get __optional_keys__(): FrozenSet {
    return keysOfTyped(this, false);
  }

  static [$isInstance](): never {
    throw new TypeError('TypedDict does not support instance and class checks');
  }
}
Object.defineProperty(TypedDictBase.prototype, $typeName, { value: 'TypedDict' });
Object.defineProperty(TypedDictBase, '__total__', { value: true });

/** Keys that have to be there, or the others: what `Required` and `NotRequired` say, else the `total` of the class that declares them. */
function keysOfTyped(cls: any, required: boolean): FrozenSet {
  const found: unknown[] = [];
  for (const one of [...(metaOf(cls)?.mro ?? [cls])].reverse()) {
    for (const [name, type] of ownAnnotations(one)) {
      const label = type instanceof SpecialForm ? type.label : '';
      const isRequired = label === 'Required' || (label !== 'NotRequired' && one.__total__ === true);
      if (isRequired === required) found.push(name);
    }
  }
  return new FrozenSet(found);
}

/** Types of the keys of a typed dict's class: its own and those it has from the classes above it. */
function keyTypes(cls: any): Dict {
  const all = new Dict();
  for (const one of [...(metaOf(cls)?.mro ?? [cls])].reverse())
    for (const [name, type] of ownAnnotations(one)) all.set(name, type);
  return all;
}

function ownAnnotations(cls: any): Iterable<[unknown, unknown]> {
  const given: Dict | undefined = Object.getOwnPropertyDescriptor(cls, '__annotations__')?.value;
  return (given ?? annotationsOf(cls))?.entries() ?? [];
}

/** Declared types of a class, with those of its bases, or of a function. */
function typeHints(owner: any): Dict {
  const all = new Dict();
  const classes = [...(metaOf(owner)?.mro ?? [owner])].reverse();
  for (const one of classes)
    for (const [name, type] of annotationsOf(one)?.entries() ?? [])
      all.set(name, type === null ? namedType('NoneType') : type);
  return all;
}

const shown = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, new SpecialForm(name)]));
const tested = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, method]) => [name, new SpecialForm(name, (x) => hasattr(x, method))]),
  );
// Forms of `collections.abc` under the names of `typing`.
const abstract = ({ Set: set, MutableSet, ...others }: typeof abstractForms) => ({
  ...others,
  AbstractSet: set,
  MutableSet,
});

export function makeTyping(): Members {
  return {
    ...typingNames,
    ...(abstract(abstractForms) as Members),
    ...typeVariables,
    ...shown(
      'Concatenate ContextManager AsyncContextManager Counter DefaultDict Deque OrderedDict ChainMap NotRequired Required Unpack TypeGuard TypeIs ReadOnly',
    ),
    ...shown('LiteralString Self TypeAlias IO BinaryIO TextIO Match Pattern'),
    ...tested({
      SupportsAbs: '__abs__',
      SupportsBytes: '__bytes__',
      SupportsComplex: '__complex__',
      SupportsFloat: '__float__',
      SupportsIndex: '__index__',
      SupportsInt: '__int__',
      SupportsRound: '__round__',
    }),
    ForwardRef,
    Text: str,
    NamedTuple: NamedTupleBase,
    TypedDict: TypedDictBase,
    TYPE_CHECKING: false,
    NewType: newType,
    ...functions('typing', {
      assert_never: [
        'arg, /',
        (x: unknown) => {
          throw new AssertionError(`Expected code to be unreachable, but got: ${reprOf(x)}`);
        },
      ],
      is_typeddict: ['tp', (x: any) => typeof x === 'function' && x.prototype instanceof TypedDictBase],
      assert_type: ['val, typ, /', same()],
      cast: ['typ, val', (_type: unknown, value: unknown) => value],
      clear_overloads: ['', () => null],
      dataclass_transform: ['**kwargs', same],
      final: ['f', same()],
      get_overloads: ['func', () => []],
      get_args: ['tp', argumentsOf],
      get_origin: ['tp', originOf],
      get_type_hints: ['obj, globalns=None, localns=None, include_extras=False', typeHints],
      no_type_check: ['arg', same()],
      overload: ['func', same()],
      override: ['method, /', same()],
      reveal_type: ['obj, /', same()],
      runtime_checkable: ['cls', runtimeCheckable],
    }),
  };
}
