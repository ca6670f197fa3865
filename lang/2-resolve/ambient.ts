/**
 * Names that exist without an import (docs/language/builtins.md#functions, docs/language/builtins.md#exceptions) and
 * their aliases.
 */

/** Alias -> canonical name. */
export const ambientAliases: ReadonlyMap<string, string> = new Map([
  ['jid', 'oid'],
  ['jobj', 'oget'],
  ['jref', 'oref'],
  ['grant', 'perm_grant'],
  ['revoke', 'perm_revoke'],
  ['dotgen', 'printgraph'],
  ['IOError', 'OSError'],
  ['EnvironmentError', 'OSError'],
  ['NO_ACCESS', 'NoPerm'],
  ['READ', 'ReadPerm'],
  ['CONNECT', 'ConnectPerm'],
  ['WRITE', 'WritePerm'],
  ['quit', 'exit'],
]);

const functions = `print len str range int isinstance enumerate float round set sum input min max list open dict sorted any all abs ord chr
  hasattr getattr setattr delattr bool tuple id next iter format repr ascii type callable vars dir filter map zip reversed slice
  divmod pow hash bin oct hex bytes bytearray frozenset object issubclass super globals locals staticmethod classmethod property exit
  help NotImplemented Ellipsis __import__ aiter anext`;

const language = `oid oget oref perm_grant perm_revoke allow_root disallow_root allroots save commit on_commit reset_graph request store
  StorageFactory printgraph get_module_walkers get_module_functions llm new unsafe_html restspec schedule almostEqual Svc
  testraises testfail testskip check system_root user_root entry_node`;

const types = `Root Node Edge Walker Archetype GenericEdge AccessLevel APIProtocol ScheduleTrigger JsxElement JsxPage JsxLayout Region
  Self __class__`;

const constants = 'NoPerm ReadPerm ConnectPerm WritePerm';

const annotations = `Any Optional Union List Dict Set Tuple Type Callable Iterable Iterator Generator AsyncIterator AsyncIterable Awaitable
  Coroutine Mapping MutableMapping Sequence MutableSequence Literal ClassVar Annotated FrozenSet AsyncGenerator Collection Protocol TypeVar Generic Final NoReturn Never`;

const builtinTypes = 'i8 u8 i16 u16 i32 u32 i64 u64 f32 f64';

const moduleNames = '__name__ __file__ __doc__ __debug__';

const exceptions = `BaseException SystemExit KeyboardInterrupt GeneratorExit Exception ArithmeticError ZeroDivisionError OverflowError
  FloatingPointError AssertionError AttributeError BufferError EOFError ImportError ModuleNotFoundError LookupError IndexError KeyError
  MemoryError NameError UnboundLocalError OSError FileNotFoundError FileExistsError PermissionError IsADirectoryError
  NotADirectoryError ConnectionError ConnectionRefusedError ConnectionResetError ConnectionAbortedError BrokenPipeError TimeoutError
  InterruptedError ProcessLookupError RuntimeError NotImplementedError RecursionError StopIteration StopAsyncIteration SyntaxError
  TypeError ValueError UnicodeError UnicodeDecodeError UnicodeEncodeError ExceptionGroup Warning UserWarning DeprecationWarning
  RuntimeWarning FutureWarning BlockingIOError ChildProcessError ReferenceError IndentationError SystemError
  PendingDeprecationWarning SyntaxWarning ImportWarning UnicodeWarning ResourceWarning BaseExceptionGroup`;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every canonical ambient name. */
export const ambientNames: ReadonlySet<string> = new Set(
  words([functions, language, types, constants, annotations, builtinTypes, moduleNames, exceptions].join(' ')),
);

/** Built-ins of CPython that do not exist here (E0905), with what to do instead. */
export const missingBuiltins: ReadonlyMap<string, string> = new Map([
  ['eval', 'there is no evaluation of source text at run time'],
  ['exec', 'there is no evaluation of source text at run time'],
  ['compile', 'there is no evaluation of source text at run time'],
  ['memoryview', 'use `bytes` or `bytearray`'],
  ['complex', 'keep the two parts as floats'],
  ['breakpoint', 'run with a debugger attached instead'],
]);

export function ambientName(name: string): string | undefined {
  const canonical = ambientAliases.get(name) ?? name;
  return ambientNames.has(canonical) ? canonical : undefined;
}
