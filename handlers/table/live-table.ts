/**
 * `/live` and topics where no process holds connections (docs/server/cloud.md#live): what connections asked for is in a table, commits come as
 * changes of tables, frames go through the gateway.
 */

import { inLanes } from '../../base/in-lanes.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { Membership } from '../../core/topics/topics.ts';
import type { TokenCaller } from '../auth/identify.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import { UnsafeIntegers } from '../http/body/read-json.ts';
import type { LiveAdmission, LiveApp } from '../live/live-app.ts';
import { badToken, idInUse, liveErrorText, noId, tooManySubscriptions } from '../live/live-errors.ts';
import { idText, type LiveRequest, readRequest } from '../live/read-request.ts';
import type { ConnectionRecord, ConnectionStore } from '../socket/connection-store.ts';
import { type CloseReason, reasonOf, textFrame } from '../socket/frames.ts';
import { createTableDesk, signInOf, type TableDeskParts } from '../socket/table-desk.ts';
import type { Since } from '../topics/read-since.ts';
import type { RowTable } from './rows.ts';
import { createTableLive, subscriptionKey } from './table-live.ts';
import { createTableMembers, type TopicMember } from './table-members.ts';
import { createTableTopics, type TopicNews } from './table-topics.ts';

/** Changes of the tables, as a function is told of them. */
export interface TableChanges {
  /** Names of what changed in the graph (read-keys.ts). */
  readonly keys: Iterable<string>;
  readonly news: readonly TopicNews[];
  /** Accounts that changed, and tokens that were revoked. */
  readonly users: Iterable<string>;
  readonly tokens: ReadonlySet<string>;
}

export interface LiveTable {
  /** Judges a handshake of `/live`. @throws Failure: answered instead of the upgrade */
  admit(call: Call): MaybePromise<LiveAdmission>;
  /** Handles a message on `/live`. */
  handle(row: ConnectionRecord, bytes: Uint8Array): Promise<void>;
  /** Topics of another connection, for one of its messages. */
  membership(row: ConnectionRecord, caller: Caller, since: Since | undefined): Promise<Membership>;
  /** Forgets what a connection asked for. */
  forget(cid: string): Promise<void>;
  /** Tells whom changes concern; rejects when they have to be told again. */
  changed(changes: TableChanges): Promise<void>;
  /** Does what is due: runs by time, messages the gateway did not take, sessions that are over. */
  look(): Promise<void>;
}

export interface LiveTableParts extends TableDeskParts {
  readonly table: RowTable;
  /** Undefined: topics alone. */
  readonly live: () => LiveApp | undefined;
  readonly store: GraphStore;
  readonly config: Config;
  readonly maxFrameBytes: number;
  readonly meters: Meters | undefined;
  readonly clock: { now(): number };
  readonly nextId: () => string;
  readonly log: Log;
  readonly connections: ConnectionStore;
}

/** Key of the target of connections of `/live`; a walker cannot have it. */
const liveTargetKey = '/live';
const maxConnectionsPerUser = 50;

