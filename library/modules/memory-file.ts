/** `io.StringIO` and `io.BytesIO`: files in memory. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { UnsupportedOperation } from '../builtins/open.ts';
import { withEach } from '../values/containers/iteration.ts';
import { len as lengthOf } from '../values/containers/length.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { OSError, StopIteration, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes, bytesOf, requireBytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';

/** Base of files in memory; `T` is the kind of their contents. */
abstract class MemoryFile<T> {
  closed = false;
  $at = 0;

  abstract read(size?: unknown): T;
  abstract readline(size?: unknown): T;
  abstract write(data: unknown): number;
  abstract $isEmpty(line: T): boolean;
  abstract get $length(): number;
  abstract $cut(size: number): void;

  $open(): void {
    if (this.closed) throw new ValueError('I/O operation on closed file');
  }

  readlines(hint?: unknown): T[] {
    const most = hint === undefined || hint === null ? -1 : requireSize(hint);
    const lines: T[] = [];
    let total = 0;
    for (const line of this) {
      lines.push(line);
      total += lengthOf(line);
      // Text stops when there is more than that, bytes when there is as much.
      if (most > 0 && total >= most + (typeof line === 'string' ? 1 : 0)) break;
    }
    return lines;
  }

  writelines(lines: unknown): MaybePromise<null> {
    return withEach(lines, (line) => this.write(line));
  }

  *[Symbol.iterator](): Generator<T> {
    for (;;) {
      const line = this.readline();
      if (this.$isEmpty(line)) return;
      yield line;
    }
  }

  __iter__(): this {
    return this;
  }

  __next__(): T {
    const line = this.readline();
    if (this.$isEmpty(line)) throw new StopIteration();
    return line;
  }

  seek(offset: unknown, whence?: unknown): number {
    this.$open();
    const [to, from] = [requireSize(offset), whence === undefined ? 0 : requireSize(whence)];
    if (from === 0 && to < 0) throw new ValueError(`Negative seek position ${to}`);
    if (from < 0 || from > 2) throw new ValueError(`Invalid whence (${from}, should be 0, 1 or 2)`);
    this.$at = this.$target(to, from);
    return this.$at;
  }

  $target(to: number, from: number): number {
    return Math.max(0, to + (from === 1 ? this.$at : from === 2 ? this.$length : 0));
  }

  tell(): number {
    this.$open();
    return this.$at;
  }

  truncate(size?: unknown): number {
    this.$open();
    const length = size === undefined || size === null ? this.$at : requireSize(size);
    if (length < 0) throw new ValueError(`Negative size value ${length}`);
    if (length < this.$length) this.$cut(length);
    return length;
  }

  flush(): null {
    this.$open();
    return null;
  }

  close(): null {
    this.closed = true;
    return null;
  }

  readable(): boolean {
    this.$open();
    return true;
  }

  writable(): boolean {
    return this.readable();
  }

  seekable(): boolean {
    return this.readable();
  }

  isatty(): boolean {
    return !this.readable();
  }

  fileno(): never {
    throw new UnsupportedOperation('fileno');
  }

  __enter__(): this {
    this.$open();
    return this;
  }

  __exit__(): null {
    return this.close();
  }
}

const methods = {
  read: 'size=-1, /',
  readline: 'size=-1, /',
  readlines: 'hint=-1, /',
  write: 's, /',
  writelines: 'lines, /',
  seek: 'pos, whence=0, /',
  tell: '',
  truncate: 'pos=None, /',
  flush: '',
  close: '',
  readable: '',
  writable: '',
  seekable: '',
  isatty: '',
  fileno: '',
  __exit__: '*args',
};

const unlimited = (size: unknown): boolean => size === undefined || size === null || requireSize(size) < 0;

export class StringIO extends MemoryFile<string> {
  $text: string;
  readonly newlines = null;
  readonly encoding = null;
  readonly errors = null;
  readonly line_buffering = false;

  constructor(initial = '') {
    super();
    this.$text = initial;
  }

  get $length(): number {
    return this.$text.length;
  }

  $isEmpty(line: string): boolean {
    return line === '';
  }

  $cut(size: number): void {
    this.$text = this.$text.slice(0, size);
  }

  override $target(to: number, from: number): number {
    if (from !== 0 && to !== 0) throw new OSError(`Can't do nonzero ${from === 1 ? 'cur' : 'end'}-relative seeks`);
    return super.$target(to, from);
  }

