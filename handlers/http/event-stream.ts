/** Server-sent events (server.md 6.10): a channel between a running call and the host that writes to the peer. */
export interface EventStream {
  /** What the host reads. Ending it early cancels the call. */
  readonly body: AsyncIterable<string>;
  /** Sends one value; resolves when the peer wants more. False when nobody listens any more. */
  send(text: string): Promise<boolean>;
  /** The last event, then the end. */
  end(text: string): void;
}

export interface EventStreamOptions {
  /** Called before the first byte is handed out: from here on the answer is a stream. */
  readonly onFirst: () => void;
  /** Called when the peer goes away before the end. */
  readonly onCancel: () => void;
  readonly silenceMs?: number;
}

const usualSilenceMs = 15_000;
const keepAlive = ': keep-alive\n\n';

export function createEventStream({ onFirst, onCancel, silenceMs = usualSilenceMs }: EventStreamOptions): EventStream {
  const waiting: string[] = [];
  let wanted: ((result: IteratorResult<string>) => void) | undefined;
  let resume: ((isOpen: boolean) => void) | undefined;
  let isEnded = false;
  let isCancelled = false;
  let isBegun = false;
  let silence: NodeJS.Timeout | undefined;

  const put = (text: string) => {
    if (!isBegun) {
      isBegun = true;
      onFirst();
    }
    if (wanted === undefined) waiting.push(text);
    else {
      const give = wanted;
      wanted = undefined;
      give({ done: false, value: text });
    }
    restartSilence();
  };

  const restartSilence = () => {
    clearTimeout(silence);
    if (isEnded || isCancelled) return;
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

  const iterator: AsyncIterator<string> = {
    next() {
      const text = waiting.shift();
      if (text !== undefined) return Promise.resolve({ done: false, value: text });
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
    send(text) {
      if (isCancelled || isEnded) return Promise.resolve(false);
      put(text);
      if (wanted !== undefined || waiting.length === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        resume = resolve;
      });
    },
    end(text) {
      if (isEnded || isCancelled) return;
      isEnded = true;
      clearTimeout(silence);
      put(text);
      wanted?.({ done: true, value: undefined });
      wanted = undefined;
    },
  };
}

/** One `data:` event. JSON text has no line breaks. */
export function dataEvent(json: string): string {
  return `data: ${json}\n\n`;
}

export const endEvent = 'event: end\ndata: {}\n\n';

export function errorEvent(code: string, message: string): string {
  return `event: error\ndata: ${JSON.stringify({ error_type: code, message })}\n\n`;
}
