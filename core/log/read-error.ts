import { cutText } from '../../base/cut-text.ts';
import { toException } from '../../library/values/calls/raise.ts';
import { textOfException } from '../../library/values/objects/exception-text.ts';
import { BaseException, BaseExceptionGroup } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';

/** A call in the source of the program. Line and column count from 1. */
export interface SourceFrame {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Undefined at module level. */
  readonly function: string | undefined;
}

/** An error as logs and terminals show it: as plain data, so that it can be searched, redacted and sent on. */
export interface ErrorReport {
  readonly name: string;
  readonly message: string;
  /** `ECONNREFUSED` and the like. */
  readonly error_code?: string;
  readonly notes?: readonly string[];
  /** Calls of the program, innermost first. */
  readonly frames: readonly SourceFrame[];
  /**
   * Stack with calls of the runtime: only where `withStacks` asks for it, and for errors that seem to be faults of the
   * runtime: nothing of the program is on it.
   */
  readonly stack?: string;
  readonly cause?: ErrorReport;
  /** Members of a group. */
  readonly exceptions?: readonly ErrorReport[];
}

export interface StackReader {
  /** Calls of the program in the stack of an error, innermost first. */
  frames(error: unknown): readonly SourceFrame[];
  /** A stack text with places of the source. */
  mapStack(stack: string): string;
}

/** Causes of causes, members of a group, and errors of one report altogether. */
const deepest = 5;
const mostMembers = 10;
const mostErrors = 50;
/** Characters of an error's text: it may repeat all of a request. */
const longestText = 4000;

/** Reads an error with what it was raised from and, for a group, its members. Never throws. */
export function readError(error: unknown, stacks: StackReader, withStacks = false): ErrorReport {
  let left = mostErrors;
  return read(error, 0);

  function read(one: unknown, depth: number): ErrorReport {
    left -= 1;
    const frames = stacks.frames(one);
    const known = frames.length > 0 || !(one instanceof Error) ? toException(one) : one;
    const isException = known instanceof BaseException;
    const { code, __notes__: notes } = known as { code?: unknown; __notes__?: unknown };
    // Errors of the system, a driver or the network say enough by themselves; Node's own `ERR_…` are about wrong calls.
    const isOfSystem = typeof code === 'string' && !code.startsWith('ERR_');
    const isOurs = frames.length === 0 && !isException && !isOfSystem;
    const stack = one instanceof Error && (withStacks || isOurs) ? one.stack : undefined;
    const message = isException ? textOfException(known) : String((known as Error).message);
    const short = cutText(message, longestText);
    const inner = (others: readonly unknown[]) =>
      depth === deepest ? [] : others.flatMap((other) => (left > 0 ? [read(other, depth + 1)] : []));
    const [cause] = inner(causesOf(one, known));
    const exceptions = inner(known instanceof BaseExceptionGroup ? known.exceptions.items.slice(0, mostMembers) : []);
    return {
      name: isException ? typeName(known) : String((known as Error).name),
      message: short,
      ...(typeof code === 'string' && !isException ? { error_code: code } : {}),
      ...(Array.isArray(notes) && notes.length > 0 ? { notes: notes.map(textOfException) } : {}),
      frames,
      ...(stack === undefined
        ? {}
        : { stack: stacks.mapStack(short === message ? stack : stack.replace(message, () => short)) }),
      ...(cause === undefined ? {} : { cause }),
      ...(exceptions.length === 0 ? {} : { exceptions }),
    };
  }
}

/** `IndexError: list index out of range`; the name alone when there is no text. */
export function titleOfReport({ name, message }: Pick<ErrorReport, 'name' | 'message'>): string {
  return message === '' ? name : `${name}: ${message}`;
}

/** Gives the error from which this one was raised, if there is one: a list of at most one. */
function causesOf(error: unknown, known: unknown): readonly unknown[] {
  const { __cause__, __context__, __suppress_context__ } = known as Record<string, unknown>;
  const given = error instanceof Error ? error.cause : undefined;
  const cause = __cause__ ?? (__suppress_context__ === true ? undefined : __context__) ?? given ?? undefined;
  return cause === undefined ? [] : [cause];
}
