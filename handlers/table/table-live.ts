/**
 * Live subscriptions in the table (docs/server/cloud.md#live). Those that ask for the same with the same rights are one group, which is run
 * by one process at a time: what it read is in the table before the run that counts, so that every later commit finds the group.
 */
import { createHash } from 'node:crypto';
import { backOff } from '../../base/back-off.ts';
import { inLanes } from '../../base/in-lanes.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { asReadSet, nothingRead } from '../../core/live/live-reads.ts';
import type { LiveOutcome } from '../../core/live/live-runs.ts';
import { LiveValue } from '../../core/live/live-value.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { requireNamed } from '../auth/key-gate.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import type { LiveApp, LiveTarget } from '../live/live-app.ts';
import { liveErrorText, noTarget } from '../live/live-errors.ts';
import { readWanted } from '../live/read-request.ts';
import { runKey } from '../live/run-key.ts';
import type { Have } from '../live/subscription.ts';
import { type ConnectionRecord, type ConnectionStore, connectionLifeSeconds } from '../socket/connection-store.ts';
import type { TableDesk } from '../socket/table-desk.ts';
import { keysRead } from './read-keys.ts';
import type { Row, RowFields, RowKey, RowTable, RowWrite } from './rows.ts';
import { lookList, type TableMembers } from './table-members.ts';

export interface TableLive {
  /** A new subscription of a connection, which gets its first value before this resolves. */
  join(row: ConnectionRecord, caller: Caller, idText: string, asked: JsonObject): Promise<void>;
  leave(cid: string, idText: string): Promise<unknown>;
  /** Ends all of a connection; gives what was asked for, with what the client has by now. */
  leaveAll(cid: string): Promise<readonly JsonObject[]>;
  /** Runs again what has read something of this; rejects when that has to be tried again. */
  touch(keys: Iterable<string>): Promise<void>;
  /** Runs again what is due by time. */
  look(): Promise<void>;
}

export interface TableLiveParts {
  readonly table: RowTable;
  readonly app: () => LiveApp;
  readonly store: GraphStore;
  readonly connections: Pick<ConnectionStore, 'find'>;
  readonly desk: Pick<TableDesk, 'callerOf' | 'isLive' | 'post'>;
  readonly members: Pick<TableMembers, 'join' | 'leave'>;
  readonly limits: Config['scale']['live'];
  /** Largest text the gateway takes. */
  readonly maxFrameBytes: number;
  readonly meters: Meters | undefined;
  readonly clock: { now(): number };
  readonly nextId: () => string;
}

/** Holds the turn of a group for longer, with these fields; without fields only when a third of the time has passed. */
type Keep = (fields?: RowFields) => Promise<void>;

const mostRounds = 8;
/** Bytes around the value in a frame: id, version, digest. */
const frameRoom = 700;

const groupKey = (group: string): RowKey => ({ pk: `G#${group}`, sk: 'G' });
const readsKey = (group: string): RowKey => ({ pk: `G#${group}`, sk: 'R' });
const valueKey = (group: string): RowKey => ({ pk: `G#${group}`, sk: 'V' });
const memberKey = (group: string, cid: string, idText: string): RowKey => ({
  pk: `G#${group}`,
  sk: `M#${cid} ${idText}`,
});
const readKey = (key: string, group: string): RowKey => ({ pk: `R#${key}`, sk: group });
const dueKey = (group: string): RowKey => ({ pk: lookList, sk: `G#${group}` });
export const subscriptionKey = (cid: string, idText: string): RowKey => ({ pk: `C#${cid}`, sk: `S#${idText}` });

