import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryPrefix } from '../storage-path.ts';

/** Older than any upload that may still be going on. */
const leftMs = 24 * 3600 * 1000;

/** Removes what processes that were killed have left in a directory; looks once into each. */
export function createSweeper(): (folder: string) => Promise<void> {
  const seen = new Set<string>();
  return async (folder) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const name of await readdir(folder)) {
      if (!name.startsWith(temporaryPrefix)) continue;
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats !== undefined && Date.now() - stats.mtimeMs > leftMs) await rm(path, { force: true });
    }
  };
}
