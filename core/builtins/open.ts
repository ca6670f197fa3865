/** `open`: file objects (language.md 6.7). */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { Bytes, requireBytes } from '../values/bytes.ts';
import { decodeBytes, encodeText } from '../values/codecs.ts';
import { nameException, OSError, StopIteration, TypeError, ValueError } from '../values/exceptions.ts';
import { requireSize } from '../values/index-value.ts';
import { iter } from '../values/iteration.ts';
import { $repr, $typeName } from '../values/protocol.ts';
import { caught } from '../values/raise.ts';
import { native } from '../values/signature.ts';
import { quote } from '../values/string-repr.ts';
import { textOf } from '../values/text-arguments.ts';
import { truth } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';

/** The part of a file object that is the same for text and bytes: position, reading of raw bytes, closing. */
abstract class FileBase {
  readonly name: unknown;
  readonly mode: string;
  closed = false;
  protected readonly fd: number;
  protected readonly canRead: boolean;
  protected readonly canWrite: boolean;
  protected readonly appends: boolean;
  /** Where the next byte is read or written. */
  protected at = 0;
  /** Pipes and terminals have no positions. */
  private readonly isPlain: boolean;
  declare [$typeName]: string;

  constructor(fd: number, name: unknown, mode: string) {
    this.fd = fd;
    this.name = name;
    this.mode = mode;
    this.canRead = /[r+]/.test(mode);
    this.canWrite = /[wax+]/.test(mode);
    this.appends = mode.includes('a');
    const kind = fstatSync(fd);
    this.isPlain = kind.isFile() || kind.isBlockDevice();
    if (this.appends) this.at = kind.size;
  }

  abstract read(size?: unknown): unknown;
  abstract readline(size?: unknown): unknown;
  abstract write(data: unknown): number;
  protected abstract isEnd(line: unknown): boolean;

  readlines(): unknown[] {
    return [...this];
  }

  writelines(lines: unknown): null {
    for (const line of iter(lines)) this.write(line);
    return null;
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (;;) {
      const line = this.readline();
      if (this.isEnd(line)) return;
      yield line;
    }
  }

  __next__(): unknown {
    const step = this[Symbol.iterator]().next();
    if (step.done === true) throw new StopIteration();
    return step.value;
  }

  __iter__(): this {
    return this;
  }

  seek(offset: unknown, whence?: unknown): number {
    this.requireOpen();
    if (!this.isPlain) throw new UnsupportedOperation('underlying stream is not seekable');
    const to = requireSize(offset);
    const from = whence === undefined ? 0 : requireSize(whence);
    const base = from === 1 ? this.tell() : from === 2 ? fstatSync(this.fd).size : 0;
    if (base + to < 0) throw new ValueError(`negative seek position ${base + to}`);
    this.forget();
    this.at = base + to;
    return this.at;
  }

  tell(): number {
    this.requireOpen();
    return this.at;
  }

  truncate(size?: unknown): number {
    this.requireWritable();
    const length = size === undefined || size === null ? this.tell() : requireSize(size);
    ftruncateSync(this.fd, length);
    return length;
  }

  flush(): null {
    return null;
  }

  close(): null {
    if (!this.closed) {
      this.closed = true;
      closeSync(this.fd);
    }
    return null;
  }

  fileno(): number {
    return this.fd;
  }

  isatty(): boolean {
    return false;
  }

  readable(): boolean {
    return this.canRead;
  }

  writable(): boolean {
    return this.canWrite;
  }

  seekable(): boolean {
    return this.isPlain;
  }

  __enter__(): this {
    this.requireOpen();
    return this;
  }

  __exit__(): boolean {
    this.close();
    return false;
  }

  /** Drops what was read ahead. */
  protected abstract forget(): void;

  protected requireOpen(): void {
    if (this.closed) throw new ValueError('I/O operation on closed file.');
  }

  protected requireReadable(): void {
    this.requireOpen();
    if (!this.canRead) throw new UnsupportedOperation('not readable');
  }

  protected requireWritable(): void {
    this.requireOpen();
    if (!this.canWrite) throw new UnsupportedOperation('not writable');
  }

  protected readRaw(size: number): Uint8Array {
    const buffer = Buffer.allocUnsafe(size);
    const got = readSync(this.fd, buffer, 0, size, this.isPlain ? this.at : null);
    this.at += got;
    return new Uint8Array(buffer.subarray(0, got));
  }

  protected readRest(): Uint8Array {
    const parts: Uint8Array[] = [];
    for (;;) {
      const part = this.readRaw(Math.max(65_536, fstatSync(this.fd).size - this.at + 1));
      if (part.length === 0) return new Uint8Array(Buffer.concat(parts));
      parts.push(part);
    }
  }

  protected writeRaw(data: Uint8Array): void {
    if (this.appends) {
      writeSync(this.fd, data);
      this.at = fstatSync(this.fd).size;
      return;
    }
    let done = 0;
    while (done < data.length)
      done += writeSync(this.fd, data, done, data.length - done, this.isPlain ? this.at + done : null);
    this.at += done;
  }

  [$repr](): string {
    return `<_io.${this[$typeName]} name=${quote(String(this.name))} mode='${this.mode}'>`;
  }
}

export class BinaryFile extends FileBase {
  read(size?: unknown): Bytes {
    this.requireReadable();
    const wanted = size === undefined || size === null ? -1 : requireSize(size);
    return new Bytes(wanted < 0 ? this.readRest() : this.readRaw(wanted));
  }

