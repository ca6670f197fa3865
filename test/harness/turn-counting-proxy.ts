/**
 * A proxy before a database that counts how often a client asks and waits: what it sends before the next answer is one round trip. It can be silent from one
 * of them on, as it is for a client that is about to be killed.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TurnCountingProxy extends AsyncDisposable {
  readonly port: number;
  readonly turns: number;
  /** The database does not get the question of a turn, or the client not its answer, nor anything after it. Resolves when that has happened. */
  silence(turn: number, what: 'question' | 'answer'): Promise<void>;
  /** The same from the first question on in which there is this text. `what`: the first thing that goes no further, the question when absent. */
  silenceFrom(text: string, what?: 'question' | 'answer'): Promise<void>;
}

export async function startTurnCounter(port: number): Promise<TurnCountingProxy> {
  const open = new Set<Socket>();
  let turns = 0;
  let silenced:
    | { readonly turn: number; readonly what: 'question' | 'answer'; readonly reached: () => void }
    | undefined;
  let from: { readonly text: string; readonly what: 'question' | 'answer'; readonly reached: () => void } | undefined;
  /** Tells whether what arrives now goes no further. */
  const isHeld = (what: 'question' | 'answer'): boolean => {
    if (silenced === undefined || turns < silenced.turn) return false;
    const isLater = turns > silenced.turn || silenced.what === 'question';
    if (!isLater && what === 'question') return false;
    silenced.reached();
    return true;
  };
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1');
    let isAsking = false;
    client.on('data', (chunk) => {
      if (!isAsking) turns++;
      isAsking = true;
      if (from !== undefined && chunk.includes(from.text)) {
        silenced = { turn: turns, what: from.what, reached: from.reached };
        from = undefined;
      }
      if (!isHeld('question')) database.write(chunk);
    });
    database.on('data', (chunk) => {
      isAsking = false;
      if (!isHeld('answer')) client.write(chunk);
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
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    get turns() {
      return turns;
    },
    silenceFrom: (text, what = 'question') =>
      new Promise((reached) => {
        from = { text, what, reached };
      }),
    silence: (turn, what) =>
      new Promise((reached) => {
        silenced = { turn, what, reached };
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
