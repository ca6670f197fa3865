/** One topic in this process: who hears it, and what they have heard so far (docs/server/topics.md#resuming). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import { type Frame, textFrame } from '../socket/frames.ts';
import type { Expulsion, KeptMessages, NumberedMessage, TopicFollower, TopicStore } from './topic-store.ts';

/** A connection as its topics see it. */
export interface TopicListener {
  /** Root it acts for now. */
  readonly rootId: string;
  /** Takes a frame of a topic. */
  hear(frame: Frame): void;
  /** Waits until what it was sent has left; undefined: it takes more at once. */
  drained(): Promise<void> | undefined;
  /** Called when its topics cannot be heard any more. */
  lost(): void;
}

/** Membership of one connection in one topic. */
export interface Hearing {
  readonly listener: TopicListener;
  /** Called when somebody else ended it. */
  readonly onEnd: () => void;
  /** Number of the last message it was sent, or that came before it. */
  at: number;
  /** Epoch of that number; empty: not known. */
  epoch: string;
  /** True when new messages are sent to it; false while it is being sent those that were kept. */
  isLive: boolean;
  /** Reads that had begun when the last one of its own ended. */
  reads: number;
}

export interface TopicParts {
  readonly name: string;
  readonly store: TopicStore;
  readonly onEmpty: () => void;
  readonly onGap: () => void;
  readonly onExpelled: () => void;
  readonly onUnreadable: (error: Error) => void;
}

/** Milliseconds after which what may have been missed is asked for again, while the store does not answer. */
const retryMs = 1000;
/** Connections written to before other work gets its turn. */
const slice = 512;

export class Topic implements TopicFollower {
  private readonly parts: TopicParts;
  private readonly hearings = new Set<Hearing>();
  private epoch = '';
  private last = 0;
  private lastExpulsion = 0;
  /** Messages that came while something missed is being read, or while one is on its way to many. */
  private held: { readonly epoch: string; readonly message: NumberedMessage }[] | undefined = undefined;
  private opening: MaybePromise<void> | undefined = undefined;
  private unfollow: (() => void) | undefined = undefined;
  private isClosed = false;
  private joining = 0;
  /** A message is on its way to many. */
  private isSpreading = false;
  private isMissing = false;
  /** Reads that have begun. One that begins when another has ended is not older. */
  private reads = 0;

  constructor(parts: TopicParts) {
    this.parts = parts;
  }

  /** Begins to follow. Rejects when the store cannot be reached; a further topic has to be made then. */
  private open(): MaybePromise<void> {
    const { store, name } = this.parts;
    if (this.opening !== undefined) return this.opening;
    this.held = [];
    const opened = after(store.follow(name, this), (unfollow) => {
      this.unfollow = unfollow;
      return after(store.read(name, { epoch: '', last: Number.MAX_SAFE_INTEGER, lastExpulsion: 0 }), (kept) => {
        this.note(kept);
        this.release();
      });
    });
    this.opening = opened;
    return opened;
  }

  /**
   * Takes a connection in, who hears everything from then on; with `since`, first what is kept above that number. Rejects when the store cannot
   * be reached.
   */
  join(listener: TopicListener, since: number | undefined, onEnd: () => void): MaybePromise<Hearing> {
    this.joining++;
    const joined = after(this.open(), () => {
      this.joining--;
      const hearing: Hearing = {
        listener,
        onEnd,
        at: since ?? this.last,
        epoch: since === undefined ? this.epoch : '',
        isLive: since === undefined,
        reads: 0,
      };
      this.hearings.add(hearing);
      if (since !== undefined) this.replay(hearing);
      return hearing;
    });
    if (!(joined instanceof Promise)) return joined;
    return joined.catch((error) => {
      this.joining--;
      this.closeIfEmpty();
      throw error;
    });
  }

  leave(hearing: Hearing): void {
    if (this.hearings.delete(hearing)) this.closeIfEmpty();
  }

