/** The open sockets of a process: rooms, caps, broadcast (server.md 13.7, 13.8). Outlives versions of the program. */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Call } from '../call.ts';
import { createDeadlines, type Deadlines } from '../http/run/deadlines.ts';
import type { Backplane } from './backplane.ts';
import { type Batch, createBatch } from './batch.ts';
import type { CloseCode } from './close-codes.ts';
import { SocketConnection } from './connection.ts';
import { errorFrame, type FrameText, textFrame, tooMany } from './frames.ts';
import type { Admission } from './handshake.ts';
import { createRoom, type Room } from './room.ts';
import { createSeats, type Seats } from './seats.ts';
import type { SocketApp } from './socket-app.ts';

/** Operations of a host on one open socket: a port. */
export interface SocketPeer {
  send(frame: FrameText): void;
  /** Holds frames back: those sent until `uncork` leave in one piece. */
  cork(): void;
  uncork(): void;
  /** A ping of the protocol. */
  ping(): void;
  /** Starts the closing handshake. */
  close(code: number, reason: string): void;
  /** Bytes accepted by `send` that have not left the process. */
  readonly unsent: number;
  /** Bytes that have left the process. */
  readonly sent: number;
  /** Calls `listener` once when everything has left the process, or the socket is closed. */
  onDrain(listener: () => void): void;
}

/** Events of one open socket, called by its host. */
export interface Connection {
  message(bytes: Uint8Array, isBinary: boolean): void;
  /** Anything was received. */
  alive(): void;
  closed(): void;
}

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

export type SocketRules = Config['scale']['websocket'];

export interface HubParts {
  /** The version that is served now. */
  readonly app: () => SocketApp;
  readonly rules: SocketRules;
  readonly maxJsonDepth: number;
  readonly log: Log;
  readonly meters?: Meters | undefined;
  readonly clock: { now(): number };
  /** Reaches the other processes of the application; undefined when there are none. */
  readonly backplane?: Backplane;
  /** Counts the connections of all processes; absent: of this one. */
  readonly seats?: Seats;
}

/** Parts that all connections of a hub share. */
export interface HubDesk extends HubParts {
  readonly heartbeats: Deadlines;
  readonly silences: Deadlines;
  readonly logins: Deadlines;
  readonly sends: Deadlines;
  readonly batch: Batch;
  /** The application's own heartbeat; one text for all that are due in a second. */
  pingFrame(seconds: number): FrameText;
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
