import type { InvalidUtf8 } from '../../base/invalid-utf8.ts';
import { dirName, normalizePath } from './paths.ts';

/** Access to the files of a project. All are synchronous; paths use `/`. */
export interface ProjectFiles {
  /** Text of a file, or undefined when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  /**
   * Gives the place at which a file that can be read stops being UTF-8. Asked only of those whose text has a
   * replacement character.
   */
  readonly invalidUtf8?: (path: string) => InvalidUtf8 | undefined;
  readonly exists: (path: string) => 'file' | 'directory' | undefined;
  /** Names in a directory, without path; empty when it is none. */
  readonly listDir: (path: string) => readonly string[];
}

/** The same files, each directory listed once and each path asked once. */
export function rememberFiles(files: ProjectFiles): ProjectFiles {
  const listed = new Map<string, ReadonlySet<string>>();
  const kinds = new Map<string, 'file' | 'directory' | undefined>();
  const list = (dir: string): ReadonlySet<string> => {
    let names = listed.get(dir);
    if (names === undefined) {
      // A directory that is not there is not listed: its parent says so.
      const parent = dirName(dir);
      const known =
        parent === dir || !listed.has(parent) || listed.get(parent)!.has(dir.slice(dir.lastIndexOf('/') + 1));
      names = new Set(known ? [...files.listDir(dir)].sort() : []);
      listed.set(dir, names);
    }
    return names;
  };
  return {
    ...files,
    listDir: (path) => [...list(normalizePath(path))],
    exists(path) {
      const normal = normalizePath(path);
      const dir = dirName(normal);
      const name = normal.slice(normal.lastIndexOf('/') + 1);
      if (dir !== normal && name !== '..' && name !== '.' && !list(dir).has(name)) return undefined;
      if (!kinds.has(normal)) kinds.set(normal, files.exists(normal));
      return kinds.get(normal);
    },
  };
}

/** Files given as a record of path to text: for tests and for tools that compile text. */
export function filesInMemory(texts: Readonly<Record<string, string>>): ProjectFiles {
  const files = new Map(Object.entries(texts).map(([path, text]) => [normalizePath(path), text] as const));
  const directories = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    for (let child = path, dir = dirName(path); ; child = dir, dir = dirName(dir)) {
      const names = directories.get(dir) ?? new Set();
      directories.set(dir, names.add(child.slice(child.lastIndexOf('/') + 1)));
      if (dir === dirName(dir)) break;
    }
  }
  return {
    readFile: (path) => files.get(normalizePath(path)),
    listDir: (path) => [...(directories.get(normalizePath(path)) ?? [])],
    exists(path) {
      const normal = normalizePath(path);
      if (files.has(normal)) return 'file';
      return directories.has(normal) ? 'directory' : undefined;
    },
  };
}
