/** Streams of `asyncio`: what arrives and what is sent as bytes, over sockets and the pipes of child processes. */
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { nativeClass } from '../../builtins/native-class.ts';
import { tellStray } from '../../builtins/strays.ts';
import { refuseInReplay } from '../../outside.ts';
import { call } from '../../values/calls/calls.ts';
import { type Coroutine, coro } from '../../values/calls/coroutine.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { EOFError, nameException, OSError, RuntimeError, ValueError } from '../../values/objects/exceptions.ts';
import { $typeName } from '../../values/objects/protocol.ts';
import { Bytes, joinBytes, requireBytes } from '../../values/text/bytes.ts';
import { CancelledError, createTask, interruptedBy } from './tasks.ts';

/** `readexactly` and `readuntil` at the end of what arrives. */
export class IncompleteReadError extends EOFError {
  readonly partial: Bytes;
  readonly expected: number | null;

  constructor(partial: Bytes, expected: number | null) {
    super(`${partial.length} bytes read on a total of ${expected === null ? 'undefined' : expected} expected bytes`);
    this.partial = partial;
    this.expected = expected;
  }
}
nameException(IncompleteReadError, 'IncompleteReadError', 'asyncio.exceptions');

const pauseAbove = 2 ** 17;

export class StreamReader {
  $data: Buffer = Buffer.alloc(0);
  $ended = false;
  $error: unknown;
  $source: Readable | undefined;
  readonly $wake: (() => void)[] = [];

  $listen(source: Readable): this {
    this.$source = source;
    source.on('data', (part: Buffer) => {
      this.feed_data(part);
      if (this.$data.length > pauseAbove) source.pause();
    });
    source.on('end', () => this.feed_eof());
    source.on('close', () => this.feed_eof());
    source.on('error', (error) => {
      this.$error = systemError(error);
      this.feed_eof();
    });
    return this;
  }

  $go(): void {
    for (const go of this.$wake.splice(0)) go();
  }

  feed_data(data: unknown): null {
    this.$data = Buffer.concat([this.$data, Buffer.isBuffer(data) ? data : requireBytes(data)]);
    this.$go();
    return null;
  }

  feed_eof(): null {
    this.$ended = true;
    this.$go();
    return null;
  }

  at_eof(): boolean {
    return this.$ended && this.$data.length === 0;
  }

  /** Waits for more; at the end of what arrives there is none. */
  async $more(): Promise<void> {
    if (this.$ended) return;
    this.$source?.resume();
    await interruptedBy<void>((resolve) => {
      this.$wake.push(resolve);
      return () => this.$wake.splice(this.$wake.indexOf(resolve), 1);
    });
  }

  $take(size: number): Bytes {
    const part = this.$data.subarray(0, size);
    this.$data = this.$data.subarray(size);
    return new Bytes(new Uint8Array(part));
  }

  $failed(): void {
    if (this.$error !== undefined && this.$data.length === 0) throw this.$error;
  }

  read(n?: unknown): Coroutine {
    const size = n === undefined || n === null ? -1 : requireSize(n);
    return coro('read', async () => {
      while (!this.$ended && (size < 0 || (size > 0 && this.$data.length === 0))) await this.$more();
      this.$failed();
      return this.$take(size < 0 ? this.$data.length : size);
    });
  }

  readline(): Coroutine {
    return coro('readline', async () => {
      while (!this.$ended && this.$data.indexOf(10) < 0) await this.$more();
      this.$failed();
      const end = this.$data.indexOf(10);
      return this.$take(end < 0 ? this.$data.length : end + 1);
    });
  }

  readexactly(n: unknown): Coroutine {
    const size = requireSize(n);
    if (size < 0) throw new ValueError('readexactly size can not be less than zero');
    return coro('readexactly', async () => {
      while (!this.$ended && this.$data.length < size) await this.$more();
      this.$failed();
      if (this.$data.length < size) throw new IncompleteReadError(this.$take(size), size);
      return this.$take(size);
    });
  }

  readuntil(separator?: unknown): Coroutine {
    const mark = separator === undefined ? Buffer.from('\n') : Buffer.from(requireBytes(separator));
    if (mark.length === 0) throw new ValueError('Separator should be at least one-byte string');
    return coro('readuntil', async () => {
      while (!this.$ended && this.$data.indexOf(mark) < 0) await this.$more();
      this.$failed();
      const at = this.$data.indexOf(mark);
      if (at < 0) throw new IncompleteReadError(this.$take(this.$data.length), null);
      return this.$take(at + mark.length);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      const line: any = await this.readline();
      if (line.length === 0) return;
      yield line;
    }
  }
}
nativeClass(StreamReader, {
  name: 'StreamReader',
  module: 'asyncio',
  methods: { read: 'n=-1', readexactly: 'n', readuntil: 'separator=None' },
});

export class StreamWriter {
  readonly $sink: Writable;
  $error: unknown;

  constructor(sink: Writable) {
    this.$sink = sink;
    sink.on('error', (error) => {
      this.$error = systemError(error);
    });
  }

  write(data: unknown): null {
    refuseInReplay('asks nobody');
    this.$sink.write(Buffer.from(requireBytes(data)));
    return null;
  }

  writelines(lines: unknown): null {
    return this.write(new Bytes(joinBytes(itemsOf(lines).map(requireBytes))));
  }

