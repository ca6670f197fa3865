/** Ports of servers that tests start. */
import { createServer } from 'node:net';

/** Waits until an HTTP server answers. @throws when it has ended */
export async function answers(url: string, isAlive: () => boolean): Promise<void> {
  while (isAlive()) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the emulator ended at once');
}

/**
 * Ports that no system hands out by itself, to connections or to servers that ask for any: theirs begin at 32,768 with Linux, at 49,152 elsewhere.
 * From 30,000 on are those of services of a Kubernetes cluster.
 */
const [firstPort, lastPort] = [20_000, 29_999];
/** Ports of one process follow each other from where no other process is likely to be. */
let lastTried = process.pid * 61;

/** A port that stays free until a server takes it, also between two that have it one after the other. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (++lastTried % (lastPort - firstPort + 1));
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Holds a port of this machine, so that nobody else can listen on it. With a number: waits until it is ours. */
export async function takePort(host: string, port = 0): Promise<{ readonly port: number } & AsyncDisposable> {
  for (;;) {
    const server = createServer();
    const isOurs = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' && port !== 0 ? resolve(false) : reject(error),
      );
      server.listen(port, host, () => resolve(true));
    });
    if (isOurs) {
      const { port: taken } = server.address() as { port: number };
      return { port: taken, [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())) };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
