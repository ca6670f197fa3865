/**
 * Live subscriptions of a process: connections, caps, and the runs that they share (docs/server/live.md). Outlives versions of the
 * program.
 */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import { createCommitFeed } from '../../core/live/commit-feed.ts';
import { nothingRead } from '../../core/live/live-reads.ts';
import { createLiveRuns, type Subscriber } from '../../core/live/live-runs.ts';
import { joinPeers } from '../../core/live/peers.ts';
import { watchStore } from '../../core/live/watch-store.ts';
import type { Log } from '../../core/log/log.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { requireNamed } from '../auth/key-gate.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { createDeadlines } from '../http/run/deadlines.ts';
import type { Backplane } from '../socket/backplane.ts';
import type { CloseCode } from '../socket/close-codes.ts';
import type { Connection, SocketPeer } from '../socket/peer.ts';
import { type Caps, createSeats, type Seats } from '../socket/seats.ts';
import type { TopicBoard } from '../topics/board.ts';
import type { LiveAdmission, LiveApp, LiveTarget } from './live-app.ts';
import { LiveConnection } from './live-connection.ts';
import type { Leaving, LiveDesk } from './live-desk.ts';
import { noTarget, tooManySubscriptions } from './live-errors.ts';
import { type EventStream, openEvents } from './live-events.ts';
import type { Subscribed } from './read-request.ts';
import { commonKey, runKey } from './run-key.ts';

export interface LiveHub {
  /** Judges a handshake. @throws Failure: answered instead of the upgrade */
  admit(call: Call): MaybePromise<LiveTicket>;
  /** Takes over an upgraded connection. Gives nothing when it was refused by closing it. */
  open(ticket: LiveTicket, peer: SocketPeer): Connection | undefined;
  /** Server-sent events of one walker or function. @throws Failure, also when the first run fails */
  events(call: Call, name: string): Promise<AsyncIterable<Uint8Array>>;
  /** Another version is served: everything runs again. */
  programChanged(): void;
  /** Closes all connections. */
  close(code: CloseCode, reason: string): void;
  /** Subscriptions by target. */
  counts(): ReadonlyMap<string, number>;
}

export interface LiveTicket {
  readonly admission: LiveAdmission;
  readonly isSeated: boolean;
}

export interface LiveHubParts {
  /** The version that is served now. */
  readonly app: () => LiveApp;
  readonly config: Config;
  readonly store: GraphStore;
  readonly log: Log;
  readonly meters: Meters | undefined;
  readonly clock: { now(): number };
  /** Reaches the other processes of the application; undefined when there are none. */
  readonly backplane: Backplane | undefined;
  readonly topics: TopicBoard | undefined;
  /** Counts the connections of all processes; absent: of this one. */
  readonly seats: Seats | undefined;
}

/** Name under which connections are counted; a walker cannot have it. */
const seatsKey = '/live';
const seatsOf = (userId: string) => `${seatsKey} ${userId}`;
const noSeat = () => {};

