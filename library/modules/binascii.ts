/** Module `binascii`. */

import { functions, type Members } from '../builtins/module.ts';
import { std } from '../registry.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { callMethodKw } from '../values/objects/methods.ts';
import { truth } from '../values/objects/truth.ts';
import { AnyBytes, Bytes, fromLatin1, requireBytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { BinasciiError, decode64 } from './base64.ts';

function unhex(given: unknown): Bytes {
  const text = textOf(given) ?? Buffer.from(requireBytes(given)).toString('latin1');
  if (text.length % 2 === 1) throw new BinasciiError('Odd-length string');
  if (!/^[0-9a-fA-F]*$/.test(text)) throw new BinasciiError('Non-hexadecimal digit found');
  return new Bytes(new Uint8Array(Buffer.from(text, 'hex')));
}

function hex(data: unknown, sep: unknown, group: unknown): Bytes {
  const given = data instanceof AnyBytes ? data : new Bytes(requireBytes(data));
  const args = sep === undefined ? [] : [sep, group ?? 1];
  return new Bytes(fromLatin1(callMethodKw(given, 'hex', args)));
}

function base64(data: unknown, newline: unknown): Bytes {
  const text = Buffer.from(requireBytes(data)).toString('base64');
  return new Bytes(fromLatin1(newline === undefined || truth(newline) ? `${text}\n` : text));
}

/** The checksum of CCITT: polynomial 0x1021. */
function crc16(data: unknown, start: unknown): number {
  let crc = requireSize(start) & 0xffff;
  for (const byte of requireBytes(data)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
}

export function makeBinascii(): Members {
  return {
    Error: BinasciiError,
    crc32: std('zlib').crc32,
    ...functions('binascii', {
      a2b_base64: [
        'data, /, *, strict_mode=False',
        (data: unknown, strict: unknown) => decode64(data, undefined, strict),
      ],
      a2b_hex: ['hexstr, /', unhex],
      b2a_base64: ['data, /, *, newline=True', base64],
      b2a_hex: ['data, sep=None, bytes_per_sep=1', hex],
      crc_hqx: ['data, crc, /', crc16],
      hexlify: ['data, sep=None, bytes_per_sep=1', hex],
      unhexlify: ['hexstr, /', unhex],
    }),
  };
}