  private closeIfEmpty(): void {
    if (this.hearings.size > 0 || this.joining > 0 || this.isClosed) return;
    this.isClosed = true;
    this.unfollow?.();
    this.parts.onEmpty();
  }

  // ---- what the store tells

  message(epoch: string, message: NumberedMessage): void {
    if (!this.offer(epoch, message)) this.missed();
  }

  expelled(epoch: string, expulsion: Expulsion): void {
    if (epoch === this.epoch) {
      if (expulsion.number <= this.lastExpulsion) return;
      this.lastExpulsion = expulsion.number;
    }
    this.expel(expulsion);
  }

  /** Reads what may have been missed. */
  missed(): void {
    if (this.isSpreading) this.isMissing = true;
    if (this.held !== undefined || this.isClosed) return;
    this.held = [];
    const { store, name } = this.parts;
    try {
      const { epoch, last, lastExpulsion } = this;
      const begun = ++this.reads;
      const read = after(store.read(name, { epoch, last, lastExpulsion }), (kept) => this.catchUp(kept, begun));
      if (read instanceof Promise) read.catch((error: Error) => this.tryLater(error));
    } catch (error) {
      this.tryLater(error as Error);
    }
  }

  private tryLater(error: Error): void {
    this.parts.onUnreadable(error);
    this.held = undefined; // they are kept by the store
    setTimeout(() => this.missed(), retryMs).unref();
  }

  private catchUp(kept: KeptMessages, begun: number): void {
    for (const expulsion of kept.expulsions) this.expel(expulsion);
    for (const hearing of [...this.hearings]) {
      if (!hearing.isLive) continue;
      const mayBeOlder = begun <= hearing.reads && hearing.epoch !== kept.epoch;
      if (!mayBeOlder) for (const send of framesOf(this.parts, hearing, kept)) send();
      else {
        hearing.isLive = false;
        this.replay(hearing);
      }
    }
    this.note(kept);
    this.release();
  }

  private note({ epoch, last, lastExpulsion }: KeptMessages): void {
    this.epoch = epoch;
    this.last = last;
    this.lastExpulsion = lastExpulsion;
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    const isComplete = held.map(({ epoch, message }) => this.offer(epoch, message)).every((isTaken) => isTaken);
    if (!isComplete) this.missed();
  }

  /** False: something before it is missing. */
  private offer(epoch: string, message: NumberedMessage): boolean {
    if (this.held === undefined) return this.take(epoch, message);
    this.held.push({ epoch, message });
    return true;
  }

  private take(epoch: string, message: NumberedMessage): boolean {
    const { seq } = message;
    const isFirst = this.epoch === '' && seq === 1;
    if (epoch !== this.epoch && !isFirst) return false;
    if (seq <= this.last) return true;
    if (seq > this.last + 1) return false;
    this.epoch = epoch;
    this.last = seq;
    const frame = messageFrame(this.parts.name, message);
    const hearers = [...this.hearings].filter(({ isLive, at }) => isLive && seq > at);
    for (const hearing of hearers) {
      hearing.at = seq;
      hearing.epoch = epoch;
    }
    this.spread(hearers, frame);
    return true;
  }

  /** Everybody gets a message before anybody gets the next one; between slices others have their turn. */
  private spread(hearers: readonly Hearing[], frame: Frame): void {
    for (const hearing of hearers.slice(0, slice)) if (this.hearings.has(hearing)) this.give(hearing, frame);
    if (hearers.length > slice) {
      this.held ??= [];
      this.isSpreading = true;
      setImmediate(() => this.spread(hearers.slice(slice), frame));
    } else if (this.isSpreading) {
      this.isSpreading = false;
      this.release();
      if (!this.isMissing) return;
      this.isMissing = false;
      this.missed();
    }
  }

  private give(hearing: Hearing, frame: Frame): void {
    try {
      hearing.listener.hear(frame);
    } catch (error) {
      throwOutside(error); // a fault with one must not keep the others from what is said
    }
  }

