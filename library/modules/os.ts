/** Module `os`. */

import * as fs from 'node:fs';
import * as platform from 'node:os';
import { isatty } from 'node:tty';
import { functions, type Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { open } from '../builtins/open.ts';
import * as disk from '../disk.ts';
import { look, remainingMs } from '../limits/look.ts';
import { nodeCrypto, nodeProcesses } from '../node-parts.ts';
import { fromOutside, refuseInReplay } from '../outside.ts';
import { std } from '../registry.ts';
import { call, callkw } from '../values/calls/calls.ts';
import { caught } from '../values/calls/raise.ts';
import { Dict } from '../values/containers/dict.ts';
import { dictM } from '../values/containers/dict-methods.ts';
import { PyIterator } from '../values/containers/iteration.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { requireIndex } from '../values/numbers/index-value.ts';
import { KeyError, OSError, TypeError } from '../values/objects/exceptions.ts';
import { setMethods } from '../values/objects/method-tables.ts';
import { callMethod } from '../values/objects/methods.ts';
import { $isInstance, $repr, $typeName } from '../values/objects/protocol.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes, requireBytes } from '../values/text/bytes.ts';
import { requireText } from '../values/text/text-arguments.ts';
import { join, system, textPath } from './pathlib/paths.ts';

/** `os.environ`: changes reach the process. */
class Environment extends Dict {
  constructor() {
    super(new Map(Object.entries(process.env)));
  }

  override set(key: unknown, value: unknown): void {
    if (typeof key !== 'string') throw new TypeError(`str expected, not ${typeName(key)}`);
    if (typeof value !== 'string') throw new TypeError(`str expected, not ${typeName(value)}`);
    process.env[key] = value;
    super.set(key, value);
  }

  override delete(key: unknown): boolean {
    delete process.env[String(key)];
    return super.delete(key);
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  override copy(): Dict {
    return new Dict(new Map(this.map));
  }

  [$repr](): string {
    return `environ(${reprOf(this.copy())})`;
  }
}
setMethods(Environment, dictM);
nativeClass(Environment, { name: '_Environ', module: 'os' });

const StatResult = makeNamedTuple(
  'stat_result',
  ['st_mode', 'st_ino', 'st_dev', 'st_nlink', 'st_uid', 'st_gid', 'st_size', 'st_atime', 'st_mtime', 'st_ctime'],
  {
    module: 'os',
    label: 'os.stat_result',
    takesSequence: true,
  },
);
export const TerminalSize = makeNamedTuple('terminal_size', ['columns', 'lines'], {
  module: 'os',
  label: 'os.terminal_size',
  takesSequence: true,
});
const UnameResult = makeNamedTuple('uname_result', ['sysname', 'nodename', 'release', 'version', 'machine'], {
  module: 'posix',
  label: 'posix.uname_result',
});

/** `os.stat(path)` */
export function statResult(x: unknown, follow = true): Tuple {
  const s = system(() =>
    typeof x === 'number' ? fs.fstatSync(x) : follow ? fs.statSync(textPath(x)) : fs.lstatSync(textPath(x)),
  );
  const made = new StatResult([
    s.mode,
    s.ino,
    s.dev,
    s.nlink,
    s.uid,
    s.gid,
    s.size,
    s.atimeMs / 1000,
    s.mtimeMs / 1000,
    s.ctimeMs / 1000,
  ]);
  Object.defineProperty(made, 'st_mtime_ns', { value: Math.round(s.mtimeMs) * 1_000_000 });
  return made;
}

/** Class of everything that has `__fspath__`. */
// biome-ignore lint/complexity/noStaticOnlyClass: programs test against it and derive from it
class PathLike {
  static [$isInstance](x: any): boolean {
    return typeof x?.__fspath__ === 'function';
  }
}
Object.defineProperty(PathLike.prototype, $typeName, { value: 'PathLike' });

class DirEntry {
  readonly name: string;
  readonly path: string;
  readonly $entry: fs.Dirent;

  constructor(parent: string, entry: fs.Dirent) {
    this.name = entry.name;
    this.path = join(parent, [entry.name]);
    this.$entry = entry;
  }

  is_dir(): boolean {
    return this.$entry.isSymbolicLink() ? fs.statSync(this.path).isDirectory() : this.$entry.isDirectory();
  }

  is_file(): boolean {
    return this.$entry.isSymbolicLink() ? fs.statSync(this.path).isFile() : this.$entry.isFile();
  }

  is_symlink(): boolean {
    return this.$entry.isSymbolicLink();
  }

  stat(): Tuple {
    return statResult(this.path);
  }

  __fspath__(): string {
    return this.path;
  }

  __repr__(): string {
    return `<DirEntry ${reprOf(this.name)}>`;
  }
}
nativeClass(DirEntry, {
  name: 'DirEntry',
  module: 'os',
  methods: { is_dir: '*, follow_symlinks=True', is_file: '*, follow_symlinks=True', stat: '*, follow_symlinks=True' },
});

class ScanIterator extends PyIterator {
  __enter__(): this {
    return this;
  }

  __exit__(): boolean {
    return false;
  }

  close(): null {
    return null;
  }
}

function* walk(top: unknown, topdown: unknown, onerror: unknown, followlinks: unknown): Generator<Tuple> {
  const root = textPath(top);
  let entries: fs.Dirent[];
  try {
    entries = system(() => fs.readdirSync(root, { withFileTypes: true }));
  } catch (e) {
    if (onerror !== undefined && onerror !== null) call(onerror, e);
    return;
  }
  const isDirectory = (entry: fs.Dirent) =>
    entry.isDirectory() || (entry.isSymbolicLink() && isDirectoryPath(join(root, [entry.name])));
  const directories = entries.filter(isDirectory).map((entry) => entry.name);
  const files = entries.filter((entry) => !isDirectory(entry)).map((entry) => entry.name);
  const first = topdown === undefined || truth(topdown);
  if (first) yield tuple(root, directories, files);
  for (const name of directories) {
    const inner = join(root, [name]);
    if (truth(followlinks) || !fs.lstatSync(inner).isSymbolicLink()) yield* walk(inner, topdown, onerror, followlinks);
  }
  if (!first) yield tuple(root, directories, files);
}

function isDirectoryPath(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function makedirs(name: unknown, mode: unknown, existOk: unknown): null {
  const path = textPath(name);
  if (fs.existsSync(path)) {
    if (truth(existOk) && isDirectoryPath(path)) return null;
    throw call(OSError, 17, 'File exists', path);
  }
  system(() => disk.mkdirSync(path, { recursive: true, mode: mode === undefined ? 0o777 : Number(mode) }));
  return null;
}

function removedirs(name: unknown): null {
  let path = textPath(name);
  system(() => disk.rmdirSync(path));
  for (;;) {
    path = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (path === '') return null;
    try {
      disk.rmdirSync(path);
    } catch {
      return null;
    }
  }
}

function systemCommand(command: unknown): number {
  refuseInReplay('runs no other programs');
  const { spawnSync } = nodeProcesses();
  const done = spawnSync(requireText(command), { shell: true, stdio: 'inherit', timeout: remainingMs() });
  look();
  return done.status === null ? 1 : done.status << 8;
}

function getenv(key: unknown, fallback: unknown): unknown {
  return process.env[requireText(key)] ?? fallback ?? null;
}

function errorText(code: unknown): string {
  const found = Object.entries(platform.constants.errno).find(([, number]) => number === code);
  const example = found === undefined ? undefined : caught(Object.assign(new Error(), { code: found[0] }));
  return example instanceof OSError ? strOf(example.strerror) : `Unknown error ${strOf(code)}`;
}

const nothing = (run: () => void): null => {
  system(run);
  return null;
};

// `O_CREAT` and the others, as the system numbers them.
function openFlags(): Members {
  const names = Object.keys(fs.constants).filter((name) => name.startsWith('O_'));
  return Object.fromEntries(names.map((name) => [name, (fs.constants as any)[name]]));
}

function descriptor(fd: unknown): number {
  return Number(requireIndex(fd));
}

export function makeOs(): Members {
  const environ = new Environment();
  return {
    environ,
    name: 'posix',
    sep: '/',
    altsep: null,
    pathsep: ':',
    linesep: '\n',
    curdir: '.',
    pardir: '..',
    extsep: '.',
    devnull: '/dev/null',
    F_OK: 0,
    R_OK: 4,
    W_OK: 2,
    X_OK: 1,
    ...openFlags(),
    SEEK_SET: 0,
    SEEK_CUR: 1,
    SEEK_END: 2,
    error: OSError,
    stat_result: StatResult,
    terminal_size: TerminalSize,
    DirEntry,
    PathLike,
    get path() {
      return std('os.path');
    },
    ...functions('os', {
      access: [
        'path, mode',
        (x: unknown, mode: unknown) => {
          try {
            fs.accessSync(textPath(x), Number(mode));
            return true;
          } catch {
            return false;
          }
        },
      ],
      chdir: ['path', (x: unknown) => nothing(() => process.chdir(textPath(x)))],
      chmod: ['path, mode', (x: unknown, mode: unknown) => nothing(() => disk.chmodSync(textPath(x), Number(mode)))],
      cpu_count: ['', () => platform.cpus().length || 1],
      fspath: ['path', textPath],
      get_terminal_size: ['fd=1, /', () => new TerminalSize([process.stdout.columns ?? 80, process.stdout.rows ?? 24])],
      getcwd: ['', () => process.cwd()],
      getenv: ['key, default=None', getenv],
      getlogin: ['', () => platform.userInfo().username],
      getpid: ['', () => process.pid],
      getppid: ['', () => process.ppid],
      getuid: ['', () => process.getuid?.() ?? 0],
      getgid: ['', () => process.getgid?.() ?? 0],
      kill: [
        'pid, signal, /',
        (pid: unknown, signal: unknown) => {
          refuseInReplay('sends no signals');
          return nothing(() => void process.kill(Number(pid), Number(signal)));
        },
      ],
      link: ['src, dst', (a: unknown, b: unknown) => nothing(() => disk.linkSync(textPath(a), textPath(b)))],
      listdir: [
        'path=None',
        (x: unknown) => system(() => fs.readdirSync(x === undefined || x === null ? '.' : textPath(x))),
      ],
      lstat: ['path', (x: unknown) => statResult(x, false)],
      makedirs: ['name, mode=511, exist_ok=False', makedirs],
      mkdir: [
        'path, mode=511',
        (x: unknown, mode: unknown) =>
          nothing(() => disk.mkdirSync(textPath(x), { mode: mode === undefined ? 0o777 : Number(mode) })),
      ],
      putenv: ['name, value, /', (key: unknown, value: unknown) => nothing(() => environ.set(key, value))],
      readlink: ['path', (x: unknown) => system(() => fs.readlinkSync(textPath(x)))],
      remove: ['path', (x: unknown) => nothing(() => disk.unlinkSync(textPath(x)))],
      fsdecode: ['filename', textPath],
      fsencode: ['filename', (x: unknown) => new Bytes(new Uint8Array(Buffer.from(textPath(x))))],
      close: ['fd', (fd: unknown) => nothing(() => fs.closeSync(descriptor(fd)))],
      fdopen: [
        'fd, *args, **kwargs',
        (fd: unknown, args: readonly unknown[] = [], kwargs?: Dict) =>
          callkw(
            open,
            [descriptor(fd), ...args],
            kwargs === undefined ? undefined : [...(kwargs.entries() as Iterable<[string, unknown]>)],
          ),
      ],
      fstat: ['fd', (fd: unknown) => statResult(descriptor(fd))],
      ftruncate: [
        'fd, length, /',
        (fd: unknown, length: unknown) =>
          nothing(() => disk.ftruncateSync(descriptor(fd), Number(requireIndex(length)))),
      ],
      open: [
        'path, flags, mode=511, *, dir_fd=None',
        (path: unknown, flags: unknown, mode?: unknown) =>
          system(() => disk.openSync(textPath(path), Number(requireIndex(flags)), Number(requireIndex(mode ?? 511)))),
      ],
      read: [
        'fd, length, /',
        (fd: unknown, length: unknown) => {
          const data = new Uint8Array(Number(requireIndex(length)));
          return new Bytes(
            data.slice(
              0,
              system(() => fs.readSync(descriptor(fd), data)),
            ),
          );
        },
      ],
      fsync: [
        'fd',
        (fd: any) => nothing(() => fs.fsyncSync(typeof fd === 'number' ? fd : Number(callMethod(fd, 'fileno')))),
      ],
      getegid: ['', () => process.getegid?.() ?? 0],
      geteuid: ['', () => process.geteuid?.() ?? 0],
      getgroups: ['', () => process.getgroups?.() ?? []],
      getloadavg: ['', () => tuple(...platform.loadavg())],
      isatty: ['fd, /', (fd: unknown) => isatty(Number(fd))],
      removedirs: ['name', removedirs],
      rename: ['src, dst', (a: unknown, b: unknown) => nothing(() => disk.renameSync(textPath(a), textPath(b)))],
      replace: ['src, dst', (a: unknown, b: unknown) => nothing(() => disk.renameSync(textPath(a), textPath(b)))],
      rmdir: ['path', (x: unknown) => nothing(() => disk.rmdirSync(textPath(x)))],
      scandir: [
        'path=None',
        (x: unknown) => {
          const root = x === undefined || x === null ? '.' : textPath(x);
          const entries = system(() => fs.readdirSync(root, { withFileTypes: true })).map(
            (entry) => new DirEntry(root, entry),
          );
          return new ScanIterator(entries[Symbol.iterator](), 'ScandirIterator');
        },
      ],
      stat: [
        'path, *, follow_symlinks=True',
        (x: unknown, follow: unknown) => statResult(x, follow === undefined || truth(follow)),
      ],
      strerror: ['code, /', errorText],
      symlink: ['src, dst', (a: unknown, b: unknown) => nothing(() => disk.symlinkSync(textPath(a), textPath(b)))],
      system: ['command', systemCommand],
      times: ['', () => tuple(process.cpuUsage().user / 1e6, process.cpuUsage().system / 1e6, 0, 0, process.uptime())],
      truncate: [
        'path, length',
        (x: unknown, size: unknown) => nothing(() => disk.truncateSync(textPath(x), Number(requireIndex(size)))),
      ],
      umask: ['mask, /', (mask: unknown) => process.umask(Number(mask))],
      uname: [
        '',
        () =>
          new UnameResult([
            platform.type(),
            platform.hostname(),
            platform.release(),
            platform.version(),
            platform.machine(),
          ]),
      ],
      unlink: ['path', (x: unknown) => nothing(() => disk.unlinkSync(textPath(x)))],
      unsetenv: [
        'name, /',
        (key: unknown) => {
          if (!environ.delete(key)) throw new KeyError(key);
          return null;
        },
      ],
      urandom: [
        'size, /',
        (size: unknown) =>
          new Bytes(new Uint8Array(fromOutside('bytes', () => nodeCrypto().randomBytes(Number(requireIndex(size)))))),
      ],
      utime: [
        'path, times=None',
        (x: unknown, times: any) => {
          const [a, m] = times instanceof Tuple ? (times.items as number[]) : [Date.now() / 1000, Date.now() / 1000];
          return nothing(() => disk.utimesSync(textPath(x), a!, m!));
        },
      ],
      walk: [
        'top, topdown=True, onerror=None, followlinks=False',
        (...args: [unknown, unknown, unknown, unknown]) => new PyIterator(walk(...args), 'generator'),
      ],
      write: [
        'fd, data, /',
        (fd: unknown, data: unknown) => system(() => disk.writeSync(Number(fd), requireBytes(data))),
      ],
      abort: ['', () => process.abort()],
      _exit: ['status', (status: unknown) => process.exit(Number(status))],
    }),
  };
}
