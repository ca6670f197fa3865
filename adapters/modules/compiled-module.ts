/** One compiled module as the loader takes it. */
export interface CompiledModule {
  /** File below the folder of the program, `lib/util.mjs`; imports between modules are relative to it. */
  readonly path: string;
  /** ES module text that imports the runtime as `runtimeSpecifier`. */
  readonly code: string;
  /** Source map, JSON text. */
  readonly map: string;
}

/** Specifier of the runtime in generated modules, at any depth: the folder's `package.json` says where it is. */
export const runtimeSpecifier = '#runtime';

/** Prefix of the path of a module of the program when another one imports it from any depth. */
export const appSpecifier = '#app/';
