import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { comparePaths, isReserved, lastName, parentOf } from '../storage-path.ts';
import { type Location, locate } from './locate.ts';

/** Files as `FileStorage.list` says, one directory at a time. */
export function* listFiles(base: string | undefined, prefix: string, recursive: boolean): Generator<string> {
  if (base === undefined) return;
  const path = prefix.replace(/\/$/, '');
  const found = locate(base, path);
  if (found.stats?.isDirectory() === true) yield* inDirectory(base, found.real, path, '', recursive, [found.real]);
  else if (!prefix.endsWith('/')) {
    const parent = locate(base, parentOf(path));
    if (parent.stats?.isDirectory() === true)
      yield* inDirectory(base, parent.real, parentOf(path), lastName(path), recursive, [parent.real]);
  }
}

function* inDirectory(
  base: string,
  real: string,
  path: string,
  start: string,
  recursive: boolean,
  /** Directories on the way here: a link may lead back to one of them. */
  above: readonly string[],
): Generator<string> {
  const entries = readdirSync(real, { withFileTypes: true })
    .filter(({ name }) => name.startsWith(start) && !isReserved(name, path === ''))
    .flatMap((entry) => describe(base, real, path, entry) ?? [])
    .sort((a, b) => comparePaths(a.key, b.key));
  for (const entry of entries) {
    if (!entry.isFolder) yield entry.path;
    else if (recursive && !above.includes(entry.real))
      yield* inDirectory(base, entry.real, entry.path, '', true, [...above, entry.real]);
  }
}

interface Entry {
  readonly path: string;
  readonly real: string;
  readonly isFolder: boolean;
  /** Sorts a directory where its files belong. */
  readonly key: string;
}

function describe(base: string, real: string, folder: string, entry: Dirent): Entry | undefined {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isDirectory()) return { path, real: join(real, entry.name), isFolder: true, key: `${entry.name}/` };
  if (entry.isFile()) return { path, real: join(real, entry.name), isFolder: false, key: entry.name };
  if (!entry.isSymbolicLink()) return undefined;
  const target = linked(base, path);
  if (target === undefined || !(target.stats!.isFile() || target.stats!.isDirectory())) return undefined;
  const isFolder = target.stats!.isDirectory();
  return { path, real: target.real, isFolder, key: isFolder ? `${entry.name}/` : entry.name };
}

function linked(base: string, path: string): Location | undefined {
  try {
    const found = locate(base, path);
    return found.stats === undefined ? undefined : found;
  } catch {
    return undefined;
  }
}
