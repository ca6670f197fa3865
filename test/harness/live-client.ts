/** A client of `/live` that keeps every frame it was sent. */
import { WebSocket } from 'ws';

export interface LiveFrame {
  readonly type: string;
  readonly id?: string | number;
  readonly version?: number;
  readonly digest?: string;
  readonly base?: number;
  readonly data?: { readonly reports: any[]; readonly result: any };
  readonly ops?: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  readonly error?: { readonly code: string; readonly reason?: string; readonly message: string };
  readonly final?: boolean;
  readonly [more: string]: unknown;
}

export class LiveClient {
  readonly socket: WebSocket;
  /** All frames but pings, as they came. */
  readonly frames: LiveFrame[] = [];
  /** The same as texts: for what must never have been sent. */
  readonly raw: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  private read = 0;
  private wake: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes) => {
      const text = String(bytes);
      const frame = JSON.parse(text) as LiveFrame;
      if (frame.type === 'ping') return;
      this.raw.push(text);
      this.frames.push(frame);
      this.wake();
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.wake();
      });
    });
  }

  /** @throws Error when the handshake is refused */
  static async open(base: string, token?: string, headers: Record<string, string> = {}): Promise<LiveClient> {
    const query = token === undefined ? '' : `?token=${token}`;
    const client = new LiveClient(
      new WebSocket(`${base.replace('http', 'ws')}/live${query}`, { handshakeTimeout: 60_000, headers }),
    );
    await new Promise<void>((resolve, reject) => {
      client.socket.on('open', () => resolve());
      client.socket.on('error', reject);
    });
    return client;
  }

  say(frame: unknown): void {
    this.socket.send(JSON.stringify(frame));
  }

  subscribe(id: string | number, walker: string, more: Record<string, unknown> = {}): void {
    this.say({ type: 'subscribe', id, walker, ...more });
  }

  /** The next frame that was not asked for yet and fits; those before it are passed over. */
  async next(fits: (frame: LiveFrame) => boolean = () => true): Promise<LiveFrame> {
    for (;;) {
      while (this.read < this.frames.length) {
        const frame = this.frames[this.read++]!;
        if (fits(frame)) return frame;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before it came: ${this.raw.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** The next frame of a subscription. */
  of(id: string | number): Promise<LiveFrame> {
    return this.next((frame) => frame.id === id);
  }

  /** Resolves when a subscription has been sent these reports. */
  async until(id: string | number, reports: unknown): Promise<LiveFrame> {
    const wanted = JSON.stringify(reports);
    return await this.next((frame) => frame.id === id && JSON.stringify(frame.data?.reports) === wanted);
  }

  close(): void {
    this.socket.terminate();
  }
}
