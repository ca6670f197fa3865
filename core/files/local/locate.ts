/** Location of a path of the storage: confined to the base directory, symbolic links and all (docs/server/files.md#paths). */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { escapes } from '../storage-path.ts';

export interface Location {
  /** Path of the entry: its directory's real location and its name. A link that is replaced or removed is this. */
  readonly entry: string;
  /** Path that the entry leads to when links are followed. */
  readonly real: string;
  /** Facts of `real`; undefined when nothing is there. */
  readonly stats: Stats | undefined;
  /** True when something on the way is a file. */
  readonly isBlocked: boolean;
}

/**
 * Follows `path` from `base`, which is a real path, name by name.
 *
 * @throws ValueError when it leads outside, or over a link that leads nowhere: what is not there yet may turn up anywhere
 */
export function locate(base: string, path: string): Location {
  let entry = base;
  let real = base;
  let stats = statsOf(base);
  const names = path === '' ? [] : path.split('/');
  for (const [i, name] of names.entries()) {
    if (stats?.isDirectory() === false)
      return { entry: join(real, ...names.slice(i)), real, stats: undefined, isBlocked: true };
    entry = join(real, name);
    real = entry;
    stats = stats === undefined ? undefined : statsOf(entry);
    if (stats?.isSymbolicLink() !== true) continue;
    real = follow(entry, path);
    if (real !== base && !real.startsWith(base.endsWith(sep) ? base : base + sep)) throw escapes(path);
    stats = statsOf(real);
  }
  return { entry, real, stats, isBlocked: false };
}

function follow(link: string, path: string): string {
  try {
    return realpathSync(link);
  } catch {
    throw escapes(path);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
