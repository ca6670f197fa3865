/**
 * Object that `store()` gives to programs (docs/server/files.md#methods), over any port that keeps the files. Members that begin with
 * `$` are not theirs.
 */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { callScope } from '../../library/call-scope.ts';
import { textPath } from '../../library/modules/pathlib/paths.ts';
import { refuseInReplay } from '../../library/outside.ts';
import { Coroutine } from '../../library/values/calls/coroutine.ts';
import { agen, gen } from '../../library/values/calls/generators.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { requireWritable, type Writable } from '../memory/read-only.ts';
import { openContent } from './content.ts';
import { writeFile } from './local/write-file.ts';
import { fileMetadata } from './metadata-values.ts';
import type { FileFacts, FileReading, FileStorage } from './storage.ts';
import { fileError, notFound } from './storage-errors.ts';
import { comparePaths, lastName, storagePath, storedPath } from './storage-path.ts';

/** Opened at the first use; methods give a promise only where they have to wait. */
export class Storage {
  /** Name of the storage in the result of `get_metadata('')`. */
  readonly $name: string;
  private readonly open: () => MaybePromise<FileStorage>;
  private opened: MaybePromise<FileStorage> | undefined;

  constructor(name: string, open: () => MaybePromise<FileStorage>) {
    this.$name = name;
    this.open = open;
  }

  async upload(source: unknown, destination: unknown, metadata?: unknown): Promise<string> {
    refuseInReadOnly('stored a file');
    const path = storedPath(destination);
    const values = fileMetadata(metadata);
    const content = await openContent(source);
    try {
      const files = await this.$files();
      await files.write(path, content, values);
      return files.addressOf(path);
    } finally {
      await content.close();
    }
  }

  async download(path: unknown, destination?: unknown): Promise<Bytes | null> {
    const reading = await (await this.$files()).read(storedPath(path));
    try {
      if (destination === undefined || destination === null) return new Bytes(await wholeOf(reading));
      await save(reading, textPath(destination));
      return null;
    } finally {
      await reading.close();
    }
  }

  async delete(path: unknown): Promise<boolean> {
    refuseInReadOnly('deleted a file');
    const stored = storedPath(path);
    return (await this.$files()).remove(stored);
  }

  exists(path: unknown): MaybePromise<boolean> {
    const stored = storagePath(path);
    return after(this.$facts(stored), (facts) => facts !== undefined);
  }

  list_files(prefix?: unknown, recursive?: unknown): unknown {
    const start = listPrefix(prefix);
    const isDeep = truth(recursive ?? false);
    return after(this.$files(), (files) => {
      const paths = files.list(start, isDeep);
      return Symbol.iterator in paths ? gen(paths[Symbol.iterator]()) : collected(paths);
    });
  }

  get_metadata(path: unknown): MaybePromise<Dict> {
    const stored = storagePath(path);
    return after(this.$facts(stored), (facts) => {
      if (facts === undefined) throw notFound(textPath(path));
      return described(facts, stored === '' ? this.$name : lastName(stored));
    });
  }

  async copy(source: unknown, destination: unknown): Promise<boolean> {
    refuseInReadOnly('copied a file');
    const [from, to] = [storedPath(source), storedPath(destination)];
    if (from === to) return false;
    await (await this.$files()).copy(from, to);
    return true;
  }

  async move(source: unknown, destination: unknown): Promise<boolean> {
    refuseInReadOnly('moved a file');
    const [from, to] = [storedPath(source), storedPath(destination)];
    const files = await this.$files();
    if (from !== to) await files.move(from, to);
    else if ((await files.facts(from)) === undefined) throw notFound(from);
    return true;
  }

  get aio(): AsyncStorage {
    return new AsyncStorage(this);
  }

  [$repr](): string {
    return `<Storage ${this.$name}>`;
  }

  $files(): MaybePromise<FileStorage> {
    refuseInReplay('has no files');
    this.opened ??= this.open();
    if (this.opened instanceof Promise) {
      const opening = this.opened;
      // A storage that failed to open is opened again by the next call.
      return opening.then(
        (files) => (this.opened = files),
        (error) => {
          if (this.opened === opening) this.opened = undefined;
          throw error;
        },
      );
    }
    return this.opened;
  }

