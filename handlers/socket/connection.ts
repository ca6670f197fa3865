/** One open socket: who is on it, what it may send, and what it gets (docs/server/sockets.md). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Failure } from '../../core/errors.ts';
import type { MessageOutcome } from '../../core/metrics/meters.ts';
import type { Membership } from '../../core/topics/topics.ts';
import type { Credential } from '../auth/credential.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { Deadline } from '../http/run/deadlines.ts';
import type { TopicSeat } from '../topics/board.ts';
import type { Since } from '../topics/read-since.ts';
import type { TopicListener } from '../topics/topic.ts';
import type { Worker } from './batch.ts';
import type { CloseCode } from './close-codes.ts';
import type { HubDesk } from './desk.ts';
import {
  addId,
  type CloseReason,
  errorFrame,
  type Frame,
  type FrameText,
  frameError,
  reasonOf,
  textFrame,
  tokenRefusal,
  tooFast,
  tooLarge,
  tooMany,
  withId,
} from './frames.ts';
import type { Admission } from './handshake.ts';
import { type Message, readMessage } from './message.ts';
import { MessageCall, type TopicHolder } from './message-call.ts';
import { obey, type Speaker } from './obey.ts';
import type { Connection, SocketPeer } from './peer.ts';
import type { Member, Room } from './room.ts';
import { createSendRate, type SendRate } from './send-rate.ts';

const dropped = Symbol('dropped');
/** A run that streams waits when this much has not left the process. */
const highWaterBytes = 65_536;

const noTopics = errorFrame({ code: 'SERVICE_UNAVAILABLE', message: 'Topics are not available at the moment.' });

export class SocketConnection implements Connection, Member, Speaker<Caller>, Worker, TopicHolder, TopicListener {
  private readonly desk: HubDesk;
  private readonly room: Room;
  private readonly admission: Admission;
  private readonly handshake: Call;
  private readonly peer: SocketPeer;
  private readonly rate: SendRate;
  /** Undefined until signed in, where that is needed. */
  private caller: Caller | undefined;
  private credential: Credential | undefined;
  private isOpen = true;
  private isCounted = false;
  /** Outcome of the message that runs; undefined until it is known. */
  private outcome: MessageOutcome | undefined = undefined;
  private isSuspect = false;
  private isRunning = false;
  /** Messages in order of arrival; of those above the rate, only that there was one. */
  private readonly waiting: (Uint8Array | typeof dropped)[] = [];
  /** Frames that leave when the messages of this turn have run. */
  private held: FrameText[] | undefined = undefined;
  /** Topics it hears; undefined before a run subscribes. */
  private seat: TopicSeat | undefined = undefined;
  /** Frames of topics that came while the account store is asked whether its session lives. */
  private withheld: Frame[] | undefined = undefined;
  private withheldBytes = 0;
  private expiry: NodeJS.Timeout | undefined = undefined;
  private gone: (() => void)[] | undefined = undefined;
  private heartbeat: Deadline | undefined = undefined;
  private silence: Deadline | undefined = undefined;
  private login: Deadline | undefined = undefined;
  private sending: Deadline | undefined = undefined;

  constructor(desk: HubDesk, room: Room, admission: Admission, handshake: Call, peer: SocketPeer) {
    this.desk = desk;
    this.room = room;
    this.admission = admission;
    this.handshake = handshake;
    this.peer = peer;
    this.caller = admission.caller;
    this.credential = admission.credential;
    this.rate = createSendRate(desk.rules.maxMessagesPerSecond);
  }

  /** Enters the room, where it has a seat. */
  begin(): void {
    const { desk, room } = this;
    room.enter(this, this.caller?.userId ?? null);
    desk.meters?.socketOpened(room.key);
    this.isCounted = true;
    this.silence = desk.silences.open(() => this.end(4408, 'idle'));
    this.openHeartbeat();
    if (this.caller === undefined) this.login = desk.logins.open(() => this.refuseToken('missing'));
  }

  /** Tells why there is no place for this connection and closes it. */
  turnAway(frame: Frame, close: CloseCode): void {
    this.refuse(frame, close);
  }

