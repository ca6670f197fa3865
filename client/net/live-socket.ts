/** Subscriptions of a page over one `/live` connection. Imports only `kept-socket.ts`: generated clients hold the text of both. */
import { type KeptSocket, keepOpen } from './kept-socket.ts';

/** Target of a subscription: a walker or a function that only reads. */
export interface LiveTarget {
  readonly walker?: string | undefined;
  readonly function?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Id of the node where the walk begins; the caller's root where absent. */
  readonly node?: string | undefined;
  /** Seconds after which it is asked again whatever has changed. */
  readonly every?: number | undefined;
}

export interface LiveError {
  readonly code: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

export interface TopicMessage {
  readonly topic: string;
  readonly seq: number;
  readonly data: any;
}

/** Messages of a topic that are no longer kept: from one number to another. */
export interface TopicGap {
  readonly topic: string;
  readonly from: number;
  readonly to: number;
}

export interface LiveListener {
  /** Has the newest value, `{reports, result}`; objects in it are the listener's own. */
  value(data: any): void;
  /** A run failed. Final: the subscription has ended. */
  failed?(error: LiveError, isFinal: boolean): void;
  /** Another person is signed in now: what was shown is not theirs. */
  reset?(): void;
  message?(message: TopicMessage): void;
  gap?(gap: TopicGap): void;
}

export interface LiveHost {
  readonly url: () => string;
  readonly token: () => string | null;
  readonly WebSocket?: (new (url: string) => WebSocket) | undefined;
  /** The server refused the token that was sent. */
  readonly refused: (token: string | null) => void;
}

export interface LiveSocket {
  /** Follows a target until the function that it gives is called. */
  subscribe(target: LiveTarget, listener: LiveListener): () => void;
  /** The token is another one, or there is none any more. */
  tokenChanged(): void;
  /** Ends all subscriptions, and the connection. */
  close(): void;
}

interface LiveSubscription {
  id: string;
  readonly target: LiveTarget;
  readonly listener: LiveListener;
  /** The server has ended it; for another person it begins again. */
  isEnded: boolean;
  data: any;
  have: { readonly version: number; readonly digest: string } | undefined;
  readonly since: Record<string, number>;
}

/** Milliseconds that a connection without subscriptions stays open: the next page may want it. */
const idleMs = 5000;
/** Milliseconds, at least, after which a server that could not answer is asked again. */
const awayMs = 1000;
/** Characters of one frame that subscribes to many things. */
const longestFrame = 16_000;

export function openLiveSocket(host: LiveHost): LiveSocket {
  const all = new Map<string, LiveSubscription>();
  let socket: KeptSocket | undefined;
  let isOpen = false;
  /** Token of this connection: null for a guest. */
  let token: string | null = null;
  let serial = 0;
  let fresh: LiveSubscription[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const enter = (one: LiveSubscription) => {
    serial += 1;
    one.id = `s${serial}`;
    all.set(one.id, one);
  };
  const forget = (one: LiveSubscription) => {
    one.isEnded = false;
    one.data = undefined;
    one.have = undefined;
    for (const topic of Object.keys(one.since)) delete one.since[topic];
    one.listener.reset?.();
  };
  const ask = (list: readonly LiveSubscription[]) => {
    let waiting: object[] = [];
    let length = 0;
    const flush = () => {
      // With the token, because gateways do not keep the order of frames.
      if (waiting.length > 0) socket?.send({ type: 'subscribe', all: waiting, token: token ?? undefined });
      waiting = [];
      length = 0;
    };
    for (const { id, target, have, since } of list) {
      const one = { id, ...target, patch: true, have, ...(Object.keys(since).length > 0 && { since }) };
      const size = JSON.stringify(one).length;
      if (length + size > longestFrame) flush();
      waiting.push(one);
      length += size;
    }
    flush();
  };
  const leave = (one: LiveSubscription) => {
    all.delete(one.id);
    socket?.send({ type: 'unsubscribe', id: one.id });
  };
  /** Asks under an id that no frame on its way has. */
  const askAnew = (one: LiveSubscription) => {
    leave(one);
    enter(one);
    ask([one]);
  };
  const opened = () => {
    isOpen = true;
    token = host.token();
    if (token !== null) socket?.send({ type: 'token', token });
    fresh = [];
    ask([...all.values()].filter(({ isEnded }) => !isEnded));
  };
  const received = (frame: any) => {
    const one = all.get(frame.id);
    if (one === undefined) return;
    const { listener, since } = one;
    if (frame.type === 'result' || frame.type === 'patch') {
      // A cloud function that died is called again: what it sent comes twice.
      if (frame.version <= (one.have?.version ?? 0)) return;
      // A patch of a value that is not here: the whole one is asked for, under an id that no frame on its way has.
      if (frame.type === 'patch' && frame.base !== one.have?.version) {
        one.have = undefined;
        return askAnew(one);
      }
      one.data = frame.type === 'patch' ? patched(one.data, frame.ops) : frame.data;
      one.have = { version: frame.version, digest: frame.digest };
      listener.value(copyOf(one.data));
    } else if (frame.type === 'error') {
      const isAway = frame.error.code === 'SERVICE_UNAVAILABLE';
      const isFinal = frame.final !== false && !isAway;
      one.isEnded = isFinal;
      // A first run ends with its error, also one after a reconnection: what follows something goes on when the server can answer again.
      if (isAway && frame.final !== false) {
        const { id } = one;
        setTimeout(() => isOpen && all.get(id) === one && askAnew(one), awayMs * (1 + Math.random()));
      }
      listener.failed?.(frame.error, isFinal);
    } else if (frame.type === 'message') {
      // Messages that are repeated at a reconnection have been seen.
      if (frame.seq <= (since[frame.topic] ?? 0)) return;
      since[frame.topic] = frame.seq;
      listener.message?.({ topic: frame.topic, seq: frame.seq, data: frame.data });
    } else if (frame.type === 'gap') {
      since[frame.topic] = frame.to;
      listener.gap?.({ topic: frame.topic, from: frame.from, to: frame.to });
    }
  };
  const closed = (code: number) => {
    isOpen = false;
    if (all.size === 0) {
      socket = undefined;
      return false;
    }
    if (code !== 4401) return true;
    // Without another token the server would refuse again.
    socket = undefined;
    host.refused(token);
    if (host.token() !== token) start();
    return false;
  };
  const start = () => {
    socket ??= keepOpen({ url: host.url, WebSocket: host.WebSocket, opened, received, closed });
  };
  const stopWhenIdle = () => {
    clearTimeout(timer);
    if (all.size > 0) return;
    timer = setTimeout(() => {
      if (all.size > 0) return;
      socket?.close();
      socket = undefined;
      isOpen = false;
    }, idleMs);
  };
  return {
    subscribe(target, listener) {
      const one: LiveSubscription = {
        id: '',
        target,
        listener,
        isEnded: false,
        data: undefined,
        have: undefined,
        since: {},
      };
      enter(one);
      clearTimeout(timer);
      start();
      // Subscriptions of one drawing of a page go in one frame.
      if (isOpen && fresh.push(one) === 1)
        void Promise.resolve().then(() => {
          const list = fresh.filter(({ id }) => all.has(id));
          fresh = [];
          ask(list);
        });
      return () => {
        if (!all.delete(one.id)) return;
        if (isOpen) socket?.send({ type: 'unsubscribe', id: one.id });
        stopWhenIdle();
      };
    },
    tokenChanged() {
      const next = host.token();
      if (next === token && socket !== undefined) return;
      const isSame = token !== null && next !== null && userOf(next) === userOf(token);
      if (!isSame || socket === undefined) for (const one of all.values()) forget(one);
      if (socket === undefined) {
        if (all.size > 0) start();
        return;
      }
      if (!isOpen) {
        token = next;
        return;
      }
      if (next !== null && (token === null || isSame)) {
        token = next;
        if (isSame) return socket.send({ type: 'token', token });
        // The values that a guest saw are forgotten here, and the server does not send those that are the same for the user.
        const anew = [...all.values()];
        for (const one of anew) leave(one);
        socket.send({ type: 'token', token });
        for (const one of anew) enter(one);
        fresh = [];
        return ask(anew);
      }
      isOpen = false;
      socket.reopen();
    },
    close() {
      clearTimeout(timer);
      all.clear();
      socket?.close();
      socket = undefined;
      isOpen = false;
    },
  };
}

/** Account that a token says it is for; only the server judges. */
function userOf(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.');
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))).sub;
  } catch {
    return token;
  }
}

