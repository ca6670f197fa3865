import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DiskFiles, diskFiles, statOf } from './disk-files.ts';

/** Everything a compilation asked of the disk, and the answers: the same answers mean the same result. */
export interface Inputs {
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly mtimeMs: number;
    readonly hash: string;
  }[];
  /** Names in listed directories, hidden ones left out (`.svc` comes into being after the first compilation). */
  readonly directories: readonly { readonly path: string; readonly names: string }[];
  readonly kinds: readonly { readonly path: string; readonly kind: 'file' | 'directory' | null }[];
}

export interface RecordedFiles extends DiskFiles {
  inputs(): Inputs;
}

/** Files of the disk that remember what was asked. */
export function recordFiles(files: DiskFiles = diskFiles): RecordedFiles {
  const texts = new Map<string, string | undefined>();
  const directories = new Map<string, readonly string[]>();
  const kinds = new Map<string, 'file' | 'directory' | undefined>();
  return {
    readFile(path) {
      if (!texts.has(path)) texts.set(path, files.readFile(path));
      return texts.get(path);
    },
    invalidUtf8: files.invalidUtf8,
    exists(path) {
      if (!kinds.has(path)) kinds.set(path, files.exists(path));
      return kinds.get(path);
    },
    listDir(path) {
      if (!directories.has(path)) directories.set(path, files.listDir(path));
      return directories.get(path)!;
    },
    inputs: () => ({
      files: [...texts].map(([path, text]) => ({
        path,
        hash: text === undefined ? '' : hashText(text),
        ...stampOf(path),
      })),
      directories: [...directories].map(([path, names]) => ({ path, names: visibleNames(names) })),
      kinds: [...kinds].map(([path, kind]) => ({ path, kind: kind ?? null })),
    }),
  };
}

/** Describes files as they are now. */
export function inputsOf(paths: readonly string[]): Inputs {
  const files = paths.map((path) => ({ path, hash: hashText(readFileSync(path)), ...stampOf(path) }));
  return { files, directories: [], kinds: [] };
}

/** Would the compilation see the same files now? */
export function areUnchanged(inputs: Inputs, files: DiskFiles = diskFiles): boolean {
  return (
    inputs.files.every(isSameFile) &&
    inputs.directories.every(({ path, names }) => visibleNames(files.listDir(path)) === names) &&
    inputs.kinds.every(({ path, kind }) => (files.exists(path) ?? null) === kind)
  );
}

function isSameFile({ path, size, mtimeMs, hash }: Inputs['files'][number]): boolean {
  const now = stampOf(path);
  if (hash !== '' && now.size === size && now.mtimeMs === mtimeMs) return true;
  try {
    return hashText(readFileSync(path)) === hash;
  } catch {
    return hash === '';
  }
}

function stampOf(path: string): { size: number; mtimeMs: number } {
  const found = statOf(path);
  return { size: found?.size ?? -1, mtimeMs: found?.mtimeMs ?? -1 };
}

function visibleNames(names: readonly string[]): string {
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .join('\n');
}

/** Tells contents apart. */
export function hashText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
