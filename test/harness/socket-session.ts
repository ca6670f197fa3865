/** Plays `ws` blocks of the wire transcripts (`test/wire`) with the `ws` client. */
import { WebSocket } from 'ws';
import { type Captures, valueDifferences } from './transcript.ts';

const usualFrameWaitMs = 20_000;
const closeWaitMs = 20_000;
/** Codes that a client may see of a connection that was cut. */
const cutCodes = new Set([1000, 1003, 1005, 1006]);

/** Gateway that a session is played against, and its abilities (docs/cloud.md#what-is-different-there). */
export interface Gateway {
  /** `http://…`, for calls. */
  readonly base: string;
  /** `http://…` or `ws://…`, for sockets. */
  readonly sockets: string;
  /** False: it can only cut connections, so codes of the application show as 1000, 1005 or 1006. */
  readonly closesWithOwnCodes?: boolean;
  /** Milliseconds that a frame may take; a function may have to be started for it. */
  readonly frameWaitMs?: number;
  /** False: the target of a handshake stands in the query. */
  readonly hasPaths?: boolean;
}

/** Every line that did not come true, as text; empty when the whole session did. */
export async function playSession(block: string, gateway: Gateway, captures: Captures): Promise<string[]> {
  const connections = new Map<string, Client>();
  const problems: string[] = [];
  try {
    for (const line of block.split('\n').filter(Boolean)) {
      const problem = await playLine(asSeen(fill(line, captures), gateway), gateway, connections, captures);
      if (problem !== undefined) problems.push(`${line}: ${problem}`);
    }
  } finally {
    for (const client of connections.values()) client.socket.terminate();
  }
  return problems;
}

function asSeen(line: string, { closesWithOwnCodes = true, hasPaths = true }: Gateway): string {
  const closed = closesWithOwnCodes ? line : line.replace(/ closed (4\d\d\d|1003)\b.*$/, ' closed cut');
  if (hasPaths) return closed;
  return closed.replace(
    / connect \/ws\/(?:(walker|function)\/)?([\w%]+)\??/,
    (_, kind = 'walker', name) => ` connect /?${kind}=${name}&`,
  );
}

async function playLine(
  line: string,
  { base, sockets, frameWaitMs = usualFrameWaitMs }: Gateway,
  connections: Map<string, Client>,
  captures: Captures,
): Promise<string | undefined> {
  const sleep = /^sleep (\d+)$/.exec(line);
  if (sleep) return void (await pause(Number(sleep[1])));
  const http = /^http (\w+) (\S+)(?: (.*))?$/.exec(line);
  if (http) return sendHttp(base, http[1]!, http[2]!, http[3]);
  const [, name, verb, rest = ''] = /^([A-Z])(?:\s+(connect|refused|close|closed)\b|(>|<<|<))\s*(.*)$/
    .exec(line)
    ?.filter((part) => part !== undefined) ?? [undefined];
  if (name === undefined) return 'is not a line of a session';
  if (verb === 'connect') {
    connections.set(name, await Client.open(sockets, rest, frameWaitMs));
    return undefined;
  }
  const client = connections.get(name);
  if (client === undefined) return 'is not connected';
  switch (verb) {
    case 'refused':
      return client.status === Number(rest) ? undefined : `answered ${client.status}`;
    case '>':
      return client.send(rest);
    case '<':
      return await client.expectFrames(rest, captures);
    case '<<': {
      await pause(Number(rest.split(' ')[1]));
      const got = client.nextFrame();
      return got === undefined ? undefined : `got ${got}`;
    }
    case 'close':
      client.socket.close();
      return void (await client.closed);
    default:
      return await client.expectClosed(rest);
  }
}

class Client {
  readonly socket: WebSocket;
  /** HTTP status of the answer that refused the upgrade; undefined: none did. */
  status: number | undefined = undefined;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  private readonly frames: string[] = [];
  private readonly frameWaitMs: number;
  private wake: () => void = () => {};

