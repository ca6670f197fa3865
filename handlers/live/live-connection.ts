/** One open socket of `/live`: who is on it, its subscriptions, and frames no faster than it reads (docs/server/live.md). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../../core/errors.ts';
import type { Credential } from '../auth/credential.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import { UnsafeIntegers } from '../http/body/read-json.ts';
import type { Deadline } from '../http/run/deadlines.ts';
import type { CloseCode } from '../socket/close-codes.ts';
import { type CloseReason, reasonOf, textFrame } from '../socket/frames.ts';
import type { Connection, SocketPeer } from '../socket/peer.ts';
import { createSendRate, type SendRate } from '../socket/send-rate.ts';
import type { TopicSeat } from '../topics/board.ts';
import type { LiveAdmission } from './live-app.ts';
import type { LiveDesk } from './live-desk.ts';
import { badToken, idInUse, liveErrorText, noId, tooManySubscriptions } from './live-errors.ts';
import { idText, readRequest, readWanted, type Wanted } from './read-request.ts';
import { Subscription, type SubscriptionOwner } from './subscription.ts';

/** A reader that has so many bytes waiting gets no more; what comes meanwhile is replaced by what is newer. */
const highWaterBytes = 65_536;

interface Open {
  readonly wanted: Wanted;
  readonly subscription: Subscription;
  /** Ends its run. */
  readonly leave: () => void;
  /** Frees its place among those of its user. */
  readonly unseat: () => void;
}

export class LiveConnection implements Connection, SubscriptionOwner {
  private readonly desk: LiveDesk;
  private readonly peer: SocketPeer;
  private readonly rate: SendRate;
  private caller: Caller;
  private credential: Credential | undefined;
  private isOpen = true;
  /** True while its session may have ended: nothing is sent before that is known. */
  private isSuspect = false;
  private isCorked = false;
  /** Messages are handled one after the other. */
  private turn: MaybePromise<void> = undefined;
  private queued = 0;
  private readonly open = new Map<string, Open>();
  /** Subscriptions that wait for their place, by their ids. */
  private readonly seating = new Map<string, Subscription>();
  private readonly held = new Set<Subscription>();
  /** Messages of topics that came while its session was in doubt. */
  private withheld: string[] = [];
  private waitsForDrain = false;
  private heartbeat: Deadline | undefined = undefined;
  private silence: Deadline | undefined = undefined;
  private sending: Deadline | undefined = undefined;
  private expiry: NodeJS.Timeout | undefined = undefined;

  constructor(desk: LiveDesk, admission: LiveAdmission, peer: SocketPeer) {
    this.desk = desk;
    this.peer = peer;
    this.caller = admission.caller;
    this.credential = admission.credential;
    this.rate = createSendRate(desk.rules.maxMessagesPerSecond);
  }

  get userId(): string | null {
    return this.caller.userId;
  }

  begin(): void {
    this.silence = this.desk.silences.open(() => this.end(4408, 'idle'));
    this.openHeartbeat();
    this.watchExpiry();
  }

  /** Tells why there is no place for this connection and closes it. */
  turnAway(): void {
    this.refuse(undefined, noSeat());
    this.isOpen = false;
    this.peer.close(4403, 'CAPACITY');
  }

  // ---- what the host tells

  alive(): void {
    this.silence?.touch();
  }

  message(bytes: Uint8Array, isBinary: boolean): void {
    this.alive();
    if (!this.isOpen) return;
    const { clock, rules } = this.desk;
    if (isBinary) this.end(1003, 'binary frames are not supported');
    else if (bytes.length > rules.maxMessageBytes) {
      const message = `A message may have ${rules.maxMessageBytes} bytes.`;
      this.refuse(undefined, new Failure('MESSAGE_TOO_LARGE', message));
      this.end(4413, 'MESSAGE_TOO_LARGE');
    } else if (this.rate.take(clock.now()) && this.queued < rules.queueSize) this.enqueue(bytes);
    else {
      this.refuse(undefined, new Failure('RATE_LIMITED', 'Too many messages.'));
      if (this.rate.drop(clock.now())) this.end(4429, 'too many messages');
    }
  }

