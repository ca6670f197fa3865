/** Module `sys`. */

import { functions, type Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { streams } from '../builtins/streams.ts';
import { listModules } from '../registry.ts';
import { handledException } from '../values/calls/handled.ts';
import { Dict } from '../values/containers/dict.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { SystemExit } from '../values/objects/exceptions.ts';
import { identityOf } from '../values/objects/hashing.ts';
import { lengthOf } from '../values/text/strings.ts';

const VersionInfo = makeNamedTuple('version_info', ['major', 'minor', 'micro', 'releaselevel', 'serial'], {
  module: 'sys',
  label: 'sys.version_info',
});
const FloatInfo = makeNamedTuple(
  'float_info',
  ['max', 'max_exp', 'max_10_exp', 'min', 'min_exp', 'min_10_exp', 'dig', 'mant_dig', 'epsilon', 'radix', 'rounds'],
  { module: 'sys', label: 'sys.float_info' },
);
const Implementation = makeNamedTuple('namespace', ['name', 'version'], { module: 'types' });

/** Arguments of the program: `sys.argv`. The command line sets them before the program runs. */
let argv: unknown[] = [''];

export function setArguments(args: readonly string[]): void {
  argv = [...args];
}

function sizeOf(x: unknown): number {
  switch (typeof x) {
    case 'string':
      return 49 + lengthOf(x);
    case 'number':
    case 'bigint':
    case 'boolean':
      return 28;
    default:
      return Array.isArray(x)
        ? 56 + 8 * x.length
        : x instanceof Tuple
          ? 40 + 8 * x.items.length
          : x instanceof Dict
            ? 64 + 100 * x.size
            : 48;
  }
}

function excInfo(): Tuple {
  const error = handledException();
  return error === null ? tuple(null, null, null) : tuple(error.constructor, error, error.__traceback__ ?? null);
}

export function makeSys(): Members {
  const modules = new Dict();
  const version = new VersionInfo([3, 12, 0, 'final', 0]);
  return {
    get argv() {
      return argv;
    },
    set argv(value: unknown[]) {
      argv = value;
    },
    get stdout() {
      return streams.stdout;
    },
    set stdout(value: unknown) {
      streams.stdout = value;
    },
    get stderr() {
      return streams.stderr;
    },
    set stderr(value: unknown) {
      streams.stderr = value;
    },
    get stdin() {
      return streams.stdin;
    },
    set stdin(value: unknown) {
      streams.stdin = value;
    },
    __stdout__: streams.stdout,
    __stderr__: streams.stderr,
    __stdin__: streams.stdin,
    executable: process.execPath,
    path: [process.cwd()],
    platform: process.platform,
    version: '3.12.0 (svc)',
    version_info: version,
    hexversion: 0x030c00f0,
    maxsize: 9223372036854775807n,
    maxunicode: 0x10ffff,
    byteorder: 'little',
    get modules() {
      return listModules(modules);
    },
    builtin_module_names: tuple(),
    base_prefix: '',
    exec_prefix: '',
    base_exec_prefix: '',
    float_info: new FloatInfo([
      Number.MAX_VALUE,
      1024,
      308,
      2.2250738585072014e-308,
      -1021,
      -307,
      15,
      53,
      Number.EPSILON,
      2,
      1,
    ]),
    implementation: new Implementation(['svc', version]),
    flags: new Dict(),
    prefix: '',
    ...functions('sys', {
      exc_info: ['', excInfo],
      exception: ['', handledException],
      exit: [
        'status=None, /',
        (status?: unknown) => {
          throw status === undefined || status === null ? new SystemExit() : new SystemExit(status);
        },
      ],
      getdefaultencoding: ['', () => 'utf-8'],
      getfilesystemencoding: ['', () => 'utf-8'],
      getrecursionlimit: ['', () => 1000],
      getrefcount: [
        'object, /',
        (x: unknown) => (typeof x === 'object' && x !== null ? Math.min(2, identityOf(x)) : 2),
      ],
      getsizeof: ['object, default=None', sizeOf],
      intern: ['string, /', (text: unknown) => text],
      set_int_max_str_digits: ['maxdigits', () => null],
      setrecursionlimit: ['limit, /', () => null],
    }),
  };
}