  // ---- what the host tells

  alive(): void {
    this.silence?.touch();
  }

  message(bytes: Uint8Array, isBinary: boolean): void {
    this.alive();
    if (!this.isOpen) return;
    const { clock, rules } = this.desk;
    if (isBinary) {
      this.count('invalid');
      this.end(1003, 'binary frames are not supported');
    } else if (bytes.length > rules.maxMessageBytes) {
      this.count('invalid');
      this.refuse(tooLarge(rules.maxMessageBytes), 4413);
    } else {
      const isTaken = this.rate.take(clock.now()) && this.waiting.length < rules.queueSize;
      if (!isTaken && this.rate.drop(clock.now())) {
        this.tellDropped();
        this.end(4429, 'too many messages');
      } else if (this.waiting.length > 2 * rules.queueSize) this.tellDropped();
      else this.enqueue(isTaken ? bytes : dropped);
    }
  }

  closed(): void {
    if (!this.isOpen) return;
    this.leave();
  }

  // ---- what the room asks

  /** A broadcast. `text` is its content in the full form. */
  receive(frame: Frame, text: FrameText): void {
    if (!this.isOpen || this.caller === undefined) return;
    if (this.isSuspect) {
      this.look();
      return;
    }
    // Not held: a frame for many is written to one after the other anyway.
    if (this.held !== undefined || this.admission.form === 'bare') this.put(frame, text);
    else {
      this.peer.send(text);
      this.watch();
    }
  }

  suspect(): void {
    this.isSuspect = true;
    if (this.seat !== undefined && this.seat.size > 0) this.look(); // its membership ends now, not when it is used
  }

  // ---- what its topics ask

  get rootId(): string {
    return this.caller!.rootId;
  }

  hear(frame: Frame): void {
    if (!this.isOpen) return;
    if (this.isSuspect || this.isPastExpiry()) this.withhold(frame);
    else this.put(frame, frame.full);
  }

  drained(): Promise<void> | undefined {
    this.flush();
    return this.isOpen && this.peer.unsent > highWaterBytes ? this.whenDrained() : undefined;
  }

  lost(): void {
    if (this.isOpen) this.refuse(noTopics, 4503);
  }

  membership(): Membership | undefined {
    const { topics } = this.desk;
    if (this.seat === undefined && topics !== undefined) {
      this.seat = topics.open(this);
      this.watchExpiry();
    }
    return this.seat;
  }

  private isPastExpiry(): boolean {
    const claims = this.caller?.claims;
    return claims !== undefined && this.desk.clock.now() >= claims.expiresAt * 1000;
  }

  /** Messages are numbered: what is said while the account store is asked must not be missing if the session lives. */
  private withhold(frame: Frame): void {
    const isFirst = this.withheld === undefined;
    this.withheld ??= [];
    this.withheld.push(frame);
    this.withheldBytes += frame.full.text.length;
    if (this.withheldBytes > this.desk.rules.sendBufferBytes) this.cut('buffer_full');
    else if (isFirst) this.look();
  }

  private release(): void {
    const { withheld } = this;
    this.withheld = undefined;
    this.withheldBytes = 0;
    for (const frame of withheld ?? []) if (this.isOpen) this.put(frame, frame.full);
  }

  /** A membership ends with the token, leeway included, not at the next heartbeat. */
  private watchExpiry(): void {
    const expiresAt = this.caller?.claims?.expiresAt;
    if (expiresAt === undefined) return;
    const now = this.desk.clock.now();
    const inMs = expiresAt * 1000 - now;
    this.expiry = setTimeout(
      () => {
        if (this.isPastExpiry()) this.look();
        if (this.isOpen) this.watchExpiry();
      },
      Math.min(inMs > 0 ? inMs : 1000, 2 ** 31 - 1),
    );
    this.expiry.unref();
  }

  /** Closes the connection; what waits is discarded and what runs is aborted, unless it is already committing. */
  end(code: CloseCode, reason: string): void {
    this.flush(); // which may end it by itself
    if (!this.isOpen) return;
    this.leave();
    this.peer.close(code, reason);
  }

  // ---- messages, one after another

