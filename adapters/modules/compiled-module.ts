/** One compiled module as the loader takes it. */
export interface CompiledModule {
  /** File below the folder of the program, `lib/util.mjs`; imports between modules are relative to it. */
  readonly path: string;
  /** ES module text that imports the runtime as `runtimeSpecifier`. */
  readonly code: string;
  /** Source map, JSON text. */
  readonly map: string;
}

/** What generated modules import as the runtime, at any depth: the folder's `package.json` says where it is. */
export const runtimeSpecifier = '#runtime';

/** What stands before the path of a module of the program when another one imports it from any depth. */
export const appSpecifier = '#app/';
