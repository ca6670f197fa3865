/** Module `codecs`: encodings by name, and the transformations (`rot13`, `hex`, `base64`) that only it reaches. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { open } from '../builtins/open.ts';
import { nodeZlib } from '../node-parts.ts';
import { callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import { Dict } from '../values/containers/dict.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { LookupError, TypeError } from '../values/objects/exceptions.ts';
import { $repr } from '../values/objects/protocol.ts';
import { address } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { Bytes, requireBytes } from '../values/text/bytes.ts';
import { codecName, decodeBytes, encodeText } from '../values/text/codecs.ts';
import { requireText } from '../values/text/text-arguments.ts';

type Change = (x: unknown, errors: string) => unknown;
interface Pair {
  readonly encode: Change;
  readonly decode: Change;
}

const bytesOf = (data: Uint8Array) => new Bytes(new Uint8Array(data));
const overBuffer = (encode: (data: Buffer) => Buffer, decode: (data: Buffer) => Buffer): Pair => ({
  encode: (x) => bytesOf(encode(Buffer.from(requireBytes(x)))),
  decode: (x) => bytesOf(decode(Buffer.from(requireBytes(x)))),
});
const lines = (text: string) => text.replace(/.{1,76}/g, '$&\n');
const rot13 = (x: unknown) =>
  requireText(x).replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13)));

/** Transformations of text to text and of bytes to bytes. */
const transformations: Readonly<Record<string, Pair>> = {
  rot13: { encode: rot13, decode: rot13 },
  hex: overBuffer(
    (data) => Buffer.from(data.toString('hex')),
    (data) => Buffer.from(data.toString(), 'hex'),
  ),
  base64: overBuffer(
    (data) => Buffer.from(lines(data.toString('base64'))),
    (data) => Buffer.from(data.toString(), 'base64'),
  ),
  zlib: overBuffer(
    (data) => nodeZlib().deflateSync(data),
    (data) => nodeZlib().inflateSync(data),
  ),
};

function transformation(name: string): Pair | undefined {
  return transformations[name.toLowerCase().replace(/[-_ ]|codec$/g, '')];
}

/** Names of Python's tables where they differ from the shortest. */
const shownNames: Readonly<Record<string, string>> = { 'latin-1': 'iso8859-1' };

/** Value that `lookup` gives. */
class CodecInfo {
  readonly name: string;
  readonly encode: unknown;
  readonly decode: unknown;
  readonly incrementalencoder: unknown;
  readonly incrementaldecoder: unknown;
  readonly streamreader: unknown;
  readonly streamwriter: unknown;

  constructor(encoding: string) {
    const pair = transformation(encoding);
    const name = pair === undefined ? codecName(encoding) : encoding;
    this.name = shownNames[name] ?? name;
    const { encode, decode } = pair ?? textCodec(encoding);
    this.encode = native('encode', 'input, errors="strict"', (x: unknown, errors?: unknown) => {
      const size = typeof x === 'string' ? Array.from(x).length : requireBytes(x).length;
      return new Tuple([encode(x, errorsOf(errors)), size]);
    });
    this.decode = native('decode', 'input, errors="strict"', (x: unknown, errors?: unknown) => {
      const size = typeof x === 'string' ? Array.from(x).length : requireBytes(x).length;
      return new Tuple([decode(x, errorsOf(errors)), size]);
    });
    this.incrementalencoder = native('IncrementalEncoder', 'errors="strict"', () => new IncrementalEncoder(encoding));
    this.incrementaldecoder = native(
      'IncrementalDecoder',
      'errors="strict"',
      (errors?: unknown) => new IncrementalDecoder(encoding, errorsOf(errors)),
    );
    this.streamreader = native(
      'StreamReader',
      'stream, errors="strict"',
      (stream: unknown) => new Reader(stream, encoding),
    );
    this.streamwriter = native(
      'StreamWriter',
      'stream, errors="strict"',
      (stream: unknown) => new Writer(stream, encoding),
    );
  }

  [$repr](): string {
    return `<codecs.CodecInfo object for encoding ${this.name} at ${address(this)}>`;
  }
}
nativeClass(CodecInfo, { name: 'CodecInfo', module: 'codecs' });

function errorsOf(errors: unknown): string {
  return errors === undefined || errors === null ? 'strict' : String(errors);
}

function textCodec(encoding: string): Pair {
  return {
    encode: (x, errors) => {
      if (typeof x !== 'string')
        throw new TypeError(`${codecName(encoding)}_encode() argument 1 must be str, not ${typeName(x)}`);
      return new Bytes(encodeText(x, encoding, errors));
    },
    decode: (x, errors) => {
      const isEscaped = typeof x === 'string' && codecName(encoding).endsWith('unicode_escape');
      return decodeBytes(isEscaped ? encodeText(x) : requireBytes(x), encoding, errors);
    },
  };
}

/** Encodes piece by piece. */
class IncrementalEncoder {
  readonly $encoding: string;

  constructor(encoding: string) {
    this.$encoding = encoding;
  }

  encode(text: unknown): Bytes {
    return new Bytes(encodeText(requireText(text), this.$encoding));
  }

  reset(): null {
    return null;
  }
}
nativeClass(IncrementalEncoder, {
  name: 'IncrementalEncoder',
  module: 'codecs',
  methods: { encode: 'input, final=False' },
});

/** Decodes piece by piece: the bytes of a character may come in two pieces. */
class IncrementalDecoder {
  readonly $encoding: string;
  readonly $errors: string;
  $left: Uint8Array = new Uint8Array();

  constructor(encoding: string, errors: string) {
    this.$encoding = encoding;
    this.$errors = errors;
  }

