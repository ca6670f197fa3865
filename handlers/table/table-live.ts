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
import type { Row, RowFields, RowKey, RowTable, RowTest, RowWrite } from './rows.ts';
import { lookList, type TableMembers } from './table-members.ts';

export interface TableLive {
  /** A new subscription of a connection, which gets its first value before this resolves. */
  join(row: ConnectionRecord, caller: Caller, idText: string, asked: JsonObject): Promise<void>;
  leave(cid: string, idText: string): Promise<unknown>;
  /** The same for a connection that stays: nothing of it is sent after this resolves. */
  leaveInTurn(cid: string, idText: string): Promise<unknown>;
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

/** Turn of one process to run a group. */
interface Turn {
  readonly row: Row;
  readonly holder: string;
  /** Grows from turn to turn: rows of what is read are not changed by one that was slow when a later one has them. */
  readonly number: number;
  /** Whoever had the turn before did not end it. */
  readonly isTakenOver: boolean;
}

interface Hold {
  /** Holds the turn of a group for longer, with these fields of the group; without fields only when a third of the time has passed. */
  keep(fields?: RowFields): Promise<void>;
  /** @throws Failure when the turn may be somebody else's by now */
  require(): void;
}

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
    if (everyMs !== undefined) {
      const put = { group, by: parts.nextId(), ttl: ttl(2) };
      await table.write({ key: dueKey(group), put, when: [] });
    }
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

  /**
   * Whoever has the turn may have looked at the member before it was marked: it has the turn no more when this goes on. What the member was sent
   * is then in the rows.
   */
  async function leaveInTurn(cid: string, idText: string): Promise<Have | undefined> {
    const known = await table.get(subscriptionKey(cid, idText));
    if (known === undefined) return undefined;
    const group = String(known['group']);
    const change = { set: { isLeaving: true } };
    await table.write({ key: memberKey(group, cid, idText), change, when: [['present', 'pk']] });
    const first = await table.get(groupKey(group));
    const lockOf = (row: Row | undefined) => (Number(row?.['lockUntil']) > clock.now() ? row?.['lock'] : undefined);
    const holder = lockOf(first);
    for (let attempt = 0; holder !== undefined; attempt++) {
      if (lockOf(await table.get(groupKey(group))) !== holder) break;
      await backOff(attempt, { firstMs: 20, mostMs: 500 });
    }
    return await leave(cid, idText);
  }

  /** Waits for its turn. `found`: makes the group again when the last member before has just taken it away. */
  async function rerun(group: string, found?: () => Promise<void>): Promise<void> {
    const untilMs = clock.now() + 2 * lockMs;
    for (let attempt = 0; ; attempt++) {
      const turn = await takeTurn(group);
      if (turn === 'gone') {
        if (found === undefined) return;
        await found();
      } else if (turn !== undefined) return await runGroup(group, turn);
      if (clock.now() > untilMs) throw new Failure('SERVICE_UNAVAILABLE', 'a live run takes too long');
      await backOff(attempt, { firstMs: 20, mostMs: 500 });
    }
  }

  /** Undefined: somebody else has it. */
  async function takeTurn(group: string): Promise<Turn | 'gone' | undefined> {
    const key = groupKey(group);
    const holder = parts.nextId();
    const now = clock.now();
    const change = { set: { lock: holder, lockUntil: now + lockMs } };
    const turnOf = (row: Row, isTakenOver: boolean): Turn => {
      return { row, holder, number: Math.max(now, Number(row['turn'] ?? 0) + 1), isTakenOver };
    };
    const row = await table.update({
      key,
      change,
      when: [
        ['present', 'pk'],
        ['absent', 'lock'],
      ],
    });
    if (row !== undefined) return turnOf(row, false);
    const known = await table.get(key);
    if (known === undefined) return 'gone';
    if (known['lock'] === undefined || Number(known['lockUntil']) > now) return undefined;
    const isOver = [
      ['=', 'lock', known['lock']],
      ['<=', 'lockUntil', now],
    ] as const;
    const taken = await table.update({ key, change, when: isOver });
    return taken && turnOf(taken, true);
  }

  async function runGroup(group: string, turn: Turn): Promise<void> {
    const { row, holder } = turn;
    const isMine = ['=', 'lock', holder] as const;
    const free = { remove: ['lock', 'lockUntil'] };
    try {
      const rows = await table.query({ pk: `G#${group}`, prefix: 'M#' });
      const found = await callerOf(rows);
      if (found === undefined) return await drop(group, turn);
      const hold = holdOf(group, holder);
      const { outcome, refreshed } = await runStable(group, turn, found, hold);
      const told = await tell(group, row, rows, outcome, hold);
      const set = { ...told, refreshed, turn: turn.number, ttl: ttl(2), ranAt: clock.now() };
      const change = { set, remove: [...free.remove, 'isTelling', 'isMoving'] };
      await table.write({ key: groupKey(group), change, when: [isMine] });
    } catch (error) {
      await table.write({ key: groupKey(group), change: free, when: [isMine] });
      throw error;
    }
  }

