/** Module `platform`. */
import * as os from 'node:os';
import { functions, type Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { tuple } from '../values/containers/tuple.ts';

const Uname = makeNamedTuple('uname_result', ['system', 'node', 'release', 'version', 'machine'], {
  module: 'platform',
});

const systems: Readonly<Record<string, string>> = { Windows_NT: 'Windows' };
const system = (): string => systems[os.type()] ?? os.type();
const version = '3.12.0';

export function makePlatform(): Members {
  return functions('platform', {
    architecture: [
      'executable="", bits="", linkage=""',
      () => tuple(process.arch.endsWith('64') ? '64bit' : '32bit', ''),
    ],
    machine: ['', () => os.machine()],
    node: ['', () => os.hostname()],
    platform: ['aliased=False, terse=False', () => `${system()}-${os.release()}-${os.machine()}`],
    processor: ['', () => os.machine()],
    python_build: ['', () => tuple('main', '')],
    python_compiler: ['', () => `V8 ${process.versions.v8}`],
    python_implementation: ['', () => 'svc'],
    python_version: ['', () => version],
    python_version_tuple: ['', () => tuple(...version.split('.'))],
    release: ['', () => os.release()],
    system: ['', system],
    uname: ['', () => new Uname([system(), os.hostname(), os.release(), os.version(), os.machine()])],
    version: ['', () => os.version()],
  });
}