  decode(data: unknown, final?: unknown): string {
    const all = new Uint8Array(Buffer.concat([this.$left, requireBytes(data)]));
    const whole = truth(final) ? all.length : all.length - unfinished(all, codecName(this.$encoding));
    this.$left = all.subarray(whole);
    return decodeBytes(all.subarray(0, whole), this.$encoding, this.$errors);
  }

  reset(): null {
    this.$left = new Uint8Array();
    return null;
  }
}
nativeClass(IncrementalDecoder, {
  name: 'IncrementalDecoder',
  module: 'codecs',
  methods: { decode: 'input, final=False' },
});

/** Counts the bytes at the end that begin an incomplete character. */
function unfinished(data: Uint8Array, codec: string): number {
  if (codec.startsWith('utf-16')) return data.length % 2;
  if (codec.startsWith('utf-32')) return data.length % 4;
  if (!codec.startsWith('utf-8')) return 0;
  for (let back = 1; back <= Math.min(3, data.length); back += 1) {
    const byte = data[data.length - back]!;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Reads text from a file of bytes. */
class Reader {
  readonly $stream: any;
  readonly $encoding: string;

  constructor(stream: unknown, encoding: string) {
    this.$stream = stream;
    this.$encoding = encoding;
  }

  read(): string {
    return decodeBytes(requireBytes(this.$stream.read()), this.$encoding);
  }

  readline(): string {
    return decodeBytes(requireBytes(this.$stream.readline()), this.$encoding);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let line = this.readline(); line !== ''; line = this.readline()) yield line;
  }
}
nativeClass(Reader, { name: 'StreamReader', module: 'codecs' });

/** Writes text to a file of bytes. */
class Writer {
  readonly $stream: any;
  readonly $encoding: string;

  constructor(stream: unknown, encoding: string) {
    this.$stream = stream;
    this.$encoding = encoding;
  }

  write(text: unknown): unknown {
    return this.$stream.write(new Bytes(encodeText(requireText(text), this.$encoding)));
  }
}
nativeClass(Writer, { name: 'StreamWriter', module: 'codecs' });

function change(way: 'encode' | 'decode', x: unknown, encoding?: unknown, errors?: unknown): unknown {
  const name = encoding === undefined ? 'utf-8' : requireText(encoding);
  return (transformation(name) ?? textCodec(name))[way](x, errorsOf(errors));
}

function openFile(file: unknown, mode: unknown, encoding: unknown, errors: unknown): unknown {
  const wanted = mode === undefined ? 'r' : String(mode);
  const kwargs = new Dict();
  if (encoding !== undefined && encoding !== null) {
    kwargs.set('encoding', encoding);
    kwargs.set('errors', errorsOf(errors));
    kwargs.set('newline', '');
  }
  return callkw(open, [file, wanted], kwargs);
}

const marks = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
  utf32le: [0xff, 0xfe, 0, 0],
  utf32be: [0, 0, 0xfe, 0xff],
};

export function makeCodecs(): Members {
  const mark = (name: keyof typeof marks) => bytesOf(Uint8Array.from(marks[name]));
  return {
    BOM: mark('utf16le'),
    BOM_LE: mark('utf16le'),
    BOM_BE: mark('utf16be'),
    BOM_UTF8: mark('utf8'),
    BOM_UTF16: mark('utf16le'),
    BOM_UTF16_LE: mark('utf16le'),
    BOM_UTF16_BE: mark('utf16be'),
    BOM_UTF32: mark('utf32le'),
    BOM_UTF32_LE: mark('utf32le'),
    BOM_UTF32_BE: mark('utf32be'),
    CodecInfo,
    IncrementalDecoder,
    IncrementalEncoder,
    StreamReader: Reader,
    StreamWriter: Writer,
    ...functions('codecs', {
      decode: [
        'obj, encoding="utf-8", errors="strict"',
        (x: unknown, encoding: unknown, errors: unknown) => change('decode', x, encoding, errors),
      ],
      encode: [
        'obj, encoding="utf-8", errors="strict"',
        (x: unknown, encoding: unknown, errors: unknown) => change('encode', x, encoding, errors),
      ],
      getdecoder: ['encoding', (encoding: string) => new CodecInfo(encoding).decode],
      getencoder: ['encoding', (encoding: string) => new CodecInfo(encoding).encode],
      getincrementaldecoder: ['encoding', (encoding: string) => new CodecInfo(encoding).incrementaldecoder],
      getincrementalencoder: ['encoding', (encoding: string) => new CodecInfo(encoding).incrementalencoder],
      getreader: ['encoding', (encoding: string) => new CodecInfo(encoding).streamreader],
      getwriter: ['encoding', (encoding: string) => new CodecInfo(encoding).streamwriter],
      iterdecode: [
        'iterator, encoding, errors="strict"',
        function* (parts: Iterable<unknown>, encoding: string, errors: unknown) {
          const decoder = new IncrementalDecoder(encoding, errorsOf(errors));
          for (const part of parts) {
            const text = decoder.decode(part);
            if (text !== '') yield text;
          }
          const rest = decoder.decode(new Bytes(new Uint8Array()), true);
          if (rest !== '') yield rest;
        },
      ],
      lookup: ['encoding, /', (encoding: string) => new CodecInfo(encoding)],
      lookup_error: [
        'name, /',
        (name: string) => {
          if (
            !/^(strict|ignore|replace|xmlcharrefreplace|backslashreplace|namereplace|surrogateescape|surrogatepass)$/.test(
              name,
            )
          )
            throw new LookupError(`unknown error handler name '${name}'`);
          return native(`${name}_errors`, 'exc', (error: unknown) => {
            throw error;
          });
        },
      ],
      open: ["filename, mode='r', encoding=None, errors='strict', buffering=-1", openFile],
    }),
  };
}