  function holdOf(group: string, holder: string): Hold {
    let keptMs = clock.now();
    return {
      async keep(fields) {
        if (fields === undefined && clock.now() < keptMs + lockMs / 3) return;
        const now = clock.now();
        const set = { lockUntil: now + lockMs, ...fields };
        const isKept = await table.write({ key: groupKey(group), change: { set }, when: [['=', 'lock', holder]] });
        keptMs = isKept ? now : Number.NEGATIVE_INFINITY;
        if (!isKept) throw tooLong();
      },
      require() {
        if (clock.now() >= keptMs + lockMs) throw tooLong();
      },
    };
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
    { row, number: turn, isTakenOver }: Turn,
    caller: Caller,
    hold: Hold,
  ): Promise<{ readonly outcome: LiveOutcome; readonly refreshed: number }> {
    const known = await table.get(readsKey(group));
    const before = new Set<string>(known === undefined ? [] : (JSON.parse(String(known['keys'])) as string[]));
    const isOld = Number(row['refreshed']) < clock.now() - connectionLifeSeconds * 1000;
    // Whoever was slow may still take rows away that are older.
    const indexed = isOld || isTakenOver ? new Set<string>() : new Set(before);
    const when = [notAfter(turn)];
    for (let round = 0; round < mostRounds; round++) {
      if (round > 0) await hold.keep({});
      const outcome = await run(row, caller);
      const keys = keysRead(outcome.reads, store);
      const added = keys.filter((key) => !indexed.has(key));
      if (added.length > 0) {
        const put = { turn, ttl: ttl(3) };
        await inLanes(25, added, async (key) => {
          await table.write({ key: readKey(key, group), put, when });
        });
        for (const key of added) indexed.add(key);
        const asked = asReadSet(outcome.reads);
        const isAsRead = asked !== undefined && (await store.validate(asked)).length === 0;
        if (!isAsRead) continue;
      }
      const current = new Set(keys);
      const stale = [...new Set([...before, ...indexed])].filter((key) => !current.has(key));
      if (added.length > 0 || stale.length > 0 || round > 0 || isOld) {
        const put = { keys: JSON.stringify(keys), turn, ttl: ttl(3) };
        if (!(await table.write({ key: readsKey(group), put, when }))) throw tooLong();
      }
      await inLanes(25, stale, async (key) => {
        await table.write({ key: readKey(key, group), isDelete: true, when });
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
  async function tell(group: string, row: Row, rows: readonly Row[], outcome: LiveOutcome, hold: Hold) {
    const before = topicsOf(row);
    const present = rows.filter((member) => member['isLeaving'] !== true);
    if (!('value' in outcome)) {
      // An error that was heard is followed by a value, whatever it is.
      const isMoving = before.length > 0;
      if (row['digest'] !== '' || isMoving) await hold.keep({ digest: '', ...(isMoving && { isMoving }) });
      await inLanes(50, present, async (member) => {
        await hold.keep();
        if (member['ended'] === true) await sayEnd(group, member, hold);
        else await fail(group, member, outcome, before, hold);
      });
      await table.write({ key: valueKey(group), isDelete: true, when: [] });
      return { digest: '', topics: '[]', version: Number(row['version']) };
    }
    const { value, topics } = outcome;
    const isChanged = row['digest'] !== value.digest;
    const version = Number(row['version']) + (isChanged ? 1 : 0);
    const wantsPatch = present.some((member) => member['patch'] === true);
    const isUnsure = row['isTelling'] === true;
    const kept = isChanged && wantsPatch && !isUnsure ? await table.get(valueKey(group)) : undefined;
    const patch =
      kept && kept['digest'] === row['digest'] ? value.patchFrom(new LiveValue(String(kept['text']))) : undefined;
    // Topics before and after: who comes when this process has died knows all that somebody may be in.
    const isMoving = topics.length !== before.length || topics.some((topic) => !before.includes(topic));
    const moving = isMoving ? { topics: JSON.stringify([...new Set([...before, ...topics])]), isMoving } : {};
    if (isChanged) await hold.keep({ digest: value.digest, version, isTelling: true, ...moving });
    else if (isMoving) await hold.keep(moving);
    await inLanes(50, present, async (member) => {
      await hold.keep();
      if (member['ended'] === true) return await sayEnd(group, member, hold);
      await changeTopics(member, before, topics, row['isMoving'] === true);
      if (member['isNew'] === true) await begin(group, member, value, version, hold);
      else if (isChanged || isUnsure) await send(member, value, version + Number(member['offset'] ?? 0), patch, hold);
    });
    if (wantsPatch && (isChanged || kept === undefined)) {
      const put = { text: value.text, digest: value.digest, ttl: ttl(2) };
      await table.write({ key: valueKey(group), put, when: [] });
    }
    return { digest: value.digest, topics: JSON.stringify(topics), version };
  }

  async function begin(group: string, member: Row, value: LiveValue, version: number, hold: Hold) {
    const has = Number(member['version'] ?? 0);
    const isSame = member['digest'] === value.digest;
    const first = has + (isSame ? 0 : 1);
    const key = { pk: `G#${group}`, sk: member.sk };
    const write = (change: NonNullable<RowWrite['change']>) => table.write({ key, change, when: [['present', 'pk']] });
    // As the version of the group: nobody else gets this number when this process dies.
    if (!isSame) await write({ set: { digest: value.digest, version: first, isTelling: true } });
    if (!isSame || member['isTelling'] === true) await send(member, value, first, undefined, hold);
    await write({ set: { offset: first - version }, remove: ['isNew', 'digest', 'version', 'since', 'isTelling'] });
  }

  async function send(member: Row, value: LiveValue, version: number, patch: string | undefined, hold: Hold) {
    const head = `"id":${idOf(member)},"version":${version}`;
    const text =
      patch !== undefined && member['patch'] === true
        ? `{"type":"patch",${head},"base":${version - 1},"digest":"${value.digest}","ops":${patch}}`
        : `{"type":"result",${head},"digest":"${value.digest}","data":${value.text}}`;
    await post(member, text, hold);
  }

  async function fail(
    group: string,
    member: Row,
    { failure, isFinal: isOver }: Extract<LiveOutcome, { readonly failure: Failure }>,
    topics: readonly string[],
    hold: Hold,
  ): Promise<void> {
    const isFinal = isOver || member['isNew'] === true;
    const last = liveErrorText(app(), idOf(member), failure, isFinal);
    // The id is free when the client hears of the end. Whoever uses it again replaces the rows, which then stay.
    const change = { set: { ended: true, last } };
    const when = [['present', 'pk']] as const;
    if (isFinal) for (const key of rowsOf(group, member)) await table.write({ key, change, when });
    await leaveTopics(member, topics);
    if (isFinal) await sayEnd(group, { ...member, last }, hold);
    else await post(member, last, hold);
  }

  /** The last error of a member that has ended: again where whoever sent it has died over it. */
  async function sayEnd(group: string, member: Row, hold: Hold): Promise<void> {
    await post(member, String(member['last']), hold);
    for (const key of rowsOf(group, member)) await table.write({ key, isDelete: true, when: [['=', 'ended', true]] });
  }

  /** Never to somebody whose session is over. One who is gone is forgotten. */
  async function post(member: Row, text: string, hold: Hold): Promise<void> {
    const cid = String(member['cid']);
    const connection = await connections.find(cid);
    if (connection !== undefined && (await desk.isLive(connection))) {
      hold.require();
      if (await desk.post(cid, text)) return;
    }
    await leave(cid, idOf(member));
  }

  /** `isUnsure`: somebody died while members went from topics to others. */
  async function changeTopics(member: Row, before: readonly string[], now: readonly string[], isUnsure: boolean) {
    const isNew = member['isNew'] === true;
    const since = new Map<string, number>(isNew && member['since'] ? JSON.parse(String(member['since'])) : []);
    const was = isNew ? [] : before;
    for (const topic of was) if (!now.includes(topic)) await members.leave(hearerOf(member), topic);
    for (const topic of now)
      if (isUnsure || !was.includes(topic)) await members.join(hearerOf(member), topic, since.get(topic));
  }

  async function leaveTopics(member: Row, topics: readonly string[]): Promise<void> {
    for (const topic of topics) await members.leave(hearerOf(member), topic);
  }

  /** Takes away a group that has no members. Its row in the list of those that are due stays: who looks finds that there is no group. */
  async function drop(group: string, { holder, number }: Turn): Promise<void> {
    const known = await table.get(readsKey(group));
    const keys = known === undefined ? [] : (JSON.parse(String(known['keys'])) as string[]);
    const when = [notAfter(number)];
    await inLanes(25, keys, async (key) => {
      await table.write({ key: readKey(key, group), isDelete: true, when });
    });
    await table.write({ key: readsKey(group), isDelete: true, when });
    await table.write({ key: valueKey(group), isDelete: true, when: [] });
    await table.write({ key: groupKey(group), isDelete: true, when: [['=', 'lock', holder]] });
  }

  return {
    join,
    leave,
    leaveInTurn,
    async leaveAll(cid) {
      const rows = await table.query({ pk: `C#${cid}`, prefix: 'S#' });
      const all: JsonObject[] = [];
      for (const { id, asked } of rows) {
        const have = await leaveInTurn(cid, String(id));
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
      await inLanes(10, due, async ({ group, by = '' }) => {
        const row = await table.get(groupKey(String(group)));
        // Unless somebody has made the group again meanwhile.
        if (row === undefined)
          await table.write({ key: dueKey(String(group)), isDelete: true, when: [['=', 'by', by]] });
        else if (Number(row['ranAt'] ?? 0) + Number(row['everyMs']) <= clock.now()) await rerun(String(group));
      });
    },
  };
}

/** The last one is what a later turn finds when it has to go on. */
function rowsOf(group: string, member: Row): readonly RowKey[] {
  return [subscriptionKey(String(member['cid']), idOf(member)), { pk: `G#${group}`, sk: member.sk }];
}

function notAfter(turn: number): RowTest {
  return [
    'any',
    [
      ['absent', 'turn'],
      ['<=', 'turn', turn],
    ],
  ];
}

function tooLong(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'a live run took too long');
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
