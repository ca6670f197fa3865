import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type InvalidUtf8, invalidUtf8 } from '../../base/invalid-utf8.ts';

/** Files as `lang/project.ts` reads them (its `ProjectFiles`); paths use `/`. */
export interface DiskFiles {
  readonly readFile: (path: string) => string | undefined;
  readonly invalidUtf8: (path: string) => InvalidUtf8 | undefined;
  readonly exists: (path: string) => 'file' | 'directory' | undefined;
  readonly listDir: (path: string) => readonly string[];
}

export const diskFiles: DiskFiles = {
  readFile(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  invalidUtf8: (path) => invalidUtf8(readFileSync(path)),
  exists(path) {
    const found = statOf(path);
    if (found === undefined) return undefined;
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'directory' : undefined;
  },
  listDir(path) {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
};

/** Undefined where nothing is, also below something that is no directory. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
