import type { Socket } from 'node:net';

/**
 * Watches the frames that come in on a socket (RFC 6455 5.2) and calls `onLarge` once when the payload of one is longer than `maxBytes`,
 * before anything else hears of it. Only headers are looked at.
 */
export function limitFrames(socket: Socket, maxBytes: number, onLarge: () => void): void {
  let header: number[] = [];
  let payloadLeft = 0;

  const watch = (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (payloadLeft > 0) {
        const skipped = Math.min(payloadLeft, chunk.length - at);
        payloadLeft -= skipped;
        at += skipped;
        continue;
      }
      header.push(chunk[at++]!);
      const length = payloadLength(header);
      if (length === undefined) continue;
      header = [];
      payloadLeft = length;
      if (length <= maxBytes) continue;
      socket.off('data', watch);
      onLarge();
      return;
    }
  };
  socket.prependListener('data', watch);
}

/** Undefined while the header is not complete. */
function payloadLength(header: readonly number[]): number | undefined {
  if (header.length < 2) return undefined;
  const short = header[1]! & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskBytes = header[1]! & 0x80 ? 4 : 0;
  if (header.length < 2 + lengthBytes + maskBytes) return undefined;
  if (lengthBytes === 0) return short;
  return header.slice(2, 2 + lengthBytes).reduce((length, byte) => length * 256 + byte, 0);
}
