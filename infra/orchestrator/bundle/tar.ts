import { writeTar } from '../../../library/modules/archives/archive-tar.ts';
import type { Files } from '../../files.ts';

/** Files as a tar archive, the same bytes for the same files: sorted, without times, owners or modes of the disk. */
export function packTar(files: Files): Uint8Array {
  const modified = new Date(0);
  return writeTar(
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, data]) => ({ name, mode: 0o644, modified, data })),
  );
}
