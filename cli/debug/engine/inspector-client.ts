import { WebSocket } from 'ws';

/** A connection to the inspector of a process. */
export interface InspectorClient {
  /**
   * Sends a request. `pauses`: it is answered when the program goes on again.
   * @throws Error when the inspector refuses, or the process is gone
   */
  send(method: string, params?: Readonly<Record<string, unknown>>, pauses?: boolean): Promise<any>;
  on(listener: (method: string, params: any) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

const openMs = 10_000;
const mostAcknowledging = 8;

/** Connects to `ws://127.0.0.1:PORT/ID`. @throws Error when nobody answers */
export async function connectInspector(url: string): Promise<InspectorClient> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: openMs,
    maxPayload: 256 * 1024 * 1024,
  });
  const waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>();
  const listeners: ((method: string, params: any) => void)[] = [];
  const closers: (() => void)[] = [];
  let next = 1;
  let isOpen = false;
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      isOpen = true;
      resolve();
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.id === undefined) {
      if (message.method === 'Debugger.paused') hasPaused();
      acknowledge().catch(() => {});
      for (const listener of listeners) listener(message.method, message.params);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(message.error.message));
  });
  socket.on('close', () => {
    isOpen = false;
    hasPaused();
    for (const { reject } of waiting.values()) reject(new Error('the program is gone'));
    waiting.clear();
    for (const listener of closers) listener();
  });
  const post = (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<any> =>
    new Promise((resolve, reject) => {
      if (!isOpen) return reject(new Error('the program is gone'));
      const id = next++;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  /** Number of the newest request. */
  let asked = 0;
  let acknowledging = 0;
  /** A request was sent that pauses the program, which has not paused yet: until then all others wait, as one behind it may leave Node deaf. */
  let pausing: Promise<void> | undefined;
  let hasPaused = () => {};
  async function pause(...request: Parameters<typeof post>): Promise<any> {
    pausing = new Promise((resolve) => {
      hasPaused = () => {
        pausing = undefined;
        resolve();
      };
    });
    try {
      return await post(...request);
    } finally {
      hasPaused();
    }
  }
  /**
   * Node sends what follows an event, such as an answer, when that was acknowledged: with anything that is sent here, or by the system 40 ms later.
   * An answer to this that comes after a newer request stands in the way of what that gives, in the same manner.
   */
  async function acknowledge(): Promise<void> {
    if (pausing !== undefined || acknowledging === mostAcknowledging) return;
    acknowledging += 1;
    const sent = next;
    await post('Runtime.getIsolateId');
    acknowledging -= 1;
    if (asked > sent && waiting.has(asked)) await acknowledge();
  }
  await opened;
  return {
    async send(method, params, pauses = false) {
      while (pausing !== undefined) await pausing;
      asked = next;
      return await (pauses ? pause(method, params) : post(method, params));
    },
    on: (listener) => void listeners.push(listener),
    onClose: (listener) => void closers.push(listener),
    close: () => socket.close(),
  };
}
