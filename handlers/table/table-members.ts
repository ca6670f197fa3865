/**
 * Hearers of topics in the table, and messages on their way to them (docs/server/cloud.md#live). Messages of a topic come here one after
 * the other, because the table tells the changes of one `pk` in order. Who resumes is left out until it has been sent what was kept: the
 * transaction that lets it in holds only if nothing was counted meanwhile.
 */

import { inLanes } from '../../base/in-lanes.ts';
import { Failure } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Membership, MembershipChange } from '../../core/topics/topics.ts';
import { type ConnectionStore, connectionLifeSeconds } from '../socket/connection-store.ts';
import { addId, type Frame } from '../socket/frames.ts';
import type { TableDesk } from '../socket/table-desk.ts';
import type { Since } from '../topics/read-since.ts';
import { framesOf, type Hearing, messageFrame } from '../topics/topic.ts';
import type { Row, RowKey, RowTable } from './rows.ts';
import { headKey, sameHead, type TableTopics, type TopicNews } from './table-topics.ts';

/** One that hears topics: a connection of a walker, or one subscription of `/live`. */
export interface TopicMember {
  readonly cid: string;
  /** JSON text of the subscription's id; '' for connections. */
  readonly id: string;
  readonly rootId: string;
  readonly form: 'full' | 'bare';
}

export interface TableMembers {
  /** Reads which topics a connection is in, for one message. `since`: numbers after which those it joins are heard. */
  open(member: TopicMember, since: Since | undefined): Promise<Membership>;
  join(member: TopicMember, topic: string, since: number | undefined): Promise<void>;
  leave(member: Pick<TopicMember, 'cid' | 'id'>, topic: string): Promise<void>;
  /** Sends what is new to who hears it. */
  deliver(news: readonly TopicNews[]): Promise<void>;
  /** Sends what is kept to those whom it could not be sent to. */
  look(): Promise<void>;
}

export interface TableMembersParts {
  readonly table: RowTable;
  readonly topics: TableTopics;
  readonly desk: Pick<TableDesk, 'isLive' | 'post'>;
  readonly connections: Pick<ConnectionStore, 'find'>;
  readonly maxTopicsPerConnection: number;
  readonly log: Log;
  readonly clock: { now(): number };
}

/** Milliseconds after which one that resumes is taken for broken off. */
const resumeMs = 30_000;
const mostResumes = 50;
/** Rows for what has to be looked at without a reason from outside. */
export const lookList = 'E';
const everything = Number.MAX_SAFE_INTEGER;

export const topicKey = (topic: string, { cid, id }: Pick<TopicMember, 'cid' | 'id'>): RowKey => ({
  pk: `S#${topic}`,
  sk: `${cid} ${id}`,
});
/** A connection's own list, by which it is forgotten. */
export const heldKey = ({ cid, id }: Pick<TopicMember, 'cid' | 'id'>, topic: string): RowKey => ({
  pk: `C#${cid}`,
  sk: `T#${id}#${topic}`,
});

