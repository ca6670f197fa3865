/**
 * Sockets of all processes, counted in a book that they share (docs/server/sockets.md#caps). Each seat is lent for a time
 * and renewed by the process that holds it, so those of a process that was killed become free by themselves.
 */
import { randomUUID } from 'node:crypto';
import { after } from '../../base/after.ts';
import { type Caps, createSeats, type Seats } from '../../handlers/socket/seats.ts';
import type { Detour } from './detour.ts';

/** Seats as the processes have them in common. `userId` null: not signed in. */
export interface SeatBook {
  /** Enters a seat; false when the target, or the user there, has as many as may be. */
  take(target: string, userId: string | null, seat: string, mostOfTarget: number, mostOfUser: number): Promise<boolean>;
  /** Moves a seat from one user, or from those who are not signed in, to another; false when that one has as many as may be. */
  move(target: string, from: string | null, userId: string, seat: string, mostOfUser: number): Promise<boolean>;
  /** Lends seats anew, and enters those that the book has not. */
  renew(target: string, userId: string | null, seats: readonly string[]): Promise<void>;
  give(target: string, userId: string | null, seat: string): Promise<void>;
}

export interface LentSeats extends Seats {
  close(): void;
}

export interface SeatOptions {
  /** Milliseconds that a seat stays taken when its process is gone. */
  readonly lentMs?: number;
}

export interface LentSeatDeps {
  readonly book: SeatBook;
  /** Gives what this process says while the book cannot be reached. */
  readonly detour: Detour;
  readonly lentMs: number;
  /** Calls each time the book can be reached again. */
  readonly onBack: (listener: () => void) => void;
}

const mostPerRenewal = 500;
const noCaps: Caps = {
  maxConnectionsPerTarget: Number.POSITIVE_INFINITY,
  maxConnectionsPerUser: Number.POSITIVE_INFINITY,
  maxAnonymousConnections: Number.POSITIVE_INFINITY,
};

/** Seats this process holds of one user on one target. */
interface Held {
  readonly target: string;
  readonly userId: string | null;
  readonly seats: string[];
}

export function createLentSeats({ book, detour, lentMs, onBack }: LentSeatDeps): LentSeats {
  const own = createSeats();
  const held = new Map<string, Held>();
  const process = randomUUID();
  let last = 0;
  const keyOf = (target: string, userId: string | null) => JSON.stringify([target, userId]);

  function keep(target: string, userId: string | null, seat: string): void {
    const key = keyOf(target, userId);
    const known = held.get(key);
    if (known === undefined) held.set(key, { target, userId, seats: [seat] });
    else known.seats.push(seat);
  }

  function letGo(target: string, userId: string | null): string | undefined {
    const key = keyOf(target, userId);
    const known = held.get(key);
    const seat = known?.seats.pop();
    if (known?.seats.length === 0) held.delete(key);
    return seat;
  }

  /** Renews what is held; what was taken while the book was away, or forgotten by it, is entered. */
  async function renewAll(): Promise<void> {
    for (const { target, userId, seats } of [...held.values()])
      for (let from = 0; from < seats.length; from += mostPerRenewal)
        await book.renew(target, userId, seats.slice(from, from + mostPerRenewal));
  }
  // A renewal that fails now is done again the next time.
  const renewing = () => void renewAll().catch(() => {});
  const timer = setInterval(renewing, lentMs / 3);
  timer.unref();
  onBack(renewing);

  return {
    take(target, userId, caps) {
      if (!own.take(target, userId, caps)) return false;
      const seat = `${process}:${++last}`;
      const most = userId === null ? caps.maxAnonymousConnections : caps.maxConnectionsPerUser;
      const shared = () => book.take(target, userId, seat, caps.maxConnectionsPerTarget, most);
      return after(
        detour(shared, () => true),
        (isSeated) => {
          if (isSeated) keep(target, userId, seat);
          else own.give(target, userId);
          return isSeated;
        },
      );
    },
    signIn(target, from, userId, caps) {
      if (!own.signIn(target, from, userId, caps)) return false;
      const seat = letGo(target, from) ?? `${process}:${++last}`;
      const shared = () => book.move(target, from, userId, seat, caps.maxConnectionsPerUser);
      return after(
        detour(shared, () => true),
        (isSeated) => {
          keep(target, isSeated ? userId : from, seat);
          if (!isSeated) {
            own.give(target, userId);
            own.take(target, from, noCaps);
          }
          return isSeated;
        },
      );
    },
    give(target, userId) {
      own.give(target, userId);
      const seat = letGo(target, userId);
      // A seat that is not given back now is free when its time is over.
      if (seat !== undefined) book.give(target, userId, seat).catch(() => {});
    },
    close: () => clearInterval(timer),
  };
}
