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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
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
