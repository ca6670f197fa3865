import { textPath } from '../../library/modules/pathlib/paths.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';

/** Names that storages use for themselves: metadata, and files that are still being written. */
export const metadataFolder = '.svc-meta';
export const temporaryPrefix = '.svc-tmp-';

const maxNameBytes = 255;

/**
 * A path inside a storage (docs/server/files.md#paths) without `./` and `//`; `''` for the storage itself. What it
 * leads to is not looked at.
 *
 * @throws ValueError for a path that is absolute, has a drive letter, `..` or NUL, names what storages keep for themselves, or has
 *   a name above 255 bytes
 */
export function storagePath(given: unknown): string {
  const text = textPath(given);
  // On Windows a backslash separates as well; elsewhere it is part of a name, but never one that climbs.
  if (/^[/\\]|^[A-Za-z]:|\0/.test(text) || text.split(/[/\\]/).includes('..')) throw escapes(text);
  if (process.platform === 'win32' && /[\\:*?"<>|]/.test(text)) throw escapes(text);
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  for (const [i, name] of names.entries()) {
    if (Buffer.byteLength(name) > maxNameBytes) throw new ValueError(`Name longer than ${maxNameBytes} bytes: ${text}`);
    if (isReserved(name, i === 0)) throw new ValueError(`Name is reserved for the storage: ${text}`);
  }
  return names.join('/');
}

/** A path that names a file or directory in the storage. @throws ValueError also for the storage itself */
export function storedPath(given: unknown): string {
  const path = storagePath(given);
  if (path === '') throw new ValueError(`Path names the storage itself: ${textPath(given)}`);
  return path;
}

/** Is the name kept for the storage? File systems may ignore case and the way accents are written. */
export function isReserved(name: string, isFirst: boolean): boolean {
  const plain = name.normalize('NFKC').toLowerCase();
  return plain.startsWith(temporaryPrefix) || (isFirst && plain === metadataFolder);
}

export function escapes(path: string): ValueError {
  return new ValueError(`Path escapes the storage directory: ${path}`);
}

/** The order of `list`: by code points. */
export function comparePaths(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A path and the directory it lies in. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** @throws ValueError when the one is inside the other, so that copying would never end */
export function requireApart(source: string, destination: string): void {
  if (!destination.startsWith(`${source}/`)) return;
  throw new ValueError(`Directory cannot be put into itself: ${source} -> ${destination}`);
}
