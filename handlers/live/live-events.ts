/** `GET /live/{walker}`: one subscription as server-sent events (docs/server/live.md#events). */
import { throwOutside } from '../../base/throw-outside.ts';
import { Failure } from '../../core/errors.ts';
import type { LiveValue } from '../../core/live/live-value.ts';
import type { Credential } from '../auth/credential.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { parseQuery } from '../http/body/read-query.ts';
import { errorText, frameError } from '../socket/frames.ts';
import type { TopicSeat } from '../topics/board.ts';
import { readSince, type Since } from '../topics/read-since.ts';
import type { LiveTarget } from './live-app.ts';
import type { LiveDesk } from './live-desk.ts';
import { everyMsOf, nodeOf, type Subscribed } from './read-request.ts';
import type { Have, Wishes } from './subscription.ts';

export interface EventsRequest {
  readonly desk: LiveDesk;
  readonly call: Call;
  readonly caller: Caller;
  /** Undefined: a guest. */
  readonly credential: Credential | undefined;
  readonly target: LiveTarget;
  /** Streams that are open, each as what ends it. */
  readonly streams: Set<EventStream>;
}

export interface EventStream {
  readonly userId: string | null;
  end(): void;
  /** The session of its user may have ended. */
  suspect(): void;
}

const keepAliveMs = 15_000;
/** Messages of topics that wait for a slow reader; one that lets more wait is cut off. */
const mostWaiting = 1000;
const encoder = new TextEncoder();

/** Resolves with the events when the first run is over. @throws Failure of the first run, or why it cannot begin */
export async function openEvents(request: EventsRequest): Promise<AsyncIterable<Uint8Array>> {
  const { desk, call, caller, credential, streams } = request;
  const have = haveOf(call.header('last-event-id'));
  const stream = new Events(have?.version ?? 0, have?.digest);
  const close = await begin(request, stream);
  if (have !== undefined) stream.comment();
  const timer = setInterval(() => stream.comment(), keepAliveMs).unref();
  const check = async () => {
    if (credential === undefined) return;
    stream.isHeld = true;
    const found = await desk.app().again(credential);
    if (typeof found === 'string')
      stream.fail(new Failure('UNAUTHORIZED', 'Invalid or expired token', { details: { reason: found } }));
    else stream.release();
  };
  const look = () => void check().catch(() => stream.end());
  const beat = setInterval(look, desk.rules.heartbeatSeconds * 1000).unref();
  const entry: EventStream = { userId: caller.userId, end: () => stream.end(), suspect: look };
  streams.add(entry);
  stream.onEnd = () => {
    clearInterval(timer);
    clearInterval(beat);
    streams.delete(entry);
    close();
  };
  if (stream.isOver) stream.onEnd();
  return stream;
}

/** Subscribes, and waits for the first outcome; a client that says what it has waits for none. */
async function begin({ desk, target, caller, call }: EventsRequest, stream: Events): Promise<() => void> {
  const wanted = wantedOf(target, call);
  stream.since = wanted.since;
  const unseat = await desk.seat(caller.userId);
  const joined = new Promise<() => void>((resolve, reject) => {
    let isFirst = true;
    const leave = desk.join(caller, wanted, {
      hears: (topics) => stream.hears(topics, desk, caller),
      get digest() {
        return stream.digest;
      },
      deliver(value) {
        stream.put(value);
        if (isFirst) setImmediate(() => resolve(leave));
        isFirst = false;
      },
      failed(failure, isFinal) {
        if (isFirst) reject(failure);
        else stream.tell(failure, isFinal);
        isFirst = false;
      },
    });
    // A client that has the present value hears of nothing until it changes.
    if (stream.digest !== undefined && isFirst) {
      isFirst = false;
      resolve(leave);
    }
  });
  try {
    const leave = await joined;
    return () => {
      leave();
      unseat();
    };
  } catch (error) {
    unseat();
    throw error;
  }
}

/** The newest value, as fast as it is read. */
class Events implements AsyncIterable<Uint8Array> {
  digest: string | undefined;
  /** Numbers of the messages that the client has, until the first run is over. */
  since: Since | undefined = undefined;
  isOver = false;
  /** Nothing is sent before it is known whether the session lives. */
  isHeld = false;
  onEnd: () => void = () => {};
  private version: number;
  private value: LiveValue | undefined = undefined;
  private seat: TopicSeat | undefined = undefined;
  private readonly waiting: string[] = [];
  private wanted: ((result: IteratorResult<Uint8Array>) => void) | undefined = undefined;

