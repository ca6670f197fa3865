import type { ClassInfo, FieldInfo, FunctionInfo } from './types.ts';

const noFields: ReadonlyMap<string, FieldInfo> = new Map();
const noMethods: ReadonlyMap<string, FunctionInfo> = new Map();

/** Exceptions by base, as language.md 6.8 draws them: `Base: derived derived …`. Bases first. */
const exceptionTree = `
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

/** Classes of the runtime that programs inherit from, trigger on and test for. Their members are not known here, so all are open. */
export function makeRuntimeClasses(): ReadonlyMap<string, ClassInfo> {
  const classes = new Map<string, ClassInfo>();
  const add = (name: string, ...bases: readonly string[]): void => {
    const direct = bases.map((base) => classes.get(base)!);
    classes.set(name, runtimeClass(name, [...new Set(direct.flatMap((base) => [base, ...base.bases]))]));
  };
  add('object');
  add('Archetype', 'object');
  for (const name of ['Node', 'Edge', 'Walker']) add(name, 'Archetype');
  add('Root', 'Node');
  add('GenericEdge', 'Edge');
  add('BaseException', 'object');
  for (const line of exceptionTree.trim().split('\n')) {
    const [base, derived] = line.split(': ') as [string, string];
    for (const name of derived.split(' ')) add(name, base);
  }
  for (const name of ['AccessLevel', 'APIProtocol', 'ScheduleTrigger', 'JsxElement', 'StorageFactory'])
    add(name, 'object');
  return classes;
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
