/** The names of values and operators that generated code uses; core/runtime.ts re-exports them. */
import './containers/tuple-protocol.ts';

export { awaitable } from './calls/awaitable.ts';
export { openBorder } from './calls/border.ts';
export { call, callable, callkw } from './calls/calls.ts';
export { aenter, aexit, enter, exit } from './calls/context-managers.ts';
export { coro } from './calls/coroutine.ts';
export { failedAssert } from './calls/failed-assert.ts';
export { agen, gen, yieldFrom } from './calls/generators.ts';
export { beginHandling, endHandling } from './calls/handled.ts';
export { jsModule } from './calls/js-module.ts';
export { matchArgument } from './calls/match-argument.ts';
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
} from './calls/raise.ts';
export { ask } from './calls/regions.ts';
export { replaceable } from './calls/replaceable.ts';
export { contains } from './containers/contains.ts';
export { Dict, dict } from './containers/dict.ts';
export { dictM } from './containers/dict-methods.ts';
export { dictSpread, dictUpdate, keywordSpread } from './containers/dict-update.ts';
export { aiter, iter, unpack, unpackStar, whole } from './containers/iteration.ts';
export { listM, tupleM } from './containers/list-methods.ts';
export { Range, range } from './containers/range.ts';
export { rangeM } from './containers/range-methods.ts';
export { frozensetM, setM } from './containers/set-methods.ts';
export { FrozenSet, PySet, set } from './containers/sets.ts';
export { Slice } from './containers/slice.ts';
export {
  delitem,
  delslice,
  getitem,
  getslice,
  optitem,
  setitem,
  setslice,
  takeitem,
  takeslice,
} from './containers/subscripts.ts';
export { Tuple, tuple } from './containers/tuple.ts';
export { written } from './containers/written-keys.ts';
export { bare, boxed as f, isOwnFloat } from './numbers/float-box.ts';
export { floatM, intM } from './numbers/number-methods.ts';
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
} from './objects/attributes.ts';
export { cacheGetter } from './objects/cached-getter.ts';
export { attach, decorate } from './objects/class-methods.ts';
export { auto, Enum, enumeration, Flag, IntEnum, IntFlag, StrEnum } from './objects/enums.ts';
export { eq, is, ne } from './objects/equality.ts';
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
} from './objects/exceptions.ts';
export { callMethod, callMethodKw, method } from './objects/methods.ts';
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
  pos,
  pow,
  rshift,
  sub,
} from './objects/operators.ts';
export { compared, ge, gt, le, lt } from './objects/ordering.ts';
export { key } from './objects/protocol.ts';
export { asciiOf as ascii, reprOf as repr, strOf as str } from './objects/repr.ts';
export { Ellipsis, NotImplemented } from './objects/singletons.ts';
export { truth } from './objects/truth.ts';
export { ByteArray, Bytes, bytes } from './text/bytes.ts';
export { bytearrayM, bytesM } from './text/bytes-methods.ts';
export { format } from './text/format.ts';
export { strM } from './text/str-methods.ts';
export { attributeText } from './text/text-arguments.ts';
