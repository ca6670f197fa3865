/** Exceptions: classes derived from `Error`, and which of them a value thrown by JavaScript counts as. */
import { className } from './kinds.ts';
import { repr, str } from './text.ts';

function messageOf(args: readonly unknown[]): string {
  return args.length > 1 ? `(${args.map((one) => repr(one)).join(', ')})` : args.length === 1 ? str(args[0]) : '';
}

export class BaseException extends Error {
  args: unknown[];

  constructor(...args: unknown[]) {
    super(messageOf(args));
    this.args = args;
    this.name = className(new.target);
  }

  /** `super.init(…)` in the `init` of a class of the program. */
  $args(...args: unknown[]): void {
    this.args = args;
    this.message = messageOf(args);
  }
}
export class Exception extends BaseException {}
export class ArithmeticError extends Exception {}
export class ZeroDivisionError extends ArithmeticError {}
export class OverflowError extends ArithmeticError {}
export class FloatingPointError extends ArithmeticError {}
export class AssertionError extends Exception {}
export class AttributeError extends Exception {}
export class IndentationError extends Exception {}
export class SystemError extends Exception {}
export class MemoryError extends Exception {}
export class EOFError extends Exception {}
export class BufferError extends Exception {}
export class ImportError extends Exception {}
export class ModuleNotFoundError extends ImportError {}
export class LookupError extends Exception {}
export class IndexError extends LookupError {}
export class KeyError extends LookupError {
  __str__(): string {
    const [key] = this.args;
    return typeof key === 'string' ? `'${key}'` : this.message;
  }
}
export class NameError extends Exception {}
export class UnboundLocalError extends NameError {}
export class OSError extends Exception {}
export class ConnectionError extends OSError {}
export class BrokenPipeError extends ConnectionError {}
export class ConnectionAbortedError extends ConnectionError {}
export class ConnectionResetError extends ConnectionError {}
export class ConnectionRefusedError extends ConnectionError {}
export class TimeoutError extends OSError {}
export class FileNotFoundError extends OSError {}
export class ChildProcessError extends OSError {}
export class BlockingIOError extends OSError {}
export class ProcessLookupError extends OSError {}
export class InterruptedError extends OSError {}
export class NotADirectoryError extends OSError {}
export class IsADirectoryError extends OSError {}
export class FileExistsError extends OSError {}
export class PermissionError extends OSError {}
export class RuntimeError extends Exception {}
export class NotImplementedError extends RuntimeError {}
export class RecursionError extends RuntimeError {}
export class StopIteration extends Exception {
  get value(): unknown {
    return this.args[0];
  }
}
export class StopAsyncIteration extends Exception {}
class $TypeError extends Exception {}

export { $TypeError as TypeError };
export class ValueError extends Exception {}
export class UnicodeError extends ValueError {}
export class UnicodeEncodeError extends UnicodeError {}
export class UnicodeDecodeError extends UnicodeError {}
export class KeyboardInterrupt extends BaseException {}
export class SystemExit extends BaseException {}
export class GeneratorExit extends BaseException {}
export class Warning extends Exception {}
export class UserWarning extends Warning {}
export class DeprecationWarning extends Warning {}
export class RuntimeWarning extends Warning {}
export class FutureWarning extends Warning {}
export class PendingDeprecationWarning extends Warning {}
export class SyntaxWarning extends Warning {}
export class ImportWarning extends Warning {}
export class UnicodeWarning extends Warning {}
export class ResourceWarning extends Warning {}
export class ExceptionGroup extends Exception {}
export class BaseExceptionGroup extends BaseException {}

type Class = abstract new (...args: never[]) => unknown;

/** JavaScript's own errors with the classes of the language that take them. */
const counterparts: readonly (readonly [Class, readonly Class[]])[] = [
  [TypeError, [$TypeError, AttributeError]],
  [SyntaxError, [ValueError]],
  [RangeError, [ValueError, RecursionError]],
  [ReferenceError, [NameError]],
];

/** Does an `except` clause for these classes take what was thrown? `Exception` takes everything, also what is no error. */
export function matches(error: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => matches(error, one));
  if (typeof wanted !== 'function') return false;
  if (wanted === BaseException || wanted === Error) return true;
  if (wanted === Exception) return !(error instanceof BaseException) || error instanceof Exception;
  if (error instanceof (wanted as Class)) return true;
  return counterparts.some(([native, taken]) => error instanceof native && taken.includes(wanted as Class));
}

/** The value of `except … as e`. */
export function caught(error: unknown): unknown {
  return error instanceof Error || (typeof error === 'object' && error !== null) ? error : new Exception(error);
}

/** Gives the value that `raise` throws: an instance of the class it is given, with its cause. */
export function raised(value: unknown, cause?: unknown): unknown {
  const error = typeof value === 'function' ? new (value as new () => unknown)() : value;
  if (typeof error !== 'object' || error === null) return new $TypeError('exceptions must derive from BaseException');
  if (cause !== undefined) Object.assign(error, { cause, __cause__: cause });
  return error;
}