  closed(): void {
    if (this.isOpen) this.leave();
  }

  // ---- messages, one after another

  private enqueue(bytes: Uint8Array): void {
    this.queued++;
    const handle = () => {
      this.queued--;
      return this.isOpen ? this.handle(bytes) : undefined;
    };
    try {
      const turn = after(this.turn, handle);
      if (!(turn instanceof Promise)) return;
      this.turn = turn.then(
        () => {
          if (this.queued === 0) this.turn = undefined;
        },
        (error) => this.broke(error),
      );
    } catch (error) {
      this.broke(error);
    }
  }

  private broke(error: unknown): void {
    this.desk.log.error('a live socket failed', { error });
    this.end(1011, 'internal error');
  }

  private handle(bytes: Uint8Array): MaybePromise<void> {
    const request = this.read(bytes);
    switch (request?.type) {
      case 'ping':
        return this.say(`{"type":"pong","ts":${this.seconds()}}`);
      case 'token':
        return this.signIn(request.token);
      case 'unsubscribe':
        return this.unsubscribe(request.idText);
      case 'subscribe':
        return after(this.signOrCheck(request.token), (isLive) => {
          if (isLive) return all(request.all.map((wanted) => this.subscribe(wanted)));
          return undefined;
        });
      default:
        return undefined;
    }
  }

  private read(bytes: Uint8Array) {
    try {
      return readRequest(bytes, this.desk.maxJsonDepth);
    } catch (error) {
      const object = error instanceof UnsafeIntegers ? (error.value as JsonObject | undefined) : undefined;
      this.refuse(idText(object?.['id']), error, undefined);
      return undefined;
    }
  }

  private subscribe(object: JsonObject): MaybePromise<void> {
    if (!this.isOpen) return;
    const id = idText(object['id']);
    if (id === undefined) {
      this.refuse(undefined, noId());
      return;
    }
    if (this.open.has(id) || this.seating.has(id)) {
      this.refuse(id, idInUse(), false);
      return;
    }
    try {
      const wanted = readWanted(object);
      const { maxPerConnection } = this.desk.limits;
      if (this.open.size + this.seating.size >= maxPerConnection) throw tooManySubscriptions(maxPerConnection);
      return this.start(id, wanted, new Subscription(this, id, wanted));
    } catch (error) {
      this.refuse(id, error, true);
    }
  }

  /** Goes on with a subscription once it has its place among those of the user, which another process may have to be asked for. */
  private start(id: string, wanted: Wanted, subscription: Subscription): MaybePromise<void> {
    this.seating.set(id, subscription);
    // Not when the client has left it meanwhile.
    const isWanted = () => this.seating.get(id) === subscription && this.seating.delete(id);
    const refuse = (error: unknown) => {
      if (isWanted()) this.refuse(id, error, true);
    };
    const go = (unseat: () => void) => {
      const isStillWanted = isWanted();
      try {
        if (!this.isOpen || !isStillWanted) return unseat();
        this.open.set(id, { wanted, subscription, leave: this.desk.join(this.caller, wanted, subscription), unseat });
      } catch (error) {
        unseat();
        this.refuse(id, error, true);
      }
    };
    try {
      const seated = this.desk.seat(this.userId);
      if (!(seated instanceof Promise)) return go(seated);
      return seated.then(go, refuse);
    } catch (error) {
      refuse(error);
    }
  }

  private unsubscribe(id: string | undefined): void {
    const open = id === undefined ? undefined : this.open.get(id);
    if (id !== undefined) this.seating.delete(id);
    if (open === undefined) return;
    this.open.delete(id!);
    this.over(open);
  }

  private over({ leave, unseat, subscription }: Open): void {
    leave();
    unseat();
    subscription.leaveTopics();
  }

  // ---- who is on it

