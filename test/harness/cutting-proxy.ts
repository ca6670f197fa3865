/** A proxy before a server that can cut what runs through it, as a network does that is lost and found again. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  readonly base: string;
  /** Ends all connections. Gives their number. While it is `closed`, new ones are refused. */
  cut(closed?: boolean): number;
  /** Lets connections through again. */
  mend(): void;
}

export async function startProxy(port: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let isClosed = false;
  const server = createServer((from) => {
    if (isClosed) return void from.resetAndDestroy();
    const to = connect(port, '127.0.0.1');
    open.add(from);
    const end = () => {
      open.delete(from);
      from.destroy();
      to.destroy();
    };
    for (const side of [from, to]) side.on('close', end).on('error', end);
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(closed = false) {
      isClosed = closed;
      const { size } = open;
      for (const socket of open) socket.resetAndDestroy();
      return size;
    },
    mend() {
      isClosed = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
