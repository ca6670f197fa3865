/** The names of values and operators that generated code uses; core/runtime.ts re-exports them. */
import './tuple-protocol.ts';

export {
  $exposed,
  $open,
  asModule,
  delattr,
  getattr,
  getattrOr,
  hasattr,
  optattr,
  setattr,
  takeattr,
} from './attributes.ts';
export { awaitable } from './awaitable.ts';
export { openBorder } from './border.ts';
export { ByteArray, Bytes, bytes } from './bytes.ts';
export { bytearrayM, bytesM } from './bytes-methods.ts';
export { cacheGetter } from './cached-getter.ts';
export { call, callable, callkw } from './calls.ts';
export { attach, decorate } from './class-methods.ts';
export { contains } from './contains.ts';
export { aenter, aexit, enter, exit } from './context-managers.ts';
export { coro } from './coroutine.ts';
export { Dict, dict } from './dict.ts';
export { dictM } from './dict-methods.ts';
export { dictSpread, dictUpdate, keywordSpread } from './dict-update.ts';
export { auto, Enum, enumeration, Flag, IntEnum, IntFlag, StrEnum } from './enums.ts';
export { eq, is, ne } from './equality.ts';
export {
  ArithmeticError,
  AssertionError,
  AttributeError,
  BaseException,
  BaseExceptionGroup,
  BlockingIOError,
  BrokenPipeError,
  BufferError,
  ChildProcessError,
  ConnectionAbortedError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  DeprecationWarning,
  EOFError,
  Exception,
  ExceptionGroup,
  FileExistsError,
  FileNotFoundError,
  FloatingPointError,
  FutureWarning,
  GeneratorExit,
  ImportError,
  ImportWarning,
  IndentationError,
  IndexError,
  InterruptedError,
  IsADirectoryError,
  KeyboardInterrupt,
  KeyError,
  LookupError,
  MemoryError,
  ModuleNotFoundError,
  NameError,
  NotADirectoryError,
  NotImplementedError,
  OSError,
  OSError as EnvironmentError,
  OSError as IOError,
  OverflowError,
  PendingDeprecationWarning,
  PermissionError,
  ProcessLookupError,
  RecursionError,
  ReferenceError,
  ResourceWarning,
  RuntimeError,
  RuntimeWarning,
  StopAsyncIteration,
  StopIteration,
  SyntaxError,
  SyntaxWarning,
  SystemError,
  SystemExit,
  TimeoutError,
  TypeError,
  UnboundLocalError,
  UnicodeDecodeError,
  UnicodeEncodeError,
  UnicodeError,
  UnicodeWarning,
  UserWarning,
  ValueError,
  Warning,
  ZeroDivisionError,
} from './exceptions.ts';
export { failedAssert } from './failed-assert.ts';
export { format } from './format.ts';
export { agen, gen, yieldFrom } from './generators.ts';
export { beginHandling, endHandling } from './handled.ts';
export { hinted, hintedValues, shown } from './hinted.ts';
export { aiter, iter, unpack, unpackStar, whole } from './iteration.ts';
export { jsModule } from './js-module.ts';
export { listM, tupleM } from './list-methods.ts';
export { matchArgument } from './match-argument.ts';
export { callMethod, callMethodKw, method } from './methods.ts';
export { floatM, intM } from './number-methods.ts';
export {
  add,
  band,
  bor,
  bxor,
  div,
  floordiv,
  iadd,
  iband,
  ibor,
  ibxor,
  idiv,
  ifloordiv,
  ilshift,
  imatmul,
  imod,
  imul,
  invert,
  ipow,
  irshift,
  isub,
  lshift,
  matmul,
  mod,
  mul,
  neg,
  percent,
  pos,
  pow,
  powf,
  real,
  rshift,
  sub,
} from './operators.ts';
export { compared, ge, gt, le, lt } from './ordering.ts';
export { key } from './protocol.ts';
export {
  caught,
  during,
  duringAny,
  excMatch,
  initGave,
  originalError,
  raised,
  raiseHandled,
  unbound,
  undefinedName,
} from './raise.ts';
export { Range, range } from './range.ts';
export { rangeM } from './range-methods.ts';
export { ask } from './regions.ts';
export { replaceable } from './replaceable.ts';
export { asciiOf as ascii, reprOf as repr, strOf as str } from './repr.ts';
export { frozensetM, setM } from './set-methods.ts';
export { FrozenSet, PySet, set } from './sets.ts';
export { Ellipsis, NotImplemented } from './singletons.ts';
export { Slice } from './slice.ts';
export { strM } from './str-methods.ts';
export { delitem, delslice, getitem, getslice, optitem, setitem, setslice, takeitem, takeslice } from './subscripts.ts';
export { attributeText } from './text-arguments.ts';
export { truth } from './truth.ts';
export { Tuple, tuple } from './tuple.ts';
export { written } from './written-keys.ts';