/** Copies a value of JSON; not every platform has `structuredClone`. */
function copyOf(value: any): any {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: any;
}

/** A value after the operations of RFC 6902; the value itself is changed. */
function patched(value: any, operations: readonly PatchOperation[]): any {
  const whole = { '': value };
  for (const { op, path, from, value: given } of operations) {
    if (op === 'test') continue;
    const moved = from === undefined ? given : placeAt(whole, from).get();
    if (op === 'move') placeAt(whole, from!).remove();
    const place = placeAt(whole, path);
    if (op === 'remove') place.remove();
    else if (op === 'replace') place.set(given);
    else place.add(op === 'copy' ? copyOf(moved) : moved);
  }
  return whole[''];
}

function placeAt(whole: any, path: string) {
  const keys = path.split('/').map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
  const last = keys.pop()!;
  let holder = whole;
  for (const key of keys) holder = holder[key];
  const isList = Array.isArray(holder);
  return {
    get: () => holder[last],
    set: (value: any) => {
      holder[last] = value;
    },
    remove: () => {
      if (isList) holder.splice(Number(last), 1);
      else delete holder[last];
    },
    add: (value: any) => {
      if (isList) holder.splice(last === '-' ? holder.length : Number(last), 0, value);
      else holder[last] = value;
    },
  };
}
