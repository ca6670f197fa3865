/** `UploadFile` of module `http` (server.md 7.5): what a field of an uploaded file holds. */
import { closeSync, copyFileSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { Bytes } from '../values/bytes.ts';
import { ValueError } from '../values/exceptions.ts';
import { $repr, $typeName } from '../values/protocol.ts';
import { readChunks } from './local/read-chunks.ts';

/** Where the bytes are: in memory, or in a private temporary file that is deleted when the call ends. */
export type UploadContent = { readonly bytes: Uint8Array } | { readonly path: string };

export class UploadFile {
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  readonly file: UploadedBytes;
  declare [$typeName]: string;

  constructor(filename: string, contentType: string, size: number, content: UploadContent) {
    this.filename = filename;
    this.content_type = contentType;
    this.size = size;
    this.file = new UploadedBytes(size, content);
  }

  /** `size` bytes from the current position, all that is left by default. */
  read(size?: number | null): Bytes {
    return this.file.read(size);
  }

  /** Writes the whole content to a path on the server. */
  save(path: string): null {
    this.file.copyTo(path);
    return null;
  }

  /** The whole content piece by piece, wherever `read` has got to. */
  async *$chunks(): AsyncGenerator<Uint8Array> {
    yield* this.file.$chunks();
  }

  [$repr](): string {
    return `<UploadFile ${JSON.stringify(this.filename)} ${this.content_type} ${this.size} bytes>`;
  }
}
UploadFile.prototype[$typeName] = 'UploadFile';

/** A readable, seekable file object over uploaded bytes. */
export class UploadedBytes implements Iterable<Bytes> {
  private readonly size: number;
  private readonly content: UploadContent;
  private position = 0;
  private descriptor: number | undefined;
  declare [$typeName]: string;

  constructor(size: number, content: UploadContent) {
    this.size = size;
    this.content = content;
  }

  read(size?: number | null): Bytes {
    const left = Math.max(0, this.size - this.position);
    const count = size === undefined || size === null || size < 0 ? left : Math.min(size, left);
    const data = this.slice(this.position, count);
    this.position += count;
    return new Bytes(data);
  }

  readline(): Bytes {
    let length = 0;
    for (let at = this.position; at < this.size; at += 4096) {
      const chunk = this.slice(at, Math.min(4096, this.size - at));
      const newline = chunk.indexOf(10);
      length += newline < 0 ? chunk.length : newline + 1;
      if (newline >= 0) break;
    }
    return this.read(length);
  }

  readlines(): Bytes[] {
    return [...this];
  }

  *[Symbol.iterator](): Generator<Bytes> {
    while (this.position < this.size) yield this.readline();
  }

  /** `whence` 0: from the start, 1: from here, 2: from the end. */
  seek(offset: number, whence = 0): number {
    const base = whence === 1 ? this.position : whence === 2 ? this.size : 0;
    const target = base + offset;
    if (target < 0) throw new ValueError('negative seek position');
    this.position = target;
    return target;
  }

  tell(): number {
    return this.position;
  }

  readable(): boolean {
    return true;
  }

  seekable(): boolean {
    return true;
  }

  writable(): boolean {
    return false;
  }

  close(): null {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
    return null;
  }

  copyTo(path: string): void {
    if ('path' in this.content) copyFileSync(this.content.path, path);
    else writeFileSync(path, this.content.bytes);
  }

  async *$chunks(): AsyncGenerator<Uint8Array> {
    if ('bytes' in this.content) yield this.content.bytes;
    else yield* (await readChunks(this.content.path)).chunks;
  }

  /** Back to the start, for a call that runs again. */
  rewind(): void {
    this.position = 0;
  }

  /** Deletes the temporary file, if there is one. */
  dispose(): void {
    this.close();
    if ('path' in this.content) rmSync(this.content.path, { force: true });
  }

  private slice(at: number, count: number): Uint8Array {
    if ('bytes' in this.content) return this.content.bytes.slice(at, at + count);
    this.descriptor ??= openSync(this.content.path, 'r');
    const data = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const got = readSync(this.descriptor, data, filled, count - filled, at + filled);
      if (got === 0) break;
      filled += got;
    }
    return data.subarray(0, filled);
  }
}
UploadedBytes.prototype[$typeName] = 'UploadedBytes';
