/**
 * A document database for tests: speaks the wire protocol of MongoDB to the official driver, keeps everything in memory, and fails where it is
 * told to. It shows transactions with snapshots, write conflicts and unique indexes; it says nothing about speed or failover.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../ports.ts';
import { createEngine, type Engine } from './commands.ts';
import { Refusal, replyOf } from './failure.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createCutter, type Doc, type Request, readRequest, writeReply } from './wire.ts';

/** Fault of the server: the error, and the commands it hits. */
export interface Fault {
  /** Name of the command; absent: any that is not about the connection itself. */
  readonly command?: string;
  /** Only commands it says yes to. */
  readonly when?: (command: Doc) => boolean;
  /** The connection breaks, with or without the command being done; the answer is late; the command is refused instead of done. */
  readonly how:
    | 'drop before'
    | 'drop after'
    | { readonly delayMs: number }
    | { readonly code: number; readonly name: string; readonly labels?: readonly string[] }
    | { readonly run: () => unknown };
  /** Number of commands it hits; 1 when absent. */
  readonly times?: number;
}

/** A server that tests stop and start. */
export interface DocumentServer extends AsyncDisposable {
  readonly uri: string;
  /** Takes bytes but answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends as a process that is killed: sockets break, open transactions are lost, what was committed stays. */
  kill(): Promise<void>;
  /** After `kill`: on the same port. */
  start(): Promise<void>;
}

export interface MongoServer extends DocumentServer {
  readonly port: number;
  /** Commands received since the start or the last `forget`, without those about the connection itself. */
  readonly commands: readonly string[];
  forget(): void;
  /** Counts how often it has fired. */
  fail(fault: Fault): { readonly fired: number };
  /** Transactions that are open now. */
  readonly transactions: number;
  closeCursors(): void;
}

export interface MongoServerOptions {
  /** A server of its own, which knows no transactions. */
  readonly standalone?: boolean;
  /** A transaction nobody ends is given up after so long. */
  readonly transactionLifeMs?: number;
  /** Nobody is let in without the password of a user; undefined where there is no such user. */
  readonly passwordOf?: (user: string) => string | undefined;
}

interface Armed extends Fault {
  left: number;
  fired: number;
}

export async function startMongo(options: MongoServerOptions = {}): Promise<MongoServer> {
  const isReplicaSet = options.standalone !== true;
  const engine = createEngine({ isReplicaSet, transactionLifeMs: options.transactionLifeMs ?? 60_000 });
  const sockets = new Set<Socket>();
  const faults: Armed[] = [];
  let commands: string[] = [];
  let paused: (() => void)[] | undefined;
  const port = await freePort();
  let listener: Server;

  const answer = async (socket: Socket, request: Request, signIn: SignIn | undefined) => {
    const { command } = request;
    const name = Object.keys(command)[0]!;
    if (paused !== undefined) await new Promise<void>((resolve) => paused?.push(resolve));
    if (/^(hello|ismaster)$/i.test(name)) {
      const mechanisms = signIn === undefined ? {} : { saslSupportedMechs: ['SCRAM-SHA-256'] };
      return reply(socket, request, { ...greeting(isReplicaSet, port), ...mechanisms });
    }
    const signingIn = signIn?.answer(name, command);
    if (signingIn !== undefined) return reply(socket, request, signingIn);
    commands.push(name);
    const fault = faults.find((one) => one.left > 0 && fits(one, name, command));
    if (fault !== undefined) {
      fault.left--;
      fault.fired++;
      if (fault.how === 'drop before') return socket.destroy();
      if (typeof fault.how === 'object') {
        if ('delayMs' in fault.how)
          await new Promise((resolve) => setTimeout(resolve, (fault.how as { delayMs: number }).delayMs));
        if ('run' in fault.how) await fault.how.run();
        if ('code' in fault.how) {
          const { code, name: codeName, labels } = fault.how;
          return reply(socket, request, replyOf(new Refusal(code, codeName, `${codeName} as the test asked`, labels)));
        }
      }
    }
    const result = await resultOf(engine, command);
    if (fault?.how === 'drop after') return socket.destroy();
    reply(socket, request, result);
  };
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      listener = createServer((socket) => {
        sockets.add(socket);
        socket.setNoDelay(true);
        socket.on('close', () => sockets.delete(socket));
        socket.on('error', () => {});
        const { passwordOf } = options;
        const signIn = passwordOf === undefined ? undefined : createSignIn(passwordOf);
        socket.on(
          'data',
          createCutter((message) => {
            try {
              void answer(socket, readRequest(message), signIn);
            } catch {
              socket.destroy();
            }
          }),
        );
      });
      listener.on('error', reject);
      listener.listen(port, '127.0.0.1', resolve);
    });
  const end = async () => {
    engine.interrupt();
    for (const socket of sockets) socket.resetAndDestroy();
    await new Promise<void>((resolve) => listener.close(() => resolve()));
  };
  await listen();
  return {
    uri: `mongodb://127.0.0.1:${port}/${isReplicaSet ? '?replicaSet=rs0' : ''}`,
    port,
    get commands() {
      return commands;
    },
    forget() {
      commands = [];
    },
    fail(fault) {
      const armed: Armed = { ...fault, left: fault.times ?? 1, fired: 0 };
      faults.push(armed);
      return armed;
    },
    get transactions() {
      return engine.sessions.open;
    },
    closeCursors: engine.closeCursors,
    pause() {
      paused ??= [];
    },
    resume() {
      const waiting = paused ?? [];
      paused = undefined;
      for (const goOn of waiting) goOn();
    },
    kill: end,
    start: listen,
    async [Symbol.asyncDispose]() {
      await end();
      engine.clear();
    },
  };
}

function fits({ command, when }: Fault, name: string, request: Doc): boolean {
  return (command === undefined ? name !== 'endSessions' : command === name) && (when === undefined || when(request));
}

async function resultOf(engine: Engine, command: Doc): Promise<Doc> {
  try {
    return await engine.run(command);
  } catch (error) {
    if (error instanceof Refusal) return replyOf(error);
    return replyOf(new Refusal(1, 'InternalError', String((error as Error).stack)));
  }
}

function reply(socket: Socket, request: Request, document: Doc): void {
  if (!request.isSilent && !socket.destroyed) socket.write(writeReply(request, document));
}

/** Makes the greeting of the only member of a replica set, or of a server of its own. */
function greeting(isReplicaSet: boolean, port: number): Doc {
  const address = `127.0.0.1:${port}`;
  const member = { setName: 'rs0', setVersion: 1, hosts: [address], primary: address, me: address, secondary: false };
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    ...(isReplicaSet ? member : {}),
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  };
}
