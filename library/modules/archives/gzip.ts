/** Module `gzip`: a file is unpacked when it is opened, and packed when it is closed. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { open as openFile } from '../../builtins/open.ts';
import { nodeZlib } from '../../node-parts.ts';
import { call } from '../../values/calls/calls.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { EOFError, nameException, OSError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { Bytes, requireBytes } from '../../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { BytesIO, StringIO } from '../memory-file.ts';

class BadGzipFile extends OSError {}
nameException(BadGzipFile, 'BadGzipFile', 'gzip');

function pack(data: Uint8Array, level: unknown, mtime: unknown): Uint8Array {
  const packed = new Uint8Array(nodeZlib().gzipSync(data, { level: level === undefined ? 9 : requireSize(level) }));
  const seconds = mtime === undefined || mtime === null ? Date.now() / 1000 : requireSize(mtime);
  new DataView(packed.buffer).setUint32(4, Math.floor(seconds), true);
  return packed;
}

function unpack(data: Uint8Array): Uint8Array {
  if (data.length === 0) return data;
  if (data[0] !== 0x1f || data[1] !== 0x8b)
    throw new BadGzipFile(`Not a gzipped file (${reprOf(new Bytes(data.slice(0, 2)))})`);
  try {
    return new Uint8Array(nodeZlib().gunzipSync(data));
  } catch (e: any) {
    if (e.code === 'Z_BUF_ERROR')
      throw new EOFError('Compressed file ended before the end-of-stream marker was reached');
    throw new BadGzipFile(e.message);
  }
}

/** Target of the packed data of a file when it is closed. */
class Target {
  readonly #file: any;
  readonly #owned: boolean;
  readonly #level: unknown;
  readonly #mtime: unknown;

  constructor(file: any, owned: boolean, level: unknown, mtime: unknown) {
    this.#file = file;
    this.#owned = owned;
    this.#level = level;
    this.#mtime = mtime;
  }

  finish(data: Uint8Array): void {
    callMethod(this.#file, 'write', new Bytes(pack(data, this.#level, this.#mtime)));
    if (this.#owned) callMethod(this.#file, 'close');
  }
}

class GzipFile extends BytesIO {
  $to: Target | undefined;
  name: unknown;

  override write(data: unknown): number {
    if (this.$to === undefined) throw new OSError(9, 'write() on read-only GzipFile object');
    return super.write(data);
  }

  override read(size?: unknown): Bytes {
    if (this.$to !== undefined) throw new OSError(9, 'read() on write-only GzipFile object');
    return super.read(size);
  }

  override close(): null {
    if (!this.closed) this.$to?.finish(this.getvalue().data);
    return super.close();
  }
}

class GzipText extends StringIO {
  $to: Target | undefined;
  $encode: (text: string) => Uint8Array = encodeText;

  override close(): null {
    if (!this.closed) this.$to?.finish(this.$encode(this.getvalue()));
    return super.close();
  }
}

type Source = readonly [file: any, owned: boolean];

/** The file behind a name, or the file that was given. */
function sourceOf(given: any, mode: string): Source {
  if (given === null || given === undefined) throw new TypeError('filename must be a str or bytes object, or a file');
  const isFile = typeof given.read === 'function' || typeof given.write === 'function';
  return isFile ? [given, false] : [call(openFile, given, `${mode[0]}b`), true];
}

function modeOf(given: unknown): string {
  const mode = textOf(given) ?? 'rb';
  if (!/^[rwax][bt]?$/.test(mode)) throw new ValueError(`Invalid mode: ${reprOf(mode)}`);
  return mode;
}

function contentOf([file, owned]: Source): Uint8Array {
  try {
    return unpack(requireBytes(callMethod(file, 'read')));
  } finally {
    if (owned) callMethod(file, 'close');
  }
}

function openBinary(source: Source, mode: string, level: unknown, mtime: unknown): GzipFile {
  const made = new GzipFile(mode[0] === 'r' ? contentOf(source) : new Uint8Array(0));
  if (mode[0] !== 'r') made.$to = new Target(...source, level, mtime);
  made.name = source[0].name ?? '';
  return made;
}

function openText(source: Source, mode: string, level: unknown, encoding: string, errors: string): GzipText {
  if (mode[0] === 'r') return new GzipText(decodeBytes(contentOf(source), encoding, errors).replace(/\r\n?/g, '\n'));
  const made = new GzipText();
  made.$encode = (text) => encodeText(text, encoding, errors);
  made.$to = new Target(...source, level, undefined);
  return made;
}

nativeClass(GzipFile, {
  name: 'GzipFile',
  module: 'gzip',
  params: 'filename=None, mode=None, compresslevel=9, fileobj=None, mtime=None',
  make: (_cls, filename, mode, level, fileobj, mtime) => {
    const how = modeOf(mode);
    return openBinary(sourceOf(fileobj ?? filename, how), how, level, mtime);
  },
});
nativeClass(GzipText, { name: 'TextIOWrapper', module: '_io' });

function open(file: unknown, mode?: unknown, level?: unknown, encoding?: unknown, errors?: unknown): unknown {
  const how = modeOf(mode);
  if (how.endsWith('t'))
    return openText(sourceOf(file, how), how, level, textOf(encoding) ?? 'utf-8', textOf(errors) ?? 'strict');
  if (truth(encoding ?? null)) throw new ValueError("Argument 'encoding' not supported in binary mode");
  return openBinary(sourceOf(file, how), how, level, undefined);
}

export function makeGzip(): Members {
  return {
    BadGzipFile,
    GzipFile,
    ...functions('gzip', {
      compress: [
        'data, compresslevel=9, *, mtime=None',
        (data: unknown, level?: unknown, mtime?: unknown) => new Bytes(pack(requireBytes(data), level, mtime)),
      ],
      decompress: ['data', (data: unknown) => new Bytes(unpack(requireBytes(data)))],
      open: ['filename, mode="rb", compresslevel=9, encoding=None, errors=None, newline=None', open],
    }),
  };
}
