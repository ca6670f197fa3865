import { type FrameText, headRoom } from '../../../handlers/socket/frames.ts';

/** One unfragmented, unmasked text frame (RFC 6455 5.2). */
export function encodeText(content: FrameText): Buffer {
  const { roomy } = content;
  const text = roomy === undefined ? content.text : '';
  const length = roomy === undefined ? Buffer.byteLength(text) : roomy.length - headRoom;
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  let frame: Buffer;
  if (roomy !== undefined) frame = roomy.subarray(headRoom - headLength);
  else {
    frame = Buffer.allocUnsafe(headLength + length);
    frame.write(text, headLength, 'utf8');
  }
  frame[0] = 0x81;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame[2] = length >>> 8;
    frame[3] = length & 0xff;
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  return frame;
}
