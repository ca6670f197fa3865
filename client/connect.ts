/** A connection to a walker with protocol WEBSOCKET. */
import { socketUrl } from './net/page.ts';
import { revive } from './net/revive.ts';
import { storedToken } from './net/token.ts';

export interface ConnectOptions {
  /** Each value that the walker reports: `{result, reports}` of a run, or an item of a stream. */
  readonly onMessage?: (data: any, frame: any) => void;
  readonly onError?: (error: { readonly code: string; readonly message: string }) => void;
  readonly onOpen?: () => void;
  readonly onClose?: (code: number, reason: string) => void;
  readonly kind?: 'walker' | 'function';
}

export interface Connection {
  /** Sends the fields of one run. What is sent before the connection stands goes first. */
  send(fields: Record<string, unknown>): void;
  close(): void;
  readonly isOpen: boolean;
}

const longest = 30_000;
/** Messages that wait for a connection; more are refused. */
const mostWaiting = 1000;

/** Opens a connection, and opens it again when it breaks: after 0.5 s, later up to 30 s. A refused token ends it. */
export function svcConnect(target: string | { readonly name: string }, options: ConnectOptions = {}): Connection {
  const name = typeof target === 'string' ? target : target.name;
  const path = options.kind === 'function' ? `/ws/function/${name}` : `/ws/${name}`;
  const waiting: string[] = [];
  let socket: WebSocket | undefined;
  let isReady = false;
  let isClosed = false;
  let pause = 500;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ready = () => {
    isReady = true;
    pause = 500;
    for (const message of waiting.splice(0)) socket?.send(message);
    options.onOpen?.();
  };
  const open = () => {
    socket = new WebSocket(socketUrl(path));
    socket.onopen = () => {
      const token = storedToken();
      if (token === null) ready();
      else socket?.send(JSON.stringify({ type: 'auth', token }));
    };
    socket.onmessage = ({ data }) => {
      const frame = revive(JSON.parse(String(data)));
      if (frame.type === 'authenticated') ready();
      else if (frame.type === 'ping') socket?.send('{"type":"pong"}');
      else if (frame.type === 'pong' || frame.type === 'refreshed') return;
      else if (frame.ok === false) options.onError?.(frame.error);
      else if (frame.type !== 'done') options.onMessage?.(frame.data ?? frame, frame);
    };
    socket.onclose = ({ code, reason }) => {
      isReady = false;
      options.onClose?.(code, reason);
      if (isClosed || code === 4401 || code === 1000) return;
      timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(longest, pause * 2);
    };
    socket.onerror = () => undefined;
  };
  open();
  return {
    send: (fields) => {
      const message = JSON.stringify(fields);
      if (isReady) socket?.send(message);
      else if (waiting.length < mostWaiting) waiting.push(message);
      else throw new Error('too many messages wait for the connection');
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket?.close(1000);
    },
    get isOpen() {
      return isReady;
    },
  };
}
