/** A WebSocket of frames in JSON that is opened again when it breaks. Imports nothing: generated clients hold its text. */

export interface KeptSocketOptions {
  readonly url: () => string;
  /** Constructor where the platform has none of its own. */
  readonly WebSocket?: (new (url: string) => WebSocket) | undefined;
  /** Connection stands; nobody is signed in on it yet. */
  readonly opened: () => void;
  readonly received: (frame: any) => void;
  /** Connection ended. False: it is not opened again. */
  readonly closed: (code: number, reason: string) => boolean;
}

export interface KeptSocket {
  /** Sends a frame. Lost where the connection does not stand. */
  send(frame: unknown): void;
  /** Ends the connection and opens another one at once. */
  reopen(): void;
  close(): void;
}

/** Milliseconds before the first attempt, and before those after many that failed. */
const reopenPauses = [500, 30_000] as const;
/** Milliseconds without any frame after which a connection counts as broken: a server sends a heartbeat more often. */
const silenceMs = 90_000;

/** Opens a connection, and opens it again when it breaks: after 0.5 s, later up to 30 s. Heartbeats are answered. */
export function keepOpen(options: KeptSocketOptions): KeptSocket {
  let socket: WebSocket | undefined;
  let pause: number = reopenPauses[0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;

  const listen = () => {
    clearTimeout(watch);
    watch = setTimeout(reopen, silenceMs);
  };
  const open = () => {
    const made = new (options.WebSocket ?? globalThis.WebSocket)(options.url());
    socket = made;
    listen();
    made.onopen = () => {
      if (socket === made) options.opened();
    };
    made.onmessage = ({ data }) => {
      if (socket !== made) return;
      listen();
      const frame = JSON.parse(String(data));
      // A gateway in front of cloud functions tells that one has failed: what was asked of it is asked again, less and less often.
      if (frame?.connectionId !== undefined && frame.type === undefined) return made.close();
      pause = reopenPauses[0];
      if (frame?.type === 'ping') made.send('{"type":"pong"}');
      else if (frame?.type !== 'pong') options.received(frame);
    };
    made.onclose = ({ code, reason }) => {
      if (socket !== made) return;
      clearTimeout(watch);
      socket = undefined;
      if (!options.closed(code, reason)) return;
      timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(reopenPauses[1], pause * 2);
    };
    made.onerror = () => undefined;
  };
  const leave = () => {
    clearTimeout(timer);
    clearTimeout(watch);
    const left = socket;
    socket = undefined;
    left?.close(1000);
  };
  const reopen = () => {
    leave();
    open();
  };
  open();
  return {
    send: (frame) => {
      if (socket?.readyState === 1) socket.send(JSON.stringify(frame));
    },
    reopen,
    close: leave,
  };
}
