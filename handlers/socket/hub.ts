/** The open sockets of a process: rooms, caps, broadcast (server.md 13.7, 13.8). Outlives versions of the program. */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Call } from '../call.ts';
import { createDeadlines } from '../http/run/deadlines.ts';
import { createBatch } from './batch.ts';
import type { CloseCode } from './close-codes.ts';
import { SocketConnection } from './connection.ts';
import type { HubDesk, HubParts } from './desk.ts';
import { errorFrame, type FrameText, textFrame, tooMany } from './frames.ts';
import type { Admission } from './handshake.ts';
import type { Connection, SocketPeer } from './peer.ts';
import { createRoom, type Room } from './room.ts';
import { createSeats } from './seats.ts';

export interface SocketHub {
  readonly maxMessageBytes: number;
  /** Judges a handshake. @throws Failure: answered instead of the upgrade */
  admit(call: Call): MaybePromise<Ticket>;
  /** Takes over an upgraded connection. Gives nothing when it was refused by closing it. */
  open(ticket: Ticket, call: Call, peer: SocketPeer): Connection | undefined;
  /** A new version is served: connections whose target changed or vanished are closed. */
  programChanged(): void;
  /** Closes all connections. */
  close(code: CloseCode, reason: string): void;
  /** Connections by target. */
  counts(): ReadonlyMap<string, number>;
}

/**
 * An accepted handshake; to be opened by what waits for it first, without further waiting, else its seat is given away. `hasBackplane`:
 * false when other processes cannot be reached for a target that broadcasts. `seat`: `none` when a cap is reached.
 */
export interface Ticket {
  readonly admission: Admission;
  readonly hasBackplane: boolean;
  seat: 'kept' | 'used' | 'none';
}

const noBroadcasts = errorFrame({
  code: 'SERVICE_UNAVAILABLE',
  message: 'Broadcasts are not available at the moment.',
});

export function createSocketHub(parts: HubParts): SocketHub {
  const { rules, log } = parts;
  const rooms = new Map<string, Room>();
  const seats = parts.seats ?? createSeats();
  const desk: HubDesk = {
    ...parts,
    heartbeats: createDeadlines(rules.heartbeatSeconds * 1000),
    silences: createDeadlines(rules.idleSeconds * 1000),
    logins: createDeadlines(rules.authTimeoutSeconds * 1000),
    sends: createDeadlines(rules.sendTimeoutSeconds * 1000),
    batch: createBatch(),
    pingFrame: createPingFrame(),
  };
  let unfollow = follow();

  /** Connections of ended sessions look again before they receive anything. */
  function follow(): () => void {
    return parts.app().auth.onSessionEnd(({ userId }) => {
      for (const room of rooms.values()) room.suspect(userId);
    });
  }

  function roomOf(admission: Admission): Room {
    const { key, shape } = admission.target;
    const known = rooms.get(key);
    if (known !== undefined) return known;
    const room = createRoom({
      key,
      shape,
      backplane: parts.backplane,
      seats,
      log,
      meters: parts.meters,
      onEmpty: () => rooms.delete(key),
    });
    rooms.set(key, room);
    return room;
  }

  /** Gets everything a connection needs before it is acknowledged: its seat, and the broadcasts of other processes. */
  function ticketFor(admission: Admission): MaybePromise<Ticket> {
    const room = roomOf(admission);
    const release = room.hold(); // stays while the handshake goes on
    const userId = admission.caller?.userId ?? null;
    const made = after(isSubscribed(admission, room), (hasBackplane) => {
      if (!hasBackplane) return { admission, hasBackplane, seat: 'none' } satisfies Ticket;
      return after(seats.take(room.key, userId, rules), (isSeated): Ticket => {
        return { admission, hasBackplane, seat: isSeated ? 'kept' : 'none' };
      });
    });
    return after(made, (ticket) => {
      // The connection is opened by what waits for this ticket, which runs before.
      setImmediate(() => {
        if (ticket.seat === 'kept') seats.give(room.key, userId);
        release();
      });
      return ticket;
    });
  }

  function isSubscribed({ target }: Admission, room: Room): MaybePromise<boolean> {
    if (!target.served.rest.broadcast || parts.backplane === undefined) return true;
    return room.subscribe().then(
      () => true,
      (error: Error) => {
        const fields = { target: target.key, error: error.message };
        log.error('broadcasts of other processes cannot be subscribed', fields);
        return false;
      },
    );
  }

  return {
    maxMessageBytes: rules.maxMessageBytes,

    admit(call) {
      const admission = parts.app().admit(call);
      return admission instanceof Promise ? admission.then(ticketFor) : ticketFor(admission);
    },

    open(ticket, call, peer) {
      const { admission } = ticket;
      const connection = new SocketConnection(desk, roomOf(admission), admission, call, peer);
      if (!ticket.hasBackplane) connection.turnAway(noBroadcasts, 4503);
      else if (ticket.seat === 'none') connection.turnAway(tooMany, 4403);
      else {
        ticket.seat = 'used';
        connection.begin();
        return connection;
      }
      return undefined;
    },

    programChanged() {
      unfollow();
      unfollow = follow();
      for (const room of rooms.values()) {
        if (parts.app().target(room.key)?.shape !== room.shape) room.close(1012, 'the endpoint changed');
      }
    },

    close(code, reason) {
      for (const room of [...rooms.values()]) room.close(code, reason);
    },

    counts: () =>
      new Map([...rooms].flatMap(([key, { size }]): [string, number][] => (size === 0 ? [] : [[key, size]]))),
  };
}

function createPingFrame(): (seconds: number) => FrameText {
  let known = -1;
  let frame = textFrame('');
  return (seconds) => {
    if (seconds !== known) {
      known = seconds;
      frame = textFrame(`{"type":"ping","ts":${seconds}}`);
    }
    return frame;
  };
}