export function createLiveHub(parts: LiveHubParts): LiveHub {
  const { config, store, log, meters } = parts;
  const rules = config.scale.websocket;
  const limits = config.scale.live;
  const caps: Caps = {
    maxConnectionsPerTarget: rules.maxConnectionsPerTarget,
    maxConnectionsPerUser: 50,
    maxAnonymousConnections: 1000,
  };
  const seats = parts.seats ?? createSeats();
  const connections = new Set<Leaving>();
  const streams = new Set<EventStream>();
  const perUser: Caps = {
    maxConnectionsPerTarget: limits.maxPerUser,
    maxConnectionsPerUser: limits.maxPerUser,
    maxAnonymousConnections: 0,
  };
  const isAlone = parts.backplane === undefined;
  const feed = createCommitFeed(store.log, store.isSync && isAlone);
  const runs = createLiveRuns({
    feed,
    minIntervalMs: limits.minIntervalMs,
    onRun: (target) => meters?.liveRan(target),
    onCount: (target, by) => meters?.liveSubscribed(target, by),
  });
  const peers = parts.backplane && joinPeers(parts.backplane, feed, runs);
  // Workers of one host tell each other; other hosts may write to a database of their own network.
  const isCarrying = store.name === 'postgres' || config.scale.database.kvcacheUrl !== '';
  const isTold = store.isSync ? !isAlone : isCarrying;
  const watched = watchStore(store, runs, isTold);
  let unfollow: (() => void) | undefined;

  const desk: LiveDesk = {
    app: parts.app,
    rules,
    limits,
    maxJsonDepth: config.serve.maxJsonDepth,
    leewaySeconds: config.scale.jwt.leewaySeconds,
    log,
    meters,
    clock: parts.clock,
    heartbeats: createDeadlines(rules.heartbeatSeconds * 1000),
    silences: createDeadlines(rules.idleSeconds * 1000),
    sends: createDeadlines(rules.sendTimeoutSeconds * 1000),
    topics: parts.topics,
    join,
    seat,
    changeSeat: (userId) => seats.signIn(seatsKey, null, userId, caps),
    left(connection) {
      connections.delete(connection);
      seats.give(seatsKey, connection.userId);
      meters?.socketClosed(seatsKey);
    },
  };

  /** Connections of ended sessions look again before they are sent anything. */
  function follow(): void {
    unfollow?.();
    unfollow = parts.app().auth.onSessionEnd(({ userId }) => {
      for (const connection of connections) if (connection.userId === userId) connection.suspect();
      for (const stream of streams) if (stream.userId === userId) stream.suspect();
    });
  }

  /** @throws Failure `NOT_FOUND`, `VALIDATION_ERROR`, `UNAUTHORIZED` */
  function join(caller: Caller, wanted: Subscribed, subscriber: Subscriber): () => void {
    const { kind, name, source, nodeId, everyMs } = wanted;
    if (caller.allowed !== undefined) requireNamed(caller.allowed, name);
    targetOf(kind, name).bind(source);
    const keys = { key: runKey(caller, wanted), commonKey: commonKey(caller, wanted) };
    const run = () => {
      const now = parts.app().target(kind, name);
      return now === undefined
        ? Promise.resolve({ failure: noTarget(kind, name), isFinal: true, reads: nothingRead })
        : parts.app().run(now, caller, () => now.bind(source), nodeId);
    };
    const wasIdle = runs.size === 0;
    const leave = runs.join({ ...keys, target: `${kind}:${name}`, run, everyMs }, subscriber);
    if (wasIdle) {
      peers?.listening();
      watched.begin();
    }
    return leave;
  }

  function targetOf(kind: 'walker' | 'function', name: string): LiveTarget {
    const target = parts.app().target(kind, name);
    if (target === undefined) throw noTarget(kind, name);
    return target;
  }

  /** Each user is a target of its own: whoever counts their subscriptions waits for nobody else's. */
  function seat(userId: string | null): MaybePromise<() => void> {
    if (userId === null) return noSeat;
    return after(seats.take(seatsOf(userId), userId, perUser), (isSeated) => {
      if (!isSeated) throw tooManySubscriptions(limits.maxPerUser);
      return () => seats.give(seatsOf(userId), userId);
    });
  }

  return {
    admit(call) {
      if (unfollow === undefined) follow();
      return after(parts.app().admit(call), (admission) =>
        after(seats.take(seatsKey, admission.caller.userId, caps), (isSeated) => ({ admission, isSeated })),
      );
    },
    open({ admission, isSeated }, peer) {
      const connection = new LiveConnection(desk, admission, peer);
      if (!isSeated) {
        connection.turnAway();
        return undefined;
      }
      connections.add(connection);
      meters?.socketOpened(seatsKey);
      connection.begin();
      return connection;
    },
    async events(call, name) {
      if (unfollow === undefined) follow();
      const { caller, credential } = await parts.app().identify(call, name);
      const app = parts.app();
      const target = app.target('walker', name) ?? app.target('function', name);
      if (target === undefined) throw noTarget('walker', name);
      return openEvents({ desk, streams, call, caller, credential, target });
    },
    programChanged() {
      if (unfollow !== undefined) follow();
      runs.runAll();
    },
    close(code, reason) {
      for (const connection of [...connections]) connection.end(code, reason);
      for (const stream of [...streams]) stream.end();
      peers?.close();
      watched.close();
      unfollow?.();
    },
    counts: runs.counts,
  };
}
