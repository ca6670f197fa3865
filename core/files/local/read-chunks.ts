import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { OSError } from '../../../library/values/objects/exceptions.ts';
import type { FileReading } from '../storage.ts';

const chunkBytes = 256 * 1024;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** A file of this machine, piece by piece; a piece is good until the next is asked for. A pipe or device is refused: its end may never come. `follow`: through a link. */
export async function readChunks(path: string, { follow = false } = {}): Promise<FileReading> {
  // A pipe would otherwise keep the open call waiting for its other end.
  const file = await open(path, O_RDONLY | (O_NONBLOCK ?? 0) | (follow ? 0 : (O_NOFOLLOW ?? 0)));
  const close = () => file.close();
  try {
    const stats = await file.stat();
    if (stats.isDirectory())
      throw Object.assign(new Error('is a directory'), { code: 'EISDIR', syscall: 'open', path });
    if (!stats.isFile()) throw new OSError(22, 'Not a regular file', path);
    return { size: stats.size, chunks: chunks(), close };
  } catch (error) {
    await close();
    throw error;
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      // One buffer for all of them: memory outside of JavaScript's heap is given back late.
      const buffer = Buffer.allocUnsafe(chunkBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await close();
    }
  }
}
