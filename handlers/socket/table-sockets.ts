/**
 * Sockets of hosts whose processes hold no connections: each event finds its connection in a table, runs, and posts frames through the
 * gateway that holds it (docs/server/cloud.md#sockets).
 */
import type { AccountStore } from '../../core/accounts/account-store.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { MessageOutcome, Meters } from '../../core/metrics/meters.ts';
import type { Credential } from '../auth/credential.ts';
import type { TokenCaller } from '../auth/identify.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { LiveTable } from '../table/live-table.ts';
import { type Broadcast, createBroadcast, each } from './broadcast.ts';
import type { ConnectionRecord, ConnectionStore, SignIn } from './connection-store.ts';
import {
  addId,
  errorFrame,
  type Frame,
  frameError,
  framesFor,
  tokenRefusal,
  tooFast,
  tooLarge,
  tooMany,
} from './frames.ts';
import { type Message, readMessage } from './message.ts';
import { MessageCall } from './message-call.ts';
import { obey, type Speaker } from './obey.ts';
import type { PostToConnection } from './post-to-connection.ts';
import { freshRate, maxDropsPerMinute, takeToken } from './send-rate.ts';
import { createSequence } from './sequence.ts';
import type { SocketApp } from './socket-app.ts';
import type { SocketTarget } from './socket-target.ts';
import { sweepConnections } from './sweep-connections.ts';
import { createTableDesk, keyMark, signInOf, type TableAuth } from './table-desk.ts';

export interface TableSocketParts {
  /** The version that is served now. */
  readonly app: () => SocketApp;
  readonly auth: TableAuth;
  readonly connections: ConnectionStore;
  /** Count drops. */
  readonly counters: Pick<AccountStore, 'addToCounter'>;
  readonly gateway: PostToConnection;
  readonly rules: Config['scale']['websocket'];
  readonly maxJsonDepth: number;
  /** Largest frame the gateway takes. */
  readonly maxFrameBytes: number;
  readonly log: Log;
  readonly meters?: Meters | undefined;
  readonly clock: { now(): number };
  readonly nextId: () => string;
  /** Live subscriptions and topics; absent: there are none. */
  readonly live?: LiveTable | undefined;
}

export interface TableSockets {
  /** Judges a handshake and notes the connection; gives the selected subprotocol. @throws Failure: answered instead of the upgrade */
  connect(cid: string, call: Call): Promise<string | undefined>;
  /** Runs one message; resolves when its frames have been posted. @param receivedAt Unix milliseconds, by the gateway's clock */
  message(cid: string, bytes: Uint8Array, receivedAt: number, call: Call): Promise<void>;
  /** Ends a connection that sent what is not text. */
  refuseBinary(cid: string): Promise<void>;
  disconnect(cid: string): Promise<void>;
  /** Removes what ended without notice, and ends connections that still owe a login. */
  sweep(): Promise<void>;
}

const nobody = { userId: null, sv: null, exp: null, jti: null };
const liveCaps = { maxConnectionsPerUser: 50, maxAnonymousConnections: 1000 };
/** A connection while one of its events is handled. */
interface Conversation {
  /** Record of the connection; another one when somebody signed in. */
  row: ConnectionRecord;
  readonly target: SocketTarget;
  readonly form: 'full' | 'bare';
  readonly call: Call;
  outcome: MessageOutcome;
}

