/** One unfragmented, unmasked text frame (RFC 6455 5.2). */
export function encodeText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = 0x81;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength, 'utf8');
  return frame;
}
