/** Turns requests into sockets (RFC 6455, server.md 13.1) and connects them with the handlers. */
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { throwOutside } from '../../../base/throw-outside.ts';
import { Failure } from '../../../core/errors.ts';
import type { App, Handshake } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import type { Admission } from '../../../handlers/socket/handshake.ts';
import type { Connection, SocketPeer } from '../../../handlers/socket/peer.ts';
import { encodeText } from './encode-text.ts';
import { limitFrames } from './limit-frames.ts';
import type { LocalRequest } from './local-call.ts';
import { UpgradeCall } from './upgrade-call.ts';
import { replyText } from './write-reply.ts';

/** A message is cut while it is read above so many times the limit of messages; up to there it is answered. */
const cutFactor = 16;
const closeGraceMs = 2000;

/** Receiver of upgraded connections: the hub of this process (handlers/socket/hub.ts), or an emulated gateway. */
export interface SocketEnd<T extends SocketTicket = SocketTicket> {
  readonly maxMessageBytes: number;
  /**
   * Size in bytes above which the connection is cut while a message is read; absent: a multiple of `maxMessageBytes`.
   */
  readonly cutBytes?: number;
  /** Largest frame; absent: as large as a message. */
  readonly maxFrameBytes?: number;
  /** @throws Failure, or RefusedUpgrade with the answer itself: sent instead of the upgrade */
  admit(call: Call): MaybePromise<T>;
  open(ticket: T, call: Call, peer: SocketPeer): Connection | undefined;
  close(code: number, reason: string): void;
}

export interface SocketTicket {
  /** Target and caller are known where the handshake was judged in this process. */
  readonly admission: Pick<Admission, 'subprotocol'> & Partial<Pick<Admission, 'target' | 'caller'>>;
}

/** Carries the answer that is sent instead of an upgrade. */
export class RefusedUpgrade extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('the upgrade was refused');
    this.reply = reply;
  }
}

/** Takes over a connection that asks to become a socket. */
export type Upgrade = (request: LocalRequest, socket: Socket, head: Buffer) => void;

export function createUpgrade(
  app: App,
  hub: SocketEnd,
  faultOf: (request: LocalRequest) => Failure | undefined,
): Upgrade {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: hub.cutBytes ?? hub.maxMessageBytes * cutFactor,
    // The handshake was judged before; what it selected is passed along.
    handleProtocols: (_offered, request) => (request as Upgrading).ticket?.admission.subprotocol ?? false,
  });
  server.on('wsClientError', (_error, socket, request) => {
    const failure = new Failure('BAD_REQUEST', 'This is not a WebSocket handshake.');
    refuse(socket as Socket, (request as Upgrading).handshake!.refused(failure));
  });

  return (request, socket, head) => {
    const call = new UpgradeCall(request);
    const handshake = app.handshake(call);
    const admitted = admit(call, request).then(
      (ticket) => {
        (request as Upgrading).ticket = ticket;
        (request as Upgrading).handshake = handshake;
        server.handleUpgrade(request, socket, head, (ws) => {
          const { target, caller } = ticket.admission;
          handshake.accepted(target?.served.name, caller);
          connect(hub, ticket, call, ws, socket);
        });
      },
      (error) => refuse(socket, error instanceof RefusedUpgrade ? error.reply : handshake.refused(error)),
    );
    admitted.catch((error) => {
      socket.destroy();
      throwOutside(error);
    });
  };

  async function admit(call: UpgradeCall, request: LocalRequest): Promise<SocketTicket> {
    const fault = faultOf(request);
    if (fault !== undefined) throw fault;
    if (call.method !== 'GET') throw new Failure('BAD_REQUEST', 'A WebSocket handshake is a GET request.');
    if (request.headers['sec-websocket-version'] !== '13') {
      throw new Failure('UPGRADE_REQUIRED', 'Only version 13 of the protocol is supported.', {
        headers: { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
      });
    }
    return hub.admit(call);
  }
}

type Upgrading = LocalRequest & { ticket?: SocketTicket; handshake?: Handshake };

function refuse(socket: Socket, reply: Reply): void {
  socket.end(replyText(reply));
  setTimeout(() => socket.destroy(), closeGraceMs).unref();
}

function connect(hub: SocketEnd, ticket: SocketTicket, call: UpgradeCall, ws: WebSocket, socket: Socket): void {
  ws.on('error', () => {}); // faults of the protocol: the library closes with the code of RFC 6455 that fits
  const connection = hub.open(ticket, call, new LocalPeer(ws, socket));
  if (connection === undefined) return;
  if (hub.maxFrameBytes !== undefined) limitFrames(socket, hub.maxFrameBytes, () => ws.close(1009, ''));
  ws.on('message', (data, isBinary) => {
    try {
      connection.message(data as Buffer, isBinary);
    } catch (error) {
      throwOutside(error);
      ws.close(1011, 'internal error');
    }
  });
  ws.on('ping', () => connection.alive());
  ws.on('pong', () => connection.alive());
  ws.on('close', () => connection.closed());
}

class LocalPeer implements SocketPeer {
  private readonly ws: WebSocket;
  private readonly socket: Socket;

  constructor(ws: WebSocket, socket: Socket) {
    this.ws = ws;
    this.socket = socket;
  }

  get unsent(): number {
    return this.socket.writableLength;
  }

  get sent(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  send(frame: Parameters<SocketPeer['send']>[0]): void {
    if (this.ws.readyState !== this.ws.OPEN) return;
    frame.bytes ??= encodeText(frame);
    this.socket.write(frame.bytes);
  }

  cork(): void {
    this.socket.cork();
  }

  uncork(): void {
    this.socket.uncork();
  }

  ping(): void {
    if (this.ws.readyState === this.ws.OPEN) this.ws.ping();
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason);
    // A peer that reads nothing does not answer either.
    const timer = setTimeout(() => this.ws.terminate(), closeGraceMs);
    timer.unref();
    this.ws.once('close', () => clearTimeout(timer));
  }

  onDrain(listener: () => void): void {
    const { socket } = this;
    if (socket.writableLength === 0 || socket.destroyed) {
      listener();
      return;
    }
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      listener();
    };
    socket.on('drain', done);
    socket.on('close', done);
  }
}
