/** Raising and catching (docs/language/statements.md#exceptions, docs/language/builtins.md#exceptions). */

import { Tuple } from '../containers/tuple.ts';
import {
  AttributeError,
  BaseException,
  BrokenPipeError,
  ConnectionAbortedError,
  ConnectionRefusedError,
  ConnectionResetError,
  Exception,
  FileExistsError,
  FileNotFoundError,
  InterruptedError,
  IsADirectoryError,
  MemoryError,
  NameError,
  NotADirectoryError,
  OSError,
  PermissionError,
  ProcessLookupError,
  RecursionError,
  RuntimeError,
  TimeoutError,
  TypeError,
  UnboundLocalError,
  ValueError,
} from '../objects/exceptions.ts';
import { $uncatchable } from '../objects/protocol.ts';
import { isClass, typeName } from '../objects/type-name.ts';
import { call } from './calls.ts';
import { handling, noteHandled } from './handled.ts';

/**
 * Gives the exception that `raise x from cause` throws. `context` is the exception being handled there, if any. @throws
 * TypeError
 */
export function raised(x: any, cause?: unknown, context?: unknown): unknown {
  const error: any = instanceOf(x, 'exceptions must derive from BaseException');
  if (cause !== undefined) {
    error.__cause__ = cause === null ? null : instanceOf(cause, 'exception causes must derive from BaseException');
    error.__suppress_context__ = true;
  }
  if (context !== undefined && context !== null && context !== error) {
    error.__context__ = null;
    setContext(error, context as BaseException);
  }
  return error;
}

/**
 * Gives the error that leaves an `except` or `finally` block, or its equivalent in a context manager, with `handled` as
 * its context.
 */
export function during(x: any, handled: any): unknown {
  if (x !== handled && handled instanceof BaseException && x?.[$uncatchable] !== true)
    setContext(x instanceof BaseException ? x : foreign(x), handled);
  return x;
}

/** The same where the block does not know the exception that is on its way; it may be one of JavaScript code. */
export function duringAny(x: any, passing: any): unknown {
  if (passing === undefined || passing?.[$uncatchable] === true) return x;
  return during(x, passing instanceof BaseException ? passing : foreign(passing));
}

/**
 * Sets the context of an error: it was raised while something else was handled there, and that while `handled` was;
 * never in a circle.
 */
function setContext(error: BaseException, handled: BaseException): void {
  let last: BaseException = error;
  while (last !== handled && last.__context__ instanceof BaseException) last = last.__context__;
  if (last === handled) return;
  for (let at: unknown = handled; at instanceof BaseException; at = at.__context__) {
    if (at.__context__ === last) at.__context__ = null;
  }
  last.__context__ = handled;
}

function instanceOf(x: any, complaint: string): unknown {
  if (x instanceof Error) return x;
  if (isClass(x) && ((x as any).prototype instanceof BaseException || (x as any) === BaseException)) {
    const made = call(x);
    if (made instanceof BaseException) return made;
  }
  if (isClass(x) && (x as any).prototype instanceof Error) return new (x as any)();
  throw new TypeError(complaint);
}

/** Does `except cls` take `e`? `cls` may be a tuple. @throws TypeError for what is not an exception class */
export function excMatch(e: unknown, cls: any): boolean {
  if (typeof cls === 'function') {
    if (cls.prototype instanceof Error || cls === Error) return e instanceof cls || originalError(e) instanceof cls;
  } else if (cls instanceof Tuple) return cls.items.some((one) => excMatch(e, one));
  throw new TypeError('catching classes that do not inherit from BaseException is not allowed');
}

const wrapped = new WeakMap<object, BaseException>();

/**
 * The exception a `catch` clause works with, inside a clause that works with `handled` where there is one. Errors of JavaScript code become
 * exceptions of the language, the same one each time; what the runtime marks as uncatchable is thrown on.
 */
export function caught(e: any, handled?: BaseException): any {
  const error = e instanceof BaseException ? e : foreign(e);
  if (handled !== undefined && handled !== error) setContext(error, handled);
  noteHandled(error);
  return error;
}

function foreign(e: any): BaseException {
  if (typeof e !== 'object' || e === null) return new Exception(typeof e === 'string' ? e : String(e));
  if (e[$uncatchable] === true) throw e;
  let known = wrapped.get(e);
  if (known === undefined) {
    known = translate(e);
    Object.defineProperty(known, 'jsError', { value: e, configurable: true });
    // Read on demand: making the text of a stack is slow.
    Object.defineProperty(known, 'stack', { get: () => e.stack, configurable: true });
    wrapped.set(e, known);
  }
  return known;
}

/** Anything thrown as an exception of the language; what the runtime marks as uncatchable stays as it is. */
export function toException(e: any): unknown {
  return e instanceof BaseException || e?.[$uncatchable] === true ? e : foreign(e);
}

/** The JavaScript error behind an exception, or the exception itself. */
export function originalError(e: any): any {
  return e instanceof BaseException && e.jsError !== undefined ? e.jsError : e;
}

