import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A port that is bound before the server that will have it: who connects meanwhile waits. Its end leaves the port, unless a server has it. */
export interface HeldPort extends AsyncDisposable {
  readonly port: number;
  /** Hands the port, and who waits there, to its server. */
  give(server: Server): void;
}

/** Connections that wait at most; all further ones are closed. */
const mostWaiting = 256;
/** After this long one that waits is closed: start-up code may ask its own server, which comes after it. */
const longestWaitMs = 60_000;

/** Binds an address. @throws Error with a `code` when it cannot be bound */
export function holdPort(host: string, port: number): Promise<HeldPort> {
  const waiting = new Set<Socket>();
  const holder = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {});
    if (waiting.size >= mostWaiting) {
      socket.destroy();
      return;
    }
    socket.setTimeout(longestWaitMs, giveUp);
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  let isGiven = false;
  const held = (): HeldPort => ({
    port: (holder.address() as AddressInfo).port,
    give(server) {
      isGiven = true;
      server.listen(holder);
      for (const socket of waiting) {
        socket.setTimeout(0, giveUp);
        server.emit('connection', socket);
        socket.resume();
      }
      waiting.clear();
    },
    [Symbol.asyncDispose]() {
      if (isGiven) return Promise.resolve();
      for (const socket of waiting) socket.destroy();
      return new Promise((resolve) => holder.close(() => resolve()));
    },
  });
  return new Promise((resolve, reject) => {
    holder.on('error', reject);
    holder.listen({ host, port }, () => resolve(held()));
  });
}

function giveUp(this: Socket): void {
  this.destroy();
}
