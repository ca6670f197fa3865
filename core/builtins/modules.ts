/**
 * Standard modules (language.md 6.10): `$.std(name)`. A module object is made when a program first imports it. To add one: a file in
 * modules/ that exports its maker, and a line in `makers` when many programs use it, else in rare-modules.ts, which keeps it out of the start
 * of all others. Modules that belong to other parts of the runtime (`byllm`, `svc_scale.lib`, `svclang`) register themselves with `addModule`.
 */
import { ModuleNotFoundError } from '../values/exceptions.ts';
import { type Members, makeModule } from './module.ts';
import { makeAbc } from './modules/abc.ts';
import { makeAsyncio } from './modules/asyncio.ts';
import { makeCollections, makeCollectionsAbc } from './modules/collections.ts';
import { makeCopy } from './modules/copy.ts';
import { makeDataclasses } from './modules/dataclasses.ts';
import { makeDatetime } from './modules/datetime.ts';
import { makeEnum } from './modules/enum.ts';
import { makeFunctools } from './modules/functools.ts';
import { makeHttp } from './modules/http.ts';
import { makeJson } from './modules/json.ts';
import { makeMath } from './modules/math.ts';
import { makeOs } from './modules/os.ts';
import { makePath } from './modules/paths.ts';
import { makeRandom } from './modules/random.ts';
import { makeRe } from './modules/re.ts';
import { makeSys } from './modules/sys.ts';
import { makeTime } from './modules/time.ts';
import { makeTypes } from './modules/types.ts';
import { makeTyping } from './modules/typing.ts';
import { makeUuid } from './modules/uuid.ts';

const makers: Record<string, () => Members> = {
  abc: makeAbc,
  asyncio: makeAsyncio,
  'collections.abc': makeCollectionsAbc,
  collections: makeCollections,
  copy: makeCopy,
  dataclasses: makeDataclasses,
  datetime: makeDatetime,
  enum: makeEnum,
  functools: makeFunctools,
  http: makeHttp,
  json: makeJson,
  'json.decoder': () => pick(makeJson(), 'JSONDecoder', 'JSONDecodeError'),
  'json.encoder': () => pick(makeJson(), 'JSONEncoder'),
  math: makeMath,
  'os.path': makePath,
  os: makeOs,
  random: makeRandom,
  re: makeRe,
  sys: makeSys,
  time: makeTime,
  types: makeTypes,
  typing: makeTyping,
  typing_extensions: makeTyping,
  uuid: makeUuid,
};

function pick(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

const made = new Map<string, any>();

let isComplete = false;

/**
 * Makes modules ready for `std`. Generated code does it for what it imports, before anything else of it runs; nothing to wait for when
 * all are there.
 */
export function load(...names: readonly string[]): Promise<void> | undefined {
  return isComplete || names.every((name) => Object.hasOwn(makers, name)) ? undefined : loadRare();
}

async function loadRare(): Promise<void> {
  const { rareMakers } = await import('./rare-modules.ts');
  for (const [name, maker] of Object.entries(rareMakers)) makers[name] ??= maker;
  isComplete = true;
}

/** The module object called `name`, which is ready. @throws ModuleNotFoundError */
export function std(name: string): any {
  let module = made.get(name);
  if (module === undefined) {
    const maker = makers[name];
    if (maker === undefined) throw notFound(name);
    module = makeModule(name, maker());
    made.set(name, module);
  }
  return module;
}

/** Is there a standard module of this name? */
export function hasModule(name: string): boolean {
  return Object.hasOwn(makers, name);
}

/** Adds (or replaces) a module. */
export function addModule(name: string, maker: () => Members): void {
  makers[name] = maker;
  made.delete(name);
}

/** `__import__(name)`: the top of a dotted name. */
export function importModule(name: string): any {
  std(name);
  const top = name.split('.', 1)[0]!;
  return std(hasModule(top) ? top : name);
}

function notFound(name: string): ModuleNotFoundError {
  const error: any = new ModuleNotFoundError(
    `module ${name} is a CPython package and is not available on this runtime`,
  );
  error.name = name;
  return error;
}
