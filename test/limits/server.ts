/** The server whose limits are tried, and the requests that try them. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';

export interface Tried {
  readonly base: string;
  readonly port: number;
  /** A signed-in user. */
  readonly token: string;
  /** Another server over the same program, with these settings in its environment. */
  restarted(env: Readonly<Record<string, string>>): Promise<Tried & AsyncDisposable>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly token?: string;
}

/** One request on a connection of its own, with headers that `fetch` would not send. */
export function ask(tried: Pick<Tried, 'port'>, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body = {}, token } = asked;
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  const signed = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: tried.port,
        path,
        method,
        headers: { 'content-type': 'application/json', ...signed, ...headers },
        agent: false,
        maxHeaderSize: 1 << 20,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const body = text.startsWith('{') ? JSON.parse(text) : text;
          resolve({ status: answer.statusCode!, headers: answer.headers, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : bytes);
  });
}

/** Status and code of an answer. */
export const told = ({ status, body }: Answer): [number, string | undefined] => [status, body.error?.code];

/** Types of the problems of a 422. */
export const problems = ({ body }: Answer): string[] => body.error.details.map(({ type }: { type: string }) => type);

/** Everything that a connection is sent in answer to these bytes. */
export function raw(tried: Pick<Tried, 'port'>, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(tried.port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (chunk) => (got += chunk));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

/** A form of parts, each its head and content. */
export function form(...parts: readonly (readonly [head: string, content: string])[]): Asked {
  const text = parts
    .map(([head, content]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`)
    .join('');
  return { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: `${text}--b--\r\n` };
}

/** An open socket: frames without heartbeats, and how it ended. */
export class Talk {
  readonly frames: any[] = [];
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  readonly closed: Promise<number>;
  private wake = () => {};

  constructor({ port }: Pick<Tried, 'port'>, token?: string) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Talk`, { headers });
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve());
      this.socket.once('error', reject);
    });
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'ping') return;
      this.frames.push(frame);
      this.wake();
    });
  }

  async say(message: unknown): Promise<void> {
    await this.opened;
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves when so many frames have come. */
  async heard(count: number): Promise<readonly any[]> {
    while (this.frames.length < count) await new Promise<void>((wake) => (this.wake = wake));
    return this.frames;
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}