export function createTableSockets(parts: TableSocketParts): TableSockets {
  const { app, auth, connections, counters, gateway, rules, log, clock, meters, live } = parts;
  const { callerOf, isLive, post, end } = createTableDesk(parts);
  const broadcast: Broadcast = createBroadcast({ connections, gateway, clock, log, isLive });
  const sequence = createSequence({ connections, clock, nextId: parts.nextId, queueSize: rules.queueSize });
  /** Functions to call when a connection ends whose message this process runs, by id of the connection. */
  const running = new Map<string, Set<() => void>>();

  return {
    async connect(cid, call) {
      const { key, caller, credential, subprotocol } = await admit(call);
      await requireRoom(key, caller?.userId ?? null);
      const who = credential === undefined ? undefined : await signInBy(credential, caller!);
      const now = clock.now();
      await connections.add({
        cid,
        target: key,
        ...(who ?? nobody),
        connectedAt: now,
        lastSeen: now,
        authenticated: caller !== undefined,
        subprotocol: subprotocol ?? null,
        rate: freshRate(rules.maxMessagesPerSecond),
      });
      return subprotocol;
    },

    async message(cid, bytes, receivedAt, call) {
      const use = ({ rate }: ConnectionRecord) => {
        // Judged before it counts.
        if (bytes.length > rules.maxMessageBytes) return { rate, lastSeen: receivedAt };
        const left = takeToken(rate, rules.maxMessagesPerSecond, receivedAt);
        return left && { rate: left, lastSeen: receivedAt };
      };
      const outcome = await sequence.run(cid, use, (row) => handle(row, bytes, call));
      if (outcome === 'dropped') await drop(cid);
      if (outcome === 'gone') await gateway.cut(cid);
    },

    refuseBinary: (cid) => end(cid),

    async disconnect(cid) {
      for (const listener of running.get(cid) ?? []) listener();
      await connections.remove(cid);
      await live?.forget(cid);
    },

    sweep: () => sweepConnections({ ...parts, authTimeoutSeconds: rules.authTimeoutSeconds }),
  };

  async function admit(call: Call) {
    if (call.path !== '/live' || live === undefined) {
      const { target, ...admission } = await app().admit(call);
      return { ...admission, key: target.key };
    }
    return { ...(await live.admit(call)), key: '/live' };
  }

  async function signInBy(credential: Credential, { userId }: Caller): Promise<SignIn | undefined> {
    if ('keyId' in credential) return { userId: userId!, sv: 0, exp: 0, jti: keyMark + credential.keyId };
    const found = await auth.identifyToken(credential.token);
    return typeof found === 'string' ? undefined : signInOf(found);
  }

  /** Caps (docs/server/sockets.md#caps), counted in the table. */
  async function requireRoom(target: string, userId: string | null): Promise<void> {
    let [all, anonymous, own] = [0, 0, 0];
    for await (const row of each(connections.ofTarget(target))) {
      all++;
      if (row.userId === null) anonymous++;
      else if (row.userId === userId) own++;
    }
    const caps = target === '/live' ? liveCaps : rules;
    const isFull =
      all >= rules.maxConnectionsPerTarget ||
      (userId === null ? anonymous >= caps.maxAnonymousConnections : own >= caps.maxConnectionsPerUser);
    // Before the upgrade nothing can be posted, so there is no frame that says so.
    if (isFull) throw new Failure('CAPACITY', 'There are too many connections.', { status: 503 });
  }

  async function handle(row: ConnectionRecord, bytes: Uint8Array, call: Call): Promise<void> {
    const { cid } = row;
    const isLiveTarget = row.target === '/live' && live !== undefined;
    const target = app().target(row.target);
    if (target === undefined && !isLiveTarget) return await end(cid);
    if (bytes.length > rules.maxMessageBytes) {
      meters?.socketMessage(row.target, 'invalid');
      return await end(cid, tooLarge(rules.maxMessageBytes));
    }
    if (target === undefined) return await live!.handle(row, bytes);
    const form = row.subprotocol === 'svc.reports.v1' ? 'bare' : 'full';
    await converse({ row, target, form, call, outcome: 'ok' }, bytes);
  }

  async function converse(talk: Conversation, bytes: Uint8Array): Promise<void> {
    const { row, target } = talk;
    let message: Message;
    try {
      message = readMessage(bytes, target, parts.maxJsonDepth);
    } catch (error) {
      meters?.socketMessage(row.target, 'invalid');
      return await send(talk, errorFrame(frameError(error as Failure)), undefined);
    }
    if (!row.authenticated && clock.now() > row.connectedAt + rules.authTimeoutSeconds * 1000) {
      return await end(row.cid, tokenRefusal('missing'));
    }
    await obey(speakerOf(talk), message);
    meters?.socketMessage(row.target, talk.outcome);
  }

  function speakerOf(talk: Conversation): Speaker<TokenCaller> {
    const { cid } = talk.row;
    return {
      get userId() {
        return talk.row.authenticated ? talk.row.userId : undefined;
      },
      identify: auth.identifyToken,
      signIn: (caller) => signIn(talk, caller),
      refuseToken: (reason) => end(cid, tokenRefusal(reason)),
      say: async (text, id) => void (await post(cid, addId(text, id))),
      run: (message) => run(talk, message),
      now: clock.now,
    };
  }

  async function signIn(talk: Conversation, caller: TokenCaller): Promise<boolean> {
    const { cid, userId, target } = talk.row;
    if (userId === null && (await ownConnections(target, caller.userId)) >= rules.maxConnectionsPerUser) {
      await end(cid, tooMany);
      return false;
    }
    const who = signInOf(caller);
    await connections.signIn(cid, who);
    talk.row = { ...talk.row, ...who, authenticated: true };
    return true;
  }

  async function ownConnections(target: string, userId: string): Promise<number> {
    let own = 0;
    for await (const row of each(connections.ofTarget(target))) if (row.userId === userId) own++;
    return own;
  }

  async function run(talk: Conversation, { fields, noted, id, since }: Message): Promise<void> {
    const { row, target, call } = talk;
    const caller = await callerOf(row);
    if (typeof caller === 'string') return await end(row.cid, tokenRefusal(caller));
    const membership = await live?.membership(row, caller, since);
    const messageCall = new MessageCall(call, (listener) => onGone(row.cid, call, listener), {
      membership: () => membership,
    });
    await app().run({ target, caller, fields, noted, call: messageCall }, async (frame) => {
      if (frame.isError) talk.outcome = frame.errorCode === 'VALIDATION_ERROR' ? 'invalid' : 'error';
      const fits = Buffer.byteLength(frame.full.text) + (id?.length ?? 0) + 6 <= parts.maxFrameBytes;
      if (!fits) return await send(talk, answerTooLarge(parts.maxFrameBytes), id);
      if (target.served.rest.broadcast && !frame.isError) {
        meters?.broadcast(row.target);
        await broadcast(row.target, frame, { cid: row.cid, id });
      } else await send(talk, frame, id);
    });
  }

  function onGone(cid: string, call: Call, listener: () => void): () => void {
    const listeners = running.get(cid) ?? new Set();
    running.set(cid, listeners.add(listener));
    const forget = call.onGone(listener);
    return () => {
      forget();
      listeners.delete(listener);
      if (listeners.size === 0) running.delete(cid);
    };
  }

  async function send({ row: { cid }, form }: Conversation, frame: Frame, id: string | undefined): Promise<void> {
    for (const text of framesFor(frame, form, id)) await post(cid, text);
  }

  async function drop(cid: string): Promise<void> {
    meters?.rateLimited('socket');
    const { count } = await counters.addToCounter(`ws-drops:${cid}`, 1, 60);
    if (count >= maxDropsPerMinute) await end(cid, tooFast);
    else await post(cid, tooFast.full.text);
  }
}

function answerTooLarge(limit: number): Frame {
  return errorFrame({ code: 'EXECUTION_ERROR', message: `The answer is larger than ${limit} bytes.` });
}
