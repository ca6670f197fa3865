/**
 * An emulated WebSocket API: owns the connections, gives them ids, calls the function with their events, and lets it post to them. What the
 * real one allows is enforced with its numbers (adapters/hosts/lambda/limits.ts).
 */
import { randomBytes } from 'node:crypto';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { throwOutside } from '../../../base/throw-outside.ts';
import { idleMs, lifeMs, maxFrameBytes, maxMessageBytes } from '../../../core/platforms/aws-limits.ts';
import type { Call } from '../../../handlers/call.ts';
import { createDeadlines, type Deadline } from '../../../handlers/http/run/deadlines.ts';
import { textFrame } from '../../../handlers/socket/frames.ts';
import type { Connection, SocketPeer } from '../../../handlers/socket/peer.ts';
import type { PostToConnection } from '../../../handlers/socket/post-to-connection.ts';
import type { SocketEvent, SocketHandler } from '../lambda/socket-handler.ts';
import { RefusedUpgrade, type SocketEnd, type SocketTicket } from '../local/upgrade.ts';
import type { UpgradeCall } from '../local/upgrade-call.ts';
import { clockText, gatewayNames, requestId } from './http-event.ts';
import { toReply } from './to-reply.ts';

export interface EmulatedSockets extends SocketEnd<EmulatedTicket> {
  readonly gateway: PostToConnection;
  /** The function; has to be there before the first connection is. */
  serve(handler: SocketHandler): void;
  /** Connections that are open. */
  readonly size: number;
}

interface EmulatedTicket extends SocketTicket {
  readonly cid: string;
  readonly connectedAt: number;
}

export interface SocketEmulation {
  readonly timeoutSeconds: number;
  readonly roundTrips: boolean;
  readonly limits?: { readonly idleMs: number; readonly lifeMs: number };
}

interface OpenConnection {
  readonly peer: SocketPeer;
  readonly idle: Deadline;
  readonly life: Deadline;
}

export function emulateSockets(options: SocketEmulation): EmulatedSockets {
  const { timeoutSeconds, roundTrips, limits = { idleMs, lifeMs } } = options;
  const invocation = Object.freeze({ getRemainingTimeInMillis: () => timeoutSeconds * 1000 });
  const idles = createDeadlines(limits.idleMs);
  const lives = createDeadlines(limits.lifeMs);
  const open = new Map<string, OpenConnection>();
  let handler: SocketHandler | undefined;

  async function invoke(event: SocketEvent) {
    const result = await handler!(roundTrips ? JSON.parse(JSON.stringify(event)) : event, invocation);
    return roundTrips ? (JSON.parse(JSON.stringify(result)) as typeof result) : result;
  }

  async function connect(call: Call): Promise<EmulatedTicket> {
    const cid = `${randomBytes(11).toString('base64url')}=`;
    const connectedAt = Date.now();
    const result = await invoke({ ...eventOf(cid, connectedAt, call.peer, '$connect'), ...handshakeOf(call) });
    if (result.statusCode !== 200) throw new RefusedUpgrade(toReply(result));
    const subprotocol = result.headers?.['Sec-WebSocket-Protocol'];
    return {
      cid,
      connectedAt,
      admission: { subprotocol: subprotocol === undefined ? undefined : String(subprotocol) },
    };
  }

  return {
    maxMessageBytes,
    cutBytes: maxMessageBytes,
    maxFrameBytes,
    serve(given) {
      handler = given;
    },
    get size() {
      return open.size;
    },

    admit: (call): MaybePromise<EmulatedTicket> => connect(call),

    open({ cid, connectedAt }, call, peer): Connection {
      let isOpen = true;
      const end = (code: number, reason: string) => peer.close(code, reason);
      const idle = idles.open(() => end(1001, 'Going away'));
      const life = lives.open(() => end(1001, 'Going away'));
      open.set(cid, { peer, idle, life });
      return {
        message(bytes, isBinary) {
          idle.touch();
          if (!isOpen) return;
          // https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-develop-binary-media-types.html
          if (isBinary) end(1003, '');
          else {
            const body = Buffer.from(bytes).toString('utf8');
            invoke({ ...eventOf(cid, connectedAt, call.peer, '$default'), body }).catch(throwOutside);
          }
        },
        alive: () => idle.touch(),
        closed() {
          isOpen = false;
          open.delete(cid);
          idle.close();
          life.close();
          invoke(eventOf(cid, connectedAt, call.peer, '$disconnect')).catch(throwOutside);
        },
      };
    },

    close(code, reason) {
      for (const { peer } of open.values()) peer.close(code, reason);
    },

    gateway: {
      async post(cid, text) {
        const connection = open.get(cid);
        if (connection === undefined) return false;
        if (Buffer.byteLength(text) > maxMessageBytes) throw new Error('PayloadTooLargeException');
        connection.idle.touch();
        connection.peer.send(textFrame(text));
        return true;
      },
      async cut(cid) {
        open.get(cid)?.peer.close(1000, '');
      },
    },
  };
}

type RouteKey = '$connect' | '$default' | '$disconnect';
const eventTypes = { $connect: 'CONNECT', $default: 'MESSAGE', $disconnect: 'DISCONNECT' } as const;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html */
function eventOf(connectionId: string, connectedAt: number, sourceIp: string, routeKey: RouteKey): SocketEvent {
  const { apiId, domainName } = gatewayNames;
  const id = requestId();
  return {
    requestContext: {
      routeKey,
      ...(routeKey === '$default' ? { messageId: requestId() } : {}),
      eventType: eventTypes[routeKey],
      extendedRequestId: id,
      requestTime: clockText(),
      messageDirection: 'IN',
      stage: 'local',
      connectedAt,
      requestTimeEpoch: Date.now(),
      identity: { sourceIp },
      requestId: id,
      domainName,
      connectionId,
      apiId,
    } as unknown as SocketEvent['requestContext'],
    isBase64Encoded: false,
  };
}

/**
 * Gives the parts that only the first event of a connection has. A path `/ws/…` or `/live` is rewritten as a domain in front of
 * the API would do it (docs/server/cloud.md#sockets).
 */
function handshakeOf(call: Call): Partial<SocketEvent> {
  const query = new URLSearchParams(call.query);
  const [, kind = 'walker', name] = /^\/ws\/(?:(walker|function)\/)?([^/]+)$/.exec(call.path) ?? [];
  if (name !== undefined) query.set(kind, name);
  if (call.path === '/live') query.set('live', '1');
  const { rawHeaders } = call as UpgradeCall;
  const fields = rawHeaders.flatMap((field, i) => (i % 2 === 0 ? [[field, rawHeaders[i + 1]!] as const] : []));
  const headers = Object.fromEntries(fields);
  if (query.size === 0) return { headers, multiValueHeaders: grouped(fields) };
  return {
    headers,
    multiValueHeaders: grouped(fields),
    queryStringParameters: Object.fromEntries(query),
    multiValueQueryStringParameters: grouped(query),
  };
}

function grouped(entries: Iterable<readonly [string, string]>): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const [name, value] of entries) (groups[name] ??= []).push(value);
  return groups;
}
