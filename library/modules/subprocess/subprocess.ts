/** Module `subprocess`. Waiting for a child never holds up the process: what waits gives a promise. */

import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { bindArguments } from '../../classes/bind.ts';
import { nodeProcesses } from '../../node-parts.ts';
import { refuseInReplay } from '../../outside.ts';
import { parseParams } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import {
  Exception,
  FileNotFoundError,
  NotADirectoryError,
  nameException,
  PermissionError,
  TypeError,
  ValueError,
} from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $construct, $repr, $str } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { which } from '../archives/shutil.ts';
import { textPath } from '../pathlib/paths.ts';
import { PipeReader, PipeWriter, type TextMode } from './process-pipes.ts';

const [PIPE, STDOUT, DEVNULL] = [-1, -2, -3];

class SubprocessError extends Exception {}
nameException(SubprocessError, 'SubprocessError', 'subprocess');

/** Makes an exception class take its parameters by name. */
function withParams(cls: any, name: string, params: string): void {
  nameException(cls, name, 'subprocess');
  const parsed = parseParams(params);
  Object.defineProperty(cls, $construct, {
    configurable: true,
    value(this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>) {
      return new this(...bindArguments(`${name}.__init__`, parsed, args, kwargs, 1));
    },
  });
}

export class CalledProcessError extends SubprocessError {
  declare returncode: number;
  declare cmd: unknown;
  declare output: unknown;
  declare stderr: unknown;

  constructor(returncode: number, cmd: unknown, output?: unknown, stderr?: unknown) {
    super(returncode, cmd);
    Object.assign(this, { returncode, cmd, output: output ?? null, stderr: stderr ?? null });
  }

  get stdout(): unknown {
    return this.output;
  }

  override [$str](): string {
    if (this.returncode >= 0) return `Command '${strOf(this.cmd)}' returned non-zero exit status ${this.returncode}.`;
    const signal = Object.entries(constants.signals).find(([, number]) => number === -this.returncode);
    if (signal === undefined) return `Command '${strOf(this.cmd)}' died with unknown signal ${-this.returncode}.`;
    return `Command '${strOf(this.cmd)}' died with <Signals.${signal[0]}: ${signal[1]}>.`;
  }
}
withParams(CalledProcessError, 'CalledProcessError', 'returncode, cmd, output=None, stderr=None');

export class TimeoutExpired extends SubprocessError {
  declare cmd: unknown;
  declare timeout: unknown;
  declare output: unknown;
  declare stderr: unknown;

  constructor(cmd: unknown, timeout: unknown, output?: unknown, stderr?: unknown) {
    super(cmd, timeout);
    Object.assign(this, { cmd, timeout, output: output ?? null, stderr: stderr ?? null });
  }

  get stdout(): unknown {
    return this.output;
  }

  override [$str](): string {
    return `Command '${strOf(this.cmd)}' timed out after ${strOf(this.timeout)} seconds`;
  }
}
withParams(TimeoutExpired, 'TimeoutExpired', 'cmd, timeout, output=None, stderr=None');

export class CompletedProcess {
  readonly args: unknown;
  readonly returncode: number;
  readonly stdout: unknown;
  readonly stderr: unknown;

  constructor(args: unknown, returncode: number, stdout?: unknown, stderr?: unknown) {
    this.args = args;
    this.returncode = returncode;
    this.stdout = stdout ?? null;
    this.stderr = stderr ?? null;
  }

  check_returncode(): null {
    if (this.returncode !== 0) throw new CalledProcessError(this.returncode, this.args, this.stdout, this.stderr);
    return null;
  }

  [$repr](): string {
    const parts = [`args=${reprOf(this.args)}`, `returncode=${this.returncode}`];
    if (this.stdout !== null) parts.push(`stdout=${reprOf(this.stdout)}`);
    if (this.stderr !== null) parts.push(`stderr=${reprOf(this.stderr)}`);
    return `CompletedProcess(${parts.join(', ')})`;
  }
}
nativeClass(CompletedProcess, {
  name: 'CompletedProcess',
  module: 'subprocess',
  params: 'args, returncode, stdout=None, stderr=None',
  methods: { check_returncode: '' },
});

const popenNames =
  'bufsize executable stdin stdout stderr preexec_fn close_fds shell cwd env universal_newlines startupinfo creationflags restore_signals start_new_session pass_fds user group extra_groups encoding errors text umask pipesize process_group'.split(
    ' ',
  );
type PopenOptions = Readonly<Record<string, any>>;

export class Popen {
  readonly args: unknown;
  readonly pid: number;
  /** Set when the program asks how the process ended, not when it ends. */
  returncode: number | null = null;
  $status: number | null = null;
  readonly stdin: PipeWriter | null;
  readonly stdout: PipeReader | null;
  readonly stderr: PipeReader | null;
  readonly $child: ChildProcess;
  readonly $closed: Promise<void>;

