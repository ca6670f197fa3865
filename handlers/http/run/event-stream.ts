import type { Failure } from '../../../core/errors.ts';

/**
 * A channel between a running call and the host that writes to the peer: server-sent events
 * (docs/server/streaming.md#events), or frames of a socket.
 */
export interface EventStream<E> extends ValueSink {
  /** Events for the host to read. Ending it early cancels the call. */
  readonly body: AsyncIterable<E>;
  /** The last event, then the end. */
  end(event: E): void;
}

/** Receiver of the values of a running call. */
export interface ValueSink {
  /** Sends one value as JSON text; resolves when the peer wants more. False when nobody listens any more. */
  send(json: string): Promise<boolean>;
}

/** Thrown inside the unit when the peer has gone away: everything uncommitted is discarded. */
export class PeerGone extends Error {}

export interface EventStreamOptions<E> {
  /** Called before the first byte is handed out: from here on the answer is a stream. */
  readonly onFirst: () => void;
  /** Called when the peer goes away before the end. */
  readonly onCancel: () => void;
  readonly events: StreamEvents<E>;
  readonly silenceMs?: number;
}

/** Makers of the events of a stream: texts, or frames. */
export interface StreamEvents<E> {
  /** One value, given as JSON text. */
  value(json: string): E;
  readonly end: E;
  failed(failure: Failure): E;
  /** A sign of life for peers that wait; undefined: the connection has its own. */
  readonly keepAlive: E | undefined;
}

const usualSilenceMs = 15_000;

export function createEventStream<E>(options: EventStreamOptions<E>): EventStream<E> {
  const { onFirst, onCancel, events, silenceMs = usualSilenceMs } = options;
  const { keepAlive } = events;
  const waiting: E[] = [];
  let wanted: ((result: IteratorResult<E>) => void) | undefined;
  let resume: ((isOpen: boolean) => void) | undefined;
  let isEnded = false;
  let isCancelled = false;
  let isBegun = false;
  let silence: NodeJS.Timeout | undefined;

  const put = (event: E) => {
    if (!isBegun) {
      isBegun = true;
      onFirst();
    }
    if (wanted === undefined) waiting.push(event);
    else {
      const give = wanted;
      wanted = undefined;
      give({ done: false, value: event });
    }
    restartSilence();
  };

  const restartSilence = () => {
    clearTimeout(silence);
    if (keepAlive === undefined || isEnded || isCancelled) return;
    silence = setTimeout(() => {
      // Only a peer that waits is told that the stream lives: a full buffer is a sign of life in itself.
      if (wanted !== undefined) put(keepAlive);
      else restartSilence();
    }, silenceMs);
    silence.unref();
  };

  const cancel = () => {
    if (isEnded || isCancelled) return;
    isCancelled = true;
    waiting.length = 0;
    clearTimeout(silence);
    resume?.(false);
    resume = undefined;
    onCancel();
  };

  const iterator: AsyncIterator<E> = {
    next() {
      const event = waiting.shift();
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
      if (isEnded || isCancelled) return Promise.resolve({ done: true, value: undefined });
      resume?.(true);
      resume = undefined;
      return new Promise((resolve) => {
        wanted = resolve;
      });
    },
    return() {
      cancel();
      wanted?.({ done: true, value: undefined });
      wanted = undefined;
      return Promise.resolve({ done: true, value: undefined });
    },
  };

  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    send(json) {
      if (isCancelled || isEnded) return Promise.resolve(false);
      put(events.value(json));
      if (wanted !== undefined || waiting.length === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        resume = resolve;
      });
    },
    end(event) {
      if (isEnded || isCancelled) return;
      isEnded = true;
      clearTimeout(silence);
      put(event);
      wanted?.({ done: true, value: undefined });
      wanted = undefined;
    },
  };
}

/** JSON text has no line breaks, so each value is one line. */
export const serverSentEvents: StreamEvents<string> = {
  value: (json) => `data: ${json}\n\n`,
  end: 'event: end\ndata: {}\n\n',
  failed: ({ code, message }) => `event: error\ndata: ${JSON.stringify({ error_type: code, message })}\n\n`,
  keepAlive: ': keep-alive\n\n',
};
