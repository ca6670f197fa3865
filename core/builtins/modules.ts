/**
 * Standard modules (language.md 6.10): `$.std(name)`. A module object is made when a program first imports it. To add one: a file in
 * modules/ that exports its maker, and a line in `makers`. Modules that belong to other parts of the runtime (`byllm`, `svc_scale.lib`,
 * `svclang`) register themselves with `addModule`.
 */
import { ModuleNotFoundError } from '../values/exceptions.ts';
import { type Members, makeModule } from './module.ts';

const makers: Record<string, () => Members> = {};

const made = new Map<string, any>();

/** The module object called `name`. @throws ModuleNotFoundError */
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
  const error: any = new ModuleNotFoundError(`module ${name} is a CPython package and is not available on this runtime`);
  error.name = name;
  return error;
}
