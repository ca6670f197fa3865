/** Files kept by the program, with types (docs/server/files.md). */

import { Dict } from '../../library/values/containers/dict.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { store as openStore, StorageFactory as storages } from '../files/builtins.ts';
import { registerStorage } from '../files/file-desk.ts';
import { Storage } from '../files/file-storage.ts';
import type { UploadFile } from './types.ts';

/** A path on the server, an uploaded file, bytes, or an object that gives text or bytes. */
export type FileSource = string | UploadFile | Uint8Array | { read(): unknown };

export type FileMetadata = Readonly<Record<string, string | number | boolean | null>>;

export interface FileFacts {
  /** Bytes; 0 for directories. */
  readonly size: number;
  readonly modified: Date;
  readonly created: Date;
  readonly isDirectory: boolean;
  readonly name: string;
  /** Name and metadata that the caller gave to `upload`. */
  readonly metadata: FileMetadata | undefined;
}

/** Paths are relative, with `/` between the names; one that leads outside raises `ValueError`. */
export interface FileStore {
  /** Puts a file in place of what was there and resolves when it is durable, with its place. */
  upload(source: FileSource, destination: string, metadata?: FileMetadata): Promise<string>;
  download(path: string): Promise<Uint8Array>;
  /** Writes the file to a path on the server, which is not confined to the storage. */
  download(path: string, destination: string): Promise<undefined>;
  /** A file, or a directory with everything in it; false when nothing was there. */
  delete(path: string): Promise<boolean>;
  exists(path: string): Promise<boolean>;
  /** Files of a directory, or those of its parent whose names begin with the last part of `prefix`. */
  listFiles(prefix?: string, options?: { readonly recursive?: boolean }): AsyncIterable<string>;
  getMetadata(path: string): Promise<FileFacts>;
  /** False when both are the same. */
  copy(source: string, destination: string): Promise<boolean>;
  move(source: string, destination: string): Promise<boolean>;
}

/** The configured storage, or one of the same type with another directory. */
export function store(options: { readonly basePath?: string; readonly createDirs?: boolean } = {}): FileStore {
  return typed(openStore(options.basePath, options.createDirs));
}

export const StorageFactory = {
  /** `local`, `s3` or a type that was registered; `config` overrides what is configured. */
  create: (type: string, config: Readonly<Record<string, unknown>> = {}): FileStore =>
    typed((storages as any).create(type, Dict.from(Object.entries(config)))),
  getDefault: (): FileStore => typed((storages as any).get_default()),
  /** Adds a type of storage: what `factory` makes is what `store()` gives when the type is configured. */
  register(type: string, factory: (config: Readonly<Record<string, unknown>>) => FileStore): void {
    registerStorage(type, (config: Dict) => factory(Object.fromEntries(config.entries()) as Record<string, unknown>));
  },
};

function typed(storage: unknown): FileStore {
  // A type of the program's own.
  if (!(storage instanceof Storage)) return storage as FileStore;
  return {
    upload: (source, destination, metadata) =>
      storage.upload(
        source instanceof Uint8Array ? { read: () => new Bytes(source) } : source,
        destination,
        metadata === undefined ? undefined : Dict.from(Object.entries(metadata)),
      ),
    download: (async (path: string, destination?: string) =>
      (await storage.download(path, destination))?.data) as FileStore['download'],
    delete: (path) => storage.delete(path),
    exists: async (path) => storage.exists(path),
    listFiles: (prefix = '', { recursive = false } = {}) =>
      storage.aio.list_files(prefix, recursive) as AsyncIterable<string>,
    async getMetadata(path) {
      const facts = await storage.get_metadata(path);
      const metadata = facts.get('metadata') as Dict | undefined;
      const moment = (name: string) => new Date((facts.get(name) as number) * 1000);
      return {
        size: facts.get('size') as number,
        modified: moment('modified'),
        created: moment('created'),
        isDirectory: facts.get('is_dir') as boolean,
        name: facts.get('name') as string,
        metadata:
          metadata === undefined ? undefined : (Object.fromEntries(metadata.entries()) as unknown as FileMetadata),
      };
    },
    copy: (source, destination) => storage.copy(source, destination),
    move: (source, destination) => storage.move(source, destination),
  };
}
