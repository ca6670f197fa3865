import { type ChildProcess, spawn } from 'node:child_process';

/** A program that runs as a process of its own, with its inspector open. */
export interface Debuggee {
  /** Address of its inspector; undefined when it ended before that, for example since it does not compile. */
  readonly url: Promise<string | undefined>;
  /** The exit code, or 128 and the number of the signal that ended it. */
  readonly exited: Promise<number>;
  kill(): void;
}

export interface DebuggeeOptions {
  /** Arguments of `svc`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (stream: 'out' | 'err', text: string) => void;
}

/** Starts `svc` with the arguments. What Node says of its inspector is taken out of the program's output. */
export function startDebuggee({ args, cwd, env, onOutput }: DebuggeeOptions): Debuggee {
  const child = spawn(process.execPath, [process.argv[1]!, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let found: (url: string | undefined) => void = () => {};
  const url = new Promise<string | undefined>((resolve) => {
    found = resolve;
  });
  const end = () => endOf(child);
  // Nobody could let go a program that stands.
  process.once('exit', end);
  const exited = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      onOutput('err', `${error.message}\n`);
      found(undefined);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      process.off('exit', end);
      found(undefined);
      resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 0));
    });
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => onOutput('out', text));
  const stripped = stripInspector((address) => found(address));
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => emit(stripped.take(text)))
    .on('end', () => emit(stripped.rest()));
  const emit = (text: string) => {
    if (text !== '') onOutput('err', text);
  };
  return { url, exited, kill: end };
}

const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

// A program that stands hears no signal but this one.
function endOf(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

const saidByNode =
  /^(Debugger listening on |Starting inspector on \S+ failed: |For help, see: https:\/\/nodejs\.org\/|Debugger attached\.$|Debugger ending on |Waiting for the debugger to disconnect)/;

/** Takes the lines of Node's inspector out of standard error, which comes in any pieces. */
function stripInspector(onAddress: (url: string) => void) {
  let open = '';
  const keeps = (line: string): boolean => {
    const address = /^Debugger listening on (ws:\/\/\S+)/.exec(line)?.[1];
    if (address !== undefined) onAddress(address);
    return !saidByNode.test(line);
  };
  return {
    take(text: string): string {
      const lines = (open + text).split('\n');
      open = lines.pop()!;
      const kept = lines.filter(keeps).map((line) => `${line}\n`);
      // A line that may become one of those waits for its end.
      if (open !== '' && !/^[DFSW]/.test(open)) {
        kept.push(open);
        open = '';
      }
      return kept.join('');
    },
    rest(): string {
      const text = keeps(open) ? open : '';
      open = '';
      return text;
    },
  };
}
