/** The ends of pipes to a child process. What has not arrived yet is a promise. */
import type { Readable, Writable } from 'node:stream';
import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { refuseInReplay } from '../../outside.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { BrokenPipeError, ValueError } from '../../values/objects/exceptions.ts';
import { Bytes, requireBytes } from '../../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../../values/text/codecs.ts';
import { requireText } from '../../values/text/text-arguments.ts';

/** Encoding by which the program sees bytes as text. */
export interface TextMode {
  readonly encoding: string;
  readonly errors: string;
}

export function shown(data: Uint8Array, mode: TextMode | undefined): Bytes | string {
  if (mode === undefined) return new Bytes(new Uint8Array(data));
  const text = decodeBytes(data, mode.encoding, mode.errors);
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Base of both ends of a pipe: the methods they share with files. */
abstract class Pipe {
  closed = false;

  abstract close(): null;

  __enter__(): this {
    if (this.closed) throw new ValueError('I/O operation on closed file.');
    return this;
  }

  __exit__(): boolean {
    this.close();
    return false;
  }

  readable(): boolean {
    return this instanceof PipeReader;
  }

  writable(): boolean {
    return this instanceof PipeWriter;
  }

  isatty(): boolean {
    return false;
  }
}
const methodsOfPipes = { close: '', __enter__: '', __exit__: '*args', readable: '', writable: '', isatty: '' };

export class PipeReader extends Pipe {
  $parts: Buffer = Buffer.alloc(0);
  $ended = false;
  $wake: (() => void)[] = [];
  readonly $mode: TextMode | undefined;

  constructor(stream: Readable, mode: TextMode | undefined) {
    super();
    this.$mode = mode;
    const wake = () => {
      for (const go of this.$wake.splice(0)) go();
    };
    stream.on('data', (part: Buffer) => {
      this.$parts = Buffer.concat([this.$parts, part]);
      wake();
    });
    stream.on('error', () => {}); // its end follows
    stream.on('close', () => {
      this.$ended = true;
      wake();
    });
  }

  $more(): Promise<void> {
    return new Promise((resolve) => this.$wake.push(resolve));
  }

  $take(size: number): Bytes | string {
    const part = this.$parts.subarray(0, size);
    this.$parts = this.$parts.subarray(size);
    return shown(part, this.$mode);
  }

  read(size?: unknown): MaybePromise<Bytes | string> {
    const wanted =
      size === undefined || size === null || requireSize(size) < 0 ? Number.POSITIVE_INFINITY : requireSize(size);
    if (this.$ended || this.$parts.length >= wanted) return this.$take(Math.min(wanted, this.$parts.length));
    return this.$more().then(() => this.read(size));
  }

  readline(): MaybePromise<Bytes | string> {
    const end = this.$parts.indexOf(10);
    if (end >= 0) return this.$take(end + 1);
    return this.$ended ? this.$take(this.$parts.length) : this.$more().then(() => this.readline());
  }

  readlines(): MaybePromise<unknown[]> {
    const lines: unknown[] = [];
    const next = (): MaybePromise<unknown[]> =>
      after(this.readline(), (line) => {
        if (line.length === 0) return lines;
        lines.push(line);
        return next();
      });
    return next();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      const line = await this.readline();
      if (line.length === 0) return;
      yield line;
    }
  }

  close(): null {
    this.closed = true;
    return null;
  }
}
nativeClass(PipeReader, {
  name: 'BufferedReader',
  module: '_io',
  methods: { read: 'size=-1, /', readline: '', readlines: '', ...methodsOfPipes },
});

export class PipeWriter extends Pipe {
  readonly $stream: Writable;
  readonly $mode: TextMode | undefined;
  $broken = false;

  constructor(stream: Writable, mode: TextMode | undefined) {
    super();
    this.$stream = stream;
    this.$mode = mode;
    stream.on('error', () => {
      this.$broken = true;
    });
  }

  write(data: unknown): number {
    if (this.$broken) throw new BrokenPipeError(32, 'Broken pipe');
    const bytes =
      this.$mode === undefined
        ? requireBytes(data)
        : encodeText(requireText(data, 'write() argument'), this.$mode.encoding, this.$mode.errors);
    refuseInReplay('asks nobody');
    this.$stream.write(bytes);
    return this.$mode === undefined ? bytes.length : String(data).length;
  }

  writelines(lines: unknown): null {
    for (const line of toArray(lines)) this.write(line);
    return null;
  }

  flush(): null {
    return null;
  }

  close(): null {
    this.closed = true;
    this.$stream.end();
    return null;
  }
}
nativeClass(PipeWriter, {
  name: 'BufferedWriter',
  module: '_io',
  methods: { write: 'data, /', writelines: 'lines, /', flush: '', ...methodsOfPipes },
});