  private signIn(token: unknown): MaybePromise<void> {
    if (typeof token !== 'string') return this.refuseToken('missing');
    return after(this.desk.app().auth.identifyToken(token), (found) => {
      if (!this.isOpen) return undefined;
      if (typeof found === 'string') return this.refuseToken(reasonOf(found));
      const { userId } = this;
      if (userId !== null && userId !== found.userId) return this.refuseToken('identity_mismatch');
      const isSeated = userId === null ? this.desk.changeSeat(found.userId!) : true;
      return after(isSeated, (has) => {
        if (!has) {
          this.refuse(undefined, noSeat());
          this.end(4403, 'CAPACITY');
          return;
        }
        const wasGuest = this.userId === null;
        this.credential = { token };
        this.watchExpiry();
        return this.takeCaller(found, wasGuest);
      });
    });
  }

  /** Goes on as this caller. Subscriptions of a guest run again as the user, those of a user whose role has changed as well. */
  private takeCaller(caller: Caller, isOther = caller.role !== this.caller.role): MaybePromise<void> {
    this.isSuspect = false;
    this.caller = caller;
    const restarted = isOther ? this.restart() : undefined;
    this.release();
    return restarted;
  }

  /** A frame that subscribes may sign in as well. */
  private signOrCheck(token: unknown): MaybePromise<boolean> {
    return token === undefined ? this.recheck() : after(this.signIn(token), () => this.isOpen);
  }

  private restart(): MaybePromise<void> {
    const before = [...this.open];
    this.open.clear();
    this.held.clear();
    for (const [, open] of before) {
      this.over(open);
      open.subscription.forget();
    }
    return all(before.map(([id, { wanted, subscription }]) => this.start(id, wanted, subscription)));
  }

  /** The session of its user may have ended. */
  suspect(): void {
    if (this.credential === undefined) return;
    this.isSuspect = true;
    this.look();
  }

  /** Checks whether the session still lives; else the connection is closed. */
  private recheck(): MaybePromise<boolean> {
    const { credential } = this;
    if (credential === undefined) return this.isOpen;
    return after(this.desk.app().again(credential), (found) => {
      if (!this.isOpen || credential !== this.credential) return this.isOpen;
      if (typeof found === 'string') {
        this.refuseToken(reasonOf(found));
        return false;
      }
      return after(this.takeCaller(found), () => this.isOpen);
    });
  }

  /** The same in passing. An account store that does not answer now is asked again the next time. */
  private look(): void {
    try {
      const looked = this.recheck();
      if (looked instanceof Promise) looked.catch(() => {});
    } catch {
      // as above
    }
  }

  private watchExpiry(): void {
    clearTimeout(this.expiry);
    const { claims } = this.caller;
    if (claims === undefined) return;
    const { clock, leewaySeconds } = this.desk;
    const leftMs = (claims.expiresAt + leewaySeconds + 1) * 1000 - clock.now();
    this.expiry = setTimeout(
      () => {
        this.look();
        this.watchExpiry();
      },
      Math.min(Math.max(leftMs, 0) + 1, longestTimerMs),
    ).unref();
  }

  private refuseToken(reason: CloseReason): void {
    if (!this.isOpen) return;
    this.refuse(undefined, badToken(reason));
    this.end(4401, reason);
  }

  // ---- what subscriptions ask

  get isReady(): boolean {
    return this.isOpen && !this.isSuspect && !this.waitsForDrain && this.peer.unsent <= highWaterBytes;
  }

  send(text: string): void {
    this.say(text);
  }

  wait(subscription: Subscription): void {
    this.held.add(subscription);
    if (this.isSuspect || this.waitsForDrain || !this.isOpen) return;
    this.waitsForDrain = true;
    this.peer.onDrain(() => {
      this.waitsForDrain = false;
      this.release();
    });
  }

  private release(): void {
    const { withheld } = this;
    this.withheld = [];
    for (const text of withheld) this.hear(text);
    for (const subscription of this.held) {
      if (!this.isReady) {
        if (!this.isSuspect) this.wait(subscription);
        return;
      }
      this.held.delete(subscription);
      subscription.flush();
    }
  }

