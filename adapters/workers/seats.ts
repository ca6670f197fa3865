/** Sockets of all workers, counted in the primary process (docs/server/commands.md#workers, docs/server/sockets.md#caps). */
import { type Caps, createSeats, type Seats } from '../../handlers/socket/seats.ts';
import type { Channel } from './channel.ts';

interface Wanted {
  readonly target: string;
  readonly userId: string | null;
  readonly from?: string | null;
  readonly caps: Caps;
}

/** The primary's part. */
export interface SeatOffice {
  /** Takes a worker in; gives what frees the seats of its connections. */
  join(worker: Channel): () => void;
}

export function createSeatOffice(): SeatOffice {
  const seats = createSeats();
  return {
    join(worker) {
      const taken = new Map<string, { target: string; userId: string | null; count: number }>();
      const note = (target: string, userId: string | null, by: 1 | -1) => {
        const key = JSON.stringify([target, userId]);
        const held = taken.get(key) ?? { target, userId, count: 0 };
        held.count += by;
        if (held.count === 0) taken.delete(key);
        else taken.set(key, held);
      };
      worker.on('take-seat', ({ target, userId, caps }: Wanted) => {
        if (!seats.take(target, userId, caps)) return false;
        note(target, userId, 1);
        return true;
      });
      worker.on('change-seat', ({ target, from = null, userId, caps }: Wanted) => {
        if (!seats.signIn(target, from, userId!, caps)) return false;
        note(target, from, -1);
        note(target, userId, 1);
        return true;
      });
      worker.on('give-seat', ({ target, userId }: Wanted) => {
        seats.give(target, userId);
        note(target, userId, -1);
      });
      return () => {
        for (const { target, userId, count } of taken.values()) {
          for (let i = 0; i < count; i++) seats.give(target, userId);
        }
        taken.clear();
      };
    },
  };
}

/** A worker's part. */
export function askForSeats(primary: Channel): Seats {
  return {
    take: (target, userId, caps) => primary.ask('take-seat', { target, userId, caps }),
    signIn: (target, from, userId, caps) => primary.ask('change-seat', { target, from, userId, caps }),
    give: (target, userId) => void primary.tell('give-seat', { target, userId }).catch(() => {}),
  };
}
