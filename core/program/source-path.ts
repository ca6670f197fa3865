/** `__file__`: where a source file is, as the program that runs may use it. */
import { resolve } from 'node:path';

// Programs may change their directory.
let root = process.cwd();

/** Tells in which directory the sources of the program are; the working directory at the start when nobody does. */
export function setSourceRoot(directory: string): void {
  root = resolve(root, directory);
}

/** The whole path of a source file, from its path in the project. */
export function sourcePath(path: string): string {
  return resolve(root, path);
}