  constructor(version: number, digest: string | undefined) {
    this.version = version;
    this.digest = digest;
  }

  put(value: LiveValue): void {
    this.value = value;
    this.pass();
  }

  /** Topics of the latest run. */
  hears(topics: readonly string[], desk: LiveDesk, { rootId }: Caller): void {
    if (topics.length === 0 && this.seat === undefined) return;
    this.seat ??= desk.topics?.open({
      rootId,
      hear: ({ full }) => {
        this.waiting.push(`data: ${full.text}\n\n`);
        if (this.waiting.length > mostWaiting) this.end();
        else this.pass();
      },
      drained: () => undefined,
      lost: () => this.end(),
    });
    if (this.seat === undefined) return;
    this.seat.since = this.since;
    this.since = undefined;
    const joined = this.seat.set(new Set(topics));
    if (joined instanceof Promise) joined.catch(throwOutside);
  }

  comment(): void {
    if (this.wanted === undefined && this.waiting.length > 0) return;
    this.waiting.push(': keep-alive\n\n');
    this.pass();
  }

  /** An error of a run. */
  tell(failure: Failure, isFinal: boolean): void {
    this.value = undefined;
    this.digest = undefined;
    const text = errorText(frameError(failure));
    this.waiting.push(`event: error\ndata: {"type":"error","error":${text},"final":${isFinal}}\n\n`);
    if (isFinal) this.end();
    else this.pass();
  }

  fail(failure: Failure): void {
    this.isHeld = false;
    this.waiting.length = 0;
    this.tell(failure, true);
  }

  release(): void {
    this.isHeld = false;
    this.pass();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.seat?.close();
    this.pass();
    this.onEnd();
  }

  private pass(): void {
    if (this.wanted === undefined) return;
    const text = this.next();
    if (text === undefined && !this.isOver) return;
    const give = this.wanted;
    this.wanted = undefined;
    give(text === undefined ? { done: true, value: undefined } : { done: false, value: encoder.encode(text) });
  }

  private next(): string | undefined {
    const text = this.isHeld ? undefined : this.waiting.shift();
    if (text !== undefined) return text;
    const { value } = this;
    if (value === undefined || this.isHeld || this.isOver) return undefined;
    this.value = undefined;
    if (value.digest === this.digest) return undefined;
    this.digest = value.digest;
    const id = `${++this.version}.${value.digest}`;
    return `id: ${id}\ndata: {"type":"result","version":${this.version},"digest":"${value.digest}","data":${value.text}}\n\n`;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () =>
        new Promise((resolve) => {
          this.wanted = resolve;
          this.pass();
        }),
      return: async () => {
        this.end();
        return { done: true, value: undefined };
      },
    };
  }
}

/** Fields and node come by the query, as those of a walker that answers GET; so do wishes that no field can have the name of. @throws Failure */
function wantedOf(target: LiveTarget, { query }: Call): Subscribed & Pick<Wishes, 'since'> {
  const { kind, name } = target.served;
  const fields = new Map(parseQuery(query));
  const take = (own: string): string | undefined => {
    if (target.declares(own)) return undefined;
    const value = fields.get(own)?.at(-1);
    fields.delete(own);
    return value;
  };
  take('token');
  const every = take('$every');
  const since = take('$since');
  return {
    kind,
    name,
    nodeId: nodeOf(take('nd')),
    everyMs: everyMsOf(every === undefined ? undefined : Number(every)),
    since: sinceOf(since),
    source: { query: fields },
  };
}

function sinceOf(text: string | undefined): Since | undefined {
  if (text === undefined) return undefined;
  try {
    return readSince(JSON.parse(text));
  } catch {
    throw new Failure(
      'VALIDATION_ERROR',
      '$since must be a JSON object of topics and the numbers of their last messages.',
    );
  }
}

function haveOf(id: string | undefined): Have | undefined {
  const [, version, digest] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(id ?? '') ?? [];
  return version === undefined ? undefined : { version: Number(version), digest: digest! };
}
