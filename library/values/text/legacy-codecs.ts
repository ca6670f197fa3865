/** Encodings of one region (`gbk`, `shift_jis`, `koi8-r`, `cp1251` …), one or two bytes to a character, as `TextDecoder` knows them. */

import { UnicodeDecodeError } from '../objects/exceptions.ts';
import { Bytes } from './bytes.ts';

export interface LegacyCodec {
  readonly name: string;
  readonly decoder: InstanceType<typeof TextDecoder>;
  /** Bytes of the characters that are not ASCII; filled when something is encoded. */
  readonly table: Map<string, readonly number[]>;
}

const known = new Map<string, LegacyCodec>();

/** Undefined when JavaScript does not know the encoding either. */
export function legacyCodec(encoding: string): LegacyCodec | undefined {
  const name = encoding.toLowerCase().replaceAll('_', '-');
  let codec = known.get(name);
  if (codec === undefined) {
    const label = name.replace(/^(?:cp|windows-?)(125\d|874)$/, 'windows-$1').replace(/^iso-?8859/, 'iso-8859');
    try {
      codec = { name, decoder: new TextDecoder(label, { fatal: true }), table: new Map() };
    } catch {
      return undefined;
    }
    known.set(name, codec);
  }
  return codec;
}

/** The bytes of a character; undefined when the encoding has none. */
export function legacyBytes(codec: LegacyCodec, char: string): readonly number[] | undefined {
  if (codec.table.size === 0) fill(codec);
  return codec.table.get(char);
}

function fill(codec: LegacyCodec): void {
  const add = (...bytes: number[]) => {
    const char = tryDecode(codec, Uint8Array.from(bytes));
    if (char !== undefined && Array.from(char).length === 1 && !codec.table.has(char)) codec.table.set(char, bytes);
  };
  for (let high = 0x80; high < 0x100; high += 1) {
    add(high);
    for (let low = 0x40; low < 0x100; low += 1) add(high, low);
  }
}

function tryDecode({ decoder }: LegacyCodec, data: Uint8Array): string | undefined {
  try {
    return decoder.decode(data);
  } catch {
    return undefined;
  }
}

/** @throws UnicodeDecodeError unless `errors` says otherwise */
export function decodeLegacy(data: Uint8Array, codec: LegacyCodec, errors: string): string {
  const text = tryDecode(codec, data);
  if (text !== undefined) return text;
  const lenient = new TextDecoder(codec.decoder.encoding).decode(data);
  if (errors === 'replace') return lenient;
  if (errors === 'ignore') return lenient.replaceAll('\ufffd', '');
  let end = 1;
  while (
    tryDecode(codec, data.subarray(0, end)) !== undefined ||
    tryDecode(codec, data.subarray(0, end + 1)) !== undefined
  )
    end += 1;
  throw new UnicodeDecodeError(codec.name, new Bytes(data), end - 1, end, 'illegal multibyte sequence');
}
