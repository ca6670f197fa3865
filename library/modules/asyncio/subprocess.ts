/** Child processes of `asyncio`: `create_subprocess_exec`, `create_subprocess_shell`. */
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { type Members, makeModule } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { nodeProcesses } from '../../node-parts.ts';
import { refuseInReplay } from '../../outside.ts';
import { call } from '../../values/calls/calls.ts';
import { type Coroutine, coro } from '../../values/calls/coroutine.ts';
import { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { OSError } from '../../values/objects/exceptions.ts';
import { strOf } from '../../values/objects/repr.ts';
import { requireBytes } from '../../values/text/bytes.ts';
import { StreamReader, StreamWriter } from './streams.ts';
import { interruptedBy } from './tasks.ts';

const PIPE = -1;
const STDOUT = -2;
const DEVNULL = -3;

export class Process {
  readonly $child: ChildProcess;
  readonly stdin: StreamWriter | null;
  readonly stdout: StreamReader | null;
  readonly stderr: StreamReader | null;
  returncode: number | null = null;
  readonly $ended: Promise<void>;

  constructor(child: ChildProcess, joined: boolean) {
    this.$child = child;
    this.stdin = child.stdin === null ? null : new StreamWriter(child.stdin);
    this.stdout = child.stdout === null ? null : new StreamReader().$listen(child.stdout);
    this.stderr = child.stderr === null || joined ? null : new StreamReader().$listen(child.stderr);
    if (joined) child.stderr?.on('data', (part) => this.stdout?.feed_data(part)).on('error', () => {});
    this.$ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.returncode = code ?? -(numberOfSignal[signal!] ?? 1);
        resolve();
      });
    });
  }

  get pid(): number {
    return this.$child.pid!;
  }

  wait(): Coroutine {
    return coro('wait', async () => {
      await interruptedBy<void>((resolve) => {
        this.$ended.then(resolve, resolve);
        return () => {};
      });
      return this.returncode;
    });
  }

  /** Sends `input`, reads both outputs to their ends and waits. */
  communicate(input?: unknown): Coroutine {
    return coro('communicate', async () => {
      if (this.stdin !== null) {
        if (input !== undefined && input !== null) this.stdin.write(requireBytes(input) && input);
        this.stdin.close();
      }
      const [out, err] = await Promise.all([this.stdout?.read() ?? null, this.stderr?.read() ?? null]);
      await this.wait();
      return new Tuple([out, err]);
    });
  }

  send_signal(signal: unknown): null {
    this.$child.kill(Number(signal));
    return null;
  }

  terminate(): null {
    this.$child.kill('SIGTERM');
    return null;
  }

  kill(): null {
    this.$child.kill('SIGKILL');
    return null;
  }
}
nativeClass(Process, { name: 'Process', module: 'asyncio.subprocess', methods: { communicate: 'input=None' } });

const numberOfSignal: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

export interface ProcessOptions {
  readonly stdin: unknown;
  readonly stdout: unknown;
  readonly stderr: unknown;
  readonly cwd: unknown;
  readonly env: unknown;
}

/** Starts a program with its arguments, or a line for the shell where there are none. @throws OSError */
export function startProcess(
  program: unknown,
  args: readonly unknown[] | undefined,
  options: ProcessOptions,
): Coroutine {
  const name = args === undefined ? 'create_subprocess_shell' : 'create_subprocess_exec';
  return coro(name, async () => {
    refuseInReplay('runs no other programs');
    const { spawn } = nodeProcesses();
    const joined = options.stderr === STDOUT;
    const child = spawn(
      strOf(program),
      (args ?? []).map((arg) => strOf(arg)),
      {
        shell: args === undefined,
        stdio: [end(options.stdin), end(options.stdout), joined ? 'pipe' : end(options.stderr)] as StdioOptions,
        ...(options.cwd === undefined || options.cwd === null ? {} : { cwd: strOf(options.cwd) }),
        ...(options.env instanceof Dict ? { env: Object.fromEntries(options.env.entries()) as NodeJS.ProcessEnv } : {}),
      },
    );
    const made = new Process(child, joined);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      // Also later: a signal that cannot be sent.
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(call(OSError, -(error.errno ?? -2), 'No such file or directory', strOf(program))),
      );
    });
    return made;
  });
}

function end(given: unknown): unknown {
  if (given === PIPE) return 'pipe';
  if (given === DEVNULL) return 'ignore';
  return typeof given === 'number' ? given : 'inherit';
}

function makeAsyncioSubprocess(): Members {
  return { PIPE, STDOUT, DEVNULL, Process };
}

export const asyncioSubprocess: unknown = makeModule('asyncio.subprocess', makeAsyncioSubprocess());
