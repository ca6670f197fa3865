import { isAbsolute, relative } from 'node:path';

/** TypeScript that `svc` compiles; declarations hold no code. */
export function isScriptFile(path: string): boolean {
  return /\.[mc]?tsx?$/.test(path) && !/\.d\.([^/]*\.)?[mc]?ts$/.test(path);
}

/** Path of a compiled file below the folder of the program: `lib/util.ts` is in `lib/util.ts.mjs`. */
export function scriptOutput(path: string, root: string): string {
  return `${below(path, root)}.mjs`;
}

/** The module that initialises an `.svc` module for TypeScript and gives what it declares. */
export function bridgeOutput(path: string, root: string): string {
  return `${below(path, root)}.mjs`;
}

/** Dotted name of the module: part of the name under which its types are stored, as for `.svc` modules. */
export function scriptId(path: string, root: string): string {
  return below(path, root)
    .replace(/\.[mc]?tsx?$/, '')
    .replaceAll('/', '.');
}

/** Path from the project root, files elsewhere by a name that stays below the folder. */
export function below(path: string, root: string): string {
  const found = relative(root, path).replaceAll('\\', '/');
  if (!isAbsolute(found) && !found.startsWith('../')) return found;
  return `_outside/${found.replaceAll('../', 'up/').replace(/^\/+/, '')}`;
}
