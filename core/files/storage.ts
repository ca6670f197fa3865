/** File storage (docs/server/files.md): the port, and what is the same whatever stands behind it. */
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Values of JSON by name, as given to `upload`. */
export type FileMetadata = Readonly<Record<string, string | number | boolean | null>>;

export interface FileFacts {
  /** Bytes; 0 for directories. */
  readonly size: number;
  /** Unix seconds. */
  readonly modified: number;
  /** Unix seconds. */
  readonly created: number;
  readonly isDirectory: boolean;
  readonly metadata: FileMetadata | undefined;
}

/** Bytes on their way into the storage. A chunk is good until the next is asked for. */
export interface FileContent {
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Bytes, where they are known beforehand. */
  readonly size: number | undefined;
}

/** A file that is being read. Its chunks can be taken once, and each is good until the next is asked for; who does not take them all calls `close`. */
export interface FileReading {
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Port of the places where files are kept. Paths come as `storagePath` gives them: relative, `/` between the names,
 * `''` for the storage itself (only `facts` and `list` are asked about that). Errors are exceptions of the language and
 * name the path as it was given, never a place of the server.
 */
export interface FileStorage {
  /** Gives the text that `upload` answers with. */
  addressOf(path: string): string;
  /**
   * Puts a file in place of what was there; parents are made. Resolves when it is durable; until then, and for ever when it fails, readers
   * find the old one. @throws IsADirectoryError, NotADirectoryError
   */
  write(path: string, content: FileContent, metadata: FileMetadata | undefined): Promise<void>;
  /** @throws FileNotFoundError, IsADirectoryError */
  read(path: string): Promise<FileReading>;
  facts(path: string): MaybePromise<FileFacts | undefined>;
  /** A file, or a directory with everything in it. False when there is nothing. */
  remove(path: string): MaybePromise<boolean>;
  /**
   * Files below a directory, or those of its parent whose names begin with the last part of `prefix`; in the order of their paths
   * (code points). Nothing for what is missing.
   */
  list(prefix: string, recursive: boolean): Iterable<string> | AsyncIterable<string>;
  /** A file or a directory with everything in it; metadata go with it. Paths differ. @throws FileNotFoundError, IsADirectoryError */
  copy(source: string, destination: string): Promise<void>;
  /** Copies like `copy`, and removes the source. */
  move(source: string, destination: string): Promise<void>;
}