export function createLiveTable(parts: LiveTableParts): LiveTable {
  const { table, connections, auth, config, clock } = parts;
  const { live: limits } = config.scale;
  const desk = createTableDesk(parts);
  const members = createTableMembers({
    ...{ table, desk, connections, clock, log: parts.log },
    topics: createTableTopics(table, limits, () => clock.now()),
    maxTopicsPerConnection: limits.maxTopicsPerConnection,
  });
  const app = () => {
    const live = parts.live();
    if (live === undefined) throw new Failure('NOT_FOUND', 'There are no live subscriptions here.');
    return live;
  };
  const live = createTableLive({ ...parts, app, desk, members, limits });

  async function refuse(cid: string, id: string | undefined, error: unknown, isFinal?: boolean): Promise<void> {
    await desk.post(cid, liveErrorText(app(), id, error, isFinal));
  }

  async function refuseToken(cid: string, reason: CloseReason): Promise<void> {
    const full = textFrame(liveErrorText(app(), undefined, badToken(reason)));
    await desk.end(cid, { full, bare: [full], isError: true });
  }

  async function read(cid: string, bytes: Uint8Array): Promise<LiveRequest | undefined> {
    try {
      return readRequest(bytes, config.serve.maxJsonDepth);
    } catch (error) {
      const object = error instanceof UnsafeIntegers ? (error.value as JsonObject | undefined) : undefined;
      await refuse(cid, idText(object?.['id']), error);
      return undefined;
    }
  }

  async function subscribe(row: ConnectionRecord | undefined, all: readonly JsonObject[]): Promise<void> {
    if (row === undefined) return;
    const caller = await desk.callerOf(row);
    if (typeof caller === 'string') return await refuseToken(row.cid, caller);
    const held = await table.query({ pk: `C#${row.cid}`, prefix: 'S#' });
    const open = new Set(held.filter(({ ended }) => ended !== true).map(({ sk }) => sk));
    for (const object of all) {
      const id = idText(object['id']);
      if (id === undefined) await refuse(row.cid, undefined, noId());
      else if (open.has(subscriptionKey(row.cid, id).sk)) await refuse(row.cid, id, idInUse(), false);
      else if (await begin(row, caller, id, object, open.size)) open.add(subscriptionKey(row.cid, id).sk);
    }
  }

  async function begin(row: ConnectionRecord, caller: Caller, id: string, object: JsonObject, count: number) {
    try {
      if (count >= limits.maxPerConnection) throw tooManySubscriptions(limits.maxPerConnection);
      await live.join(row, caller, id, object);
      return true;
    } catch (error) {
      await live.leave(row.cid, id);
      await refuse(row.cid, id, error, true);
      return false;
    }
  }

  /** Undefined: the connection was ended. */
  async function signIn(row: ConnectionRecord, token: unknown): Promise<ConnectionRecord | undefined> {
    const { cid } = row;
    const refusal = async (reason: CloseReason) => void (await refuseToken(cid, reason));
    if (typeof token !== 'string') return await refusal('missing');
    const found = await auth.identifyToken(token);
    if (typeof found === 'string') return await refusal(reasonOf(found));
    if (row.userId !== null && row.userId !== found.userId) return await refusal('identity_mismatch');
    if (row.userId === null && (await isFull(found))) {
      const full = textFrame(
        liveErrorText(app(), undefined, new Failure('CAPACITY', 'There are too many connections.')),
      );
      await desk.end(cid, { full, bare: [full], isError: true });
      return undefined;
    }
    const before = await desk.callerOf(row);
    const who = signInOf(found);
    await connections.signIn(cid, who);
    const signed = { ...row, ...who, authenticated: true };
    // Subscriptions run again as who it is now.
    if (typeof before === 'string' || before.userId !== found.userId || before.role !== found.role)
      await subscribe(signed, await live.leaveAll(cid));
    return signed;
  }

  async function isFull({ userId }: TokenCaller): Promise<boolean> {
    let own = 0;
    for await (const page of connections.ofUser(userId))
      own += page.filter(({ target }) => target === liveTargetKey).length;
    return own >= maxConnectionsPerUser;
  }

  async function forget(cid: string): Promise<void> {
    const held = await table.query({ pk: `C#${cid}` });
    for (const { sk, id, topic } of held)
      if (sk.startsWith('S#')) await live.leave(cid, String(id));
      else await members.leave({ cid, id: String(id ?? '') }, String(topic));
  }

  /** Connections whose session is over are ended. */
  async function judge(
    pages: AsyncIterable<readonly ConnectionRecord[]>,
    concerns: (row: ConnectionRecord) => boolean,
  ) {
    for await (const page of pages)
      await inLanes(10, page.filter(concerns), async (row) => {
        if (!(await desk.isLive(row))) await forget(row.cid);
      });
  }

  return {
    admit: (call) => app().admit(call),
    forget,
    async handle(row, bytes) {
      const request = await read(row.cid, bytes);
      switch (request?.type) {
        case 'ping':
          await desk.post(row.cid, `{"type":"pong","ts":${Math.floor(clock.now() / 1000)}}`);
          return;
        case 'token':
          return void (await signIn(row, request.token));
        case 'unsubscribe':
          if (request.idText !== undefined) await live.leaveInTurn(row.cid, request.idText);
          return;
        case 'subscribe':
          return await subscribe(request.token === undefined ? row : await signIn(row, request.token), request.all);
        default:
      }
    },
    async membership({ cid, subprotocol }, { rootId }, since) {
      const member: TopicMember = { cid, id: '', rootId, form: subprotocol === 'svc.reports.v1' ? 'bare' : 'full' };
      return await members.open(member, since);
    },
    async changed({ keys, news, users, tokens }) {
      const ends = [...users].map((user) => judge(connections.ofUser(user), () => true));
      if (tokens.size > 0)
        ends.push(judge(connections.ofTarget(liveTargetKey), ({ jti }) => jti !== null && tokens.has(jti)));
      const all = await Promise.allSettled([live.touch(keys), members.deliver(news), ...ends]);
      for (const one of all) if (one.status === 'rejected') throw one.reason;
    },
    async look() {
      const now = clock.now();
      const isOver = ({ exp }: ConnectionRecord) => exp !== null && exp > 0 && exp * 1000 < now;
      await Promise.all([live.look(), members.look(), judge(connections.ofTarget(liveTargetKey), isOver)]);
    },
  };
}