  $take(end: number): string {
    const text = this.$text.slice(this.$at, end);
    this.$at = Math.max(this.$at, Math.min(end, this.$text.length));
    return text;
  }

  read(size?: unknown): string {
    this.$open();
    if (unlimited(size)) return this.$take(this.$text.length);
    let end = this.$at;
    for (let left = requireSize(size); left > 0 && end < this.$text.length; left -= 1)
      end += this.$text.codePointAt(end)! > 0xffff ? 2 : 1;
    return this.$take(end);
  }

  readline(size?: unknown): string {
    this.$open();
    const mark = this.$text.indexOf('\n', this.$at);
    const end = mark < 0 ? this.$text.length : mark + 1;
    return this.$take(unlimited(size) ? end : Math.min(end, this.$at + requireSize(size)));
  }

  write(data: unknown): number {
    this.$open();
    const text = textOf(data);
    if (text === undefined) throw new TypeError(`string argument expected, got '${typeName(data)}'`);
    if (this.$at === this.$text.length) this.$text += text;
    else
      this.$text =
        this.$text.slice(0, this.$at).padEnd(this.$at, '\0') + text + this.$text.slice(this.$at + text.length);
    this.$at += text.length;
    return lengthOf(text);
  }

  getvalue(): string {
    this.$open();
    return this.$text;
  }
}
nativeClass(StringIO, {
  name: 'StringIO',
  module: '_io',
  params: 'initial_value="", newline="\\n"',
  make: (cls, initial, newline) => {
    const text = initial === undefined || initial === null ? '' : textOf(initial);
    if (text === undefined) throw new TypeError(`initial_value must be str or None, not ${typeName(initial)}`);
    return new cls(newline === null ? text.replace(/\r\n?/g, '\n') : text);
  },
  methods: { ...methods, getvalue: '' },
});

export class BytesIO extends MemoryFile<Bytes> {
  $data: Uint8Array;
  $used: number;

  constructor(initial: Uint8Array) {
    super();
    this.$data = initial.slice();
    this.$used = initial.length;
  }

  get $length(): number {
    return this.$used;
  }

  $isEmpty(line: Bytes): boolean {
    return line.length === 0;
  }

  $cut(size: number): void {
    this.$used = size;
  }

  $take(end: number): Bytes {
    const part = this.$data.slice(this.$at, Math.max(this.$at, Math.min(end, this.$used)));
    this.$at += part.length;
    return new Bytes(part);
  }

  read(size?: unknown): Bytes {
    this.$open();
    return this.$take(unlimited(size) ? this.$used : this.$at + requireSize(size));
  }

  read1(size?: unknown): Bytes {
    return this.read(size);
  }

  readinto(target: unknown): number {
    const into = requireBytes(target);
    const part = this.read(into.length).data;
    into.set(part);
    return part.length;
  }

  readline(size?: unknown): Bytes {
    this.$open();
    const mark = this.$data.subarray(0, this.$used).indexOf(10, this.$at);
    const end = mark < 0 ? this.$used : mark + 1;
    return this.$take(unlimited(size) ? end : Math.min(end, this.$at + requireSize(size)));
  }

  write(data: unknown): number {
    this.$open();
    const part = requireBytes(data);
    const end = this.$at + part.length;
    if (end > this.$data.length) {
      const larger = new Uint8Array(Math.max(end, this.$data.length * 2));
      larger.set(this.$data.subarray(0, this.$used));
      this.$data = larger;
    }
    if (this.$at > this.$used) this.$data.fill(0, this.$used, this.$at);
    this.$data.set(part, this.$at);
    this.$at = end;
    this.$used = Math.max(this.$used, end);
    return part.length;
  }

  getvalue(): Bytes {
    this.$open();
    return new Bytes(this.$data.slice(0, this.$used));
  }

  getbuffer(): Bytes {
    return this.getvalue();
  }
}
nativeClass(BytesIO, {
  name: 'BytesIO',
  module: '_io',
  params: 'initial_bytes=b""',
  make: (cls, initial) => {
    const data = initial === undefined || initial === null ? new Uint8Array(0) : bytesOf(initial);
    if (data === undefined) throw new TypeError(`a bytes-like object is required, not '${typeName(initial)}'`);
    return new cls(data);
  },
  methods: { ...methods, read1: 'size=-1, /', readinto: 'buffer, /', getvalue: '', getbuffer: '' },
});
