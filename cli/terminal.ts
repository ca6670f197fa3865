/** The process around a command: streams, environment, working directory. Tests pass their own. */
export interface Terminal {
  /** Human output. */
  out(text: string): void;
  /** Diagnostics and logs. */
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly isInTerminal: boolean;
  /** Non-ASCII marks may be printed. */
  readonly hasUnicode: boolean;
  /** Milliseconds since the process began. */
  elapsedMs(): number;
}

/** Colour only on a terminal and when `NO_COLOR` is unset (docs/server/commands.md#output). */
export function hasColour(terminal: Terminal, stream: 'out' | 'err'): boolean {
  const isTerminal = stream === 'out' ? terminal.isOutTerminal : terminal.isErrTerminal;
  return isTerminal && !terminal.env['NO_COLOR'] && terminal.env['TERM'] !== 'dumb';
}

export function processTerminal(): Terminal {
  const { env } = process;
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env,
    cwd: process.cwd(),
    isOutTerminal: process.stdout.isTTY === true,
    isErrTerminal: process.stderr.isTTY === true,
    isInTerminal: process.stdin.isTTY === true,
    hasUnicode: /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''),
    elapsedMs: () => performance.now(),
  };
}
