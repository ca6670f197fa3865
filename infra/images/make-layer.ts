import { posix } from 'node:path';
import { writeTar } from '../../library/modules/archives/archive-tar.ts';
import type { Files } from '../files.ts';
import { blobOf, digestOf } from './blob.ts';
import { type ImageBlob, mediaTypes } from './oci.ts';

/** A file, link or folder of a layer. Folders above it come by themselves. */
export interface LayerEntry {
  /** Absolute, in the image: `/app/main.svc`. */
  readonly path: string;
  /** Contents of a file. */
  readonly data?: Uint8Array;
  /** Target of a symbolic link. */
  readonly link?: string;
  readonly isExecutable?: boolean;
  /** Number of the user that owns it; absent: root. */
  readonly owner?: number;
}

export interface Layer {
  readonly blob: ImageBlob;
  /** Digest of the archive before it is compressed. */
  readonly diffId: string;
  /** Line in the history of the image. */
  readonly about: string;
}

/**
 * Makes a layer that is the same for the same entries on every machine: sorted, without times and names of users, and
 * compressed by JavaScript, because what zlib writes depends on its version and the processor.
 */
export async function makeLayer(entries: readonly LayerEntry[], about: string): Promise<Layer> {
  const { gzipSync } = await import('fflate');
  const archive = packEntries(entries);
  const blob = blobOf(gzipSync(archive, { level: 6, mtime: 0 }), mediaTypes.layer);
  return { blob, diffId: digestOf(archive), about };
}

export function packEntries(entries: readonly LayerEntry[]): Buffer {
  const all = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries)
    for (let folder = posix.dirname(path); folder !== '/' && !all.has(folder); folder = posix.dirname(folder))
      all.set(folder, { path: folder });
  const modified = new Date(0);
  return writeTar(
    [...all.values()]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, data, link, isExecutable, owner }) => ({
        name: path.slice(1),
        mode: link !== undefined ? 0o777 : data === undefined || isExecutable === true ? 0o755 : 0o644,
        modified,
        ...(data === undefined ? {} : { data }),
        ...(link === undefined ? {} : { link }),
        ...(owner === undefined ? {} : { owner }),
      })),
  );
}

/** Files below a folder of the image. */
export function entriesOf(files: Files, folder: string): LayerEntry[] {
  return Object.entries(files).map(([path, data]) => ({ path: `${folder}/${path}`, data }));
}