  drain(): Coroutine {
    return coro('drain', async () => {
      if (this.$error !== undefined) throw this.$error;
      if (this.$sink.writableNeedDrain && !this.$sink.destroyed) await settled(this.$sink, 'drain');
      return null;
    });
  }

  can_write_eof(): boolean {
    return true;
  }

  write_eof(): null {
    this.$sink.end();
    return null;
  }

  close(): null {
    this.$sink.end();
    return null;
  }

  is_closing(): boolean {
    return this.$sink.writableEnded || this.$sink.destroyed;
  }

  wait_closed(): Coroutine {
    return coro('wait_closed', async () => {
      if (!this.$sink.writableFinished && !this.$sink.destroyed) await settled(this.$sink, 'finish');
      return null;
    });
  }

  get_extra_info(name: string, fallback?: unknown): unknown {
    const socket = this.$sink as Socket;
    if (name === 'peername' && socket.remoteAddress !== undefined)
      return new Tuple([socket.remoteAddress, socket.remotePort]);
    if (name === 'sockname' && socket.localAddress !== undefined)
      return new Tuple([socket.localAddress, socket.localPort]);
    return fallback ?? null;
  }
}
nativeClass(StreamWriter, {
  name: 'StreamWriter',
  module: 'asyncio',
  methods: { get_extra_info: 'name, default=None' },
});

function settled(sink: Writable, event: string): Promise<void> {
  return interruptedBy<void>((resolve) => {
    for (const one of [event, 'close', 'error']) sink.once(one, () => resolve());
    return () => {};
  });
}

/** Server that `start_server` gives. */
class Server {
  readonly $server: NetServer;
  readonly $open = new Set<Socket>();
  $closed: (() => void)[] = [];

  constructor(server: NetServer) {
    this.$server = server;
  }

  get sockets(): Tuple {
    const address = this.$server.address() as AddressInfo | null;
    if (address === null) return new Tuple([]);
    const name = new Tuple([address.address, address.port]);
    return new Tuple([{ [$typeName]: 'TransportSocket', getsockname: () => name }]);
  }

  is_serving(): boolean {
    return this.$server.listening;
  }

  start_serving(): Coroutine {
    return coro('start_serving', async () => null);
  }

  serve_forever(): Coroutine {
    return coro('serve_forever', async () => {
      try {
        return await interruptedBy<null>(() => () => {});
      } finally {
        this.close();
      }
    });
  }

  close(): null {
    this.$server.close();
    return null;
  }

  wait_closed(): Coroutine {
    return coro('wait_closed', async () => null);
  }

  async __aenter__(): Promise<this> {
    return this;
  }

  async __aexit__(): Promise<boolean> {
    this.close();
    return false;
  }
}
nativeClass(Server, { name: 'Server', module: 'asyncio' });

/** `start_server(handle, host, port)`: `handle(reader, writer)` runs for each that connects. */
export function startServer(handle: unknown, host: unknown, port: unknown): Coroutine {
  return coro('start_server', async () => {
    refuseInReplay('asks nobody');
    const { createServer } = process.getBuiltinModule('node:net');
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      const [reader, writer] = [new StreamReader().$listen(socket), new StreamWriter(socket)];
      const fail = (error: unknown) => {
        socket.destroy();
        if (!(error instanceof CancelledError)) tellStray('Unhandled exception in client_connected_cb', error);
      };
      try {
        const work = call(handle, reader, writer);
        if (work !== null && typeof work === 'object') createTask(work).$promise.catch(fail);
      } catch (error) {
        fail(error);
      }
    });
    await new Promise<void>((resolve, reject) => {
      // One that listens already goes on when a connection cannot be accepted.
      server.on('error', (error) => reject(systemError(error)));
      server.listen({ port: Number(port ?? 0), ...(typeof host === 'string' && host !== '' ? { host } : {}) }, resolve);
    });
    return new Server(server);
  });
}

/** `open_connection(host, port)`: a reader and a writer. */
export function openConnection(host: unknown, port: unknown): Coroutine {
  return coro('open_connection', async () => {
    refuseInReplay('asks nobody');
    const { connect } = process.getBuiltinModule('node:net');
    const to = { host: String(host ?? 'localhost'), port: Number(port) };
    return interruptedBy<Tuple>((resolve, reject) => {
      const socket = connect({ ...to, allowHalfOpen: true });
      socket.once('error', (error) => reject(connectError(error, to)));
      // From the first turn on: what comes with the connection, and what ends it, must not be missed.
      const ends = new Tuple([new StreamReader().$listen(socket), new StreamWriter(socket)]);
      socket.once('connect', () => resolve(ends));
      return () => socket.destroy();
    });
  });
}

function connectError(error: NodeJS.ErrnoException, to: { host: string; port: number }): unknown {
  if (error.code === 'ENOTFOUND') return call(OSError, -2, 'Name or service not known');
  const first: any = (error as any).errors?.[0] ?? error;
  const place = `('${first.address ?? to.host}', ${to.port})`;
  return first.errno === undefined ? error : call(OSError, -first.errno, `Connect call failed ${place}`);
}

function systemError(error: NodeJS.ErrnoException): unknown {
  if (error.errno === undefined) return new RuntimeError(error.message);
  return call(OSError, -error.errno, error.message);
}
