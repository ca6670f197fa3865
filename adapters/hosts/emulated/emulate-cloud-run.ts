/**
 * An application as an instance of Cloud Run serves it: what stands before the instance holds calls and sockets to the limits of the platform
 * (core/platforms/cloud-run-limits.ts). Calls are those of this server, whose own limits are as low where none is held here.
 */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import { cloudRunLimits as limits } from '../../../core/platforms/cloud-run-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { createDeadlines } from '../../../handlers/http/run/deadlines.ts';
import type { Connection } from '../../../handlers/socket/peer.ts';
import { RefusedUpgrade, type SocketEnd } from '../local/upgrade.ts';
import { appBehind } from './app-behind.ts';

export interface CloudRunEmulation {
  /** `gcp.timeout_seconds`, in milliseconds. */
  readonly callMs: number;
  readonly socketMs: number;
  /** Calls and sockets at once, of all instances. */
  readonly capacity: number;
  /** Receives the number of calls and sockets each time it changes. */
  readonly onBusy?: ((calls: number) => void) | undefined;
}

/** The application and its sockets behind those limits. */
export function emulateCloudRun(app: App, sockets: SocketEnd, options: CloudRunEmulation) {
  const calls = createDeadlines(options.callMs);
  const lives = createDeadlines(options.socketMs);
  let busy = 0;
  const count = (change: 1 | -1) => {
    busy += change;
    options.onBusy?.(busy);
  };

  function handle(call: Call): MaybePromise<Reply> {
    if ((call.contentLength ?? 0) > limits.requestBytes.value) return tooLarge;
    if (busy >= options.capacity) return tooMany;
    count(1);
    let isOver = false;
    const over = () => {
      if (!isOver) count(-1);
      isOver = true;
    };
    try {
      const reply = app.handle(withLimit(call));
      if (!(reply instanceof Promise)) return sent(reply, over);
      return new Promise((resolve, reject) => {
        // The instance goes on with a call that nobody waits for any more.
        const late = calls.open(() => resolve(tooLate));
        reply.then((one) => resolve(sent(one, over)), reject).finally(() => late.close());
        reply.catch(over);
      });
    } catch (error) {
      over();
      throw error;
    }
  }

  function sent(reply: Reply, over: () => void): Reply {
    const { body } = reply;
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
      over();
      return reply;
    }
    return { status: reply.status, headers: reply.headers, body: streamed(body, over) };
  }

  /** A stream ends when its call may last no longer. */
  async function* streamed(body: AsyncIterable<string | Uint8Array>, over: () => void) {
    let isLate = false;
    const late = calls.open(() => {
      isLate = true;
    });
    try {
      for await (const part of body) {
        if (isLate) return;
        yield part;
      }
    } finally {
      late.close();
      over();
    }
  }

  const emulatedSockets: SocketEnd = {
    maxMessageBytes: sockets.maxMessageBytes,
    ...(sockets.cutBytes === undefined ? {} : { cutBytes: sockets.cutBytes }),
    ...(sockets.maxFrameBytes === undefined ? {} : { maxFrameBytes: sockets.maxFrameBytes }),
    admit: (call) => {
      if (busy >= options.capacity) throw new RefusedUpgrade(tooMany);
      return sockets.admit(call);
    },
    open(ticket, call, peer): Connection | undefined {
      const connection = sockets.open(ticket, call, peer);
      if (connection === undefined) return undefined;
      count(1);
      const life = lives.open(() => peer.close(1001, 'Going away'));
      return {
        message: (bytes, isBinary) => connection.message(bytes, isBinary),
        alive: () => connection.alive(),
        closed: () => {
          count(-1);
          life.close();
          connection.closed();
        },
      };
    },
    close: (code, reason) => sockets.close(code, reason),
  };
  return { app: appBehind(handle, app), sockets: emulatedSockets };
}

/** Bodies without a length are counted while they are read. */
function withLimit(call: Call): Call {
  const most = limits.requestBytes.value;
  const body = call.body.bind(call);
  const stream = call.stream.bind(call);
  call.body = (limit) => body(Math.min(limit, most));
  call.stream = () => counted(stream(), most);
  return call;
}

async function* counted(parts: AsyncIterable<Uint8Array>, most: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > most)
      throw new Failure('PAYLOAD_TOO_LARGE', `The request is larger than ${most} bytes.`, { details: { limit: most } });
    yield part;
  }
}

function plain(status: number, text: string): Reply {
  const headers = ['Content-Type', 'text/plain', 'Content-Length', String(text.length)];
  return { status, headers, body: text, close: true };
}

/** Words of what stands before an instance. */
const tooLarge = plain(413, 'Request Entity Too Large');
const tooLate = plain(504, 'upstream request timeout');
const tooMany = plain(429, 'Rate exceeded.');
