import type { APIGatewayProxyStructuredResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { Failure } from '../../../core/errors.ts';
import type { Log } from '../../../core/log/log.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call } from '../../../handlers/call.ts';
import type { TableSockets } from '../../../handlers/socket/table-sockets.ts';
import { type Invocation, msToAnswer, outOfTime } from './out-of-time.ts';
import { toResult } from './to-result.ts';

/** An event of a WebSocket API. Handshakes have headers and a query besides; the later events of a connection have neither. */
export type SocketEvent = APIGatewayProxyWebsocketEventV2 & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>>;
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>>;
};

export type SocketResult = APIGatewayProxyStructuredResultV2;

/** The function behind a WebSocket API, for its routes `$connect`, `$default` and `$disconnect`. Never rejects. */
export type SocketHandler = (event: SocketEvent, invocation: Invocation) => Promise<SocketResult>;

export function createSocketHandler(app: App, sockets: TableSockets, log: Log): SocketHandler {
  return async (event, invocation) => {
    const { connectionId, routeKey } = event.requestContext;
    const call = new SocketCall(event);
    try {
      if (routeKey === '$connect') {
        const subprotocol = await sockets.connect(connectionId, call);
        const headers = subprotocol === undefined ? {} : { headers: { 'Sec-WebSocket-Protocol': subprotocol } };
        return { statusCode: 200, ...headers };
      }
      if (routeKey === '$disconnect') await sockets.disconnect(connectionId);
      else if (isBinary(event)) await sockets.refuseBinary(connectionId);
      else {
        const { requestTimeEpoch } = event.requestContext;
        const body = Buffer.from(event.body ?? '');
        await runInTime(call, invocation, () => sockets.message(connectionId, body, requestTimeEpoch, call));
      }
      return { statusCode: 200 };
    } catch (error) {
      if (!(error instanceof Failure)) log.error('a socket event failed', { route: routeKey, error });
      const failure =
        error instanceof Failure ? error : new Failure('INTERNAL_ERROR', 'The request could not be completed.');
      const { status, headers, body } = app.refuse(failure);
      return toResult({ status, headers }, body as string);
    }
  };
}

/** Runs a call and gives it up in time to answer when it takes longer than the function may. */
async function runInTime(call: SocketCall, invocation: Invocation, run: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => call.abandon(outOfTime()), msToAnswer(invocation));
  try {
    await run();
  } finally {
    clearTimeout(timer);
  }
}

/** The service ends connections that send binary frames itself; `serverless-offline` hands their bytes on. */
function isBinary({ body, isBase64Encoded }: SocketEvent): boolean {
  return isBase64Encoded || (body as unknown) instanceof Uint8Array;
}

/**
 * A handshake as the handlers see it. These APIs have no paths, so the target stands in the query: `?walker=Name`, `?function=name` or
 * `?live=1` (docs/server/cloud.md#sockets).
 */
class SocketCall implements Call {
  readonly method = 'GET';
  readonly path: string;
  readonly query: string;
  readonly peer: string;
  readonly contentLength = undefined;
  readonly signal = new AbortController().signal;
  private readonly fields = new Map<string, string>();
  private readonly listeners = new Set<(why: Failure) => void>();

  constructor(event: SocketEvent) {
    const { walker, function: name, live } = event.queryStringParameters ?? {};
    this.path =
      walker !== undefined
        ? `/ws/walker/${walker}`
        : name !== undefined
          ? `/ws/function/${name}`
          : live === '1'
            ? '/live'
            : '/ws';
    const query = new URLSearchParams();
    for (const [key, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
      for (const value of values) query.append(key, value);
    }
    this.query = query.toString();
    const { identity } = event.requestContext as { readonly identity?: { readonly sourceIp?: string } };
    this.peer = identity?.sourceIp ?? '';
    for (const [key, values] of Object.entries(event.multiValueHeaders ?? {})) {
      this.fields.set(key.toLowerCase(), values.join(', '));
    }
    for (const [key, value] of Object.entries(event.headers ?? {})) {
      if (!this.fields.has(key.toLowerCase())) this.fields.set(key.toLowerCase(), value);
    }
  }

  header(name: string): string | undefined {
    return this.fields.get(name);
  }

  headers(): Iterable<readonly [string, string]> {
    return this.fields;
  }

  body(): Uint8Array {
    return new Uint8Array();
  }

  async *stream(): AsyncIterable<Uint8Array> {}

  onGone(listener: (why?: Failure) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  abandon(why: Failure): void {
    for (const listener of this.listeners) listener(why);
  }
}
