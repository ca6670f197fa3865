import { createServer } from 'node:net';

/** Binds an address and leaves it again; who connects meanwhile is turned away. @throws Error with a `code` when it cannot be bound */
export function tryBind(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.destroy();
    });
    server.on('error', reject);
    server.listen({ host, port }, () => server.close(() => resolve()));
  });
}
