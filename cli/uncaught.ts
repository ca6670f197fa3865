import { createTraces, type Traces } from '../adapters/modules/traces.ts';
import { type ErrorReport, readError, type SourceFrame, titleOfReport } from '../core/log/read-error.ts';
import { codeFrame, frameGutter } from '../lang/format-diagnostics.ts';
import { lineStarts, type Source } from '../lang/source.ts';
import { sidesOf } from '../library/values/calls/failed-assert.ts';
import { shownPath } from './program/compile-app.ts';
import { sourcesOf } from './program/report-diagnostics.ts';
import { hasColour, type Terminal } from './terminal.ts';

export interface UncaughtOptions {
  readonly traces: Traces;
  /** Text of a source file by the path the compiler gave it. */
  readonly sourceOf: (file: string) => Source | undefined;
  /** Gives the path of a file as shown: relative to the working directory. */
  readonly showPath: (file: string) => string;
  readonly colour: boolean;
  /** Texts of errors as shown; left out: as they are. */
  readonly showText?: (text: string) => string;
}

const shownCalls = 25;

/**
 * Gives the options by which errors of a project's program are shown on a terminal. `traces`: of the modules it was
 * compiled to.
 */
export function uncaughtOptions(
  traces: Traces,
  projectDir: string,
  terminal: Terminal,
  stream: 'out' | 'err' = 'err',
): UncaughtOptions {
  return {
    traces,
    sourceOf: sourcesOf(projectDir),
    showPath: (path) => shownPath(projectDir, terminal.cwd, path),
    colour: hasColour(terminal, stream),
  };
}

/**
 * Text of an exception nobody caught, as `svc run` prints it (docs/language/builtins.md#uncaught):
 * `Error: Name: message`, a frame of the innermost source line, the chain of calls, then the same, shorter, for what it
 * was raised from and the members of a group.
 */
export function describeUncaught(error: unknown, options: UncaughtOptions): string {
  const report = readError(error, options.traces);
  return `Error: ${titleOfReport(report)}\n${describeBelowTitle(error, report, options)}`;
}

/** The same without the title. Ends with a line break unless it is empty. */
export function describeBelowTitle(error: unknown, report: ErrorReport, options: UncaughtOptions): string {
  const [innermost] = report.frames;
  const frame = innermost === undefined ? [] : frameOf(innermost, error, options);
  const lines = [...notesOf(report, options), ...frame, ...callLines(report, options), ...innerLines(report, options)];
  return lines.map((line) => `${line}\n`).join('');
}

/** `IndexError: list index out of range`; the name alone when there is no text. */
export function titleOf(error: unknown, traces: Traces = createTraces()): string {
  return titleOfReport(readError(error, traces));
}

/** Lists the lines about an error's cause and the errors in a group. */
function innerLines(report: ErrorReport, options: UncaughtOptions): string[] {
  const { cause, exceptions = [] } = report;
  const { showText = asIs } = options;
  const shown = (heading: string, one: ErrorReport): string[] => [
    '',
    `${heading}: ${showText(titleOfReport(one))}`,
    ...notesOf(one, options),
    ...callLines(one, options),
    ...innerLines(one, options),
  ];
  return [
    ...exceptions.flatMap((one, i) => shown(`Exception ${i + 1} of the group`, one)),
    ...(cause === undefined ? [] : shown('Caused by', cause)),
  ];
}

const asIs = (text: string) => text;

function notesOf({ notes = [] }: ErrorReport, { showText = asIs }: UncaughtOptions): readonly string[] {
  return notes.map(showText);
}

function frameOf(at: SourceFrame, error: unknown, options: UncaughtOptions): string[] {
  const { traces, sourceOf, showPath, colour } = options;
  const place = `--> ${showPath(at.file)}:${at.line}:${at.column}`;
  const text = traces.textOf(at);
  const source = text === undefined ? sourceOf(at.file) : { path: at.file, text };
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

/** Calls of the program, or of everything where the report holds them. */
function callLines({ frames, stack }: ErrorReport, { showPath }: UncaughtOptions): readonly string[] {
  if (stack !== undefined) return stack.split('\n').filter((line) => /^\s+at /.test(line));
  const lines = frames.map(
    ({ function: name, file, line }) => `  at ${name === undefined ? '' : `${name} `}${showPath(file)}:${line}`,
  );
  const shown = withoutRepeats(lines);
  if (shown.length <= shownCalls) return shown;
  const tail = 5;
  return [...shown.slice(0, shownCalls - tail), `  ... ${shown.length - shownCalls} more calls`, ...shown.slice(-tail)];
}

/** Recursion gives the same line over and over: it is shown three times, and then how often it was there. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (lines[end] === lines[at]) end++;
    const count = end - at;
    shown.push(...lines.slice(at, at + Math.min(count, 3)));
    if (count > 3) shown.push(`  ... ${count - 3} more of the same`);
    at = end;
  }
  return shown;
}
