import type { TraceFrame, Traces } from '../adapters/modules/traces.ts';
import { titleOfException } from '../core/values/exception-text.ts';
import { BaseException } from '../core/values/exceptions.ts';
import { sidesOf } from '../core/values/failed-assert.ts';
import { $uncatchable } from '../core/values/protocol.ts';
import { caught } from '../core/values/raise.ts';
import { codeFrame, frameGutter } from '../lang/format-diagnostics.ts';
import { lineStarts, type Source } from '../lang/source.ts';

export interface UncaughtOptions {
  readonly traces: Traces;
  /** Text of a source file by the path the compiler gave it. */
  readonly sourceOf: (file: string) => Source | undefined;
  /** That path as shown: relative to the working directory. */
  readonly showPath: (file: string) => string;
  readonly colour: boolean;
}

const shownCalls = 25;
const shownCauses = 5;

/**
 * What `svc run` prints for an exception nobody caught (language.md 6.8): `Error: Name: message`, a frame of the innermost source
 * line, the chain of calls, then the same, shorter, for what it was raised from.
 */
export function describeUncaught(error: unknown, options: UncaughtOptions): string {
  const frames = options.traces.frames(error);
  const lines = [`Error: ${titleOf(error)}`, ...notesOf(error)];
  const [innermost] = frames;
  if (innermost !== undefined) lines.push(...frameOf(innermost, error, options));
  lines.push(...callLines(frames, options));
  // Nothing of the program on the stack: the fault is ours, and only the plain stack says where.
  if (
    innermost === undefined &&
    !(error instanceof BaseException) &&
    error instanceof Error &&
    error.stack !== undefined
  )
    lines.push(...error.stack.split('\n').slice(1));
  let cause = causeOf(error);
  for (let depth = 0; cause !== undefined && depth < shownCauses; depth++) {
    lines.push('', `Caused by: ${titleOf(cause)}`, ...callLines(options.traces.frames(cause), options));
    cause = causeOf(cause);
  }
  return `${lines.join('\n')}\n`;
}

/** `IndexError: list index out of range`; the name alone when there is no text. */
export function titleOf(error: unknown): string {
  const known = isUncatchable(error) ? error : caught(error);
  if (known instanceof BaseException) return titleOfException(known);
  return known.message === '' ? known.name : `${known.name}: ${known.message}`;
}

/** Failures of the runtime itself, which programs cannot catch. */
function isUncatchable(error: unknown): error is Error {
  return error instanceof Error && (error as { [$uncatchable]?: boolean })[$uncatchable] === true;
}

function notesOf(error: unknown): string[] {
  const notes = (error as { __notes__?: unknown } | null)?.__notes__;
  return Array.isArray(notes) ? notes.map(String) : [];
}

function causeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  const known = isUncatchable(error) ? error : caught(error);
  const { __cause__, __context__, __suppress_context__ } = known as Record<string, unknown>;
  const { cause } = error as Record<string, unknown>;
  return __cause__ ?? (__suppress_context__ === true ? undefined : __context__) ?? cause ?? undefined;
}

function frameOf(at: TraceFrame, error: unknown, { sourceOf, showPath, colour }: UncaughtOptions): string[] {
  const place = `--> ${showPath(at.file)}:${at.line}:${at.column}`;
  const source = sourceOf(at.file);
  const start = source === undefined ? undefined : lineStarts(source)[at.line - 1];
  if (source === undefined || start === undefined) return [` ${place}`];
  const offset = Math.min(start + at.column - 1, source.text.length);
  const span = { start: offset, end: offset + wordLength(source.text, offset) };
  const gutter = ' '.repeat(frameGutter(source, span));
  return [gutter + place, codeFrame(source, span, colour), ...sideLines(error, gutter)];
}

const shownLength = 500;

/** The values of a comparison that did not hold. */
function sideLines(error: unknown, gutter: string): string[] {
  const sides = sidesOf(error);
  if (sides === undefined) return [];
  const [left, right] = sides.map((text) => (text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`));
  return [`${gutter} = left:  ${left}`, `${gutter} = right: ${right}`];
}

/** The carets reach to the end of the word that begins there. */
function wordLength(text: string, offset: number): number {
  return /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 80))![0].length;
}

function callLines(frames: readonly TraceFrame[], { showPath }: UncaughtOptions): string[] {
  const lines = frames.map(
    ({ function: name, file, line }) => `  at ${name === undefined ? '' : `${name} `}${showPath(file)}:${line}`,
  );
  if (lines.length <= shownCalls) return lines;
  const tail = 5;
  return [...lines.slice(0, shownCalls - tail), `  ... ${lines.length - shownCalls} more calls`, ...lines.slice(-tail)];
}
