/** The connections of one target, and what is sent to all of them (server.md 13.7). */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { createSeldom } from '../../base/seldom.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Backplane } from './backplane.ts';
import type { CloseCode } from './close-codes.ts';
import { type Frame, type FrameText, textFrame, withId } from './frames.ts';
import type { Caps, Seats } from './seats.ts';

/** A connection as its room sees it. */
export interface Member {
  /** Gets what is said in the room; `text` is the frame as it leaves. */
  receive(frame: Frame, text: FrameText): void;
  /** Looks again whether its session lives before it receives anything. */
  suspect(): void;
  end(code: CloseCode, reason: string): void;
}

export interface Room {
  readonly key: string;
  /** Shape of the target when the room was opened. */
  readonly shape: string;
  readonly size: number;
  /** Takes in a connection that has a seat. `userId` null: not signed in. */
  enter(connection: Member, userId: string | null): void;
  /** A connection that is signed in wants the seat of a user. False above the user's cap. */
  signIn(connection: Member, userId: string, caps: Caps): MaybePromise<boolean>;
  leave(connection: Member): void;
  /** Keeps the room while nobody is in it; gives what ends that. */
  hold(): () => void;
  /** Resolves when broadcasts of other processes arrive. */
  subscribe(): Promise<void>;
  /** Sends to all members here and elsewhere; resolves when those here have been served. */
  broadcast(frame: Frame, sender: Member, id: string | undefined): Promise<void> | void;
  /** Members of this user look again whether their session lives before they receive anything. */
  suspect(userId: string): void;
  close(code: CloseCode, reason: string): void;
}

export interface RoomParts {
  readonly key: string;
  readonly shape: string;
  readonly backplane: Backplane | undefined;
  readonly seats: Seats;
  readonly log: Log;
  readonly meters: Meters | undefined;
  readonly onEmpty: () => void;
}

/** Sockets written to before other work gets its turn. */
const slice = 512;

interface Delivery {
  readonly frame: Frame;
  readonly sender: Member | undefined;
  readonly id: string | undefined;
  readonly done: () => void;
}

export function createRoom({ key, shape, backplane, seats, log, meters, onEmpty }: RoomParts): Room {
  const members = new Map<Member, string | null>();
  const deliveries: Delivery[] = [];
  const channel = `ws:${key}`;
  const report = createSeldom(60_000, () => performance.now());
  let holds = 0;
  let isPumping = false;
  let subscription: Promise<() => void> | undefined;

  function closeIfEmpty(): void {
    if (members.size > 0 || holds > 0) return;
    onEmpty();
    subscription?.then((end) => end()).catch(() => {});
    subscription = undefined;
  }

  /** Everybody gets a frame before anybody gets the next one, so that all see one order. */
  async function pump(): Promise<void> {
    isPumping = true;
    for (let next = deliveries.shift(); next !== undefined; next = deliveries.shift()) {
      const { frame, sender, id, done } = next;
      let served = 0;
      for (const member of [...members.keys()]) {
        serve(member, frame, member === sender ? withId(frame, id) : frame.full);
        if (++served % slice === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      done();
    }
    isPumping = false;
  }

  /** A fault with one member must not keep the others from what is said. */
  function serve(member: Member, frame: Frame, text: FrameText): void {
    try {
      member.receive(frame, text);
    } catch (error) {
      throwOutside(error);
    }
  }

  function deliver(frame: Frame, sender: Member | undefined, id: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      deliveries.push({ frame, sender, id, done: resolve });
      if (!isPumping) pump().catch(throwOutside);
    });
  }

  function receive(message: string): void {
    const { full, bare } = JSON.parse(message) as { full: string; bare: string[] };
    deliver({ full: textFrame(full), bare: bare.map(textFrame), isError: false }, undefined, undefined).catch(
      throwOutside,
    );
  }

  return {
    key,
    shape,
    get size() {
      return members.size;
    },
    enter(connection, userId) {
      members.set(connection, userId);
    },
    signIn(connection, userId, caps) {
      const from = members.get(connection);
      if (from === undefined) return false;
      return after(seats.signIn(key, from, userId, caps), (isSeated) => {
        if (!isSeated) return false;
        if (members.has(connection)) members.set(connection, userId);
        else seats.give(key, userId);
        return true;
      });
    },
    leave(connection) {
      const userId = members.get(connection);
      if (userId !== undefined) seats.give(key, userId);
      members.delete(connection);
      closeIfEmpty();
    },
    hold() {
      holds++;
      return () => {
        holds--;
        closeIfEmpty();
      };
    },
    async subscribe() {
      if (backplane === undefined) return;
      subscription ??= backplane.subscribe(channel, receive);
      try {
        await subscription;
      } catch (error) {
        subscription = undefined; // the next connection tries again
        throw error;
      }
    },
    broadcast(frame, sender, id) {
      meters?.broadcast(key);
      if (backplane !== undefined) {
        const message = JSON.stringify({ full: frame.full.text, bare: frame.bare.map(({ text }) => text) });
        backplane.publish(channel, message).catch((error: Error) => {
          meters?.sendFailed(key, 'backplane');
          report((times) => {
            const fields = { target: key, times, error: error.message };
            log.error('broadcasts did not reach other processes', fields);
          });
        });
      }
      return deliver(frame, sender, id);
    },
    suspect(userId) {
      for (const [connection, owner] of members) if (owner === userId) connection.suspect();
    },
    close(code, reason) {
      for (const connection of [...members.keys()]) connection.end(code, reason);
    },
  };
}
