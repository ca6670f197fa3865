import { drained } from '../../../base/drained.ts';
import { throwOutside } from '../../../base/throw-outside.ts';
import type { Reply } from '../../../handlers/call.ts';
import { nodeHttp } from '../../../library/node-parts.ts';
import type { LocalCall } from './local-call.ts';

const { STATUS_CODES } = nodeHttp();
const lingerMs = 2000;
const worthReading = 65536;

/** Writes one reply. A body that streams is written as fast as the peer reads; it is cancelled when the peer goes away. */
export function writeReply(call: LocalCall, reply: Reply): void {
  const { response } = call;
  const { body } = reply;
  if (response.destroyed || call.request.socket.destroyed) {
    if (isStream(body)) cancel(body);
    return;
  }
  const closes = reply.close === true || leavesTooMuchUnread(call);
  if (!closes && writeWhole(call, reply)) return;
  if (closes) linger(call);
  response.writeHead(reply.status, (closes ? [...reply.headers, 'Connection', 'close'] : reply.headers) as string[]);
  if (!isStream(body)) response.end(body, reply.isAscii === true ? 'latin1' : 'utf8');
  else if (call.method === 'HEAD') {
    cancel(body);
    response.end();
  } else pump(call, body).catch(throwOutside);
}

/** The part of `ServerResponse` that is not documented: the head that will be written with the first piece of the body. */
interface WithHead {
  _header: string | null;
  _keepAliveTimeout: number;
}

/**
 * Head and body as one piece of text. `writeHead` would check and join each header again, and `end` would make two writes of it. Only
 * for the usual case: everything is ASCII, the headers are known to be valid, the connection stays open.
 */
function writeWhole({ response, method, expectsContinue }: LocalCall, reply: Reply): boolean {
  const { body, status } = reply;
  if (reply.isAscii !== true || typeof body !== 'string' || !response.shouldKeepAlive) return false;
  if (method === 'HEAD' || expectsContinue || response.headersSent) return false;
  const { head } = reply;
  if (head === undefined) return false;
  const { _keepAliveTimeout: keepAlive } = response as unknown as WithHead;
  response.statusCode = status;
  (response as unknown as WithHead)._header = `${statusLine(status)}${head}${tailOf(keepAlive)}${body}`;
  response.end();
  return true;
}

function statusLine(status: number): string {
  return status === 200 ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
}

/** Last lines of every head; the same text for a whole second. */
let tail = { second: 0, keepAlive: 0, text: '' };

function tailOf(keepAlive: number): string {
  const second = Math.floor(Date.now() / 1000);
  if (tail.second !== second || tail.keepAlive !== keepAlive) {
    const date = new Date(second * 1000).toUTCString();
    const timeout = keepAlive > 0 ? `Keep-Alive: timeout=${Math.floor(keepAlive / 1000)}\r\n` : '';
    tail = { second, keepAlive, text: `Date: ${date}\r\nConnection: keep-alive\r\n${timeout}\r\n` };
  }
  return tail.text;
}

/** A reply as bytes on the wire, for a connection that has no request. Always closes. */
export function replyText(reply: Reply): string {
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`];
  for (let i = 0; i < reply.headers.length; i += 2) lines.push(`${reply.headers[i]}: ${reply.headers[i + 1]}`);
  lines.push(`Date: ${new Date().toUTCString()}`, 'Connection: close', '', '');
  return lines.join('\r\n') + (typeof reply.body === 'string' ? reply.body : '');
}

type StreamBody = AsyncIterable<string | Uint8Array>;

function isStream(body: Reply['body']): body is StreamBody {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

async function pump(call: LocalCall, body: StreamBody): Promise<void> {
  const { response } = call;
  const chunks = body[Symbol.asyncIterator]();
  response.flushHeaders();
  // A generator that waits for its next value must hear that nobody listens any more; call.signal tells the work behind it.
  response.once('close', () => {
    if (!response.writableFinished) chunks.return?.().catch(() => {});
  });
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) break;
      if (response.destroyed) return;
      if (!response.write(next.value)) await drained(response);
    }
    response.end();
  } catch {
    // The head is out, so all that can be said is that the answer is not complete.
    response.destroy();
  }
}

function cancel(body: StreamBody): void {
  body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
}

function leavesTooMuchUnread(call: LocalCall): boolean {
  return call.isUnread && (call.contentLength ?? Number.POSITIVE_INFINITY) > worthReading;
}

/**
 * Closing a socket while the peer still sends makes the peer's system throw away the answer. So the sending half is closed, and
 * what arrives is read and dropped for a moment.
 */
function linger(call: LocalCall): void {
  const socket = call.request.socket;
  if (!call.isUnread) return;
  socket.destroySoon = () => {
    socket.end();
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
