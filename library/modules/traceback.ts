/** Module `traceback`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { streams } from '../builtins/streams.ts';
import { handledException } from '../values/calls/handled.ts';
import { type Frame, framesOf } from '../values/calls/stack-frames.ts';
import { Traceback } from '../values/calls/traceback-object.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { textOfException } from '../values/objects/exception-text.ts';
import { BaseException, BaseExceptionGroup } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { $about, $repr, $str } from '../values/objects/protocol.ts';
import { qualifiedClass, strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';

class FrameSummary {
  readonly filename: string;
  readonly lineno: number;
  readonly name: string;
  readonly line = '';

  constructor(frame: Frame) {
    this.filename = frame.file;
    this.lineno = frame.line;
    this.name = frame.name;
  }

  __len__(): number {
    return 4;
  }

  *[Symbol.iterator](): Generator<unknown> {
    yield* [this.filename, this.lineno, this.name, this.line];
  }

  __getitem__(index: number): unknown {
    return [...this].at(index);
  }

  [$repr](): string {
    return `<FrameSummary file ${this.filename}, line ${this.lineno} in ${this.name}>`;
  }
}
nativeClass(FrameSummary, { name: 'FrameSummary', module: 'traceback', methods: { __getitem__: 'index, /' } });

/** `ValueError: text`, with notes and the members of a group. */
function exceptionOnly(error: any): string[] {
  if (error === null || error === undefined) return ['NoneType: None\n'];
  const text = textOfException(error);
  const lines = [`${reportedName(error)}${text === '' ? '' : `: ${text}`}\n`];
  for (const note of error.__notes__ ?? []) lines.push(`${strOf(note)}\n`);
  return lines;
}

/** Gives the name of an error's class with the module, where it is neither the program's nor that of built-in types. */
function reportedName(error: any): string {
  const cls: unknown = error.constructor;
  return typeof cls === 'function' && Object.hasOwn(cls, $about)
    ? qualifiedClass(cls).replace(/^__main__\./, '')
    : typeName(error);
}

/** Place of a report among the members of groups. */
interface Nesting {
  depth: number;
  needsClose: boolean;
}

/** The whole report, one text per entry, causes first. */
export function exceptionReport(
  error: any,
  limit?: number,
  chain = true,
  seen: Set<unknown> = new Set(),
  nesting: Nesting = { depth: 0, needsClose: false },
): string[] {
  const lines: string[] = [];
  seen.add(error);
  const cause = error?.__cause__ ?? null;
  const context = error?.__suppress_context__ === true ? null : (error?.__context__ ?? null);
  if (chain && cause !== null && !seen.has(cause)) {
    lines.push(
      ...exceptionReport(cause, limit, chain, seen, nesting),
      ...indented('\nThe above exception was the direct cause of the following exception:\n\n', nesting),
    );
  } else if (chain && context !== null && !seen.has(context)) {
    lines.push(
      ...exceptionReport(context, limit, chain, seen, nesting),
      ...indented('\nDuring handling of the above exception, another exception occurred:\n\n', nesting),
    );
  }
  if (error instanceof BaseExceptionGroup) return [...lines, ...groupReport(error, limit, seen, nesting)];
  const frames = tracebackFrames(error, limit);
  const shown = frames.length > 0 ? ['Traceback (most recent call last):\n', ...frames.map(frameText)] : [];
  return [...lines, ...[...shown, ...exceptionOnly(error)].flatMap((text) => indented(text, nesting))];
}

function groupReport(
  error: BaseExceptionGroup,
  limit: number | undefined,
  seen: Set<unknown>,
  nesting: Nesting,
): string[] {
  const isOuter = nesting.depth === 0;
  if (isOuter) nesting.depth = 1;
  const lines: string[] = [];
  const frames = tracebackFrames(error, limit);
  if (frames.length > 0) {
    lines.push(...indented('Exception Group Traceback (most recent call last):\n', nesting, isOuter ? '+' : '|'));
    for (const frame of frames) lines.push(...indented(frameText(frame), nesting));
  }
  for (const text of exceptionOnly(error)) lines.push(...indented(text, nesting));
  const members = error.exceptions.items;
  nesting.needsClose = false;
  members.forEach((member, i) => {
    const isLast = i === members.length - 1;
    if (isLast) nesting.needsClose = true;
    lines.push(`${margin(nesting)}${i === 0 ? '+-' : '  '}+---------------- ${i + 1} ----------------\n`);
    nesting.depth += 1;
    lines.push(...exceptionReport(member, limit, true, seen, nesting));
    if (isLast && nesting.needsClose) {
      lines.push(`${margin(nesting)}+------------------------------------\n`);
      nesting.needsClose = false;
    }
    nesting.depth -= 1;
  });
  if (isOuter) nesting.depth = 0;
  return lines;
}

const margin = ({ depth }: Nesting) => ' '.repeat(2 * depth);

// Inside of a group each line stands behind its margin.
function indented(text: string, nesting: Nesting, sign = '|'): string[] {
  if (nesting.depth === 0) return [text];
  return [text.replace(/^.*\n/gm, (line) => `${margin(nesting)}${sign} ${line}`)];
}

/** Frames between the handler and the place of the error, outermost first. */
function tracebackFrames(error: any, limit?: number): Frame[] {
  return limited(framesOf(error instanceof Traceback ? error.$stack : error?.stack).reverse(), limit);
}

function limited(frames: Frame[], limit?: number): Frame[] {
  if (limit === undefined) return frames;
  return limit >= 0 ? frames.slice(0, limit) : frames.slice(limit);
}

