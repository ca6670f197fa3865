/** The open sockets of a process: rooms, caps, broadcast (server.md 13.7, 13.8). Outlives versions of the program. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Call } from '../call.ts';
import { createDeadlines, type Deadlines } from '../http/deadlines.ts';
import type { Backplane } from './backplane.ts';
import { SocketConnection } from './connection.ts';
import { type FrameText, textFrame } from './frames.ts';
import type { Admission } from './handshake.ts';
import { createRoom, type Room } from './room.ts';
import type { SocketApp } from './socket-app.ts';

/** What a host does for one open socket. */
export interface SocketPeer {
  send(frame: FrameText): void;
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

/** What a host tells about one open socket. */
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
  close(code: number, reason: string): void;
  /** Connections by target. */
  counts(): ReadonlyMap<string, number>;
}

/** An accepted handshake. `hasBackplane`: false when other processes cannot be reached for a target that broadcasts. */
export interface Ticket {
  readonly admission: Admission;
  readonly hasBackplane: boolean;
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
}

/** What connections share. */
export interface HubDesk extends HubParts {
  readonly heartbeats: Deadlines;
  readonly silences: Deadlines;
  readonly logins: Deadlines;
  readonly sends: Deadlines;
  /** Has a connection work at the end of this turn of the event loop, together with all others (decisions/0010). */
  schedule(connection: SocketConnection): void;
  /** The application's own heartbeat; one text for all that are due in a second. */
  pingFrame(seconds: number): FrameText;
}

export function createSocketHub(parts: HubParts): SocketHub {
  const { rules, log } = parts;
  const rooms = new Map<string, Room>();
  const desk: HubDesk = {
    ...parts,
    heartbeats: createDeadlines(rules.heartbeatSeconds * 1000),
    silences: createDeadlines(rules.idleSeconds * 1000),
    logins: createDeadlines(rules.authTimeoutSeconds * 1000),
    sends: createDeadlines(rules.sendTimeoutSeconds * 1000),
    schedule: createSchedule(),
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
      log,
      meters: parts.meters,
      onEmpty: () => rooms.delete(key),
    });
    rooms.set(key, room);
    return room;
  }

  async function subscribed(admission: Admission): Promise<Ticket> {
    const room = roomOf(admission);
    const release = room.hold(); // stays while the handshake goes on
    try {
      await room.subscribe();
      return { admission, hasBackplane: true };
    } catch (error) {
      log.error('broadcasts of other processes cannot be subscribed', { target: admission.target.key, error });
      return { admission, hasBackplane: false };
    } finally {
      // The connection is opened by what waits for this promise, which runs before.
      setImmediate(release);
    }
  }

  const ticketFor = (admission: Admission): MaybePromise<Ticket> =>
    admission.target.served.rest.broadcast && parts.backplane !== undefined
      ? subscribed(admission)
      : { admission, hasBackplane: true };

  return {
    maxMessageBytes: rules.maxMessageBytes,

    admit(call) {
      const admission = parts.app().admit(call);
      return admission instanceof Promise ? admission.then(ticketFor) : ticketFor(admission);
    },

    open({ admission, hasBackplane }, call, peer) {
      const connection = new SocketConnection(desk, roomOf(admission), admission, call, peer);
      return connection.begin(hasBackplane) ? connection : undefined;
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

    counts: () => new Map([...rooms].map(([key, { size }]) => [key, size])),
  };
}

function createSchedule(): (connection: SocketConnection) => void {
  let ready: SocketConnection[] = [];
  const workAll = () => {
    const connections = ready;
    ready = [];
    for (const connection of connections) connection.work();
  };
  return (connection) => {
    if (ready.push(connection) === 1) setImmediate(workAll);
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
