/** Text being built, as UTF-8 bytes in a buffer that is used again: pieces cost no objects, and the result is one flat string. */
export interface Scratch {
  bytes: Buffer;
  /** Index at which the next byte is written. */
  at: number;
  /** True while everything since the last `take` of the whole is ASCII. */
  isAscii: boolean;
}

const usualBytes = 16_384;
const keptBytes = 1_048_576;
const longText = 64;
const needsEscape = /[\u0000-\u001f"\\\u007f-\uffff]/;

export function makeScratch(): Scratch {
  return { bytes: Buffer.allocUnsafeSlow(usualBytes), at: 0, isAscii: true };
}

/** Makes room for `count` more bytes. */
function reserve(scratch: Scratch, count: number): void {
  const needed = scratch.at + count;
  if (needed <= scratch.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, scratch.bytes.length * 2));
  larger.set(scratch.bytes.subarray(0, scratch.at));
  scratch.bytes = larger;
}

/** The text from `start` on; the scratch ends there again. */
export function take(scratch: Scratch, start: number): string {
  const { bytes, at } = scratch;
  const text = bytes.toString(scratch.isAscii ? 'latin1' : 'utf8', start, at);
  scratch.at = start;
  if (start === 0) dropExcess(scratch);
  return text;
}

/** After a large text a usual buffer serves again. Nothing of the former one may be needed any more. */
export function dropExcess(scratch: Scratch): void {
  if (scratch.bytes.length > keptBytes) scratch.bytes = Buffer.allocUnsafeSlow(usualBytes);
}

/** One ASCII character. */
export function putByte(scratch: Scratch, code: number): void {
  if (scratch.at === scratch.bytes.length) reserve(scratch, 1);
  scratch.bytes[scratch.at++] = code;
}

/** ASCII text without any escaping: punctuation, numbers, ids. */
export function putAscii(scratch: Scratch, text: string): void {
  const { length } = text;
  reserve(scratch, length);
  const { bytes } = scratch;
  const { at } = scratch;
  if (length > longText) bytes.write(text, at, 'latin1');
  else for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
  scratch.at = at + length;
}

/** Bytes prepared before: member names and the like. */
export function putBytes(scratch: Scratch, prepared: Uint8Array): void {
  const { length } = prepared;
  reserve(scratch, length);
  const { bytes } = scratch;
  const { at } = scratch;
  if (length > longText) bytes.set(prepared, at);
  else for (let i = 0; i < length; i++) bytes[at + i] = prepared[i]!;
  scratch.at = at + length;
}

/** Any text as it is. */
export function putText(scratch: Scratch, text: string): void {
  reserve(scratch, text.length * 3);
  const written = scratch.bytes.write(text, scratch.at);
  if (written !== text.length) scratch.isAscii = false;
  scratch.at += written;
}

/** A string as JSON. */
export function putQuoted(scratch: Scratch, text: string): void {
  const { length } = text;
  if (length > longText) {
    if (needsEscape.test(text)) putText(scratch, JSON.stringify(text));
    else {
      putByte(scratch, 0x22);
      putAscii(scratch, text);
      putByte(scratch, 0x22);
    }
    return;
  }
  reserve(scratch, length + 2);
  const { bytes } = scratch;
  let { at } = scratch;
  bytes[at++] = 0x22;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code > 0x7e) {
      putText(scratch, JSON.stringify(text));
      return;
    }
    bytes[at++] = code;
  }
  bytes[at++] = 0x22;
  scratch.at = at;
}

/** A number; what JSON cannot say is null. */
export function putNumber(scratch: Scratch, value: number): void {
  if (value >= 0 && value < 10 && (value | 0) === value) putByte(scratch, 0x30 + value);
  else putAscii(scratch, Number.isFinite(value) ? `${value}` : 'null');
}