function frameText(frame: { file?: string; filename?: string; line: unknown; lineno?: number; name: string }): string {
  return `  File "${frame.file ?? frame.filename}", line ${frame.lineno ?? frame.line}, in ${frame.name}\n`;
}

function stackFrames(limit?: number): Frame[] {
  return limited(framesOf(new Error().stack).reverse(), limit === undefined ? undefined : -limit);
}

const size = (x: unknown): number | undefined => (x === undefined || x === null ? undefined : Number(x));

// `print_exception(e)` and the older `print_exception(type, e, traceback)`.
function subject(first: unknown, value: unknown): unknown {
  return value === undefined ? first : value;
}

export function writeTo(file: unknown, text: string): null {
  callMethod(file ?? streams.stderr, 'write', text);
  return null;
}

const chained = (chain: unknown): boolean => chain === undefined || truth(chain);
const listText = (frames: Iterable<any>): string[] =>
  [...frames].map((frame) =>
    frame instanceof FrameSummary
      ? frameText(frame)
      : frameText({ filename: frame.items[0], line: frame.items[1], name: frame.items[2] }),
  );

function describedBy(error: unknown): TracebackException | null {
  return error === null || error === undefined ? null : new TracebackException(error);
}

class TracebackException {
  readonly $error: any;
  readonly stack: FrameSummary[];
  readonly exc_type: unknown;

  constructor(error: any) {
    this.$error = error;
    this.exc_type = error.constructor;
    this.stack = tracebackFrames(error).map((frame) => new FrameSummary(frame));
  }

  get __cause__(): TracebackException | null {
    return describedBy(this.$error.__cause__);
  }

  get __context__(): TracebackException | null {
    const { __cause__, __context__ } = this.$error;
    return __context__ === __cause__ ? null : describedBy(__context__); // each exception is described once
  }

  get __suppress_context__(): boolean {
    return this.$error.__suppress_context__;
  }

  format(chain?: unknown): string[] {
    return exceptionReport(this.$error, undefined, chained(chain));
  }

  format_exception_only(): string[] {
    return exceptionOnly(this.$error);
  }

  [$str](): string {
    return textOfException(this.$error);
  }
}
nativeClass(TracebackException, {
  name: 'TracebackException',
  module: 'traceback',
  params: 'exc_type, exc_value=None, exc_traceback=None',
  make: (cls, first, value) => new cls(subject(first, value)),
  methods: { format: '*, chain=True', format_exception_only: '' },
  statics: { from_exception: ['exc, **options', (error) => new TracebackException(error)] },
});

export function makeTraceback(): Members {
  return {
    FrameSummary,
    TracebackException,
    StackSummary: Array,
    ...functions('traceback', {
      format_exc: [
        'limit=None, chain=True',
        (limit: unknown, chain: unknown) => exceptionReport(handledException(), size(limit), chained(chain)).join(''),
      ],
      print_exc: [
        'limit=None, file=None, chain=True',
        (limit: unknown, file: unknown, chain: unknown) =>
          writeTo(file, exceptionReport(handledException(), size(limit), chained(chain)).join('')),
      ],
      format_exception: [
        'exc, /, value=None, tb=None, limit=None, chain=True',
        (exc: unknown, value: unknown, _tb: unknown, limit: unknown, chain: unknown) =>
          exceptionReport(subject(exc, value), size(limit), chained(chain)),
      ],
      print_exception: [
        'exc, /, value=None, tb=None, limit=None, file=None, chain=True',
        (exc: unknown, value: unknown, _tb: unknown, limit: unknown, file: unknown, chain: unknown) =>
          writeTo(file, exceptionReport(subject(exc, value), size(limit), chained(chain)).join('')),
      ],
      print_last: [
        'limit=None, file=None, chain=True',
        (limit: unknown, file: unknown) => writeTo(file, exceptionReport(handledException(), size(limit)).join('')),
      ],
      format_exception_only: [
        'exc, /, value=None',
        (exc: unknown, value: unknown) => exceptionOnly(subject(exc, value)),
      ],
      extract_tb: [
        'tb, limit=None',
        (tb: unknown, limit: unknown) => tracebackFrames(tb, size(limit)).map((frame) => new FrameSummary(frame)),
      ],
      format_tb: ['tb, limit=None', (tb: unknown, limit: unknown) => tracebackFrames(tb, size(limit)).map(frameText)],
      print_tb: [
        'tb, limit=None, file=None',
        (tb: unknown, limit: unknown, file: unknown) =>
          writeTo(file, tracebackFrames(tb, size(limit)).map(frameText).join('')),
      ],
      extract_stack: [
        'f=None, limit=None',
        (_f: unknown, limit: unknown) => stackFrames(size(limit)).map((frame) => new FrameSummary(frame)),
      ],
      format_stack: ['f=None, limit=None', (_f: unknown, limit: unknown) => stackFrames(size(limit)).map(frameText)],
      print_stack: [
        'f=None, limit=None, file=None',
        (_f: unknown, limit: unknown, file: unknown) => writeTo(file, stackFrames(size(limit)).map(frameText).join('')),
      ],
      format_list: ['extracted_list', listText],
      print_list: [
        'extracted_list, file=None',
        (frames: Iterable<any>, file: unknown) => writeTo(file, listText(frames).join('')),
      ],
    }),
  };
}

/** `(type, value, traceback)` of an exception, as `sys.exc_info()` gives it. */
export function excInfo(error: unknown): Tuple {
  return error instanceof BaseException
    ? tuple(error.constructor, error, error.__traceback__ ?? null)
    : tuple(null, null, null);
}
