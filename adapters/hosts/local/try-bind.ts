import { once } from 'node:events';
import { createServer } from 'node:net';

/** Binds an address and leaves it again. @throws Error with a `code` when it cannot be bound */
export async function tryBind(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
