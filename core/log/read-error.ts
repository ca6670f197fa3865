import { textOfException } from '../values/exception-text.ts';
import { BaseException, BaseExceptionGroup } from '../values/exceptions.ts';
import { toException } from '../values/raise.ts';
import { typeName } from '../values/type-name.ts';

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
  /** With calls of the runtime: only where `withStacks` asks for it, or nothing of the program is on the stack of a fault that is no exception. */
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

/** Causes of causes, and members of a group, that are read. */
const mostCauses = 5;
const mostMembers = 10;

/** Reads an error with what it was raised from and, for a group, its members. Never throws. */
export function readError(error: unknown, stacks: StackReader, withStacks = false, depth = 0): ErrorReport {
  const frames = stacks.frames(error);
  const known = frames.length > 0 || !(error instanceof Error) ? toException(error) : error;
  const isException = known instanceof BaseException;
  const stack =
    error instanceof Error && (withStacks || (frames.length === 0 && !isException)) ? error.stack : undefined;
  const { code, __notes__: notes } = known as { code?: unknown; __notes__?: unknown };
  const cause = depth < mostCauses ? causeOf(error, known) : undefined;
  const members = known instanceof BaseExceptionGroup && depth < mostCauses ? known.exceptions.items : [];
  const inner = (one: unknown) => readError(one, stacks, withStacks, depth + 1);
  return {
    name: isException ? typeName(known) : String((known as Error).name),
    message: isException ? textOfException(known) : String((known as Error).message),
    ...(typeof code === 'string' && !isException ? { error_code: code } : {}),
    ...(Array.isArray(notes) && notes.length > 0 ? { notes: notes.map(textOfException) } : {}),
    frames,
    ...(stack === undefined ? {} : { stack: stacks.mapStack(stack) }),
    ...(cause === undefined ? {} : { cause: inner(cause) }),
    ...(members.length === 0 ? {} : { exceptions: members.slice(0, mostMembers).map(inner) }),
  };
}

/** `IndexError: list index out of range`; the name alone when there is no text. */
export function titleOfReport({ name, message }: Pick<ErrorReport, 'name' | 'message'>): string {
  return message === '' ? name : `${name}: ${message}`;
}

function causeOf(error: unknown, known: unknown): unknown {
  const { __cause__, __context__, __suppress_context__ } = known as Record<string, unknown>;
  const given = error instanceof Error ? error.cause : undefined;
  return __cause__ ?? (__suppress_context__ === true ? undefined : __context__) ?? given ?? undefined;
}