  private enqueue(entry: Uint8Array | typeof dropped): void {
    this.waiting.push(entry);
    if (this.isRunning) return;
    this.isRunning = true;
    this.desk.batch.schedule(this);
  }

  /** Handles what waits; called at the end of a turn of the event loop. */
  work(): void {
    try {
      for (let entry = this.waiting.shift(); entry !== undefined; entry = this.waiting.shift()) {
        const handled = entry === dropped ? this.tellDropped() : this.handle(entry);
        if (handled instanceof Promise) {
          handled.then(() => this.work()).catch(throwOutside);
          return;
        }
      }
    } catch (error) {
      this.broke(error);
    }
    this.isRunning = false;
  }

  private handle(bytes: Uint8Array): MaybePromise<void> {
    let message: Message;
    try {
      message = readMessage(bytes, this.admission.target, this.desk.maxJsonDepth);
    } catch (error) {
      this.count('invalid');
      return this.answer(errorFrame(frameError(error as Failure)), undefined);
    }
    try {
      this.outcome = undefined;
      const handled = obey(this, message);
      if (handled instanceof Promise) {
        return handled.then(
          () => this.countHandled(),
          (error) => this.broke(error),
        );
      }
      this.countHandled();
    } catch (error) {
      this.broke(error);
    }
  }

  private broke(error: unknown): void {
    this.count('error');
    this.desk.log.error('a socket failed', { target: this.admission.target.key, error });
    this.end(1011, 'internal error');
  }

  private countHandled(): void {
    this.count(this.outcome ?? (this.isOpen ? 'ok' : 'error'));
  }

  private count(outcome: MessageOutcome): void {
    this.desk.meters?.socketMessage(this.room.key, outcome);
  }

  // ---- what a message does (obey.ts)

  get userId(): string | null | undefined {
    return this.caller?.userId;
  }

  now(): number {
    return this.desk.clock.now();
  }

  identify(token: string): MaybePromise<Caller | TokenRefusal> {
    return this.desk.app().auth.identifyToken(token);
  }

  signIn(caller: Caller, token: string): MaybePromise<boolean> {
    if (!this.isOpen) return false;
    return after(this.userId == null ? this.takeSeat(caller) : true, (isSeated) => {
      if (!isSeated) return false;
      this.login?.close();
      this.caller = caller;
      this.credential = { token };
      this.isSuspect = false;
      this.release();
      if (this.seat !== undefined && this.expiry === undefined) this.watchExpiry();
      return true;
    });
  }

  /** The seat of a user, for one of those who are not signed in. False when the connection is closed. */
  private takeSeat({ userId }: Caller): MaybePromise<boolean> {
    return after(this.room.signIn(this, userId!, this.desk.rules), (isSeated) => {
      if (!isSeated) this.refuse(tooMany, 4403);
      return isSeated && this.isOpen;
    });
  }

  run(message: Message): MaybePromise<void> {
    return after(this.recheck(), (isLive) => (isLive ? this.runChecked(message) : undefined));
  }

  private runChecked({ fields, noted, id, since }: Message): MaybePromise<void> {
    const { room } = this;
    const app = this.desk.app();
    const target = app.target(room.key);
    if (target === undefined) return this.end(1012, 'the endpoint changed');
    const call = new MessageCall(this.handshake, (listener) => this.onGone(listener), this);
    if (since !== undefined || this.seat !== undefined) this.resumeFrom(since);
    const { broadcast } = target.served.rest;
    return app.run({ target, caller: this.caller!, fields, noted, call }, (frame) => {
      if (frame.isError) this.outcome = frame.errorCode === 'VALIDATION_ERROR' ? 'invalid' : 'error';
      if (broadcast && !frame.isError) return room.broadcast(frame, this, id);
      this.answer(frame, id);
      return this.peer.unsent > highWaterBytes ? this.whenDrained() : undefined;
    });
  }

  /** Sets the numbers after which the topics that this message's run joins are heard. */
  private resumeFrom(since: Since | undefined): void {
    this.membership();
    if (this.seat !== undefined) this.seat.since = since;
  }