  readline(): Bytes {
    this.requireReadable();
    const parts: Uint8Array[] = [];
    for (;;) {
      const start = this.at;
      const part = this.readRaw(4096);
      const end = part.indexOf(10);
      if (end >= 0) {
        this.at = start + end + 1;
        parts.push(part.subarray(0, end + 1));
      } else parts.push(part);
      if (end >= 0 || part.length === 0) return new Bytes(new Uint8Array(Buffer.concat(parts)));
    }
  }

  readinto(target: { data: Uint8Array }): number {
    const got = this.readRaw(target.data.length);
    target.data.set(got);
    return got.length;
  }

  write(data: unknown): number {
    this.requireWritable();
    const bytes = requireBytes(data);
    this.writeRaw(bytes);
    return bytes.length;
  }

  protected isEnd(line: unknown): boolean {
    return (line as Bytes).length === 0;
  }

  protected forget(): void {}
}
BinaryFile.prototype[$typeName] = 'BufferedReader';

export class TextFile extends FileBase {
  readonly encoding: string;
  readonly errors: string;
  private readonly newline: string | undefined;
  /** Decoded text that was read ahead, and how much of it is used. */
  private ahead: string | undefined;
  private used = 0;
  private start = 0;

  constructor(fd: number, name: unknown, mode: string, encoding: string, errors: string, newline: string | undefined) {
    super(fd, name, mode);
    this.encoding = encoding;
    this.errors = errors;
    this.newline = newline;
  }

  private load(): string {
    if (this.ahead === undefined) {
      this.start = this.at;
      const text = decodeBytes(this.readRest(), this.encoding, this.errors);
      this.ahead = this.newline === undefined && text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
      this.used = 0;
    }
    return this.ahead;
  }

  private take(end: number): string {
    const text = this.ahead!.slice(this.used, end);
    this.used = end;
    return text;
  }

  read(size?: unknown): string {
    this.requireReadable();
    const text = this.load();
    const wanted = size === undefined || size === null ? -1 : requireSize(size);
    if (wanted < 0) return this.take(text.length);
    let end = this.used;
    for (let n = 0; n < wanted && end < text.length; n += 1) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    return this.take(end);
  }

  readline(): string {
    this.requireReadable();
    const text = this.load();
    const mark = this.newline === undefined || this.newline === '' ? '\n' : this.newline;
    const end = text.indexOf(mark, this.used);
    return this.take(end < 0 ? text.length : end + mark.length);
  }

  write(data: unknown): number {
    this.requireWritable();
    const text = textOf(data);
    if (text === undefined) throw new TypeError(`write() argument must be str, not ${typeName(data)}`);
    if (this.ahead !== undefined) this.seek(this.tell());
    const shown = this.newline === '\r\n' || this.newline === '\r' ? text.replaceAll('\n', this.newline) : text;
    this.writeRaw(encodeText(shown, this.encoding, this.errors));
    return text.length;
  }

  override tell(): number {
    if (this.ahead === undefined) return super.tell();
    this.requireOpen();
    return this.start + encodeText(this.ahead.slice(0, this.used), this.encoding).length;
  }

  protected isEnd(line: unknown): boolean {
    return line === '';
  }

  protected forget(): void {
    this.ahead = undefined;
  }
}
TextFile.prototype[$typeName] = 'TextIOWrapper';

/** `io.UnsupportedOperation` */
export class UnsupportedOperation extends OSError {}
nameException(UnsupportedOperation, 'UnsupportedOperation', 'io');

export const open = native(
  'open',
  'file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None',
  (file: any, mode?: any, _buffering?: unknown, encoding?: any, errors?: any, newline?: any) => {
    const how = mode === undefined ? 'r' : textOf(mode);
    if (how === undefined) throw new TypeError(`open() argument 'mode' must be str, not ${typeName(mode)}`);
    const { flags, isBinary } = flagsOf(how);
    if (isBinary && truth(encoding)) throw new ValueError("binary mode doesn't take an encoding argument");
    const path = pathOf(file);
    const fd = typeof path === 'number' ? path : opened(path, flags);
    if (isBinary) return new BinaryFile(fd, path, how);
    return new TextFile(fd, path, how, textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict', textOf(newline));
  },
);

function opened(path: string, flags: string): number {
  try {
    const fd = openSync(path, flags);
    if (fstatSync(fd).isDirectory()) {
      closeSync(fd);
      throw Object.assign(new Error('is a directory'), { code: 'EISDIR', path });
    }
    return fd;
  } catch (e) {
    throw caught(e);
  }
}

function flagsOf(mode: string): { flags: string; isBinary: boolean } {
  const letters = [...mode];
  if (letters.some((letter, i) => !'rwaxbt+'.includes(letter) || letters.indexOf(letter) !== i))
    throw new ValueError(`invalid mode: '${mode}'`);
  const kinds = letters.filter((letter) => 'rwax'.includes(letter));
  if (kinds.length !== 1) throw new ValueError('must have exactly one of create/read/write/append mode');
  if (mode.includes('b') && mode.includes('t')) throw new ValueError("can't have text and binary mode at once");
  const plus = mode.includes('+') ? '+' : '';
  const base = { r: `r${plus}`, w: `w${plus}`, a: `a${plus}`, x: `wx${plus}` }[kinds[0] as 'r' | 'w' | 'a' | 'x'];
  return { flags: base, isBinary: mode.includes('b') };
}

/** The path of a string, bytes, `Path` or file descriptor. @throws TypeError */
export function pathOf(file: any): string | number {
  const text = textOf(file);
  if (text !== undefined) return text;
  if (typeof file === 'number' && Number.isSafeInteger(file)) return file;
  if (file instanceof Bytes) return decodeBytes(file.data);
  if (typeof file?.__fspath__ === 'function') return pathOf(file.__fspath__());
  throw new TypeError(`expected str, bytes or os.PathLike object, not ${typeName(file)}`);
}
