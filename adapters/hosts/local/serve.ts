import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { throwOutside } from '../../../base/throw-outside.ts';
import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import { nodeHttp } from '../../../library/node-parts.ts';
import { createCallBatches, outOfBounds } from './call-batches.ts';
import { openDoor } from './connection-door.ts';
import { connectionFailure } from './connection-failure.ts';
import type { HeldPort } from './held-port.ts';
import type { Intercept } from './intercept.ts';
import { LocalCall, LocalRequest } from './local-call.ts';
import type { ServeLimits } from './serve-limits.ts';
import type { SocketEnd, Upgrade } from './upgrade.ts';
import { replyText, writeReply } from './write-reply.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** With `port` 0: the port that other workers of this server have, or had. */
  readonly sharedPort?: number | undefined;
  /** The port that is bound already, in the place of `host` and `port`. */
  readonly held?: HeldPort | undefined;
  readonly limits: ServeLimits;
  /** Takes over connections that become sockets; without it those are ordinary requests. */
  readonly sockets?: SocketEnd;
  /** Takes requests first. */
  readonly intercept?: Intercept | undefined;
}

export interface LocalServer {
  readonly port: number;
  /** The address bound to, e.g. `127.0.0.1`. */
  readonly address: string;
  /** Ends gracefully (docs/server/commands.md#shutdown); false when calls had to be aborted. */
  drain(options: { readonly delayMs: number; readonly timeoutMs: number }): Promise<boolean>;
  /** Ends at once: open connections are cut. */
  close(): Promise<void>;
}

// Room for request lines and headers that are too long, so that they are told apart and answered properly.
const headerSlack = 65536;

// Together less than a second: so much later than their limit are slow headers cut.
const longestCheckMs = 250;
const refusedLingerMs = 500;

/**
 * Serves an application on a port.
 *
 * @throws Error with `code` `EADDRINUSE` (or `EACCES`, `EADDRNOTAVAIL`) when the address cannot be bound
 */
export async function serveLocal(app: App, options: ServeOptions): Promise<LocalServer> {
  const { limits, intercept } = options;
  const server = nodeHttp().createServer({
    IncomingMessage: LocalRequest,
    maxHeaderSize: limits.maxUrlBytes + limits.maxHeaderBytes + headerSlack,
    insecureHTTPParser: false,
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.headersTimeoutMs + limits.bodyTimeoutMs,
    connectionsCheckingInterval: Math.max(1, Math.min(longestCheckMs, Math.floor(limits.headersTimeoutMs / 2))),
    keepAliveTimeout: limits.keepaliveMs,
    noDelay: true,
  });
  // Too many fields are refused by `outOfBounds`, not silently dropped.
  server.maxHeadersCount = 0;

  const accept = createCallBatches(app, limits);
  const callOf = (request: IncomingMessage, response: ServerResponse) =>
    new LocalCall(request as LocalRequest, response, limits.bodyTimeoutMs);
  const acceptPassed = (call: LocalCall) => {
    const held = intercept?.hold?.(call.path);
    if (held === undefined) accept(call);
    else held.then(() => accept(call), throwOutside);
  };
  const door = openDoor({ maxConnections: limits.maxConnections, stuckMs: limits.bodyTimeoutMs });
  server.on('connection', door.enter);
  server.on('request', (request, response) => {
    // A request that was refused is not served when the rest of it arrives after all.
    if (request.socket.writableEnded) return;
    if (intercept === undefined) accept(callOf(request, response));
    else intercept.take(request, response, () => acceptPassed(callOf(request, response)));
  });
  server.on('checkContinue', (request, response) => {
    if (request.socket.writableEnded) return;
    const call = callOf(request, response);
    call.expectsContinue = true;
    accept(call);
  });
  server.on('checkExpectation', (request, response) => {
    const failure = new Failure('BAD_REQUEST', 'The expectation cannot be met.');
    writeReply(callOf(request, response), app.refuse(failure));
  });
  server.on('connect', (_request, socket) => {
    socket.end(replyText(app.refuse(new Failure('METHOD_NOT_ALLOWED', 'CONNECT is not supported.'))));
  });
  server.on('clientError', (error, socket) => refuseConnection(app, error, socket as Socket, limits));
  const { sockets } = options;
  if (sockets !== undefined) {
    // Most programs have no sockets: what speaks the protocol is loaded with the first one.
    let upgrade: Promise<Upgrade> | undefined;
    server.on('upgrade', (request, socket, head) => {
      if (intercept?.upgrade(request, socket, head)) return;
      upgrade ??= import('./upgrade.ts').then(({ createUpgrade }) =>
        createUpgrade(app, sockets, (asking) => outOfBounds(asking, limits)),
      );
      upgrade
        .then((take) => take(request as LocalRequest, socket as Socket, head))
        .catch((error) => {
          socket.destroy();
          throwOutside(error);
        });
    });
  }

  const { host, port, sharedPort, held } = options;
  await listen(server, held ?? { host, port });
  // When all who had the port ended before this one listened, the system chose another; by its number whoever comes next shares it again.
  if (sharedPort !== undefined && (server.address() as AddressInfo).port !== sharedPort) {
    await new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    await listen(server, { host, port: sharedPort });
  }
  server.on('close', door.close);
  // A connection could not be accepted: no reason to stop.
  server.on('error', throwOutside);
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    address: bound.address,
    drain: (times) => drain(server, app, sockets, times),
    close: () => close(server, sockets),
  };
}

function listen(server: Server, at: HeldPort | { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    if ('give' in at) at.give(server);
    else server.listen(at);
  });
}

function refuseConnection(app: App, error: NodeJS.ErrnoException, socket: Socket, limits: ServeLimits): void {
  const current = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  const answerable = socket.writable && error.code !== 'ECONNRESET' && current?.headersSent !== true;
  if (!answerable) {
    socket.destroy();
    return;
  }
  const failure = connectionFailure(error.code ?? '', (error as { rawPacket?: Buffer }).rawPacket, limits.maxUrlBytes);
  socket.end(replyText(app.refuse(failure)));
  socket.once('end', () => socket.destroy());
  setTimeout(() => socket.destroy(), refusedLingerMs).unref();
}

async function drain(
  server: Server,
  app: App,
  sockets: SocketEnd | undefined,
  times: { delayMs: number; timeoutMs: number },
): Promise<boolean> {
  app.lifecycle.drain();
  if (times.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, times.delayMs));
  app.lifecycle.stop();
  // The HTTP server's own `close` would also cut idle connections, whose next request must be told 503.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const settled = await app.lifecycle.settled(times.timeoutMs);
  if (!settled) await app.lifecycle.abort();
  sockets?.close(1001, 'the server is shutting down');
  // Answers of the last calls are on their way out of the process.
  await new Promise((resolve) => setImmediate(resolve));
  server.closeIdleConnections();
  server.closeAllConnections();
  server.close();
  await closed;
  return settled;
}

function close(server: Server, sockets: SocketEnd | undefined): Promise<void> {
  return new Promise((resolve) => {
    sockets?.close(1001, 'the server is shutting down');
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
