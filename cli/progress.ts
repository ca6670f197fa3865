/** Progress of long work: one line that changes on a terminal, a line from time to time elsewhere. */
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** `all` is undefined where nobody knows. */
  tell(what: string, done: number, all?: number): void;
  /** Ends the line, so that others may print. */
  end(): void;
}

const terminalMs = 100;
const plainMs = 5000;

export function createProgress(terminal: Terminal): Progress {
  const everyMs = terminal.isErrTerminal ? terminalMs : plainMs;
  let toldMs = terminal.elapsedMs();
  let width = 0;
  return {
    tell(what, done, all) {
      const nowMs = terminal.elapsedMs();
      if (nowMs - toldMs < everyMs) return;
      toldMs = nowMs;
      const of = all === undefined ? '' : ` of ${all.toLocaleString('en-US')} (${Math.floor((100 * done) / all)} %)`;
      const text = `svc: ${what}: ${done.toLocaleString('en-US')}${of}`;
      if (!terminal.isErrTerminal) {
        terminal.err(`${text}\n`);
        return;
      }
      terminal.err(`\r${text.padEnd(width)}`);
      width = text.length;
    },
    end() {
      if (width > 0) terminal.err(`\r${' '.repeat(width)}\r`);
      width = 0;
    },
  };
}

/** The same values, told as they go by. */
export async function* counted<T>(
  values: Iterable<T> | AsyncIterable<T>,
  what: string,
  terminal: Terminal,
): AsyncGenerator<T> {
  const progress = createProgress(terminal);
  let count = 0;
  try {
    for await (const value of values) {
      yield value;
      progress.tell(what, ++count);
    }
  } finally {
    progress.end();
  }
}