  private $facts(path: string): MaybePromise<FileFacts | undefined> {
    return after(this.$files(), (files) => files.facts(path));
  }
}

const parameters = {
  upload: 'source, destination, metadata=None',
  download: 'path, destination=None',
  delete: 'path',
  exists: 'path',
  list_files: "prefix='', recursive=False",
  get_metadata: 'path',
  copy: 'source, destination',
  move: 'source, destination',
};
nativeClass(Storage, { name: 'Storage', methods: parameters });

/** The same methods, each giving what `await` or `async for` waits for. */
class AsyncStorage {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  upload(source: unknown, destination: unknown, metadata?: unknown): Coroutine {
    return this.later('upload', () => this.storage.upload(source, destination, metadata));
  }

  download(path: unknown, destination?: unknown): Coroutine {
    return this.later('download', () => this.storage.download(path, destination));
  }

  delete(path: unknown): Coroutine {
    return this.later('delete', () => this.storage.delete(path));
  }

  exists(path: unknown): Coroutine {
    return this.later('exists', () => this.storage.exists(path));
  }

  /** One page after the other. */
  list_files(prefix?: unknown, recursive?: unknown): unknown {
    const { storage } = this;
    const start = listPrefix(prefix);
    const isDeep = truth(recursive ?? false);
    return agen(
      (async function* () {
        yield* (await storage.$files()).list(start, isDeep);
      })(),
    );
  }

  get_metadata(path: unknown): Coroutine {
    return this.later('get_metadata', () => this.storage.get_metadata(path));
  }

  copy(source: unknown, destination: unknown): Coroutine {
    return this.later('copy', () => this.storage.copy(source, destination));
  }

  move(source: unknown, destination: unknown): Coroutine {
    return this.later('move', () => this.storage.move(source, destination));
  }

  private later(name: string, work: () => MaybePromise<unknown>): Coroutine {
    return new Coroutine(`Storage.${name}`, async () => work());
  }
}
nativeClass(AsyncStorage, { name: 'AsyncStorage', methods: parameters });

// ---------------------------------------------------------------- helpers

/** A trailing slash stays: it asks for the directory and nothing that only begins alike. */
function listPrefix(prefix: unknown): string {
  if (prefix === undefined) return '';
  const path = storagePath(prefix);
  return path !== '' && textPath(prefix).endsWith('/') ? `${path}/` : path;
}

async function collected(paths: AsyncIterable<string>): Promise<unknown> {
  const all: string[] = [];
  for await (const path of paths) all.push(path);
  // Not every service keeps to the order of the original.
  all.sort(comparePaths);
  return gen(all[Symbol.iterator]());
}

function described(facts: FileFacts, name: string): Dict {
  const { size, modified, created, isDirectory, metadata } = facts;
  const entries: [string, unknown][] = Object.entries({ size, modified, created, is_dir: isDirectory, name });
  if (metadata !== undefined) entries.push(['metadata', Dict.from(Object.entries(metadata))]);
  return Dict.from(entries);
}

async function wholeOf({ size, chunks }: FileReading): Promise<Uint8Array> {
  let whole = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    // The file has grown since it was opened.
    if (filled + chunk.length > whole.length) {
      const larger = new Uint8Array(Math.max(filled + chunk.length, whole.length * 2));
      larger.set(whole.subarray(0, filled));
      whole = larger;
    }
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  return whole.subarray(0, filled);
}

function refuseInReadOnly(what: string): void {
  const unit = callScope.unit();
  if (unit !== undefined) requireWritable(unit as unknown as Writable, what);
}

async function save({ chunks }: FileReading, destination: string): Promise<void> {
  if (destination === '') throw new ValueError('destination is empty');
  try {
    await mkdir(dirname(destination), { recursive: true });
    await writeFile(destination, chunks);
  } catch (error) {
    throw fileError(error, destination);
  }
}
