/** Modules `abc` and `types`. Abstractness of program classes is the compiler's; the decorators change nothing. */
import { setattr, varsOf } from '../../values/attributes.ts';
import { Dict } from '../../values/dict.ts';
import { eq } from '../../values/equality.ts';
import { GeneratorObject } from '../../values/generators.ts';
import { $repr, type ReprState } from '../../values/protocol.ts';
import { nested, reprOf } from '../../values/repr.ts';
import { namedType } from '../../values/types.ts';
import { GenericAlias, UnionType } from '../../values/union-type.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';

const same = (x: unknown) => x;

/** A class without members, to derive from. */
class ABC {}
nativeClass(ABC, { name: 'ABC', module: 'abc' });

export function makeAbc(): Members {
  return {
    ABC,
    ABCMeta: namedType('type'),
    ...functions('abc', {
      abstractclassmethod: ['callable', same],
      abstractmethod: ['funcobj', same],
      abstractproperty: ['fget', same],
      abstractstaticmethod: ['callable', same],
    }),
  };
}

/** An object that is nothing but its attributes. */
export class SimpleNamespace {
  [$repr](state: ReprState): string {
    return nested(
      this,
      state,
      'namespace(...)',
      () =>
        `namespace(${[...varsOf(this)].map(([name, value]) => `${name}=${reprOf(value, undefined, state)}`).join(', ')})`,
    );
  }

  __eq__(other: unknown): boolean {
    return other instanceof SimpleNamespace && eq(Dict.from(varsOf(this)), Dict.from(varsOf(other)));
  }
}
nativeClass(SimpleNamespace, {
  name: 'SimpleNamespace',
  module: 'types',
  params: 'mapping=None, /, **kwargs',
  make: (_cls, mapping, kwargs) => {
    const made = new SimpleNamespace();
    for (const source of [mapping, kwargs])
      if (source instanceof Dict) for (const [name, value] of source.entries()) setattr(made, String(name), value);
    return made;
  },
});

export function makeTypes(): Members {
  return {
    SimpleNamespace,
    FunctionType: namedType('function'),
    LambdaType: namedType('function'),
    MethodType: namedType('method'),
    BuiltinFunctionType: namedType('builtin_function_or_method'),
    BuiltinMethodType: namedType('builtin_function_or_method'),
    GeneratorType: GeneratorObject,
    CoroutineType: namedType('coroutine'),
    ModuleType: namedType('module'),
    NoneType: namedType('NoneType'),
    EllipsisType: namedType('ellipsis'),
    NotImplementedType: namedType('NotImplementedType'),
    MappingProxyType: namedType('dict'),
    TracebackType: namedType('traceback'),
    FrameType: namedType('frame'),
    CodeType: namedType('code'),
    GenericAlias,
    UnionType,
    ...functions('types', {
      coroutine: ['func', same],
      new_class: ['name, bases=(), kwds=None, exec_body=None', (name: string) => namedType(name)],
    }),
  };
}