function translate(e: any): BaseException {
  const message = typeof e.message === 'string' ? e.message : String(e);
  const code = typeof e.code === 'string' ? e.code : e.cause?.code;
  if (typeof code === 'string') {
    const system = systemErrors[code];
    if (system !== undefined) return fromSystem(e.code === code ? e : e.cause, system);
  }
  if (e instanceof globalThis.TypeError) return fromTypeError(message);
  if (e instanceof RangeError) {
    if (message.startsWith('Maximum call stack')) return new RecursionError('maximum recursion depth exceeded');
    return tooLarge.test(message) ? new MemoryError() : new ValueError(message);
  }
  if (e instanceof globalThis.SyntaxError) return new ValueError(message);
  if (e instanceof globalThis.ReferenceError) return fromReferenceError(message);
  if (e.name === 'TimeoutError' || e.name === 'AbortError') return new TimeoutError(message);
  return new Exception(message);
}

// A text, list, block of bytes or integer for which there is no room.
const tooLarge =
  /^(Invalid (string|(typed )?array( buffer)?) length|Array buffer allocation|Maximum BigInt size|(Set|Map) maximum size)/;

// Field access that was compiled to a plain property read meets None.
const nullAccess =
  /^Cannot (?:read properties of|set properties of) (?:null|undefined) \((?:reading|setting) '(.*)'\)$/;

function fromTypeError(message: string): BaseException {
  const found = nullAccess.exec(message);
  if (found !== null) return new AttributeError(`'NoneType' object has no attribute '${found[1]!.replace(/\$$/, '')}'`);
  return new TypeError(message);
}

function fromReferenceError(message: string): BaseException {
  const early = /^Cannot access '(.*)' before initialization$/.exec(message);
  if (early !== null) return unboundError(early[1]!);
  const missing = /^(.*) is not defined$/.exec(message);
  return new NameError(missing === null ? message : `name '${missing[1]}' is not defined`);
}

interface SystemError {
  readonly errno: number;
  readonly text: string;
  readonly cls: any;
}

const systemErrors: Readonly<Record<string, SystemError>> = {
  EPERM: { errno: 1, text: 'Operation not permitted', cls: PermissionError },
  ENOENT: { errno: 2, text: 'No such file or directory', cls: FileNotFoundError },
  ESRCH: { errno: 3, text: 'No such process', cls: ProcessLookupError },
  EINTR: { errno: 4, text: 'Interrupted system call', cls: InterruptedError },
  EIO: { errno: 5, text: 'Input/output error', cls: OSError },
  EBADF: { errno: 9, text: 'Bad file descriptor', cls: OSError },
  EACCES: { errno: 13, text: 'Permission denied', cls: PermissionError },
  EEXIST: { errno: 17, text: 'File exists', cls: FileExistsError },
  EXDEV: { errno: 18, text: 'Invalid cross-device link', cls: OSError },
  ENOTDIR: { errno: 20, text: 'Not a directory', cls: NotADirectoryError },
  EISDIR: { errno: 21, text: 'Is a directory', cls: IsADirectoryError },
  EINVAL: { errno: 22, text: 'Invalid argument', cls: OSError },
  EMFILE: { errno: 24, text: 'Too many open files', cls: OSError },
  ENOSPC: { errno: 28, text: 'No space left on device', cls: OSError },
  EROFS: { errno: 30, text: 'Read-only file system', cls: OSError },
  EPIPE: { errno: 32, text: 'Broken pipe', cls: BrokenPipeError },
  ENAMETOOLONG: { errno: 36, text: 'File name too long', cls: OSError },
  ENOTEMPTY: { errno: 39, text: 'Directory not empty', cls: OSError },
  ELOOP: { errno: 40, text: 'Too many levels of symbolic links', cls: OSError },
  EADDRINUSE: { errno: 98, text: 'Address already in use', cls: OSError },
  ENETUNREACH: { errno: 101, text: 'Network is unreachable', cls: OSError },
  ECONNABORTED: { errno: 103, text: 'Software caused connection abort', cls: ConnectionAbortedError },
  ECONNRESET: { errno: 104, text: 'Connection reset by peer', cls: ConnectionResetError },
  ETIMEDOUT: { errno: 110, text: 'Connection timed out', cls: TimeoutError },
  ECONNREFUSED: { errno: 111, text: 'Connection refused', cls: ConnectionRefusedError },
  EHOSTUNREACH: { errno: 113, text: 'No route to host', cls: OSError },
  ENOTFOUND: { errno: -2, text: 'Name or service not known', cls: OSError },
  EAI_AGAIN: { errno: -3, text: 'Temporary failure in name resolution', cls: OSError },
};

function fromSystem(e: any, known: SystemError): BaseException {
  const files = e.path === undefined ? [] : e.dest === undefined ? [e.path] : [e.path, null, e.dest];
  return new known.cls(known.errno, known.text, ...files);
}

function unboundError(name: string): UnboundLocalError {
  const error: any = new UnboundLocalError(
    `cannot access local variable '${name}' where it is not associated with a value`,
  );
  error.name = name;
  return error;
}

/** A local variable was read before anything was assigned to it. */
export function unbound(name: string): never {
  throw unboundError(name);
}

/** A name means nothing here. */
export function undefinedName(name: string): never {
  const error: any = new NameError(`name '${name}' is not defined`);
  error.name = name;
  throw error;
}

/** A bare `raise` outside of the text of an except clause raises what a caller works with. @throws RuntimeError when nobody does */
export function raiseHandled(): never {
  throw handling.at(-1) ?? new RuntimeError('No active exception to reraise');
}

/** Checks the result of an `__init__`. @throws TypeError for anything but None */
export function initGave(value: unknown): void {
  if (value !== null && value !== undefined)
    throw new TypeError(`__init__() should return None, not '${typeName(value)}'`);
}
