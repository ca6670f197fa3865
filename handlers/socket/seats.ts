/** Counts of open sockets, and their bounds (docs/server/sockets.md#caps). */
import type { MaybePromise } from '../../base/maybe-promise.ts';

export interface Caps {
  readonly maxConnectionsPerTarget: number;
  readonly maxConnectionsPerUser: number;
  readonly maxAnonymousConnections: number;
}

/** Counts connections by target and by user: of one process, or of all that share one counter. `userId` null: not signed in. */
export interface Seats {
  /** Counts a connection in. False when a cap is reached. */
  take(target: string, userId: string | null, caps: Caps): MaybePromise<boolean>;
  /** A connection that has a seat signed in. False above the cap of its user; then it keeps its seat. */
  signIn(target: string, from: string | null, userId: string, caps: Caps): MaybePromise<boolean>;
  give(target: string, userId: string | null): void;
}

interface Counts {
  all: number;
  readonly byUser: Map<string | null, number>;
}

/** Seats of this process, which answer at once. */
export interface OwnSeats extends Seats {
  take(...args: Parameters<Seats['take']>): boolean;
  signIn(...args: Parameters<Seats['signIn']>): boolean;
}

export function createSeats(): OwnSeats {
  const targets = new Map<string, Counts>();

  function add({ byUser }: Counts, userId: string | null, by: 1 | -1): void {
    const count = (byUser.get(userId) ?? 0) + by;
    if (count === 0) byUser.delete(userId);
    else byUser.set(userId, count);
  }

  return {
    take(target, userId, caps) {
      const counts = targets.get(target) ?? { all: 0, byUser: new Map() };
      const most = userId === null ? caps.maxAnonymousConnections : caps.maxConnectionsPerUser;
      if (counts.all >= caps.maxConnectionsPerTarget || (counts.byUser.get(userId) ?? 0) >= most) return false;
      targets.set(target, counts);
      counts.all++;
      add(counts, userId, 1);
      return true;
    },
    signIn(target, from, userId, caps) {
      const counts = targets.get(target);
      if (counts === undefined || (counts.byUser.get(userId) ?? 0) >= caps.maxConnectionsPerUser) return false;
      add(counts, from, -1);
      add(counts, userId, 1);
      return true;
    },
    give(target, userId) {
      const counts = targets.get(target);
      if (counts === undefined) return;
      counts.all--;
      add(counts, userId, -1);
      if (counts.all === 0) targets.delete(target);
    },
  };
}
