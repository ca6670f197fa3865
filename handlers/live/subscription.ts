/** One subscription of a client: its versions, and the frames that tell it of values (docs/server/live.md#frames). */
import { throwOutside } from '../../base/throw-outside.ts';
import type { Failure } from '../../core/errors.ts';
import type { Subscriber } from '../../core/live/live-runs.ts';
import type { LiveValue } from '../../core/live/live-value.ts';
import { addId, type Frame } from '../socket/frames.ts';
import type { TopicSeat } from '../topics/board.ts';
import type { Since } from '../topics/read-since.ts';
import type { TopicListener } from '../topics/topic.ts';

/** Version that a client says it has. */
export interface Have {
  readonly version: number;
  readonly digest: string;
}

/** Wishes of a client about its frames. */
export interface Wishes {
  readonly wantsPatch: boolean;
  readonly have: Have | undefined;
  readonly since: Since | undefined;
}

/** A connection as its subscriptions see it. */
export interface SubscriptionOwner {
  /** False: nothing may be sent now; `flush` of the subscription is called when it may. */
  readonly isReady: boolean;
  send(text: string): void;
  /** Makes the place of a subscription in topics; undefined where there are none. */
  openSeat(subscription: Subscription): TopicSeat | undefined;
  readonly rootId: string;
  hear(text: string): void;
  drained(): Promise<void> | undefined;
  /** Topics cannot be heard any more. */
  lost(): void;
  wait(subscription: Subscription): void;
  /** The run failed. When `isFinal` the subscription has ended. */
  failed(subscription: Subscription, failure: Failure, isFinal: boolean): void;
  delivered(sinceMs: number): void;
}

/** A class, because there are thousands of them. */
export class Subscription implements Subscriber, TopicListener {
  /** JSON text of the client's id. */
  readonly idText: string;
  digest: string | undefined;
  private version: number;
  private readonly wantsPatch: boolean;
  private readonly owner: SubscriptionOwner;
  /** The value that the client has, for patches. */
  private sent: LiveValue | undefined = undefined;
  /** The newest value, while it waits for a slow reader. */
  private waiting: LiveValue | undefined = undefined;
  private waitsSinceMs: number | undefined = undefined;
  /** Numbers of the messages that the client has, until the first run is over. */
  private since: Since | undefined;
  private seat: TopicSeat | undefined = undefined;

  constructor(owner: SubscriptionOwner, idText: string, { wantsPatch, have, since }: Wishes) {
    this.owner = owner;
    this.idText = idText;
    this.wantsPatch = wantsPatch;
    this.version = have?.version ?? 0;
    this.digest = have?.digest;
    this.since = since;
  }

  deliver(value: LiveValue, sinceMs: number | undefined): void {
    if (this.owner.isReady && this.waiting === undefined) this.put(value, sinceMs);
    else {
      if (this.waiting === undefined) this.owner.wait(this);
      this.waiting = value;
      this.waitsSinceMs ??= sinceMs;
    }
  }

  // ---- topics

  hears(topics: readonly string[]): void {
    if (topics.length === 0 && this.seat === undefined) return;
    this.seat ??= this.owner.openSeat(this);
    if (this.seat === undefined) return;
    this.seat.since = this.since;
    this.since = undefined;
    const joined = this.seat.set(new Set(topics));
    if (joined instanceof Promise) joined.catch(throwOutside);
  }

  get rootId(): string {
    return this.owner.rootId;
  }

  hear({ full }: Frame): void {
    this.owner.hear(addId(full.text, this.idText));
  }

  drained(): Promise<void> | undefined {
    return this.owner.drained();
  }

  lost(): void {
    this.owner.lost();
  }

  /** Leaves all topics: it is over, or goes on as somebody else. */
  leaveTopics(): void {
    this.seat?.close();
    this.seat = undefined;
  }

  // ---- values

  /** Drops what waits: the connection goes on as somebody else. */
  forget(): void {
    this.waiting = undefined;
    this.waitsSinceMs = undefined;
  }

  failed(failure: Failure, isFinal: boolean): void {
    this.forget();
    this.sent = undefined;
    this.digest = undefined;
    this.owner.failed(this, failure, isFinal);
  }

  /** The reader takes frames again: it gets the newest value as a whole. */
  flush(): void {
    const value = this.waiting;
    const sinceMs = this.waitsSinceMs;
    this.waiting = undefined;
    this.waitsSinceMs = undefined;
    this.sent = undefined;
    if (value !== undefined && value.digest !== this.digest) this.put(value, sinceMs);
  }

  private put(value: LiveValue, sinceMs: number | undefined): void {
    const { idText, sent } = this;
    const base = this.version;
    const head = `"id":${idText},"version":${++this.version}`;
    const patch = sent && value.patchFrom(sent);
    this.owner.send(
      patch === undefined
        ? `{"type":"result",${head},"digest":"${value.digest}","data":${value.text}}`
        : `{"type":"patch",${head},"base":${base},"digest":"${value.digest}","ops":${patch}}`,
    );
    this.digest = value.digest;
    if (this.wantsPatch) this.sent = value;
    if (sinceMs !== undefined) this.owner.delivered(sinceMs);
  }
}
