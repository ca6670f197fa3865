/** Topics as the answer of a call over HTTP: server-sent events (docs/server/topics.md#streams). */
import type { MembershipChange } from '../../core/topics/topics.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { RunRequest, UnitParts } from '../http/run/types.ts';
import type { Frame } from '../socket/frames.ts';
import type { SocketAuth } from '../socket/socket-app.ts';
import type { TopicBoard, TopicSeat } from './board.ts';
import type { Since } from './read-since.ts';
import type { TopicListener } from './topic.ts';
import type { TopicAnswer } from './topic-answer.ts';

export interface TopicStreamParts {
  readonly board: TopicBoard;
  readonly onSessionEnd: SocketAuth['onSessionEnd'];
  /** Finds the caller anew. Rejects or throws when the token does not hold any more. */
  readonly again: (call: Call) => unknown;
  readonly now: () => number;
  /** Bytes that wait for a reader before it is cut off. */
  readonly maxWaiting: number;
  readonly silenceMs?: number;
}

const highWaterBytes = 65_536;
const usualSilenceMs = 15_000;

/** Makes `UnitParts.openTopics` of an application. */
export function createTopicStreams(parts: TopicStreamParts): NonNullable<UnitParts['openTopics']> {
  return ({ exchange }: RunRequest) => {
    const { call, caller } = exchange;
    if (exchange.topics === undefined && acceptsEvents(call)) exchange.topics = new EventTopics(parts, call, caller!);
    return exchange.topics;
  };
}

function acceptsEvents(call: Call): boolean {
  return /(?:^|,)[ \t]*text\/event-stream[ \t]*(?:;|,|$)/i.test(call.header('accept') ?? '');
}

class EventTopics implements TopicAnswer, TopicListener {
  isUsed = false;
  private readonly parts: TopicStreamParts;
  private readonly call: Call;
  private readonly caller: Caller;
  private readonly seat: TopicSeat;
  private readonly waiting: string[] = [];
  private waitingBytes = 0;
  private isEnded = false;
  private wake: (() => void) | undefined = undefined;
  private onRead: (() => void) | undefined = undefined;
  private expiry: NodeJS.Timeout | undefined = undefined;
  private unfollow: (() => void) | undefined = undefined;

  constructor(parts: TopicStreamParts, call: Call, caller: Caller) {
    this.parts = parts;
    this.call = call;
    this.caller = caller;
    this.seat = parts.board.open(this);
    this.seat.since = sinceOf(call.header('last-event-id'));
  }

  get rootId(): string {
    return this.caller.rootId;
  }

  has(topic: string): boolean {
    return this.seat.has(topic);
  }

  get free(): number {
    return this.seat.free;
  }

  apply(changes: readonly MembershipChange[]) {
    if (!this.isUsed && changes.some(({ joins }) => joins)) {
      this.isUsed = true;
      this.watchSession();
      // The client may go away before the answer begins.
      this.call.onGone(() => this.end());
    }
    return this.seat.apply(changes);
  }

  hear({ full }: Frame): void {
    this.put(`${this.idLine()}data: ${full.text}\n\n`);
  }

  drained(): Promise<void> | undefined {
    if (this.waitingBytes <= highWaterBytes || this.isEnded) return undefined;
    return new Promise((resolve) => {
      this.onRead = resolve;
    });
  }

  lost(): void {
    this.fail('SERVICE_UNAVAILABLE', 'Topics are not available at the moment.');
  }

  async *body(outcome?: { readonly result: string; readonly reports: string }): AsyncGenerator<string> {
    try {
      if (outcome !== undefined) {
        const data = `{"result":${outcome.result},"reports":${outcome.reports}}`;
        yield `event: result\n${this.idLine()}data: ${data}\n\n`;
      }
      for (;;) {
        const event = this.waiting.shift();
        if (event !== undefined) {
          this.waitingBytes -= event.length;
          if (this.waitingBytes <= highWaterBytes) this.read();
          yield event;
        } else if (this.isEnded) return;
        else if (!(await this.somethingToSay())) yield ': keep-alive\n\n';
      }
    } finally {
      this.end();
    }
  }

  /** False when there was nothing for a while. */
  private somethingToSay(): Promise<boolean> {
    return new Promise((resolve) => {
      const silence = setTimeout(() => resolve(false), this.parts.silenceMs ?? usualSilenceMs);
      silence.unref();
      this.wake = () => {
        clearTimeout(silence);
        resolve(true);
      };
    });
  }

  private put(event: string): void {
    if (this.isEnded) return;
    this.waiting.push(event);
    this.waitingBytes += event.length;
    if (this.waitingBytes > this.parts.maxWaiting) {
      // The client resumes after the last event it has read.
      this.waiting.length = 0;
      this.end();
    }
    this.wake?.();
  }

  private read(): void {
    const { onRead } = this;
    this.onRead = undefined;
    onRead?.();
  }

  /** Number of the last message of each topic: the client goes on there when it comes back. */
  private idLine(): string {
    const positions = [...this.seat.positions()].map(([topic, seq]): [string, string] => [topic, String(seq)]);
    return `id: ${new URLSearchParams(positions)}\n`;
  }

  // ---- its session

  private watchSession(): void {
    const { userId, claims } = this.caller;
    if (userId === null) return;
    this.unfollow = this.parts.onSessionEnd((ended) => {
      if (ended.userId === userId) this.look();
    });
    if (claims !== undefined) this.watchExpiry(claims.expiresAt * 1000);
  }

  private watchExpiry(atMs: number): void {
    this.expiry = setTimeout(
      () => {
        if (this.parts.now() >= atMs) this.look();
        if (!this.isEnded) this.watchExpiry(Math.max(atMs, this.parts.now() + 1000)); // its leeway goes on
      },
      Math.min(Math.max(atMs - this.parts.now(), 0), 2 ** 31 - 1),
    );
    this.expiry.unref();
  }

  private look(): void {
    const refuse = () => this.fail('UNAUTHORIZED', 'Invalid or expired token');
    try {
      const found = this.parts.again(this.call);
      if (found instanceof Promise) found.catch(refuse);
    } catch {
      refuse();
    }
  }

  private fail(code: string, message: string): void {
    if (this.isEnded) return;
    this.waiting.length = 0;
    this.waiting.push(`event: error\ndata: ${JSON.stringify({ error_type: code, message })}\n\n`);
    this.end();
  }

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.expiry);
    this.unfollow?.();
    this.seat.close();
    this.read();
    this.wake?.();
  }
}

/** `Last-Event-ID` as `idLine` writes it; what is no number is left out. */
function sinceOf(id: string | undefined): Since | undefined {
  if (id === undefined) return undefined;
  const since = new Map<string, number>();
  for (const [topic, text] of new URLSearchParams(id)) {
    const seq = Number(text);
    if (text !== '' && Number.isSafeInteger(seq) && seq >= 0) since.set(topic, seq);
  }
  return since;
}
