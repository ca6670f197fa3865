/** The connections of one target, and what is sent to all of them (server.md 13.7). */
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Backplane } from './backplane.ts';
import type { SocketConnection } from './connection.ts';
import { type Frame, textFrame, withId } from './frames.ts';

export interface Room {
  readonly key: string;
  /** Shape of the target when the room was opened. */
  readonly shape: string;
  readonly size: number;
  /** Counts a connection in, as far as the caps allow. `userId` null: not signed in. */
  enter(connection: SocketConnection, userId: string | null, caps: Caps): boolean;
  /** A connection signed in. False above the cap of its user. */
  signIn(connection: SocketConnection, userId: string, caps: Caps): boolean;
  leave(connection: SocketConnection): void;
  /** Keeps the room while nobody is in it; gives what ends that. */
  hold(): () => void;
  /** Resolves when broadcasts of other processes arrive. */
  subscribe(): Promise<void>;
  /** Sends to all members here and elsewhere; resolves when those here have been served. */
  broadcast(frame: Frame, sender: SocketConnection, id: string | undefined): Promise<void> | void;
  /** Members of this user look again whether their session lives before they receive anything. */
  suspect(userId: string): void;
  close(code: number, reason: string): void;
}

export interface Caps {
  readonly maxConnectionsPerTarget: number;
  readonly maxConnectionsPerUser: number;
  readonly maxAnonymousConnections: number;
}

export interface RoomParts {
  readonly key: string;
  readonly shape: string;
  readonly backplane: Backplane | undefined;
  readonly log: Log;
  readonly meters: Meters | undefined;
  readonly onEmpty: () => void;
}

/** Sockets written to before other work gets its turn. */
const slice = 512;

interface Delivery {
  readonly frame: Frame;
  readonly sender: SocketConnection | undefined;
  readonly id: string | undefined;
  readonly done: () => void;
}

export function createRoom({ key, shape, backplane, log, meters, onEmpty }: RoomParts): Room {
  const members = new Map<SocketConnection, string | null>();
  const perUser = new Map<string, number>();
  const deliveries: Delivery[] = [];
  const channel = `ws:${key}`;
  let anonymous = 0;
  let holds = 0;
  let isPumping = false;
  let subscription: Promise<() => void> | undefined;

  function count(userId: string | null, by: 1 | -1): void {
    if (userId === null) anonymous += by;
    else if ((perUser.get(userId) ?? 0) + by === 0) perUser.delete(userId);
    else perUser.set(userId, (perUser.get(userId) ?? 0) + by);
  }

  function closeIfEmpty(): void {
    if (members.size > 0 || holds > 0) return;
    onEmpty();
    void subscription?.then((end) => end()).catch(() => {});
    subscription = undefined;
  }

  /** Everybody gets a frame before anybody gets the next one, so that all see one order. */
  async function pump(): Promise<void> {
    isPumping = true;
    for (let next = deliveries.shift(); next !== undefined; next = deliveries.shift()) {
      const { frame, sender, id, done } = next;
      let served = 0;
      for (const member of [...members.keys()]) {
        if (member === sender && id !== undefined) member.receive(frame, withId(frame, id));
        else member.receive(frame, frame.full);
        if (++served % slice === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      done();
    }
    isPumping = false;
  }

  function deliver(frame: Frame, sender: SocketConnection | undefined, id: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      deliveries.push({ frame, sender, id, done: resolve });
      if (!isPumping) void pump();
    });
  }

  function receive(message: string): void {
    const { full, bare } = JSON.parse(message) as { full: string; bare: string[] };
    void deliver({ full: textFrame(full), bare: bare.map(textFrame), isError: false }, undefined, undefined);
  }

  return {
    key,
    shape,
    get size() {
      return members.size;
    },
    enter(connection, userId, caps) {
      if (members.size >= caps.maxConnectionsPerTarget) return false;
      if (userId === null && anonymous >= caps.maxAnonymousConnections) return false;
      if (userId !== null && (perUser.get(userId) ?? 0) >= caps.maxConnectionsPerUser) return false;
      members.set(connection, userId);
      count(userId, 1);
      return true;
    },
    signIn(connection, userId, caps) {
      if ((perUser.get(userId) ?? 0) >= caps.maxConnectionsPerUser) return false;
      count(members.get(connection) ?? null, -1);
      members.set(connection, userId);
      count(userId, 1);
      return true;
    },
    leave(connection) {
      const userId = members.get(connection);
      if (userId === undefined) return closeIfEmpty();
      members.delete(connection);
      count(userId, -1);
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
        backplane.publish(channel, message).catch((error) => {
          meters?.sendFailed(key, 'backplane');
          log.error('a broadcast did not reach other processes', { target: key, error });
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
