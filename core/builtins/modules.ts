/**
 * Standard modules (language.md 6.10): `$.std(name)`. A module object is made when a program first imports it. To add one: a file in
 * modules/ that exports its maker, and a line in `later` when many programs use it, else in rare-modules.ts. `makers` has those whose files
 * the runtime itself needs and the smallest. Modules of the runtime's own parts (`svclang`) register themselves
 * with `addModule`.
 */
import type { Dict } from '../values/dict.ts';
import { ImportError, ModuleNotFoundError } from '../values/exceptions.ts';
import { key } from '../values/protocol.ts';
import { type Members, makeModule } from './module.ts';
import { makeDatetime } from './modules/datetime.ts';
import { makeHttp } from './modules/http.ts';
import { makePath } from './modules/paths.ts';
import { makeUuid } from './modules/uuid.ts';

type Maker = () => Members;

const makers: Record<string, Maker> = {
  datetime: makeDatetime,
  http: makeHttp,
  'os.path': makePath,
  uuid: makeUuid,
};

/** Each is read when the first program that imports it is loaded. */
const later: Readonly<Record<string, () => Promise<Readonly<Record<string, Maker>>>>> = {
  abc: async () => ({ abc: (await import('./modules/abc.ts')).makeAbc }),
  asyncio: async () => ({ asyncio: (await import('./modules/asyncio.ts')).makeAsyncio }),
  collections: readCollections,
  'collections.abc': readCollections,
  copy: async () => ({ copy: (await import('./modules/copy.ts')).makeCopy }),
  dataclasses: async () => ({ dataclasses: (await import('./modules/dataclasses.ts')).makeDataclasses }),
  enum: async () => ({ enum: (await import('./modules/enum.ts')).makeEnum }),
  functools: async () => ({ functools: (await import('./modules/functools.ts')).makeFunctools }),
  json: readJson,
  'json.decoder': readJson,
  'json.encoder': readJson,
  math: async () => ({ math: (await import('./modules/math.ts')).makeMath }),
  os: async () => ({ os: (await import('./modules/os.ts')).makeOs }),
  random: async () => ({ random: (await import('./modules/random.ts')).makeRandom }),
  re: async () => ({ re: (await import('./modules/re.ts')).makeRe }),
  'svclang.protocols': async () => ({ 'svclang.protocols': (await import('./modules/protocols.ts')).makeProtocols }),
  svc_scale: readScale,
  'svc_scale.lib': readScale,
  'svclang.files': async () => {
    const { open } = await import('./open.ts');
    return { 'svclang.files': () => ({ open }) };
  },
  sys: async () => ({ sys: (await import('./modules/sys.ts')).makeSys }),
  time: async () => ({ time: (await import('./modules/time.ts')).makeTime }),
  types: async () => ({ types: (await import('./modules/types.ts')).makeTypes }),
  typing: readTyping,
  typing_extensions: readTyping,
};

async function readCollections(): Promise<Record<string, Maker>> {
  const { makeCollections, makeCollectionsAbc } = await import('./modules/collections.ts');
  return { collections: makeCollections, 'collections.abc': makeCollectionsAbc };
}

async function readJson(): Promise<Record<string, Maker>> {
  const { makeJson } = await import('./modules/json.ts');
  return {
    json: makeJson,
    'json.decoder': () => pick(makeJson(), 'JSONDecoder', 'JSONDecodeError'),
    'json.encoder': () => pick(makeJson(), 'JSONEncoder'),
  };
}

async function readScale(): Promise<Record<string, Maker>> {
  const { makeScale, makeScaleLib } = await import('../kvstore/module.ts');
  return { svc_scale: makeScale, 'svc_scale.lib': makeScaleLib };
}

async function readTyping(): Promise<Record<string, Maker>> {
  const { makeTyping } = await import('./modules/typing.ts');
  return { typing: makeTyping, typing_extensions: makeTyping };
}

function pick(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

const usual = new Set([...Object.keys(makers), ...Object.keys(later)]);

/** Is it read with rare-modules.ts, or not there at all? */
export function isRare(name: string): boolean {
  return !usual.has(name);
}

const made = new Map<string, any>();

let isComplete = false;

/**
 * Makes modules ready for `std`. Generated code does it for what it imports, before anything else of it runs; nothing to wait for when
 * all are there. A name that is not known, and `builtins`, whose `__import__` takes any name, makes all of them ready.
 */
export function load(...names: readonly string[]): Promise<void> | undefined {
  const missing = names.filter((name) => (name === 'builtins' ? !isComplete : !Object.hasOwn(makers, name)));
  return missing.length === 0 ? undefined : read(missing);
}

async function read(names: readonly string[]): Promise<void> {
  const hasRare = names.some((name) => !Object.hasOwn(later, name));
  const readers = new Set(hasRare ? Object.values(later) : names.map((name) => later[name]!));
  const found = await Promise.all([...readers].map((one) => one()));
  if (hasRare) found.push(...(await (await import('./rare-modules.ts')).readRare(names)));
  for (const [name, maker] of found.flatMap(Object.entries<Maker>)) makers[name] ??= maker;
  isComplete ||= names.includes('builtins');
}

/** The module object called `name`, which is ready. @throws ModuleNotFoundError */
export function std(name: string): any {
  let module = made.get(name);
  if (module === undefined) {
    const maker = makers[name] ?? (name.startsWith('svclang.') ? makers['svclang.'] : undefined);
    if (maker === undefined) throw notFound(name);
    module = makeModule(name, maker());
    made.set(name, module);
  }
  return module;
}

/** Puts the modules that programs have imported into `sys.modules`. */
export function listModules(into: Dict): Dict {
  for (const [name, module] of made) if (!into.has(name)) into.set(name, module);
  return into;
}

/** A member of the module called `name`; undefined when it has none. @throws ModuleNotFoundError */
export function stdMember(name: string, member: string): unknown {
  const module = std(name);
  return Object.hasOwn(module, key(member)) ? module[key(member)] : undefined;
}

/** What `import from name { member }` gives. @throws ModuleNotFoundError, ImportError */
export function importedMember(name: string, member: string): unknown {
  const value = stdMember(name, member);
  if (value === undefined) throw new ImportError(`cannot import name '${member}' from '${name}'`);
  return value;
}

/** Is there a standard module of this name? */
export function hasModule(name: string): boolean {
  return Object.hasOwn(makers, name);
}

/** Adds (or replaces) a module. */
export function addModule(name: string, maker: () => Members): void {
  makers[name] = maker;
  usual.add(name);
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
