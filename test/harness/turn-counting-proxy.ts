/** A proxy before a database that counts how often a client asks and waits: what it sends before the next answer is one round trip. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TurnCountingProxy extends AsyncDisposable {
  readonly port: number;
  readonly turns: number;
}

export async function startTurnCounter(port: number): Promise<TurnCountingProxy> {
  const open = new Set<Socket>();
  let turns = 0;
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1');
    let isAsking = false;
    client.on('data', () => {
      if (!isAsking) turns++;
      isAsking = true;
    });
    database.on('data', () => {
      isAsking = false;
    });
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      open.add(socket);
      const end = () => {
        open.delete(socket);
        client.destroy();
        database.destroy();
      };
      socket.on('close', end).on('error', end);
    }
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    get turns() {
      return turns;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
