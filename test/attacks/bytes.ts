/** Bytes of requests, handshakes, bodies and frames, as clients send them and as they never should. */
import type { Attack } from './attack.ts';

/** A request line's method and target with `Host` and further header lines. */
export function head(request: string, ...lines: string[]): string {
  return [`${request} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');
}

/** A request with a JSON body. */
export function post(path: string, body: unknown, ...lines: string[]): string {
  const text = JSON.stringify(body);
  const about = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`];
  return head(`POST ${path}`, ...about, ...lines) + text;
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

/** A part of a multipart body of boundary `X`; with a file name, a file. */
export function part(name: string, content: string, filename?: string): string {
  const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: text/plain`;
  return `--X\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

export const multipartHead = [
  'Content-Type: multipart/form-data; boundary=X',
  'Transfer-Encoding: chunked',
  'Connection: close',
];

/** A body of boundary `X`, sent to `/walker/Upload` piece by piece; the last chunk says that it is the last. */
export function multipartOf(name: string, pieces: readonly string[], end: Attack['end'] = 'wait'): Attack {
  return {
    name,
    moves: [
      { send: head('POST /walker/Upload', ...multipartHead) },
      ...pieces.flatMap((piece) => [{ send: chunked(piece) }, { pauseMs: 5 }]),
      { send: '0\r\n\r\n' },
    ],
    end,
  };
}

export interface FrameForm {
  /** Default: yes. */
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
  /** Length that the header declares; default: that of the payload. */
  readonly declared?: number | bigint;
}

/** A frame of RFC 6455 5.2. */
export function frame(opcode: number, payload: string | Uint8Array = '', form: FrameForm = {}): Buffer {
  const { isLast = true, isMasked = true, reserved = 0 } = form;
  const bytes = Buffer.from(payload as string);
  const length = BigInt(form.declared ?? bytes.length);
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const maskBit = isMasked ? 0x80 : 0;
  const header =
    length < 126n
      ? Buffer.from([first, maskBit | Number(length)])
      : length < 65_536n
        ? Buffer.from([first, maskBit | 126, Number(length >> 8n), Number(length & 255n)])
        : Buffer.concat([Buffer.from([first, maskBit | 127]), bigEndian(length)]);
  if (!isMasked) return Buffer.concat([header, bytes]);
  const mask = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([header, mask, bytes.map((byte, i) => byte ^ mask[i % 4]!)]);
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A message of a client. */
export function message(fields: unknown): Buffer {
  return frame(opcodes.text, JSON.stringify(fields));
}