  static async open(base: string, rest: string, frameWaitMs: number): Promise<Client> {
    const [path = '', ...headerWords] = rest.split(' ');
    const header = headerWords.join(' ');
    const at = header.indexOf(':');
    const value = header.slice(at + 1).trim();
    const isProtocol = header.startsWith('Sec-WebSocket-Protocol');
    const headers = at < 0 || isProtocol ? {} : { [header.slice(0, at)]: value };
    const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, isProtocol ? value.split(/,\s*/) : [], {
      headers,
    });
    const client = new Client(socket, frameWaitMs);
    await new Promise<void>((resolve) => {
      socket.once('open', resolve);
      socket.once('error', () => resolve());
      socket.once('unexpected-response', () => resolve());
    });
    return client;
  }

  private constructor(socket: WebSocket, frameWaitMs: number) {
    this.socket = socket;
    this.frameWaitMs = frameWaitMs;
    socket.on('error', () => {});
    socket.on('unexpected-response', (request, response) => {
      this.status = response.statusCode;
      request.destroy();
    });
    socket.on('message', (data) => {
      const text = String(data);
      if (!text.startsWith('{"type":"ping"')) this.frames.push(text);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.wake();
      });
    });
  }

  send(rest: string): undefined {
    const binary = /^binary ([0-9a-f ]+)$/.exec(rest);
    const many = /^(\d+) x (.*)$/.exec(rest);
    const long = /\((\d+) times (.)\)/.exec(rest);
    if (binary) this.socket.send(Buffer.from(binary[1]!.replaceAll(' ', ''), 'hex'));
    else if (many) for (let i = 0; i < Number(many[1]); i++) this.socket.send(many[2]!);
    else this.socket.send(long ? rest.replace(long[0], long[2]!.repeat(Number(long[1]))) : rest);
  }

  nextFrame(): string | undefined {
    return this.frames.shift();
  }

  async expectFrames(rest: string, captures: Captures): Promise<string | undefined> {
    const [, count = '1', expected = rest] = /^(\d+) x (.*)$/.exec(rest) ?? [];
    for (let i = 0; i < Number(count); i++) {
      const frame = await this.frame();
      if (frame === undefined) return 'no frame came';
      const found = valueDifferences(JSON.parse(expected), JSON.parse(frame), captures);
      if (found.length > 0) return `${found.join('; ')} in ${frame}`;
    }
    return undefined;
  }

  async expectClosed(rest: string): Promise<string | undefined> {
    const [code, ...reason] = rest.split(' ');
    const got = await Promise.race([this.closed, pause(closeWaitMs)]);
    if (got === undefined) return 'is still open';
    if (code === 'cut') return cutCodes.has(got.code) ? undefined : `closed with ${got.code}`;
    const isAsSaid = got.code === Number(code) && (reason.length === 0 || got.reason === reason.join(' '));
    return isAsSaid ? undefined : `closed with ${got.code} ${got.reason}`;
  }

  private async frame(): Promise<string | undefined> {
    const until = Date.now() + this.frameWaitMs;
    while (this.frames.length === 0 && Date.now() < until) {
      await Promise.race([new Promise<void>((resolve) => (this.wake = resolve)), pause(until - Date.now())]);
    }
    return this.frames.shift();
  }
}

async function sendHttp(base: string, method: string, path: string, header: string | undefined): Promise<undefined> {
  const at = header?.indexOf(':') ?? -1;
  const headers: [string, string][] = header === undefined ? [] : [[header.slice(0, at), header.slice(at + 1).trim()]];
  await (await fetch(`${base}${path}`, { method, headers })).arrayBuffer();
}

function fill(line: string, captures: Captures): string {
  return line.replace(/\$([A-Z][A-Z0-9_]*)/g, (whole, name: string) => captures.get(name) ?? whole);
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
