/** Module `zlib`. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { nodeZlib } from '../../node-parts.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { Exception, nameException, ValueError } from '../../values/objects/exceptions.ts';
import { Bytes, joinBytes, requireBytes } from '../../values/text/bytes.ts';

class ZlibError extends Exception {}
nameException(ZlibError, 'error', 'zlib');

const whole = (data: Uint8Array): Bytes => new Bytes(new Uint8Array(data));
const bitsOf = (wbits: unknown): number => (wbits === undefined ? 15 : requireSize(wbits));

function pack(data: Uint8Array, level: unknown, wbits: unknown): Uint8Array {
  const bits = bitsOf(wbits);
  const size = level === undefined ? -1 : requireSize(level);
  if (size < -1 || size > 9) throw new ZlibError('Bad compression level');
  const options = { level: size };
  return bits < 0
    ? nodeZlib().deflateRawSync(data, options)
    : bits > 15
      ? nodeZlib().gzipSync(data, options)
      : nodeZlib().deflateSync(data, options);
}

function unpack(data: Uint8Array, wbits: unknown): Uint8Array {
  const bits = bitsOf(wbits);
  try {
    return bits < 0
      ? nodeZlib().inflateRawSync(data)
      : bits > 31
        ? nodeZlib().unzipSync(data)
        : bits > 15
          ? nodeZlib().gunzipSync(data)
          : nodeZlib().inflateSync(data);
  } catch (e: any) {
    if (e.code === 'Z_BUF_ERROR')
      throw new ZlibError('Error -5 while decompressing data: incomplete or truncated stream');
    throw new ZlibError(`Error ${e.errno ?? -3} while decompressing data: ${e.message}`);
  }
}

let table: Uint32Array | undefined;

function crc32(data: unknown, start?: unknown): number {
  if (table === undefined) {
    table = new Uint32Array(256);
    for (let n = 0; n < 256; n += 1) {
      let c = n;
      for (let k = 0; k < 8; k += 1) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
      table[n] = c;
    }
  }
  let crc = ~(start === undefined ? 0 : requireSize(start));
  for (const byte of requireBytes(data)) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

function adler32(data: unknown, start?: unknown): number {
  const before = start === undefined ? 1 : requireSize(start);
  let [a, b] = [before & 0xffff, Math.floor(before / 65_536)];
  for (const byte of requireBytes(data)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

/** Takes data in pieces; what comes out comes at the end. */
class Stream {
  readonly $parts: Uint8Array[] = [];
  readonly $finish: (data: Uint8Array) => Uint8Array;

  constructor(finish: (data: Uint8Array) => Uint8Array) {
    this.$finish = finish;
  }

  $take(data: unknown): void {
    this.$parts.push(requireBytes(data).slice());
  }

  flush(): Bytes {
    const data = joinBytes(this.$parts.splice(0));
    return whole(data.length === 0 && this instanceof Inflater ? data : this.$finish(data));
  }
}

class Deflater extends Stream {
  compress(data: unknown): Bytes {
    this.$take(data);
    return whole(new Uint8Array(0));
  }
}
nativeClass(Deflater, { name: 'Compress', module: 'zlib', methods: { compress: 'data, /', flush: 'mode=4, /' } });

class Inflater extends Stream {
  eof = false;
  readonly unused_data = whole(new Uint8Array(0));
  readonly unconsumed_tail = whole(new Uint8Array(0));

  /** Gives everything as soon as the stream is complete. */
  decompress(data: unknown): Bytes {
    this.$take(data);
    try {
      const out = this.$finish(joinBytes(this.$parts));
      this.$parts.length = 0;
      this.eof = true;
      return whole(out);
    } catch (e) {
      if (e instanceof ZlibError && e.message.includes('incomplete')) return whole(new Uint8Array(0));
      throw e;
    }
  }
}
nativeClass(Inflater, { name: 'Decompress', module: 'zlib', methods: { decompress: 'data, max_length=0, /' } });

export function makeZlib(): Members {
  return {
    DEFLATED: 8,
    DEF_MEM_LEVEL: 8,
    MAX_WBITS: 15,
    ZLIB_VERSION: process.versions['zlib'] ?? '1.3',
    Z_BEST_COMPRESSION: 9,
    Z_BEST_SPEED: 1,
    Z_DEFAULT_COMPRESSION: -1,
    Z_DEFAULT_STRATEGY: 0,
    Z_FINISH: 4,
    Z_NO_COMPRESSION: 0,
    Z_NO_FLUSH: 0,
    Z_SYNC_FLUSH: 2,
    error: ZlibError,
    ...functions('zlib', {
      adler32: ['data, value=1, /', adler32],
      compress: [
        'data, /, level=-1, wbits=15',
        (data: unknown, level?: unknown, wbits?: unknown) => whole(pack(requireBytes(data), level, wbits)),
      ],
      compressobj: [
        'level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None',
        (level?: unknown, _method?: unknown, wbits?: unknown) => new Deflater((data) => pack(data, level, wbits)),
      ],
      crc32: ['data, value=0, /', crc32],
      decompress: [
        'data, /, wbits=15, bufsize=16384',
        (data: unknown, wbits?: unknown, size?: unknown) => {
          if (size !== undefined && requireSize(size) <= 0) throw new ValueError('bufsize must be greater than zero');
          return whole(unpack(requireBytes(data), wbits));
        },
      ],
      decompressobj: ['wbits=15, zdict=b""', (wbits?: unknown) => new Inflater((data) => unpack(data, wbits))],
    }),
  };
}