  private expel({ rootId }: Expulsion): void {
    for (const hearing of [...this.hearings]) {
      if (hearing.listener.rootId !== rootId) continue;
      this.hearings.delete(hearing);
      this.parts.onExpelled();
      hearing.onEnd();
    }
    this.closeIfEmpty();
  }

  // ---- what was kept, for one who resumes

  /** The hearing is there already: what is sent meanwhile is kept, and read before it becomes live. */
  private replay(hearing: Hearing): void {
    try {
      const replayed = this.replayOnce(hearing);
      if (replayed instanceof Promise) replayed.catch(() => this.lose(hearing));
    } catch {
      this.lose(hearing);
    }
  }

  private lose(hearing: Hearing): void {
    if (this.hearings.has(hearing)) hearing.listener.lost();
  }

  private replayOnce(hearing: Hearing): MaybePromise<void> {
    const { store, name } = this.parts;
    const known = { epoch: hearing.epoch, last: hearing.at, lastExpulsion: Number.MAX_SAFE_INTEGER };
    this.reads++;
    return after(store.read(name, known), (kept) => {
      hearing.reads = this.reads;
      return after(this.sendKept(hearing, framesOf(this.parts, hearing, kept)), () => {
        if (!this.hearings.has(hearing)) return undefined;
        const isSameEpoch = this.epoch === hearing.epoch;
        if (isSameEpoch && hearing.at < this.last) return this.replayOnce(hearing);
        hearing.isLive = true;
        if (!isSameEpoch) this.missed(); // one of the two has not heard of the new numbers
        return undefined;
      });
    });
  }

  /** A slow reader is waited for, so that a long replay does not cut it off. */
  private sendKept(hearing: Hearing, frames: Iterator<() => void>): MaybePromise<void> {
    for (let next = frames.next(); next.done !== true; next = frames.next()) {
      if (!this.hearings.has(hearing)) return undefined;
      next.value();
      const drained = hearing.listener.drained();
      if (drained !== undefined) return drained.then(() => this.sendKept(hearing, frames));
    }
    return undefined;
  }
}

/**
 * Sends, one after the other, what a connection has not heard of what is kept, after a gap for what is not
 * (docs/server/topics.md#gap).
 */
export function* framesOf(
  { name, onGap }: Pick<TopicParts, 'name' | 'onGap'>,
  hearing: Hearing,
  { epoch, last, messages }: KeptMessages,
): Generator<() => void, void> {
  const say = (frame: Frame, position: number) => () => {
    hearing.at = position;
    hearing.epoch = epoch;
    hearing.listener.hear(frame);
  };
  const gap = (from: number, to: number) => {
    onGap();
    return say(gapFrame(name, from, to), to);
  };
  const first = messages[0]?.seq ?? last + 1;
  // Numbers began anew while it was listening: it hears the new ones from the first that is kept.
  const isRestarted = hearing.epoch !== '' && hearing.epoch !== epoch;
  if (isRestarted) yield gap(1, first - 1);
  else if (hearing.epoch === '' && hearing.at > last) yield gap(1, last);
  else if (first > hearing.at + 1) yield gap(hearing.at + 1, first - 1);
  hearing.epoch = epoch;
  for (const message of messages) if (message.seq > hearing.at) yield say(messageFrame(name, message), message.seq);
}

export function messageFrame(topic: string, { seq, data }: NumberedMessage): Frame {
  const full = textFrame(`{"type":"message","topic":${JSON.stringify(topic)},"seq":${seq},"data":${data}}`);
  return { full, bare: [textFrame(data)], isError: false };
}

export function gapFrame(topic: string, from: number, to: number): Frame {
  const full = textFrame(`{"type":"gap","topic":${JSON.stringify(topic)},"from":${from},"to":${to}}`);
  return { full, bare: [full], isError: false };
}
