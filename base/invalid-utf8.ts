/**
 * Place at which bytes stop being UTF-8: `byte` from 0, and `at`, the same place as an offset into the text they are
 * decoded to.
 */
export interface InvalidUtf8 {
  readonly byte: number;
  readonly at: number;
}

/** The first place where `bytes` are not UTF-8, undefined when all are. A replacement character that is written out is none. */
export function invalidUtf8(bytes: Uint8Array): InvalidUtf8 | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const encoder = new TextEncoder();
  let byte = 0;
  for (let from = 0, at = text.indexOf('\ufffd'); at !== -1; from = at, at = text.indexOf('\ufffd', at + 1)) {
    byte += encoder.encode(text.slice(from, at)).length;
    if (bytes[byte] !== 0xef || bytes[byte + 1] !== 0xbf || bytes[byte + 2] !== 0xbd) return { byte, at };
  }
  return undefined;
}