  failed(subscription: Subscription, failure: Failure, isFinal: boolean): void {
    this.held.delete(subscription);
    const { idText: id } = subscription;
    if (isFinal) {
      this.open.get(id)?.unseat();
      this.open.delete(id);
      subscription.leaveTopics();
    }
    if (this.isSuspect) return;
    this.refuse(id, failure, isFinal);
  }

  get rootId(): string {
    return this.caller.rootId;
  }

  openSeat(subscription: Subscription): TopicSeat | undefined {
    return this.desk.topics?.open(subscription);
  }

  /** Messages are numbered: what comes while the account store is asked must not be missing if the session lives. */
  hear(text: string): void {
    if (!this.isSuspect) {
      this.say(text);
      if (this.peer.unsent > this.desk.rules.sendBufferBytes) this.cut('buffer_full');
    } else if (this.withheld.push(text) > mostWithheld) this.cut('buffer_full');
  }

  drained(): Promise<void> | undefined {
    if (!this.isOpen || this.peer.unsent <= highWaterBytes) return undefined;
    return new Promise((resolve) => {
      this.peer.onDrain(resolve);
    });
  }

  lost(): void {
    this.refuse(undefined, new Failure('SERVICE_UNAVAILABLE', 'Topics are not available at the moment.'));
    this.end(4503, 'SERVICE_UNAVAILABLE');
  }

  delivered(sinceMs: number): void {
    this.desk.meters?.liveDelivered((performance.now() - sinceMs) / 1000);
  }

  // ---- sending

  /** `isFinal` undefined: an error of the connection. */
  private refuse(id: string | undefined, error: unknown, isFinal?: boolean): void {
    this.say(liveErrorText(this.desk.app(), id, error, isFinal));
  }

  /** Frames of one turn leave together. */
  private say(text: string): void {
    if (!this.isOpen) return;
    if (!this.isCorked) {
      this.isCorked = true;
      this.peer.cork();
      queueMicrotask(() => {
        this.isCorked = false;
        this.peer.uncork();
        this.watch();
      });
    }
    this.peer.send(textFrame(text));
  }

  /** A reader that takes nothing at all for so long is cut. */
  private watch(): void {
    const { peer, desk } = this;
    if (!this.isOpen || this.sending !== undefined || peer.unsent === 0) return;
    const { sent } = peer;
    this.sending = desk.sends.open(() => {
      this.sending = undefined;
      if (!this.isOpen) return;
      if (peer.sent > sent || peer.unsent === 0) this.watch();
      else {
        this.cut('timeout');
      }
    });
  }

  private cut(reason: 'timeout' | 'buffer_full'): void {
    this.desk.meters?.sendFailed('/live', reason);
    this.end(4408, 'send_timeout');
  }

  // ---- life

  private openHeartbeat(): void {
    const { desk } = this;
    this.heartbeat = desk.heartbeats.open(() => {
      this.peer.ping();
      this.say(`{"type":"ping","ts":${this.seconds()}}`);
      if (!this.isOpen) return;
      this.openHeartbeat();
      this.look();
    });
  }

  private seconds(): number {
    return Math.floor(this.desk.clock.now() / 1000);
  }

  end(code: CloseCode, reason: string): void {
    if (!this.isOpen) return;
    this.leave();
    this.peer.close(code, reason);
  }

  private leave(): void {
    this.isOpen = false;
    for (const deadline of [this.heartbeat, this.silence, this.sending]) deadline?.close();
    clearTimeout(this.expiry);
    this.held.clear();
    const subscriptions = [...this.open.values()];
    this.open.clear();
    for (const open of subscriptions) this.over(open);
    this.withheld = [];
    this.desk.left(this);
  }
}

/** Waits for those that wait. */
function all(steps: readonly MaybePromise<void>[]): MaybePromise<void> {
  return steps.some((step) => step instanceof Promise) ? Promise.all(steps).then(() => {}) : undefined;
}

const longestTimerMs = 2_147_483_647;
/** Messages that are kept while the account store is asked. */
const mostWithheld = 1000;

function noSeat(): Failure {
  return new Failure('CAPACITY', 'There are too many connections.');
}
