/** `open`: file objects (docs/language/builtins.md#files). */

import { closeSync, fstatSync, readSync } from 'node:fs';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { ftruncateSync, openSync, writeSync } from '../disk.ts';
import { builtin } from '../values/calls/builtin.ts';
import { stepped } from '../values/calls/generators.ts';
import { caught } from '../values/calls/raise.ts';
import { withEach } from '../values/containers/iteration.ts';
import { len as lengthOf } from '../values/containers/length.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { nameException, OSError, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { $repr, $typeName } from '../values/objects/protocol.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes, requireBytes } from '../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../values/text/codecs.ts';
import { quote } from '../values/text/string-repr.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { pathOf } from './path-of.ts';

/** The part of a file object that is the same for text and bytes: position, reading of raw bytes, closing. */
abstract class FileBase {
  readonly name: unknown;
  readonly mode: string;
  closed = false;
  protected readonly fd: number;
  protected readonly canRead: boolean;
  protected readonly canWrite: boolean;
  protected readonly appends: boolean;
  /** Index of the next byte that is read or written. */
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

  /** All lines that are left; of those, with a hint, as many as it takes to have so many characters or bytes. */
  readlines(hint?: unknown): unknown[] {
    const most = hint === undefined || hint === null ? 0 : requireSize(hint);
    if (most <= 0) return [...this];
    const lines: unknown[] = [];
    let total = 0;
    for (const line of this) {
      lines.push(line);
      total += lengthOf(line);
      if (total > most) break;
    }
    return lines;
  }

  writelines(lines: unknown): MaybePromise<null> {
    return withEach(lines, (line) => this.write(line));
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (;;) {
      const line = this.readline();
      if (this.isEnd(line)) return;
      yield line;
    }
  }

  __next__(): unknown {
    return stepped(this[Symbol.iterator]().next());
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

  readline(size?: unknown): Bytes {
    this.requireReadable();
    let room = limitOf(size);
    const parts: Uint8Array[] = [];
    for (;;) {
      const start = this.at;
      const part = this.readRaw(Math.min(4096, room));
      room -= part.length;
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

function lineEndsIn(text: string): unknown {
  const found = [/\r(?!\n)/.test(text) && '\r', /(?<!\r)\n/.test(text) && '\n', text.includes('\r\n') && '\r\n'];
  const ends = found.filter((end) => end !== false);
  return ends.length > 1 ? new Tuple(ends) : (ends[0] ?? null);
}

export class TextFile extends FileBase {
  readonly encoding: string;
  readonly errors: string;
  private readonly newline: string | undefined;
  /** Decoded text that was read ahead, and how much of it is used. */
  private ahead: string | undefined;
  private used = 0;
  private start = 0;
  /** The ends of lines that were met: None, one, or a tuple of several. */
  newlines: unknown = null;

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
      if (this.newline === undefined || this.newline === '') this.newlines = lineEndsIn(text);
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
    return this.take(this.placeAfter(wanted, text.length));
  }

  readline(size?: unknown): string {
    this.requireReadable();
    const end = this.endOfLine(this.load());
    const room = limitOf(size);
    return this.take(room >= end - this.used ? end : this.placeAfter(room, end));
  }

  private endOfLine(text: string): number {
    if (this.newline === '') {
      anyLineEnd.lastIndex = this.used;
      return anyLineEnd.test(text) ? anyLineEnd.lastIndex : text.length;
    }
    const mark = this.newline ?? '\n';
    const end = text.indexOf(mark, this.used);
    return end < 0 ? text.length : end + mark.length;
  }

  /** The place so many characters further on. */
  private placeAfter(count: number, last: number): number {
    let end = this.used;
    for (let n = 0; n < count && end < last; n += 1) end += this.ahead!.codePointAt(end)! > 0xffff ? 2 : 1;
    return end;
  }

  write(data: unknown): number {
    this.requireWritable();
    const text = textOf(data);
    if (text === undefined) {
      const given = data === null || data === undefined ? 'None' : typeName(data);
      throw new TypeError(`write() argument must be str, not ${given}`);
    }
    if (this.ahead !== undefined) this.seek(this.tell());
    const shown = this.newline === '\r\n' || this.newline === '\r' ? text.replaceAll('\n', this.newline) : text;
    this.writeRaw(encodeText(shown, this.encoding, this.errors));
    return lengthOf(text);
  }

  // The start of a character is known for places that `tell` gave.
  override seek(offset: unknown, whence?: unknown): number {
    const from = whence === undefined ? 0 : requireSize(whence);
    if (from !== 0 && requireSize(offset) !== 0)
      throw new UnsupportedOperation(`can't do nonzero ${from === 1 ? 'cur' : 'end'}-relative seeks`);
    return super.seek(offset, from);
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

const anyLineEnd = /\r\n?|\n/g;

/** Gives the greatest length of a line: a size that is not given or negative sets no bound. */
function limitOf(size: unknown): number {
  const most = size === undefined || size === null ? -1 : requireSize(size);
  return most < 0 ? Number.POSITIVE_INFINITY : most;
}

/** `io.UnsupportedOperation` */
export class UnsupportedOperation extends OSError {}
nameException(UnsupportedOperation, 'UnsupportedOperation', 'io');

export const open = builtin(
  'open',
  (file: any, mode?: any, _buffering?: unknown, encoding?: any, errors?: any, newline?: any) => {
    const how = mode === undefined ? 'r' : textOf(mode);
    if (how === undefined) throw new TypeError(`open() argument 'mode' must be str, not ${typeName(mode)}`);
    const { flags, isBinary } = flagsOf(how);
    if (isBinary && truth(encoding)) throw new ValueError("binary mode doesn't take an encoding argument");
    const path = pathOf(file);
    const lineEnd = textOf(newline);
    if (lineEnd !== undefined && !['', '\n', '\r', '\r\n'].includes(lineEnd))
      throw new ValueError(`illegal newline value: ${lineEnd}`);
    const fd = typeof path === 'number' ? path : opened(path, flags);
    if (isBinary) return new BinaryFile(fd, path, how);
    return new TextFile(fd, path, how, textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict', lineEnd);
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
  if (kinds.length === 0)
    throw new ValueError('Must have exactly one of create/read/write/append mode and at most one plus');
  if (kinds.length !== 1) throw new ValueError('must have exactly one of create/read/write/append mode');
  if (mode.includes('b') && mode.includes('t')) throw new ValueError("can't have text and binary mode at once");
  const plus = mode.includes('+') ? '+' : '';
  const base = { r: `r${plus}`, w: `w${plus}`, a: `a${plus}`, x: `wx${plus}` }[kinds[0] as 'r' | 'w' | 'a' | 'x'];
  return { flags: base, isBinary: mode.includes('b') };
}
