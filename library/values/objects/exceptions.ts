/**
 * The exception classes (docs/language/builtins.md#exceptions). They are JavaScript errors, so a stack is captured
 * where one is raised; their language side (`args`, notes, cause) is plain properties. Error texts follow CPython.
 */

import { Traceback } from '../calls/traceback-object.ts';
import { emptyTuple, Tuple } from '../containers/tuple.ts';
import {
  $about,
  $construct,
  $getattr,
  $isSubclass,
  $repr,
  $setattr,
  $str,
  $typeName,
  key,
  type ReprState,
} from './protocol.ts';
import { reprOf, strOf } from './repr.ts';
import { typeName } from './type-name.ts';

/** Looks at the `args` a class was given: when it is made, and in `super().__init__(…)`. */
const $given = Symbol('svc.given');

export class BaseException extends Error {
  /** Error of JavaScript code that this exception stands for (`caught`). */
  declare jsError: unknown;
  declare args: Tuple;
  declare __cause__: unknown;
  declare __context__: unknown;
  declare __suppress_context__: boolean;
  declare __notes__: unknown[] | undefined;
  declare [$typeName]: string;

  constructor(...args: any[]) {
    super();
    this.args = args.length === 0 ? emptyTuple : new Tuple(args);
    this[$given]?.();
  }

  /** `super.init(...)` of a program class. */
  init(...args: unknown[]): void {
    this.args = new Tuple(args);
    this[$given]?.();
  }

  [$given]?(): void;

  /** `raise`, `throw` and keyword arguments reach a class through `call`. */
  static [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    const made = new this(...args);
    if (kwargs !== undefined) {
      for (const [name, value] of kwargs) {
        if (!made.takesKeyword(name))
          throw new TypeError(
            made.takesKeyword('name')
              ? `'${name}' is an invalid keyword argument for ${made[$typeName]}()`
              : `${made[$typeName]}() takes no keyword arguments`,
          );
        made[key(name)] = value;
      }
    }
    return made;
  }

  protected takesKeyword(_name: string): boolean {
    return false;
  }

  static $new(this: any, ...args: unknown[]): unknown {
    return this[$construct](args);
  }

  [$setattr](name: string): boolean {
    if (name === '__cause__') this.__suppress_context__ = true;
    return false;
  }

  add_note(note: unknown): null {
    if (typeof note !== 'string') throw new TypeError(`note must be a str, not '${typeName(note)}'`);
    (this.__notes__ ??= []).push(note);
    return null;
  }

  with_traceback(_traceback: unknown): this {
    return this;
  }

  get __traceback__(): Traceback | null {
    if (this.stack === undefined) return null;
    let made = tracebacks.get(this);
    if (made === undefined) tracebacks.set(this, (made = new Traceback(this.stack)));
    return made;
  }

  set __traceback__(_value: unknown) {}

  [$str](): string {
    const items = this.args?.items ?? [];
    return items.length === 0 ? '' : items.length === 1 ? strOf(items[0]) : reprOf(this.args);
  }

  [$repr](state: ReprState): string {
    return `${this[$typeName]}(${this.args.items.map((item) => reprOf(item, state)).join(', ')})`;
  }
}

const tracebacks = new WeakMap<object, Traceback>();

