/** Bytes of requests, handshakes, bodies and frames, as clients send them and as they never should. */
import type { Attack } from './attack.ts';

/** `GET /path` with `Host` and further header lines. */
export function head(request: string, ...lines: string[]): string {
  return [`${request} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');
}

export function handshake(path: string, ...lines: string[]): string {
  return head(
    `GET ${path}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...lines,
  );
}

export function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** A body of boundary `X`, sent to `/walker/Upload` piece by piece; the last chunk says that it is the last. */
export function multipartOf(name: string, pieces: readonly string[], end: Attack['end'] = 'wait'): Attack {
  const lines = ['Content-Type: multipart/form-data; boundary=X', 'Transfer-Encoding: chunked', 'Connection: close'];
  return {
    name,
    moves: [
      { send: head('POST /walker/Upload', ...lines) },
      ...pieces.flatMap((piece) => [{ send: chunked(piece) }, { pauseMs: 5 }]),
      { send: '0\r\n\r\n' },
    ],
    end,
  };
}