export function createTableLive(parts: TableLiveParts): TableLive {
  const { table, app, store, connections, desk, members, clock, meters } = parts;
  // One run with what it sends; one that died keeps the others waiting for as long.
  const lockMs = (parts.limits.runTimeoutSeconds + 5) * 1000;
  const ttl = (lives = 1) => Math.ceil(clock.now() / 1000) + lives * connectionLifeSeconds;

  async function join(row: ConnectionRecord, caller: Caller, idText: string, asked: JsonObject): Promise<void> {
    const wanted = readWanted(asked);
    const { kind, name, source, nodeId, everyMs, wantsPatch, have, since } = wanted;
    const target = app().target(kind, name);
    if (caller.allowed !== undefined) requireNamed(caller.allowed, name);
    if (target === undefined) throw noTarget(kind, name);
    target.bind(source);
    const group = createHash('sha256').update(runKey(caller, wanted)).digest('base64url').slice(0, 22);
    const { cid } = row;
    const member = {
      ...{ cid, id: idText, isNew: true, patch: wantsPatch, root: caller.rootId, ttl: ttl() },
      ...(have === undefined ? {} : { version: have.version, digest: have.digest }),
      ...(since === undefined ? {} : { since: JSON.stringify([...since]) }),
    };
    await table.write({
      key: subscriptionKey(cid, idText),
      put: { group, id: idText, asked: JSON.stringify(asked), ttl: ttl() },
      when: [],
    });
    await table.write({ key: memberKey(group, cid, idText), put: member, when: [] });
    const spec = {
      ...{ kind, name, fields: JSON.stringify((source as { body: JsonObject }).body), ttl: ttl(2) },
      ...(nodeId === undefined ? {} : { node: nodeId }),
      ...(everyMs === undefined ? {} : { everyMs }),
      ...{ version: 0, digest: '', topics: '[]', refreshed: 0 },
    };
    const found = async () => void (await table.write({ key: groupKey(group), put: spec, when: [['absent', 'pk']] }));
    await found();
    if (everyMs !== undefined) await table.write({ key: dueKey(group), put: { group, ttl: ttl(2) }, when: [] });
    await rerun(group, found);
  }

  /** Gives what the client has by then. */
  async function leave(cid: string, idText: string): Promise<Have | undefined> {
    const key = subscriptionKey(cid, idText);
    const known = await table.get(key);
    if (known === undefined) return undefined;
    const group = String(known['group']);
    const member = memberKey(group, cid, idText);
    const [state, row] = await table.getMany([groupKey(group), member]);
    if (row !== undefined) await leaveTopics(row, topicsOf(state));
    await table.write({ key: member, isDelete: true, when: [] });
    await table.write({ key, isDelete: true, when: [] });
    return state && row && hadBy(row, state);
  }

  /** Waits for its turn. `found`: makes the group again when the last member before has just taken it away. */
  async function rerun(group: string, found?: () => Promise<void>): Promise<void> {
    const holder = parts.nextId();
    const untilMs = clock.now() + 2 * lockMs;
    for (let attempt = 0; ; attempt++) {
      const isFree = [
        'any',
        [
          ['absent', 'lock'],
          ['<=', 'lockUntil', clock.now()],
        ],
      ] as const;
      const set = { lock: holder, lockUntil: clock.now() + lockMs };
      const row = await table.update({ key: groupKey(group), change: { set }, when: [['present', 'pk'], isFree] });
      if (row !== undefined) return await runGroup(group, row, holder);
      if ((await table.get(groupKey(group))) === undefined) {
        if (found === undefined) return;
        await found();
      }
      if (clock.now() > untilMs) throw new Failure('SERVICE_UNAVAILABLE', 'a live run takes too long');
      await backOff(attempt, { firstMs: 20, mostMs: 500 });
    }
  }

  async function runGroup(group: string, row: Row, holder: string): Promise<void> {
    const isMine = ['=', 'lock', holder] as const;
    try {
      const rows = await table.query({ pk: `G#${group}`, prefix: 'M#' });
      const found = await callerOf(rows);
      if (found === undefined) return await drop(group);
      let keptMs = clock.now();
      const keep: Keep = async (fields) => {
        if (fields === undefined && clock.now() < keptMs + lockMs / 3) return;
        keptMs = clock.now();
        const set = { lockUntil: keptMs + lockMs, ...fields };
        const isKept = await table.write({ key: groupKey(group), change: { set }, when: [isMine] });
        if (isKept) return;
        keptMs = Number.NEGATIVE_INFINITY;
        throw new Failure('SERVICE_UNAVAILABLE', 'a live run took too long');
      };
      const { outcome, refreshed } = await runStable(group, row, found, keep);
      const told = await tell(group, row, rows, outcome, keep);
      const set = { ...told, refreshed, ttl: ttl(2), ranAt: clock.now() };
      const remove = ['lock', 'lockUntil', 'isTelling'];
      await table.write({ key: groupKey(group), change: { set, remove }, when: [isMine] });
    } catch (error) {
      await table.write({ key: groupKey(group), change: { remove: ['lock', 'lockUntil'] }, when: [isMine] });
      throw error;
    }
  }

  /** Gives who the members are: all of them act for the same root with the same rights. */
  async function callerOf(rows: readonly Row[]): Promise<Caller | undefined> {
    for (const row of rows) {
      const connection = await connections.find(String(row['cid']));
      if (connection === undefined || !(await desk.isLive(connection))) continue;
      const caller = await desk.callerOf(connection);
      if (typeof caller !== 'string' && caller.rootId === row['root']) return caller;
    }
    return undefined;
  }

  /**
   * Runs until everything it read was in the table before it read it. Commits of that moment are found by what the run reads, later ones by
   * the rows.
   */
  async function runStable(
    group: string,
    row: Row,
    caller: Caller,
    keep: Keep,
  ): Promise<{ readonly outcome: LiveOutcome; readonly refreshed: number }> {
    const known = await table.get(readsKey(group));
    const before = new Set<string>(known === undefined ? [] : (JSON.parse(String(known['keys'])) as string[]));
    const isOld = Number(row['refreshed']) < clock.now() - connectionLifeSeconds * 1000;
    const indexed = isOld ? new Set<string>() : new Set(before);
    for (let round = 0; round < mostRounds; round++) {
      if (round > 0) await keep({});
      const outcome = await run(row, caller);
      const keys = keysRead(outcome.reads, store);
      const added = keys.filter((key) => !indexed.has(key));
      if (added.length > 0) {
        const fields = { ttl: ttl(3) };
        await inLanes(25, added, async (key) => {
          await table.write({ key: readKey(key, group), put: fields, when: [] });
        });
        for (const key of added) indexed.add(key);
        const asked = asReadSet(outcome.reads);
        const isAsRead = asked !== undefined && (await store.validate(asked)).length === 0;
        if (!isAsRead) continue;
      }
      const current = new Set(keys);
      const stale = [...new Set([...before, ...indexed])].filter((key) => !current.has(key));
      if (added.length > 0 || stale.length > 0 || round > 0 || isOld)
        await table.write({ key: readsKey(group), put: { keys: JSON.stringify(keys), ttl: ttl(3) }, when: [] });
      await inLanes(25, stale, async (key) => {
        await table.write({ key: readKey(key, group), isDelete: true, when: [] });
      });
      return { outcome, refreshed: isOld ? clock.now() : Number(row['refreshed']) };
    }
    throw new Failure('SERVICE_UNAVAILABLE', 'what a live run reads changes too fast');
  }

  async function run(row: Row, caller: Caller): Promise<LiveOutcome> {
    const [kind, name] = [row['kind'] as 'walker' | 'function', String(row['name'])];
    const target: LiveTarget | undefined = app().target(kind, name);
    if (target === undefined) return { failure: noTarget(kind, name), isFinal: true, reads: nothingRead };
    meters?.liveRan(`${kind}:${name}`);
    const source = { body: JSON.parse(String(row['fields'])) as JsonObject };
    const node = row['node'];
    const nodeId = typeof node === 'string' ? node : undefined;
    const outcome = await app().run(target, caller, () => target.bind(source), nodeId);
    const limit = parts.maxFrameBytes - frameRoom;
    if (!('value' in outcome) || Buffer.byteLength(outcome.value.text) <= limit) return outcome;
    const details = { limit };
    const failure = new Failure('LIMIT_REACHED', `A live result may have ${limit} bytes here.`, { details });
    return { failure, isFinal: false, reads: outcome.reads };
  }

  /**
   * Sends what is new to each member; gives what the group is from now on. A version is the group's before anybody hears of it, so that no other
   * value gets its number when this process dies meanwhile; until all have heard of it, `isTelling` says so.
   */
  async function tell(group: string, row: Row, rows: readonly Row[], outcome: LiveOutcome, keep: Keep) {
    const before = topicsOf(row);
    if (!('value' in outcome)) {
      await inLanes(50, rows, (member) => fail(group, member, outcome, before));
      await table.write({ key: valueKey(group), isDelete: true, when: [] });
      return { digest: '', topics: '[]', version: Number(row['version']) };
    }
    const { value, topics } = outcome;
    const isChanged = row['digest'] !== value.digest;
    const version = Number(row['version']) + (isChanged ? 1 : 0);
    const wantsPatch = rows.some((member) => member['patch'] === true);
    const isUnsure = row['isTelling'] === true;
    const kept = isChanged && wantsPatch && !isUnsure ? await table.get(valueKey(group)) : undefined;
    const patch =
      kept && kept['digest'] === row['digest'] ? value.patchFrom(new LiveValue(String(kept['text']))) : undefined;
    if (isChanged) await keep({ digest: value.digest, version, isTelling: true });
    await inLanes(50, rows, async (member) => {
      await keep();
      if (member['ended'] === true)
        return await clear([{ pk: `G#${group}`, sk: member.sk }, subscriptionKey(String(member['cid']), idOf(member))]);
      await changeTopics(member, before, topics);
      if (member['isNew'] === true) await begin(group, member, value, version);
      else if (isChanged || isUnsure) await send(member, value, version + Number(member['offset'] ?? 0), patch);
    });
    if (wantsPatch && (isChanged || kept === undefined)) {
      const put = { text: value.text, digest: value.digest, ttl: ttl(2) };
      await table.write({ key: valueKey(group), put, when: [] });
    }
    return { digest: value.digest, topics: JSON.stringify(topics), version };
  }

  async function begin(group: string, member: Row, value: LiveValue, version: number): Promise<void> {
    const has = Number(member['version'] ?? 0);
    const isSame = member['digest'] === value.digest;
    const first = has + (isSame ? 0 : 1);
    const key = { pk: `G#${group}`, sk: member.sk };
    const write = (change: NonNullable<RowWrite['change']>) => table.write({ key, change, when: [['present', 'pk']] });
    // As the version of the group: nobody else gets this number when this process dies.
    if (!isSame) await write({ set: { digest: value.digest, version: first, isTelling: true } });
    if (!isSame || member['isTelling'] === true) await send(member, value, first, undefined);
    await write({ set: { offset: first - version }, remove: ['isNew', 'digest', 'version', 'since', 'isTelling'] });
  }

  async function send(member: Row, value: LiveValue, version: number, patch: string | undefined): Promise<void> {
    const head = `"id":${idOf(member)},"version":${version}`;
    const text =
      patch !== undefined && member['patch'] === true
        ? `{"type":"patch",${head},"base":${version - 1},"digest":"${value.digest}","ops":${patch}}`
        : `{"type":"result",${head},"digest":"${value.digest}","data":${value.text}}`;
    await post(member, text);
  }

  async function fail(
    group: string,
    member: Row,
    { failure, isFinal: isOver }: Extract<LiveOutcome, { readonly failure: Failure }>,
    topics: readonly string[],
  ): Promise<void> {
    const isFinal = isOver || member['isNew'] === true;
    const rows = [{ pk: `G#${group}`, sk: member.sk }, subscriptionKey(String(member['cid']), idOf(member))];
    // The id is free when the client hears of the end. Whoever uses it again replaces the rows, which then stay.
    const change = { set: { ended: true } };
    if (isFinal) for (const key of rows) await table.write({ key, change, when: [['present', 'pk']] });
    await leaveTopics(member, topics);
    await post(member, liveErrorText(app(), idOf(member), failure, isFinal));
    if (isFinal) await clear(rows);
  }

  async function clear(rows: readonly RowKey[]): Promise<void> {
    for (const key of rows) await table.write({ key, isDelete: true, when: [['=', 'ended', true]] });
  }

  /** Never to somebody whose session is over. One who is gone is forgotten. */
  async function post(member: Row, text: string): Promise<void> {
    const cid = String(member['cid']);
    const connection = await connections.find(cid);
    if (connection !== undefined && (await desk.isLive(connection)) && (await desk.post(cid, text))) return;
    await leave(cid, idOf(member));
  }

  async function changeTopics(member: Row, before: readonly string[], now: readonly string[]): Promise<void> {
    const isNew = member['isNew'] === true;
    const since = new Map<string, number>(isNew && member['since'] ? JSON.parse(String(member['since'])) : []);
    const was = new Set(isNew ? [] : before);
    for (const topic of was) if (!now.includes(topic)) await members.leave(hearerOf(member), topic);
    for (const topic of now) if (!was.has(topic)) await members.join(hearerOf(member), topic, since.get(topic));
  }

  async function leaveTopics(member: Row, topics: readonly string[]): Promise<void> {
    for (const topic of topics) await members.leave(hearerOf(member), topic);
  }

  async function drop(group: string): Promise<void> {
    const known = await table.get(readsKey(group));
    const keys = known === undefined ? [] : (JSON.parse(String(known['keys'])) as string[]);
    await inLanes(25, keys, async (key) => {
      await table.write({ key: readKey(key, group), isDelete: true, when: [] });
    });
    const rows = [readsKey(group), valueKey(group), dueKey(group), groupKey(group)];
    for (const key of rows) await table.write({ key, isDelete: true, when: [] });
  }

  return {
    join,
    leave,
    async leaveAll(cid) {
      const rows = await table.query({ pk: `C#${cid}`, prefix: 'S#' });
      const all: JsonObject[] = [];
      for (const { id, asked } of rows) {
        const have = await leave(cid, String(id));
        all.push({ ...JSON.parse(String(asked)), ...(have === undefined ? {} : { have }) });
      }
      return all;
    },
    async touch(keys) {
      const groups = new Set<string>();
      await inLanes(25, new Set(keys), async (key) => {
        for (const { sk } of await table.query({ pk: `R#${key}` })) groups.add(sk);
      });
      await inLanes(10, groups, (group) => rerun(group));
    },
    async look() {
      const due = await table.query({ pk: lookList, prefix: 'G#' });
      await inLanes(10, due, async ({ group }) => {
        const row = await table.get(groupKey(String(group)));
        if (row === undefined) await table.write({ key: dueKey(String(group)), isDelete: true, when: [] });
        else if (Number(row['ranAt'] ?? 0) + Number(row['everyMs']) <= clock.now()) await rerun(String(group));
      });
    },
  };
}

function topicsOf(row: Row | undefined): readonly string[] {
  return row === undefined ? [] : (JSON.parse(String(row['topics'] ?? '[]')) as string[]);
}

/** Last version that a member was sent, and of which value, if that is sure. */
function hadBy(member: Row, group: Row): Have {
  const isNew = member['isNew'] === true;
  const from = isNew ? member : group;
  const version = Number(from['version'] ?? 0) + (isNew ? 0 : Number(member['offset'] ?? 0));
  return { version, digest: from['isTelling'] === true ? '' : String(from['digest'] ?? '') };
}

function idOf(member: Row): string {
  return String(member['id']);
}

function hearerOf(member: Row) {
  return { cid: String(member['cid']), id: idOf(member), rootId: String(member['root']), form: 'full' } as const;
}