// The JavaScript side reads `name` and `message` (logs, uncaught errors); a program may have fields of these names.
for (const [property, read] of [
  ['message', (self: BaseException) => (self.args === undefined ? '' : strOf(self))],
  ['name', (self: BaseException) => self[$typeName]],
] as const) {
  Object.defineProperty(BaseException.prototype, property, {
    get(this: BaseException) {
      try {
        return read(this);
      } catch {
        return '';
      }
    },
    set(this: BaseException, value: unknown) {
      Object.defineProperty(this, property, { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: true,
  });
}
Object.assign(BaseException.prototype, { __cause__: null, __context__: null, __suppress_context__: false });

export class SystemExit extends BaseException {
  get code(): unknown {
    const items = this.args.items;
    return items.length === 0 ? null : items.length === 1 ? items[0] : this.args;
  }
}
export class KeyboardInterrupt extends BaseException {}
export class GeneratorExit extends BaseException {}
export class Exception extends BaseException {}

export class ArithmeticError extends Exception {}
export class ZeroDivisionError extends ArithmeticError {}
export class OverflowError extends ArithmeticError {}
export class FloatingPointError extends ArithmeticError {}
export class AssertionError extends Exception {}
export class AttributeError extends Exception {
  protected override takesKeyword(name: string): boolean {
    return name === 'name' || name === 'obj';
  }
}
export class BufferError extends Exception {}
export class EOFError extends Exception {}
export class ImportError extends Exception {
  protected override takesKeyword(name: string): boolean {
    return name === 'name' || name === 'path';
  }
}
export class ModuleNotFoundError extends ImportError {}
export class LookupError extends Exception {}
export class IndexError extends LookupError {}
export class KeyError extends LookupError {
  override [$str](): string {
    return this.args.items.length === 1 ? reprOf(this.args.items[0]) : super[$str]();
  }
}
export class MemoryError extends Exception {}
export class NameError extends Exception {
  protected override takesKeyword(name: string): boolean {
    return name === 'name';
  }
}
export class UnboundLocalError extends NameError {}

/** `OSError(errno, strerror[, filename])` also picks the subclass for the error number; `args` does not keep the names of files. */
export class OSError extends Exception {
  override [$given](): void {
    keepFiles(this);
  }

  get errno(): unknown {
    return this.args.items.length === 2 ? this.args.items[0] : null;
  }

  get strerror(): unknown {
    return this.args.items.length === 2 ? this.args.items[1] : null;
  }

  get filename(): unknown {
    return filesOf.get(this)?.[2] ?? null;
  }

  get filename2(): unknown {
    return filesOf.get(this)?.[4] ?? null;
  }

  override [$str](): string {
    if (this.args.items.length !== 2) return super[$str]();
    const files = this.filename === null ? '' : `: ${reprOf(this.filename)}`;
    const second = this.filename2 === null ? '' : ` -> ${reprOf(this.filename2)}`;
    return `[Errno ${strOf(this.errno)}] ${strOf(this.strerror)}${files}${second}`;
  }

  static override [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    const cls = this === OSError && args.length >= 2 ? (byNumber.get(args[0]) ?? OSError) : this;
    return BaseException[$construct].call(cls, args, kwargs);
  }
}

const filesOf = new WeakMap<OSError, readonly unknown[]>();

function keepFiles(error: OSError): void {
  const { items } = error.args;
  if (items.length < 3 || items.length > 5) return;
  filesOf.set(error, items);
  error.args = new Tuple(items.slice(0, 2));
}

export class FileNotFoundError extends OSError {}
export class FileExistsError extends OSError {}
export class PermissionError extends OSError {}
export class IsADirectoryError extends OSError {}
export class NotADirectoryError extends OSError {}
export class ConnectionError extends OSError {}
export class ConnectionRefusedError extends ConnectionError {}
export class ConnectionResetError extends ConnectionError {}
export class ConnectionAbortedError extends ConnectionError {}
export class BrokenPipeError extends ConnectionError {}
export class TimeoutError extends OSError {}
export class InterruptedError extends OSError {}
export class ProcessLookupError extends OSError {}
export class BlockingIOError extends OSError {}
export class ChildProcessError extends OSError {}

const byNumber = new Map<unknown, typeof OSError>([
  [1, PermissionError],
  [2, FileNotFoundError],
  [3, ProcessLookupError],
  [4, InterruptedError],
  [10, ChildProcessError],
  [11, BlockingIOError],
  [13, PermissionError],
  [17, FileExistsError],
  [20, NotADirectoryError],
  [21, IsADirectoryError],
  [32, BrokenPipeError],
  [103, ConnectionAbortedError],
  [104, ConnectionResetError],
  [110, TimeoutError],
  [111, ConnectionRefusedError],
]);

export class RuntimeError extends Exception {}
export class NotImplementedError extends RuntimeError {}
export class RecursionError extends RuntimeError {}
export class ReferenceError extends Exception {}
export class StopIteration extends Exception {
  get value(): unknown {
    return this.args.items[0] ?? null;
  }
}
export class StopAsyncIteration extends Exception {}
/** `SyntaxError(message, (filename, lineno, offset, text))` */
export class SyntaxError extends Exception {
  override [$str](): string {
    const { items } = this.args;
    if (items.length !== 2) return super[$str]();
    const [file, line] = detailsOf(this) as [unknown, unknown];
    return `${strOf(items[0])} (${file === null ? '' : `${strOf(file)}, `}line ${strOf(line)})`;
  }
}
export class IndentationError extends SyntaxError {}
export class SystemError extends Exception {}
export class TypeError extends Exception {}
export class ValueError extends Exception {}
export class UnicodeError extends ValueError {}

/** `UnicodeDecodeError(encoding, object, start, end, reason)` */
export class UnicodeDecodeError extends UnicodeError {
  override [$str](): string {
    if (this.args.items.length !== 5) return super[$str]();
    const [encoding, object, start, end, reason] = this.args.items as [
      string,
      { data: Uint8Array },
      number,
      number,
      string,
    ];
    if (end - start !== 1) return `'${encoding}' codec can't decode bytes in position ${start}-${end - 1}: ${reason}`;
    const byte = (object.data[start] ?? 0).toString(16).padStart(2, '0');
    return `'${encoding}' codec can't decode byte 0x${byte} in position ${start}: ${reason}`;
  }
}

/** `UnicodeEncodeError(encoding, object, start, end, reason)` */
export class UnicodeEncodeError extends UnicodeError {
  override [$str](): string {
    if (this.args.items.length !== 5) return super[$str]();
    const [encoding, object, start, end, reason] = this.args.items as [string, string, number, number, string];
    if (end - start !== 1)
      return `'${encoding}' codec can't encode characters in position ${start}-${end - 1}: ${reason}`;
    const code = Array.from(object)[start]?.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    const shown =
      code <= 0xff
        ? `\\x${hex.padStart(2, '0')}`
        : code <= 0xffff
          ? `\\u${hex.padStart(4, '0')}`
          : `\\U${hex.padStart(8, '0')}`;
    return `'${encoding}' codec can't encode character '${shown}' in position ${start}: ${reason}`;
  }
}

// Arguments that exceptions were made with are read by name, too; None where one was not given.
const detailsOf = (e: Exception): readonly any[] => (e.args.items[1] as Tuple | undefined)?.items ?? [];
readByName([UnicodeDecodeError, UnicodeEncodeError], 'encoding object start end reason', (e) => e.args.items);
readByName([SyntaxError], 'filename lineno offset text end_lineno end_offset', detailsOf);
readByName([SyntaxError, ImportError], 'msg', (e) => e.args.items);
readByName([ImportError], 'name path', () => []);
readByName([AttributeError, NameError], 'name obj', () => []);

function readByName(classes: readonly any[], names: string, items: (e: Exception) => readonly unknown[]): void {
  for (const { prototype } of classes) {
    const before = prototype[$getattr];
    prototype[$getattr] = function (this: Exception, name: string): unknown {
      const at = names.split(' ').indexOf(name);
      return at < 0 ? before?.call(this, name) : (items(this)[at] ?? null);
    };
  }
}

export class Warning extends Exception {}
export class UserWarning extends Warning {}
export class DeprecationWarning extends Warning {}
export class PendingDeprecationWarning extends Warning {}
export class RuntimeWarning extends Warning {}
export class FutureWarning extends Warning {}
export class SyntaxWarning extends Warning {}
export class ImportWarning extends Warning {}
export class UnicodeWarning extends Warning {}
export class ResourceWarning extends Warning {}

/**
 * A group of exceptions raised together: `ExceptionGroup(message, [exceptions])`. How groups are taken apart is in
 * builtins/modules/exception-groups.ts, which is read where a program names them.
 */
export class BaseExceptionGroup extends BaseException {
  declare derive: (members: readonly unknown[]) => unknown;
  declare subgroup: (condition: unknown) => unknown;
  declare split: (condition: unknown) => Tuple;

  /** @throws TypeError, ValueError for what makes no group */
  declare $check: ((message: unknown, members: unknown) => void) | undefined;

  constructor(message?: any, members?: any, ...rest: any[]) {
    super(message, members, ...rest);
    this.$check?.(message, members);
  }

  get exceptions(): Tuple {
    return new Tuple(membersOf(this));
  }

  override [$str](): string {
    const count = membersOf(this).length;
    return `${strOf(this.args.items[0])} (${count} sub-exception${count === 1 ? '' : 's'})`;
  }

  [$getattr](name: string): unknown {
    return name === 'message' ? this.args.items[0] : undefined;
  }
}
export class ExceptionGroup extends BaseExceptionGroup {}
// An ExceptionGroup is an Exception as well; `except Exception` has to see it.
Object.defineProperty(Exception, Symbol.hasInstance, {
  value(this: unknown, x: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(this, x) || (this === Exception && isExceptionGroup(x));
  },
});
Object.defineProperty(Exception, $isSubclass, {
  value(this: any, cls: any): boolean {
    if (cls.prototype instanceof this) return true;
    return this === Exception && (cls === ExceptionGroup || cls.prototype instanceof ExceptionGroup);
  },
});
Object.defineProperty(BaseExceptionGroup.prototype, 'message', {
  get(this: BaseExceptionGroup) {
    return this.args === undefined ? '' : this.args.items[0];
  },
  set: Object.getOwnPropertyDescriptor(BaseException.prototype, 'message')!.set!,
  configurable: true,
});

/** Every class by its name. `IOError` and `EnvironmentError` are `OSError`. */
export const exceptionClasses: Readonly<Record<string, any>> = {
  BaseException,
  SystemExit,
  KeyboardInterrupt,
  GeneratorExit,
  Exception,
  ArithmeticError,
  ZeroDivisionError,
  OverflowError,
  FloatingPointError,
  AssertionError,
  AttributeError,
  BufferError,
  EOFError,
  ImportError,
  ModuleNotFoundError,
  LookupError,
  IndexError,
  KeyError,
  MemoryError,
  NameError,
  UnboundLocalError,
  OSError,
  FileNotFoundError,
  FileExistsError,
  PermissionError,
  IsADirectoryError,
  NotADirectoryError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  ConnectionAbortedError,
  BrokenPipeError,
  TimeoutError,
  InterruptedError,
  ProcessLookupError,
  BlockingIOError,
  ChildProcessError,
  RuntimeError,
  NotImplementedError,
  RecursionError,
  ReferenceError,
  StopIteration,
  StopAsyncIteration,
  SyntaxError,
  IndentationError,
  SystemError,
  TypeError,
  ValueError,
  UnicodeError,
  UnicodeDecodeError,
  UnicodeEncodeError,
  Warning,
  UserWarning,
  DeprecationWarning,
  PendingDeprecationWarning,
  RuntimeWarning,
  FutureWarning,
  SyntaxWarning,
  ImportWarning,
  UnicodeWarning,
  ResourceWarning,
  BaseExceptionGroup,
  ExceptionGroup,
};
for (const [name, cls] of Object.entries(exceptionClasses)) {
  Object.defineProperty(cls.prototype, $typeName, { value: name, configurable: true, writable: true });
}

/** Gives a runtime exception class its language name (archetypes do this themselves). */
export function nameException(cls: { prototype: BaseException }, name: string, module?: string): void {
  Object.defineProperty(cls.prototype, $typeName, { value: name, configurable: true, writable: true });
  if (module !== undefined)
    Object.defineProperty(cls, $about, { value: { module, qualname: name }, configurable: true, writable: true });
}

function isExceptionGroup(x: unknown): boolean {
  return Function.prototype[Symbol.hasInstance].call(ExceptionGroup, x);
}

/** The exceptions of a group, as a list of its own. */
export function membersOf(group: BaseExceptionGroup): unknown[] {
  const members = group.args.items[1];
  return members instanceof Tuple ? [...members.items] : Array.isArray(members) ? members : [];
}
