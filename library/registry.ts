/**
 * Registry of standard modules (docs/language/standard-modules.md#modules): `$.std(name)`. A module object is made when
 * a program first imports it. Knows no module itself: the lists are modules.ts for the language's own,
 * core/modules/modules.ts for the product's.
 */

import { type Members, makeModule } from './builtins/module.ts';
import type { Dict } from './values/containers/dict.ts';
import { ImportError, ModuleNotFoundError } from './values/objects/exceptions.ts';
import { key } from './values/objects/protocol.ts';

/** Makes the members of one module. */
export type Maker = () => Members;
export type Makers = Readonly<Record<string, Maker>>;

/** Modules by how they are read (decisions/0015). */
export interface ModuleList {
  /** Modules whose files the runtime itself needs, and the smallest: there from the start. */
  readonly core: Makers;
  /** Read one by one, when the first program that imports them is loaded. A reader may give several. */
  readonly usual: Readonly<Record<string, () => Promise<Makers>>>;
  /** Reads the rest together, when a program names a module that is in neither group. */
  readonly rare: (names: readonly string[]) => Promise<readonly Makers[]>;
}

const makers: Record<string, Maker> = {};
const later: Record<string, () => Promise<Makers>> = {};
const rareReaders: ModuleList['rare'][] = [];
const commonNames = new Set<string>();

/** Adds a list of modules. */
export function addModules({ core, usual, rare }: ModuleList): void {
  Object.assign(makers, core);
  Object.assign(later, usual);
  rareReaders.push(rare);
  for (const name of [...Object.keys(core), ...Object.keys(usual)]) commonNames.add(name);
}

/** Tells whether a module is not among the common ones: it is read with the rare ones, or not there at all. */
export function isRare(name: string): boolean {
  return !commonNames.has(name);
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
  const rare = hasRare ? rareReaders.map((one) => one(names)) : [];
  const found = [...(await Promise.all([...readers].map((one) => one()))), ...(await Promise.all(rare)).flat()];
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

/** Gives the value of `import from name { member }`. @throws ModuleNotFoundError, ImportError */
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
  commonNames.add(name);
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
