/** `UploadFile` of module `http` (docs/server/requests.md#files): what a field of an uploaded file holds. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { caught } from '../../library/values/calls/raise.ts';
import { StopIteration, ValueError } from '../../library/values/objects/exceptions.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { uploadMode } from './local/write-file.ts';

/** Place of the bytes: in memory, or in an open file without a name, which is gone when it is closed. */
export type UploadContent = { readonly bytes: Uint8Array } | { readonly file: FileHandle };

export class UploadFile {
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  readonly file: UploadedBytes;

  constructor(filename: string, contentType: string, size: number, content: UploadContent) {
    this.filename = filename;
    this.content_type = contentType;
    this.size = size;
    this.file = new UploadedBytes(filename, size, content);
  }

  /** `size` bytes from the current position, all that is left by default. */
  read(size?: number | null): Bytes {
    return this.file.read(size);
  }

  seek(offset: number, whence?: number): number {
    return this.file.seek(offset, whence);
  }

  /** Writes the whole content to a path on the server. */
  save(path: string): null {
    this.file.$copyTo(path);
    return null;
  }

  /** The whole content piece by piece, wherever `read` has got to. */
  $chunks(): AsyncIterable<Uint8Array> {
    return this.file.$chunks();
  }

  [$repr](): string {
    return `<UploadFile ${reprOf(this.filename)} ${this.content_type} ${this.size} bytes>`;
  }
}
nativeClass(UploadFile, {
  name: 'UploadFile',
  module: 'http',
  methods: { read: 'size=-1', seek: 'offset, whence=0', save: 'path' },
});

const chunkBytes = 256 * 1024;

/** A readable, seekable file object over uploaded bytes. They are there until the call ends. */
export class UploadedBytes implements Iterable<Bytes> {
  readonly name: string;
  readonly mode = 'rb';
  closed = false;
  private readonly size: number;
  private readonly content: UploadContent;
  private position = 0;
  private isGone = false;

  constructor(name: string, size: number, content: UploadContent) {
    this.name = name;
    this.size = size;
    this.content = content;
  }

  read(size?: number | null): Bytes {
    const left = Math.max(0, this.size - this.position);
    const count = size === undefined || size === null || size < 0 ? left : Math.min(Number(size), left);
    const data = this.slice(this.position, count);
    this.position += data.length;
    return new Bytes(data);
  }

  readline(size?: number | null): Bytes {
    const most = size === undefined || size === null || size < 0 ? this.size : Number(size);
    let length = 0;
    for (let at = this.position; at < this.size && length < most; at += 4096) {
      const chunk = this.slice(at, Math.min(4096, this.size - at));
      const newline = chunk.indexOf(10);
      length += newline < 0 ? chunk.length : newline + 1;
      if (newline >= 0) break;
    }
    return this.read(Math.min(length, most));
  }

  readlines(): Bytes[] {
    return [...this];
  }

  *[Symbol.iterator](): Generator<Bytes> {
    this.requireOpen();
    while (this.position < this.size) yield this.readline();
  }

  __next__(): Bytes {
    if (this.position >= this.size) throw new StopIteration();
    return this.readline();
  }

  /** `whence` 0: from the start, 1: from here, 2: from the end. */
  seek(offset: number, whence?: number): number {
    this.requireOpen();
    const base = whence === 1 ? this.position : whence === 2 ? this.size : 0;
    const target = base + Number(offset);
    if (target < 0) throw new ValueError('negative seek position');
    this.position = target;
    return target;
  }

  tell(): number {
    this.requireOpen();
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
    this.closed = true;
    return null;
  }

  __enter__(): this {
    this.requireOpen();
    return this;
  }

  __exit__(): boolean {
    this.close();
    return false;
  }

  async *$chunks(): AsyncGenerator<Uint8Array> {
    if ('bytes' in this.content) {
      yield this.content.bytes;
      return;
    }
    // The handle itself refuses once the call is over, and is not closed while it reads.
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < this.size; ) {
      const { bytesRead } = await this.content.file.read(buffer, 0, chunkBytes, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  $copyTo(path: string): void {
    this.requireThere();
    let target: number | undefined;
    try {
      target = openSync(path, 'w', uploadMode);
      for (let at = 0; at < this.size; ) {
        const chunk = this.peek(at, Math.min(chunkBytes, this.size - at));
        for (let done = 0; done < chunk.length; ) done += writeSync(target, chunk, done);
        at += chunk.length;
      }
    } catch (error) {
      throw caught(error);
    } finally {
      if (target !== undefined) closeSync(target);
    }
  }

  /** Back to the start, for a call that runs again. */
  $rewind(): void {
    this.position = 0;
    this.closed = false;
  }

  /** Gives the bytes up. */
  $dispose(): void {
    if (this.isGone) return;
    this.isGone = true;
    if ('file' in this.content) this.content.file.close().catch(() => {});
  }

  private slice(at: number, count: number): Uint8Array {
    this.requireOpen();
    return this.peek(at, count);
  }

  private peek(at: number, count: number): Uint8Array {
    if ('bytes' in this.content) return this.content.bytes.slice(at, at + count);
    const data = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const got = readSync(this.content.file.fd, data, filled, count - filled, at + filled);
      if (got === 0) break;
      filled += got;
    }
    return data.subarray(0, filled);
  }

  private requireOpen(): void {
    this.requireThere();
    if (this.closed) throw new ValueError('I/O operation on closed file.');
  }

  private requireThere(): void {
    if (this.isGone) throw new ValueError('the uploaded file is gone: its call has ended');
  }
}
nativeClass(UploadedBytes, {
  name: 'UploadedBytes',
  module: 'http',
  methods: { read: 'size=-1', readline: 'size=-1', readlines: '', seek: 'offset, whence=0', tell: '', close: '' },
});
