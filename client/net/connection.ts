/** A connection to a walker or function that is served over `/ws`. Imports only `kept-socket.ts`: generated clients hold the text of both. */
import { keepOpen } from './kept-socket.ts';

export interface ConnectOptions {
  /** Each value that the walker reports: `{result, reports}` of a run, or an item of a stream. */
  readonly onMessage?: (data: any, frame: any) => void;
  readonly onError?: (error: { readonly code: string; readonly message: string }) => void;
  /** The connection stands, also again. What is sent in it resumes the topics that it subscribes to. */
  readonly onOpen?: () => void;
  readonly onClose?: (code: number, reason: string) => void;
  /** A message of a topic that a run of this connection subscribed to. */
  readonly onTopic?: (message: { readonly topic: string; readonly seq: number; readonly data: any }) => void;
  /** Messages of a topic that the server no longer has. */
  readonly onGap?: (gap: { readonly topic: string; readonly from: number; readonly to: number }) => void;
  /** Fields of a run that comes first whenever the connection stands: it subscribes to topics, which are resumed. */
  readonly hello?: Readonly<Record<string, unknown>>;
  readonly kind?: 'walker' | 'function';
}

export interface Connection {
  /** Sends the fields of one run. What is sent before the connection stands goes first. */
  send(fields: Readonly<Record<string, unknown>>): void;
  close(): void;
  readonly isOpen: boolean;
}

export interface ConnectionHost {
  readonly url: () => string;
  readonly token: () => string | null;
  /** Values of a frame as the program sees them. */
  readonly read: <T>(frame: T) => T;
  readonly WebSocket?: (new (url: string) => WebSocket) | undefined;
}

/** Messages that wait for a connection; more are refused. */
const mostWaiting = 1000;

export function connectTo(host: ConnectionHost, options: ConnectOptions): Connection {
  const waiting: Readonly<Record<string, unknown>>[] = [];
  /** Number of the last message that was seen, by topic. */
  const seen: Record<string, number> = {};
  let isReady = false;
  let isResuming = false;

  const send = (fields: Readonly<Record<string, unknown>>) =>
    socket.send(isResuming && Object.keys(seen).length > 0 ? { ...fields, $since: { ...seen } } : fields);
  const ready = () => {
    isReady = true;
    isResuming = true;
    if (options.hello !== undefined) send(options.hello);
    options.onOpen?.();
    isResuming = false;
    for (const fields of waiting.splice(0)) send(fields);
  };
  const socket = keepOpen({
    url: host.url,
    WebSocket: host.WebSocket,
    opened: () => {
      const token = host.token();
      if (token === null) ready();
      else socket.send({ type: 'auth', token });
    },
    received: (raw) => {
      const frame = host.read(raw);
      const { type, topic, seq } = frame;
      if (type === 'authenticated') ready();
      else if (type === 'refreshed') return;
      else if (type === 'message' && seq !== undefined) {
        // Messages that are repeated at a reconnection have been seen.
        if (seq <= (seen[topic] ?? 0)) return;
        seen[topic] = seq;
        options.onTopic?.({ topic, seq, data: frame.data });
      } else if (type === 'gap' && frame.to !== undefined) {
        seen[topic] = frame.to;
        options.onGap?.({ topic, from: frame.from, to: frame.to });
      } else if (frame.ok === false) options.onError?.(frame.error);
      else if (type !== 'done') options.onMessage?.(frame.data ?? frame, frame);
    },
    closed: (code, reason) => {
      isReady = false;
      options.onClose?.(code, reason);
      return code !== 4401 && code !== 1000;
    },
  });
  return {
    send: (fields) => {
      if (isReady) send(fields);
      else if (waiting.length < mostWaiting) waiting.push(fields);
      else throw new Error('too many messages wait for the connection');
    },
    close: () => {
      isReady = false;
      socket.close();
      options.onClose?.(1000, '');
    },
    get isOpen() {
      return isReady;
    },
  };
}
