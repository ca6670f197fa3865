/** Module `types`: names of the types of values, and small value classes. */

import { classes } from '../builtins/conversions.ts';
import { property } from '../builtins/decorators.ts';
import { type Members, makeModule } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { call } from '../values/calls/calls.ts';
import { AsyncGeneratorObject, GeneratorObject } from '../values/calls/generators.ts';
import { native } from '../values/calls/signature.ts';
import { contains } from '../values/containers/contains.ts';
import { Dict } from '../values/containers/dict.ts';
import { iter, PyIterator, toArray } from '../values/containers/iteration.ts';
import { len } from '../values/containers/length.ts';
import { getitem } from '../values/containers/subscripts.ts';
import { tuple } from '../values/containers/tuple.ts';
import { lookup } from '../values/objects/attributes.ts';
import { eq } from '../values/objects/equality.ts';
import { callMethod } from '../values/objects/methods.ts';
import { bor } from '../values/objects/operators.ts';
import { $bound, $eq, $repr, $str, attributeName, key, type ReprState } from '../values/objects/protocol.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { typeName } from '../values/objects/type-name.ts';
import { namedType, registerType } from '../values/objects/types.ts';
import { GenericAlias } from '../values/objects/union-type.ts';

export class SimpleNamespace {
  [name: string]: unknown;

  constructor(values: Dict) {
    for (const [name, value] of values.entries()) this[key(String(name))] = value;
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof SimpleNamespace
      ? eq(Dict.fromObject({ ...this }), Dict.fromObject({ ...other }))
      : undefined;
  }

  [$repr](state: ReprState): string {
    if (state.active.has(this)) return 'namespace(...)';
    state.active.add(this);
    const shown = Object.keys(this).map((name) => `${attributeName(name)}=${reprOf(this[name], state)}`);
    state.active.delete(this);
    return `namespace(${shown.join(', ')})`;
  }
}
nativeClass(SimpleNamespace, { name: 'SimpleNamespace', module: 'types', fullName: true, params: '**kwargs' });

/** A view of a mapping that cannot be written through. */
export class MappingProxy {
  readonly $mapping: any;

  constructor(mapping: unknown) {
    this.$mapping = mapping;
  }

  __getitem__(name: unknown): unknown {
    return getitem(this.$mapping, name);
  }

  __contains__(name: unknown): boolean {
    return contains(this.$mapping, name);
  }

  __len__(): number {
    return len(this.$mapping);
  }

  __iter__(): PyIterator {
    return new PyIterator(iter(this.$mapping)[Symbol.iterator](), 'dict_keyiterator');
  }

  get(name: unknown, fallback?: unknown): unknown {
    return callMethod(this.$mapping, 'get', name, fallback ?? null);
  }

  keys(): unknown {
    return callMethod(this.$mapping, 'keys');
  }

  values(): unknown {
    return callMethod(this.$mapping, 'values');
  }

  items(): unknown {
    return callMethod(this.$mapping, 'items');
  }

  copy(): unknown {
    return callMethod(this.$mapping, 'copy');
  }

  __or__(other: unknown): unknown {
    return bor(this.$mapping, other instanceof MappingProxy ? other.$mapping : other);
  }

  __ror__(other: unknown): unknown {
    return bor(other, this.$mapping);
  }

  [$eq](other: unknown): boolean {
    return eq(this.$mapping, other instanceof MappingProxy ? other.$mapping : other);
  }

  [$str](): string {
    return strOf(this.$mapping);
  }

  [$repr](state: ReprState): string {
    return `mappingproxy(${reprOf(this.$mapping, state)})`;
  }
}
nativeClass(MappingProxy, {
  countedAs: ['Mapping'],
  name: 'mappingproxy',
  module: 'builtins',
  params: 'mapping',
  methods: { get: 'key, default=None, /', keys: '', values: '', items: '', copy: '' },
});

function bind(f: unknown, self: unknown): unknown {
  const bound: any = native('method', '*args', (args: unknown[]) => call(f, self, ...args));
  bound[$bound] = { self, fn: f };
  return bound;
}

function newClass(name: string, bases: unknown, _keywords: unknown, body: unknown): unknown {
  const members = new Dict();
  if (body !== undefined && body !== null) call(body, members);
  return classes.make(name, bases === undefined ? [] : toArray(bases), members);
}

export function makeTypes(): Members {
  const MethodType = registerType(native('method', 'function, instance, /', bind), {
    name: 'method',
    check: (x) => typeName(x) === 'method',
    base: 'object',
  });
  const ModuleType = registerType(
    native('module', 'name, doc=None', (name: string, doc?: string) => makeModule(name, {}, doc ?? undefined)),
    {
      name: 'module',
      check: (x: any) => typeof x === 'object' && x !== null && typeName(x) === 'module',
      base: 'object',
    },
  );
  const builtin = namedType('builtin_function_or_method');
  return {
    CodeType: namedType('code'),
    CellType: namedType('cell'),
    FrameType: namedType('frame'),
    ClassMethodDescriptorType: builtin,
    MethodDescriptorType: builtin,
    MethodWrapperType: builtin,
    WrapperDescriptorType: builtin,
    GetSetDescriptorType: namedType('property'),
    MemberDescriptorType: namedType('property'),
    DynamicClassAttribute: property,
    new_class: native('types.new_class', 'name, bases=(), kwds=None, exec_body=None', newClass),
    prepare_class: native('types.prepare_class', 'name, bases=(), kwds=None', () =>
      tuple(namedType('type'), new Dict(), new Dict()),
    ),
    resolve_bases: native('types.resolve_bases', 'bases', (bases: unknown) => bases),
    AsyncGeneratorType: AsyncGeneratorObject,
    BuiltinFunctionType: builtin,
    BuiltinMethodType: builtin,
    CoroutineType: namedType('coroutine'),
    EllipsisType: namedType('ellipsis'),
    FunctionType: namedType('function'),
    GeneratorType: GeneratorObject,
    GenericAlias,
    LambdaType: namedType('function'),
    MappingProxyType: MappingProxy,
    MethodType,
    ModuleType,
    NoneType: namedType('NoneType'),
    NotImplementedType: namedType('NotImplementedType'),
    SimpleNamespace,
    TracebackType: namedType('traceback'),
    UnionType: namedType('UnionType'),
    coroutine: native('types.coroutine', 'func', (f: unknown) => f),
    get_original_bases: native('types.get_original_bases', 'cls, /', (cls: unknown) => lookup(cls, '__bases__')),
  };
}
