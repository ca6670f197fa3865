/** Source of `input()` and `sys.stdin`. A line arrives as a promise unless it is there already. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { builtin } from '../values/calls/builtin.ts';
import { EOFError } from '../values/objects/exceptions.ts';
import { strOf } from '../values/objects/repr.ts';
import { output } from './output.ts';

export interface Input {
  /** The next line with its line end, the rest without one at the end of input, `''` when nothing is left. */
  readonly line: () => MaybePromise<string>;
  /** Reads everything that is left. */
  readonly rest: () => MaybePromise<string>;
}

let current: Input | undefined;

/** Replaces the port; gives the one before, if any. */
export function setInput(port: Input): Input | undefined {
  const before = current;
  current = port;
  return before;
}

/** The port in use; reading the process's standard input begins with the first question. */
export function inputPort(): Input {
  current ??= readerOf(process.stdin);
  return current;
}

function readerOf(stream: NodeJS.ReadStream): Input {
  let buffer = '';
  let ended = false;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  const start = () => {
    if (stream.listenerCount('data') > 0) return;
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      buffer += chunk;
      if (waiting.length === 0) stream.pause();
      wake();
    });
    stream.on('end', () => {
      ended = true;
      wake();
    });
    stream.pause();
  };
  const more = () =>
    new Promise<void>((resolve) => {
      start();
      waiting.push(resolve);
      stream.resume();
    });
  const take = (size: number) => {
    const text = buffer.slice(0, size);
    buffer = buffer.slice(size);
    return text;
  };
  const line = (): MaybePromise<string> => {
    const end = buffer.indexOf('\n');
    if (end >= 0) return take(end + 1);
    return ended ? take(buffer.length) : more().then(line);
  };
  const rest = (): MaybePromise<string> => (ended ? take(buffer.length) : more().then(rest));
  return {
    line: () => pauseAfter(stream, line()),
    rest: () => pauseAfter(stream, rest()),
  };
}

// An open standard input would keep the process alive after the program's end.
function pauseAfter(stream: NodeJS.ReadStream, value: MaybePromise<string>): MaybePromise<string> {
  return value instanceof Promise ? value.finally(() => stream.pause()) : value;
}

/** `input(prompt)`. @throws EOFError */
export const input = builtin('input', (prompt?: unknown): MaybePromise<string> => {
  if (prompt !== undefined && prompt !== null) output().out(strOf(prompt));
  const text = inputPort().line();
  return text instanceof Promise ? text.then(chomp) : chomp(text);
});

function chomp(line: string): string {
  if (line === '') throw new EOFError('EOF when reading a line');
  return line.replace(/\r?\n$/, '');
}
