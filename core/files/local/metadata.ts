/** Files with the metadata given at upload: `<base>/.svc-meta/<path>.json` (docs/server/files.md#methods). */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FileMetadata } from '../storage.ts';
import { metadataFolder, parentOf } from '../storage-path.ts';
import { makeFolder, writeFile } from './write-file.ts';

/** The file with the metadata of a stored file. */
export function metadataFile(base: string, path: string): string {
  const names = path.split('/');
  const last = names.pop()!;
  return join(metadataDirectory(base, names.join('/')), fitting(`${last}.json`, last, '.json'));
}

/** The directory with the metadata of what is in a stored directory. */
export function metadataDirectory(base: string, path: string): string {
  const names = path === '' ? [] : path.split('/');
  // A directory `a.json` must not take the place of the metadata of a file `a`.
  return join(
    base,
    metadataFolder,
    ...names.map((name) => fitting(/\.json~*$/.test(name) ? `${name}~` : name, name, '~')),
  );
}

/** A name that would get too long is stood in for by its digest. */
function fitting(name: string, original: string, ending: string): string {
  return Buffer.byteLength(name) <= 255 ? name : createHash('sha256').update(original).digest('hex') + ending;
}

export function readMetadata(base: string, path: string): FileMetadata | undefined {
  try {
    return JSON.parse(readFileSync(metadataFile(base, path), 'utf8')) as FileMetadata;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

export async function writeMetadata(base: string, path: string, metadata: FileMetadata): Promise<void> {
  const file = metadataFile(base, path);
  await makeFolder(metadataDirectory(base, parentOf(path)));
  await writeFile(file, [Buffer.from(JSON.stringify(metadata))]);
}

export function removeMetadata(base: string, path: string): void {
  rmSync(metadataFile(base, path), { force: true });
}

/** Removes the metadata of a directory and of everything in it. */
export function removeAllMetadata(base: string, path: string): void {
  rmSync(metadataDirectory(base, path), { recursive: true, force: true });
}
