/** Files in a directory of this machine (docs/server/files.md). */
import { constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { chmod, copyFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileContent, FileFacts, FileMetadata, FileReading, FileStorage } from '../storage.ts';
import { fileError, isDirectory, notDirectory, notFound } from '../storage-errors.ts';
import { isReserved, requireApart } from '../storage-path.ts';
import { createSweeper } from './leftovers.ts';
import { listFiles } from './list-files.ts';
import { type Location, locate } from './locate.ts';
import {
  metadataDirectory,
  metadataFile,
  readMetadata,
  removeAllMetadata,
  removeMetadata,
  writeMetadata,
} from './metadata.ts';
import { readChunks } from './read-chunks.ts';
import { fileMode, makeFolder, replace, syncFile, syncFolder, writeFile } from './write-file.ts';

export interface LocalOptions {
  /** Absolute. */
  readonly directory: string;
  /** The directory as configured, for what `upload` answers. */
  readonly shown: string;
  /** Make the directory at the first write; otherwise a missing one is an error. */
  readonly createDirs: boolean;
}

export function openLocalStorage({ directory, shown, createDirs }: LocalOptions): FileStorage {
  const inTurn = createTurns();
  const removeLeftovers = createSweeper();
  return {
    addressOf: (path) => `${shown.replace(/\/+$/, '')}/${path}`,
    write: (path, content, metadata) => naming(path, () => write(path, content, metadata)),
    read: (path) => naming(path, () => read(path)),
    facts: (path) => namingNow(path, () => facts(path)),
    remove: (path) => naming(path, () => remove(path)),
    list: (prefix, recursive) => listFiles(existingBase(), prefix, recursive),
    copy: (source, destination) => naming(source, () => copy(source, destination)),
    move: (source, destination) => naming(source, () => move(source, destination)),
  };

  // ---- the base directory

  /** Undefined where it will be made when something is written. @throws FileNotFoundError where nobody will make it */
  function existingBase(): string | undefined {
    try {
      return realpathSync(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, shown);
      if (!createDirs) throw notFound(shown);
      return undefined;
    }
  }

  async function writableBase(): Promise<string> {
    const base = existingBase();
    if (base !== undefined) return base;
    await makeFolder(directory);
    return realpathSync(directory);
  }

  // ---- reading

  function facts(path: string): FileFacts | undefined {
    const base = existingBase();
    if (base === undefined) return undefined;
    const { stats } = locate(base, path);
    return stats === undefined ? undefined : factsOf(base, path, stats);
  }

  async function read(path: string): Promise<FileReading> {
    const base = existingBase();
    const found = base === undefined ? undefined : locate(base, path);
    if (found?.stats === undefined) throw notFound(path);
    if (found.stats.isDirectory()) throw isDirectory(path);
    return readChunks(found.real);
  }

  // ---- writing

  async function write(path: string, content: FileContent, metadata: FileMetadata | undefined): Promise<void> {
    const base = await writableBase();
    const { entry } = await placeFor(base, path);
    await removeLeftovers(dirname(entry));
    await writeFile(entry, content.chunks, (rename) => exchange(base, path, rename, metadata));
  }

  /** Puts a file in place. Whenever this is cut off, metadata are missing rather than those of another file. */
  function exchange(
    base: string,
    path: string,
    rename: () => Promise<void>,
    metadata: FileMetadata | undefined,
  ): Promise<void> {
    return inTurn(path, async () => {
      removeMetadata(base, path);
      await rename();
      if (metadata !== undefined) await writeMetadata(base, path, metadata);
    });
  }

  /** Gives the place at which a file can be put; its directory is there. */
  async function placeFor(base: string, path: string): Promise<Location> {
    const found = locate(base, path);
    if (found.isBlocked) throw notDirectory(path);
    if (found.stats?.isDirectory() === true) throw isDirectory(path);
    if (found.stats !== undefined) return found;
    await makeFolder(dirname(found.entry));
    return locate(base, path);
  }

  async function remove(path: string): Promise<boolean> {
    const base = existingBase();
    if (base === undefined) return false;
    const { entry, stats } = locate(base, path);
    if (stats === undefined) return false;
    await rm(entry, { recursive: true });
    removeMetadata(base, path);
    removeAllMetadata(base, path);
    await syncFolder(dirname(entry));
    return true;
  }

  async function copy(source: string, destination: string): Promise<void> {
    const base = await writableBase();
    const found = present(base, source);
    if (found.stats.isDirectory()) await copyDirectory(base, source, destination);
    else await copyOne(base, source, found.real, destination);
  }

  async function copyOne(base: string, source: string, real: string, destination: string): Promise<void> {
    const { entry } = await placeFor(base, destination);
    const fill = async (temporary: string) => {
      await copyFile(real, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(temporary, fileMode);
      await syncFile(temporary);
    };
    await replace(entry, fill, (rename) => exchange(base, destination, rename, readMetadata(base, source)));
  }

  async function copyDirectory(base: string, source: string, destination: string): Promise<void> {
    requireApart(source, destination);
    const { real } = locate(base, source);
    const target = locate(base, destination);
    if (target.isBlocked || target.stats?.isFile() === true) throw notDirectory(destination);
    await makeFolder(target.real);
    for (const { name } of await readdir(real, { withFileTypes: true })) {
      const path = `${source}/${name}`;
      if (isReserved(name, false)) continue;
      const inner = reachable(base, path);
      if (inner?.stats === undefined) continue;
      if (inner.stats.isDirectory()) await copyDirectory(base, path, `${destination}/${name}`);
      else if (inner.stats.isFile()) await copyOne(base, path, inner.real, `${destination}/${name}`);
    }
  }

  async function move(source: string, destination: string): Promise<void> {
    const base = await writableBase();
    const found = present(base, source);
    const target = locate(base, destination);
    const isFolder = found.stats.isDirectory();
    if (isFolder) requireApart(source, destination);
    if (isFolder && target.stats?.isDirectory() === true) return copyAndRemove(source, destination);
    if (target.isBlocked || (isFolder && target.stats !== undefined)) throw notDirectory(destination);
    const { entry } = isFolder ? target : await placeFor(base, destination);
    try {
      await makeFolder(dirname(entry));
      await inTurn(destination, async () => {
        removeMetadata(base, destination);
        await rename(found.entry, entry);
        await moveMetadata(base, source, destination, isFolder);
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      return copyAndRemove(source, destination);
    }
    await syncFolder(dirname(entry));
    await syncFolder(dirname(found.entry));
  }

  async function copyAndRemove(source: string, destination: string): Promise<void> {
    await copy(source, destination);
    await remove(source);
  }
}

function factsOf(base: string, path: string, stats: Stats): FileFacts {
  const isFolder = stats.isDirectory();
  return {
    size: isFolder ? 0 : stats.size,
    modified: stats.mtimeMs / 1000,
    created: (stats.birthtimeMs || stats.ctimeMs) / 1000,
    isDirectory: isFolder,
    metadata: isFolder ? undefined : readMetadata(base, path),
  };
}

function present(base: string, path: string): Location & { readonly stats: Stats } {
  const found = locate(base, path);
  if (found.stats === undefined) throw notFound(path);
  return found as Location & { readonly stats: Stats };
}

/** Undefined for a link that leaves the storage. */
function reachable(base: string, path: string): Location | undefined {
  try {
    return locate(base, path);
  } catch {
    return undefined;
  }
}

async function moveMetadata(base: string, source: string, destination: string, isFolder: boolean): Promise<void> {
  const [from, to] = isFolder
    ? [metadataDirectory(base, source), metadataDirectory(base, destination)]
    : [metadataFile(base, source), metadataFile(base, destination)];
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
  await rm(to, { recursive: true, force: true });
  await makeFolder(dirname(to));
  await rename(from, to);
}

/** Makes a queue per path: work on one path is done one after the other. */
function createTurns(): (path: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (path, work) => {
    const before = last.get(path);
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(work);
    last.set(path, mine);
    try {
      await mine;
    } finally {
      if (last.get(path) === mine) last.delete(path);
    }
  };
}

function namingNow<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, path);
  }
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(error, path);
  }
}
