import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Copies a folder of `placeModules`, or the program of a bundle, so that its modules can run once more in this process: one that was imported is
 * never evaluated again. The copy stands beside it, or in a temporary folder where nothing can be written there, as in a function. Gives its path.
 */
export async function copyModules(directory: string): Promise<string> {
  // Goes with what stale builds leave there (`removeStaleModules`).
  const beside = `${directory}.${randomUUID()}.tmp`;
  try {
    await cp(directory, beside, { recursive: true });
    return beside;
  } catch {
    const apart = await mkdtemp(join(tmpdir(), 'svc-'));
    // Packages that a bundle does not hold in its modules stand beside the program; where there are none nobody follows the link.
    await symlink(join(dirname(directory), 'node_modules'), join(apart, 'node_modules'));
    const copy = join(apart, basename(directory));
    await cp(directory, copy, { recursive: true });
    return copy;
  }
}
