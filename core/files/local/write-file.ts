/** Files that appear whole or not at all. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryPrefix } from '../storage-path.ts';

export const fileMode = 0o640;
/** Mode of files that programs write elsewhere; the process's mask applies. */
export const uploadMode = 0o666;
const directoryMode = 0o750;

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** Wrapper around the moment in which the new file takes the place of the old one; it calls `rename` once. */
export type Place = (rename: () => Promise<void>) => Promise<void>;

/** Writes beside `target`, syncs, renames, and syncs the directory: when this resolves, the file survives a loss of power. */
export async function writeFile(
  target: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place?: Place,
): Promise<void> {
  const fill = async (temporary: string) => {
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), fileMode);
    try {
      let size = 0;
      for await (const chunk of chunks) {
        await writeAll(file, chunk, size);
        size += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  };
  await replace(target, fill, place);
}

/** Lets `fill` make a file beside `target`, which then takes its place. Nothing is left of it when that fails. */
export async function replace(
  target: string,
  fill: (temporary: string) => Promise<void>,
  place: Place = (rename) => rename(),
): Promise<void> {
  const folder = dirname(target);
  const temporary = join(folder, temporaryPrefix + randomUUID());
  try {
    await fill(temporary);
    await place(() => rename(temporary, target));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

/** Makes a directory and those above it that are missing, durably. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: directoryMode });
  if (first === undefined) return;
  for (let at = folder; at !== dirname(first); ) {
    at = dirname(at);
    await syncFolder(at);
  }
}

/** Makes what happened to the names in a directory durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no directories; its file systems order such changes themselves.
  if (process.platform === 'win32') return;
  const handle = await open(folder, O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}