  constructor(args: unknown, options: PopenOptions) {
    const { file, argv, argv0 } = commandOf(args, options);
    const isText =
      truth(options['text']) ||
      truth(options['universal_newlines']) ||
      options['encoding'] != null ||
      options['errors'] != null;
    const mode: TextMode | undefined = isText
      ? { encoding: options['encoding'] ?? 'utf-8', errors: options['errors'] ?? 'strict' }
      : undefined;
    const { cwd, env } = options;
    if (cwd !== undefined && cwd !== null) requireFolder(textPath(cwd));
    const variables =
      env === undefined || env === null
        ? process.env
        : Object.fromEntries((env as Dict).entries() as Iterable<[string, string]>);
    if (which(file, undefined, variables['PATH']) === null) throw cannotRun(file);
    this.args = args;
    // Two channels of `spawn` cannot share a pipe; the shell puts one on top of the other and makes way for the program.
    const merged = options['stderr'] === STDOUT;
    refuseInReplay('runs no other programs');
    this.$child = nodeProcesses().spawn(
      merged ? '/bin/sh' : file,
      merged ? ['-c', 'exec "$@" 2>&1', 'sh', file, ...argv] : argv,
      {
        env: variables,
        stdio: [channel(options['stdin']), channel(options['stdout']), merged ? 'ignore' : channel(options['stderr'])],
        detached: truth(options['start_new_session']),
        ...(cwd === undefined || cwd === null ? {} : { cwd: textPath(cwd) }),
        ...(merged ? {} : { argv0 }),
      },
    );
    this.pid = this.$child.pid ?? -1;
    const { stdin, stdout, stderr } = this.$child;
    this.stdin = stdin === null ? null : new PipeWriter(stdin, mode);
    this.stdout = stdout === null ? null : new PipeReader(stdout, mode);
    this.stderr = stderr === null ? null : new PipeReader(stderr, mode);
    this.$child.on('exit', (code, signal) => {
      this.$status = code ?? -(constants.signals[signal!] ?? 0);
    });
    this.$closed = new Promise((resolve, reject) => {
      this.$child.on('close', () => resolve());
      this.$child.on('error', reject);
    });
    this.$closed.catch(() => {});
  }

  poll(): number | null {
    this.returncode = this.$status;
    return this.returncode;
  }

  wait(timeout?: unknown): MaybePromise<number> {
    const status = this.poll();
    return status !== null && timeout !== undefined ? status : this.$within(timeout).then(() => this.poll()!);
  }

  async $within(timeout: unknown): Promise<void> {
    if (timeout === undefined || timeout === null) return this.$closed;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new TimeoutExpired(this.args, timeout)), real(timeout) * 1000);
    });
    return Promise.race([this.$closed, late]).finally(() => clearTimeout(timer));
  }

  async communicate(input?: unknown, timeout?: unknown): Promise<Tuple> {
    if (this.stdin !== null) {
      if (truth(input)) this.stdin.write(input);
      this.stdin.close();
    }
    await this.$within(timeout);
    this.poll();
    return tuple((await this.stdout?.read()) ?? null, (await this.stderr?.read()) ?? null);
  }

  send_signal(signal: any): null {
    refuseInReplay('sends no signals');
    if (this.poll() === null) this.$child.kill(Number(signal?.value ?? signal));
    return null;
  }

  terminate(): null {
    return this.send_signal(constants.signals.SIGTERM);
  }

  kill(): null {
    return this.send_signal(constants.signals.SIGKILL);
  }

  __enter__(): this {
    return this;
  }

  __exit__(): Promise<boolean> {
    this.stdin?.close();
    return this.$closed.then(() => {
      this.poll();
      return false;
    });
  }

  [$repr](): string {
    return `<Popen: returncode: ${this.returncode ?? 'None'} args: ${reprOf(this.args)}>`;
  }
}
nativeClass(Popen, {
  name: 'Popen',
  module: 'subprocess',
  params: `args, ${popenNames.map((name) => `${name}=None`).join(', ')}`,
  make: (cls, args, ...slots) => new cls(args, Object.fromEntries(popenNames.map((name, i) => [name, slots[i]]))),
  methods: {
    poll: '',
    wait: 'timeout=None',
    communicate: 'input=None, timeout=None',
    send_signal: 'sig',
    terminate: '',
    kill: '',
    __exit__: '*args',
  },
});

interface Command {
  readonly file: string;
  readonly argv: readonly string[];
  /** Name of the program that it sees as its own. */
  readonly argv0: string;
}

function commandOf(args: any, options: PopenOptions): Command {
  const isOne = textOf(args) !== undefined || typeof args?.__fspath__ === 'function';
  const parts = isOne ? [textPath(args)] : toArray(args).map((part) => textPath(part));
  const program = options['executable'] == null ? undefined : textPath(options['executable']);
  if (truth(options['shell']))
    return { file: program ?? '/bin/sh', argv: ['-c', ...parts], argv0: program ?? '/bin/sh' };
  const [file, ...argv] = parts;
  if (file === undefined) throw new ValueError('args must not be empty');
  return { file: program ?? file, argv, argv0: file };
}

function requireFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new FileNotFoundError(2, 'No such file or directory', path);
  if (!found.isDirectory()) throw new NotADirectoryError(20, 'Not a directory', path);
}

function cannotRun(file: string): unknown {
  const exists = file.includes('/') && statSync(file, { throwIfNoEntry: false }) !== undefined;
  return exists
    ? new PermissionError(13, 'Permission denied', file)
    : new FileNotFoundError(2, 'No such file or directory', file);
}

function channel(x: any): any {
  if (x === undefined || x === null) return 'inherit';
  if (x === PIPE) return 'pipe';
  if (x === DEVNULL) return 'ignore';
  if (typeof x === 'number' && x >= 0) return x;
  if (typeof x?.fileno === 'function') return callMethod(x, 'fileno');
  throw new TypeError(`'${typeName(x)}' object cannot be used as a channel`);
}

async function run(
  popenArgs: unknown[],
  input: unknown,
  capture: unknown,
  timeout: unknown,
  check: unknown,
  rest: Dict,
): Promise<CompletedProcess> {
  const options: Record<string, unknown> = Object.fromEntries([...rest.entries()] as [string, unknown][]);
  if (input !== undefined && input !== null) {
    if (options['stdin'] != null) throw new ValueError('stdin and input arguments may not both be used.');
    options['stdin'] = PIPE;
  }
  if (truth(capture)) {
    if (options['stdout'] != null || options['stderr'] != null)
      throw new ValueError('stdout and stderr arguments may not be used with capture_output.');
    options['stdout'] = options['stderr'] = PIPE;
  }
  const child = popen(popenArgs, options);
  try {
    const [out, err] = (await child.communicate(input, timeout)).items;
    const done = new CompletedProcess(child.args, child.returncode!, out, err);
    if (truth(check)) done.check_returncode();
    return done;
  } catch (e) {
    if (e instanceof TimeoutExpired) {
      child.kill();
      await child.$closed;
      e.output = (await child.stdout?.read()) ?? null;
      e.stderr = (await child.stderr?.read()) ?? null;
    }
    throw e;
  }
}

function popen(args: unknown[], options: Record<string, unknown>): Popen {
  return (Popen as any)[$construct](args, Object.entries(options));
}

const withOptions = '*popenargs, timeout=None, **kwargs';

async function status(args: unknown[], timeout: unknown, kwargs: Dict): Promise<number> {
  return (await run(args, undefined, undefined, timeout, undefined, kwargs)).returncode;
}

async function getstatusoutput(cmd: unknown, encoding?: unknown, errors?: unknown): Promise<Tuple> {
  const options = Dict.of(
    'shell',
    true,
    'text',
    true,
    'stdout',
    PIPE,
    'stderr',
    STDOUT,
    'encoding',
    encoding ?? null,
    'errors',
    errors ?? null,
  );
  const done = await run([cmd], undefined, undefined, undefined, undefined, options);
  return tuple(done.returncode, String(done.stdout).replace(/\n$/, ''));
}

/** One text that a shell splits into the same arguments (quoting of the C runtime). */
function list2cmdline(args: unknown): string {
  return toArray(args)
    .map((part) => {
      const text = textPath(part).replace(/(\\*)"/g, '$1$1\\"');
      return text === '' || /[ \t]/.test(text) ? `"${text.replace(/(\\+)$/, '$1$1')}"` : text;
    })
    .join(' ');
}

export function makeSubprocess(): Members {
  return {
    CalledProcessError,
    CompletedProcess,
    DEVNULL,
    PIPE,
    Popen,
    STDOUT,
    SubprocessError,
    TimeoutExpired,
    ...functions('subprocess', {
      call: [withOptions, status],
      check_call: [
        withOptions,
        async (args: unknown[], timeout: unknown, kwargs: Dict) => {
          const code = await status(args, timeout, kwargs);
          if (code !== 0) throw new CalledProcessError(code, kwargs.get('args') ?? args[0]);
          return 0;
        },
      ],
      check_output: [
        withOptions,
        async (args: unknown[], timeout: unknown, kwargs: Dict) => {
          if (kwargs.has('stdout')) throw new ValueError('stdout argument not allowed, it will be overridden.');
          const options = kwargs.copy();
          const input = options.get('input');
          options.delete('input');
          options.set('stdout', PIPE);
          return (await run(args, input, undefined, timeout, true, options)).stdout;
        },
      ],
      getoutput: [
        'cmd, *, encoding=None, errors=None',
        async (cmd: unknown, encoding?: unknown, errors?: unknown) =>
          (await getstatusoutput(cmd, encoding, errors)).items[1],
      ],
      getstatusoutput: ['cmd, *, encoding=None, errors=None', getstatusoutput],
      list2cmdline: ['seq', list2cmdline],
      run: ['*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs', run],
    }),
  };
}
