import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Time for which a file that is empty is taken for one that is being written: to save is to empty and to write. */
export const longestEmptyMs = 1000;
const lookMs = 4;

/** Resolves when a file is not being written: at once unless it was emptied within the last second. A file that cannot be read counts as written. */
export async function whenWritten(path: string): Promise<void> {
  for (;;) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.size > 0 || Date.now() - found.mtimeMs > longestEmptyMs) return;
    await setTimeout(lookMs);
  }
}
