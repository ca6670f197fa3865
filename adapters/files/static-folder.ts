/** A folder of this machine whose files are served as they are (docs/server/client-pages.md#files). */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { StaticFile, StaticFolder } from '../../handlers/http/static-files.ts';

const chunkBytes = 65_536;

/** The folder need not be there; it may come and go. Links count where they stay inside of it. `directory` is absolute. */
export function openStaticFolder(directory: string): StaticFolder {
  return async (names) => {
    try {
      const base = await realpath(directory);
      const path = await realpath(join(base, ...names));
      if (path !== join(base, ...names) && (await leaves(base, names))) return undefined;
      const found = await stat(path, { bigint: true });
      if (found.isDirectory()) return { kind: 'folder' };
      // Opening an entry that is neither file nor folder, such as a pipe, would wait for somebody.
      if (!found.isFile()) return undefined;
      const version = `${found.size.toString(36)}-${found.mtimeNs.toString(36)}-${found.ino.toString(36)}`;
      return fileAt(path, Number(found.size), Number(found.mtimeMs), version);
    } catch (error) {
      // Not there, not readable, a name that no file can have.
      if (typeof (error as NodeJS.ErrnoException).code === 'string') return undefined;
      throw error;
    }
  };
}

/** Does a link on the way lead outside, even if another leads back? */
async function leaves(base: string, names: readonly string[]): Promise<boolean> {
  const inside = base.endsWith(sep) ? base : base + sep;
  for (let i = 1; i <= names.length; i++) {
    const path = await realpath(join(base, ...names.slice(0, i)));
    if (path !== base && !path.startsWith(inside)) return true;
  }
  return false;
}

function fileAt(path: string, size: number, modifiedMs: number, version: string): StaticFile {
  return { kind: 'file', size, modifiedMs, version, read: (start, end) => chunksOf(path, start, end) };
}

/** @throws Error when the file has become shorter: what was announced cannot be sent */
async function* chunksOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start === end) return;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    for (let at = start; at < end; ) {
      const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, end - at));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
      yield bytes.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