export function createTableMembers(parts: TableMembersParts): TableMembers {
  const { table, topics, desk, connections, clock } = parts;
  const ttl = () => Math.ceil(clock.now() / 1000) + connectionLifeSeconds;

  async function join(member: TopicMember, topic: string, since: number | undefined): Promise<void> {
    const head = await topics.head(topic);
    const { cid, id, rootId: root, form } = member;
    const own = { cid, id, root, form, ttl: ttl(), expulsions: head?.lastExpulsion ?? 0 };
    const from = since ?? head?.last ?? 0;
    const resumes = since === undefined ? {} : { resumes: clock.now() + resumeMs };
    await table.write({ key: heldKey(member, topic), put: { topic, id, ttl: ttl() }, when: [] });
    // Somebody may have joined for it and died: what was sent since then is not left out.
    const when = since === undefined ? ([['absent', 'pk']] as const) : [];
    await table.write({ key: topicKey(topic, member), put: { ...own, from, ...resumes }, when });
    if (since !== undefined) await resume(member, topic, since);
  }

  /** Sends what is kept above a number, then lets the member hear what comes. */
  async function resume(member: TopicMember, topic: string, since: number): Promise<void> {
    const frames: Frame[] = [];
    const listener = { rootId: '', hear: (frame: Frame) => frames.push(frame), drained: () => undefined, lost() {} };
    const hearing: Hearing = { listener, onEnd() {}, at: since, epoch: '', isLive: false, reads: 0 };
    const key = topicKey(topic, member);
    for (let i = 0; i < mostResumes; i++) {
      const kept = await topics.read(topic, { epoch: hearing.epoch, last: hearing.at, lastExpulsion: everything });
      for (const say of framesOf({ name: topic, onGap() {} }, hearing, kept)) say();
      for (const frame of frames.splice(0)) if (!(await send(member, frame))) return;
      const { epoch, last, lastExpulsion } = kept;
      const row = await table.get(headKey(topic));
      const isSame = row === undefined ? epoch === '' : row['epoch'] === epoch && row['last'] === last;
      if (!isSame && row !== undefined && epoch !== '') continue;
      const isLet = await table.transact(
        [
          {
            key,
            change: { set: { from: last, expulsions: lastExpulsion }, remove: ['resumes'] },
            when: [['present', 'pk']],
          },
          { key: headKey(topic), when: sameHead(row) },
        ],
        crypto.randomUUID(),
      );
      if (isLet === undefined || isLet.includes(0)) return;
    }
    throw new Failure('SERVICE_UNAVAILABLE', 'too many messages are sent to the topic to resume it');
  }

  async function leave(member: Pick<TopicMember, 'cid' | 'id'>, topic: string): Promise<void> {
    await table.write({ key: topicKey(topic, member), isDelete: true, when: [] });
    await table.write({ key: heldKey(member, topic), isDelete: true, when: [] });
  }

  /** False when the connection is gone. */
  async function send({ cid, id, form }: Pick<TopicMember, 'cid' | 'id' | 'form'>, frame: Frame): Promise<boolean> {
    if (id !== '') return await desk.post(cid, addId(frame.full.text, id));
    const texts = form === 'bare' ? frame.bare : [frame.full];
    for (const { text } of texts) if (!(await desk.post(cid, text))) return false;
    return true;
  }

  /** False while another process may be sending it what is kept. */
  async function serve(topic: string, news: readonly TopicNews[], row: Row): Promise<boolean> {
    const member = memberOf(row);
    const connection = await connections.find(member.cid);
    if (connection === undefined || !(await desk.isLive(connection))) {
      await leave(member, topic);
      return true;
    }
    const resumes = Number(row['resumes'] ?? 0);
    if (resumes > clock.now()) return false;
    const from = Number(row['from']);
    const key = topicKey(topic, member);
    let sent = from;
    try {
      if (resumes === 0) await tell(news);
      else {
        // Whoever sent what was kept has died over it: one of those who see that does it again, and another one should it die too.
        await remind(topic);
        const change = { set: { resumes: clock.now() + resumeMs } };
        if (!(await table.write({ key, change, when: [['=', 'resumes', resumes]] }))) return false;
        await resume(member, topic, from);
      }
    } catch (error) {
      // The gateway did not take it: what is kept is sent with the next message, or when somebody looks.
      parts.log.warn('a message did not reach a connection', { topic, error });
      const set = { from: sent, resumes: clock.now() };
      await table.write({ key, change: { set }, when: [['present', 'pk']] });
      await remind(topic);
    }
    return true;

    async function tell(all: readonly TopicNews[]): Promise<void> {
      for (const one of all) {
        if ('expulsion' in one) {
          const { number, rootId } = one.expulsion;
          if (rootId === member.rootId && number > Number(row['expulsions'])) return await leave(member, topic);
          continue;
        }
        for (const message of one.messages) {
          if (message.seq <= from) continue;
          if (!(await send(member, messageFrame(topic, message)))) return await leave(member, topic);
          sent = message.seq;
        }
      }
    }
  }

  async function remind(topic: string): Promise<void> {
    const put = { topic, by: crypto.randomUUID(), ttl: ttl() };
    await table.write({ key: { pk: lookList, sk: `T#${topic}` }, put, when: [] });
  }

  return {
    join,
    leave,
    async open(member, since) {
      const held = await table.query({ pk: `C#${member.cid}`, prefix: `T#${member.id}#` });
      const own = new Set(held.map((row) => String(row['topic'])));
      return {
        has: (topic) => own.has(topic),
        get free() {
          return parts.maxTopicsPerConnection - own.size;
        },
        async apply(changes: readonly MembershipChange[]) {
          for (const { topic, joins } of changes) {
            if (own.has(topic) === joins) continue;
            if (joins) await join(member, topic, since?.get(topic));
            else await leave(member, topic);
            if (joins) own.add(topic);
            else own.delete(topic);
          }
        },
      };
    },
    async look() {
      for (const { sk, topic, by = '' } of await table.query({ pk: lookList, prefix: 'T#' })) {
        let isDone = true;
        await inLanes(50, await table.query({ pk: `S#${topic}` }), async (row) => {
          isDone = (await serve(String(topic), [], row)) && isDone;
        });
        // Stays where the gateway did not take it again.
        if (isDone) await table.write({ key: { pk: lookList, sk }, isDelete: true, when: [['=', 'by', by]] });
      }
    },
    async deliver(news) {
      const byTopic = new Map<string, TopicNews[]>();
      for (const one of news) byTopic.set(one.topic, [...(byTopic.get(one.topic) ?? []), one]);
      await inLanes(10, byTopic, async ([topic, all]) => {
        await inLanes(50, await table.query({ pk: `S#${topic}` }), async (row) => {
          await serve(topic, all, row);
        });
      });
    },
  };
}

function memberOf(row: Row): TopicMember {
  return {
    cid: String(row['cid']),
    id: String(row['id'] ?? ''),
    rootId: String(row['root']),
    form: row['form'] === 'bare' ? 'bare' : 'full',
  };
}