  /** Checks whether the session still lives; else the connection is closed. */
  private recheck(): MaybePromise<boolean> {
    if (this.credential === undefined) return this.isOpen;
    return after(this.desk.app().again(this.credential), (found) => {
      if (!this.isOpen) return false;
      if (typeof found === 'string') {
        this.refuseToken(reasonOf(found));
        return false;
      }
      this.isSuspect = false;
      this.caller = found;
      this.release();
      return true;
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

  // ---- sending

  private answer(frame: Frame, id: string | undefined): void {
    if (!this.isOpen) return;
    this.put(frame, withId(frame, id));
  }

  private put(frame: Frame, full: FrameText): void {
    if (this.admission.form === 'full' || frame.isError) this.push(full);
    else for (const text of frame.bare) this.push(text);
  }

  say(text: string, id: string | undefined): void {
    if (this.isOpen) this.push(textFrame(addId(text, id)));
  }

  private push(frame: FrameText): void {
    const { batch } = this.desk;
    if (!batch.isHolding) {
      this.peer.send(frame);
      this.watch();
    } else if (this.held === undefined) {
      this.held = [frame];
      batch.hold(this);
    } else this.held.push(frame);
  }

  flush(): void {
    const { held, peer } = this;
    this.held = undefined;
    if (held === undefined || !this.isOpen) return;
    if (held.length === 1) peer.send(held[0]!);
    else {
      peer.cork();
      for (const frame of held) peer.send(frame);
      peer.uncork();
    }
    this.watch();
  }

  /** Looks whether what was sent is leaving. */
  private watch(): void {
    const { peer, desk } = this;
    const { unsent } = peer;
    if (unsent === 0) return;
    if (unsent > desk.rules.sendBufferBytes) this.cut('buffer_full');
    else if (this.sending === undefined) this.watchSending();
  }

  /** A reader that does not take a frame in time is cut, so that what waits for it stays bounded. */
  private watchSending(): void {
    const { peer, desk } = this;
    const due = peer.sent + peer.unsent;
    this.sending = desk.sends.open(() => {
      this.sending = undefined;
      if (!this.isOpen) return;
      if (peer.sent < due) this.cut('timeout');
      else if (peer.unsent > 0) this.watchSending();
    });
  }

  private cut(reason: 'timeout' | 'buffer_full'): void {
    this.desk.meters?.sendFailed(this.room.key, reason);
    this.end(4408, 'send_timeout');
  }

  private whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.peer.onDrain(resolve);
    });
  }

  private tellDropped(): void {
    this.count('rate_limited');
    this.desk.meters?.rateLimited('socket');
    this.answer(tooFast, undefined);
  }

  private refuse(frame: Frame, close: CloseCode): void {
    this.answer(frame, undefined);
    this.end(close, frame.errorCode!);
  }

  refuseToken(reason: CloseReason): void {
    this.answer(tokenRefusal(reason), undefined);
    this.end(4401, reason);
  }

  // ---- life

  private openHeartbeat(): void {
    const { desk } = this;
    this.heartbeat = desk.heartbeats.open(() => {
      this.peer.ping();
      if (this.admission.form === 'full') this.push(desk.pingFrame(this.seconds()));
      if (!this.isOpen) return;
      this.openHeartbeat();
      this.look();
    });
  }

  private seconds(): number {
    return Math.floor(this.desk.clock.now() / 1000);
  }

  private onGone(listener: () => void): () => void {
    if (!this.isOpen) {
      listener();
      return () => {};
    }
    this.gone ??= [];
    this.gone.push(listener);
    return () => {
      this.gone = this.gone?.filter((other) => other !== listener);
    };
  }

  private leave(): void {
    this.isOpen = false;
    this.waiting.length = 0;
    for (const deadline of [this.heartbeat, this.silence, this.login, this.sending]) deadline?.close();
    clearTimeout(this.expiry);
    this.seat?.close();
    this.withheld = undefined;
    this.room.leave(this);
    if (this.isCounted) this.desk.meters?.socketClosed(this.room.key);
    for (const listener of this.gone ?? []) listener();
    this.gone = undefined;
  }
}
