import type { ClassInfo, FieldInfo, FunctionInfo } from '../types.ts';

const noFields: ReadonlyMap<string, FieldInfo> = new Map();
const noMethods: ReadonlyMap<string, FunctionInfo> = new Map();

/**
 * Classes of the runtime with those derived from each: `Base: derived derived …`; exceptions as
 * docs/language/builtins.md#exceptions draws them.
 */
const derivations = `
object: Archetype BaseException AccessLevel APIProtocol ScheduleTrigger JsxElement StorageFactory
Archetype: Node Edge Walker
Node: Root
Edge: GenericEdge
BaseException: SystemExit KeyboardInterrupt GeneratorExit BaseExceptionGroup Exception
Exception: ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError OSError RuntimeError StopIteration StopAsyncIteration SyntaxError TypeError ValueError ReferenceError SystemError ExceptionGroup Warning
ArithmeticError: ZeroDivisionError OverflowError FloatingPointError
ImportError: ModuleNotFoundError
LookupError: IndexError KeyError
NameError: UnboundLocalError
OSError: FileNotFoundError FileExistsError PermissionError IsADirectoryError NotADirectoryError ConnectionError TimeoutError InterruptedError ProcessLookupError BlockingIOError ChildProcessError
ConnectionError: ConnectionRefusedError ConnectionResetError ConnectionAbortedError BrokenPipeError
RuntimeError: NotImplementedError RecursionError
SyntaxError: IndentationError
ValueError: UnicodeError
UnicodeError: UnicodeDecodeError UnicodeEncodeError
Warning: UserWarning DeprecationWarning RuntimeWarning FutureWarning PendingDeprecationWarning SyntaxWarning ImportWarning UnicodeWarning ResourceWarning
`;

const baseOf: ReadonlyMap<string, string> = new Map(
  derivations
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [base, derived] = line.split(': ') as [string, string];
      return derived.split(' ').map((name) => [name, base] as const);
    }),
);

/**
 * Members of the enumerations of server programs (docs/server/programs.md#names), by the name of the enumeration; a
 * test compares them with those of the runtime.
 */
const members: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    AccessLevel: 'NO_ACCESS READ CONNECT WRITE',
    APIProtocol: 'HTTP WEBHOOK WEBSOCKET',
    HTTPMethod: 'GET POST PUT PATCH DELETE',
    ScheduleTrigger: 'STATIC DYNAMIC CRON INTERVAL DATE',
  }).map(([name, words]) => [name, words.split(' ')]),
);

/** Members of an enumeration that comes with the runtime; undefined for what is none. */
export function enumMembers(name: string): readonly string[] | undefined {
  return members.get(name);
}

export interface RuntimeClasses {
  get(name: string): ClassInfo | undefined;
}

/** Classes of the runtime that programs inherit from, trigger on and test for. Their members are not known here, so all are open. */
export function makeRuntimeClasses(): RuntimeClasses {
  const classes = new Map<string, ClassInfo>([['object', runtimeClass('object', [])]]);
  const get = (name: string): ClassInfo | undefined => {
    const base = baseOf.get(name);
    if (classes.has(name) || base === undefined) return classes.get(name);
    const above = get(base)!;
    const made = runtimeClass(name, [above, ...above.bases]);
    classes.set(name, made);
    return made;
  };
  return { get };
}

function runtimeClass(name: string, bases: readonly ClassInfo[]): ClassInfo {
  return {
    name,
    module: '',
    kind: 'runtime',
    decl: undefined,
    bases,
    open: true,
    fields: noFields,
    constructorFields: [],
    methods: noMethods,
    abilities: new Map(),
    attributes: new Map(),
    members: [],
    primitive: undefined,
  };
}
