/**
 * Topics kept in a table (docs/server/cloud.md#live): a head with the last numbers, and a row for the messages that one unit sent. The
 * transaction that keeps them holds only if nobody has counted meanwhile, so that numbers, order and what is kept are the same everywhere.
 * Rows of a topic have one `pk`: their changes are told in the order of the numbers.
 */
import { randomUUID } from 'node:crypto';
import { backOff } from '../../base/back-off.ts';
import { Failure } from '../../core/errors.ts';
import type { TopicAct } from '../../core/topics/topics.ts';
import { nothingKept } from '../topics/own-topics.ts';
import {
  type Expulsion,
  type KeptMessages,
  keptExpulsions,
  type NumberedMessage,
  numbersSeconds,
  type TopicRules,
  type TopicStore,
} from '../topics/topic-store.ts';
import type { Row, RowKey, RowTable, RowTest, RowWrite } from './rows.ts';

/** Last numbers of a topic. */
export interface TopicHead {
  readonly epoch: string;
  readonly last: number;
  readonly lastExpulsion: number;
}

export interface TableTopics extends Omit<TopicStore, 'follow'> {
  send(acts: readonly TopicAct[]): Promise<void>;
  read: (...given: Parameters<TopicStore['read']>) => Promise<KeptMessages>;
  /** The numbers now; undefined where there was no message for long. */
  head(topic: string): Promise<TopicHead | undefined>;
}

/** News of a topic, as one row tells it. */
export type TopicNews =
  | { readonly topic: string; readonly epoch: string; readonly messages: readonly NumberedMessage[] }
  | { readonly topic: string; readonly epoch: string; readonly expulsion: Expulsion };

const partOf = (topic: string) => `T#${topic}`;
export const headKey = (topic: string): RowKey => ({ pk: partOf(topic), sk: 'H' });
const numbered = (kind: 'M' | 'X', number: number) => `${kind}#${String(number).padStart(16, '0')}`;

/** Bytes of the messages in one row, and of those and rows in one transaction: below what tables take. */
const mostRowBytes = 300_000;
const mostBytes = 3_000_000;
const mostWrites = 100;
const mostTries = 60;

export function createTableTopics(table: RowTable, rules: TopicRules, nowMs: () => number = Date.now): TableTopics {
  let turn: Promise<void> = Promise.resolve();
  const isOld = (head: Row) => Number(head['at']) < nowMs() - numbersSeconds * 1000;

  async function headOf(topic: string): Promise<TopicHead | undefined> {
    const row = await table.get(headKey(topic));
    return row === undefined || isOld(row) ? undefined : readHead(row);
  }

  /** False when somebody counted meanwhile. */
  async function sendOnce(byTopic: ReadonlyMap<string, readonly TopicAct[]>): Promise<boolean> {
    const topics = [...byTopic.keys()];
    const heads = await table.getMany(topics.map(headKey));
    const writes = topics.flatMap((topic, i) => writesOf(topic, byTopic.get(topic)!, heads[i]));
    const bytes = writes.reduce((sum, { put }) => sum + Number(put?.['bytes'] ?? 0), 0);
    if (writes.length <= mostWrites && bytes <= mostBytes)
      return (await table.transact(writes, randomUUID())) === undefined;
    if (topics.length === 1) throw new Failure('SERVICE_UNAVAILABLE', 'the messages of one call are too large');
    // Order between topics is not promised: a half of them and the other one.
    const half = Math.ceil(topics.length / 2);
    for (const part of [topics.slice(0, half), topics.slice(half)])
      await send(new Map(part.map((topic) => [topic, byTopic.get(topic)!])));
    return true;
  }

  async function send(byTopic: ReadonlyMap<string, readonly TopicAct[]>): Promise<void> {
    for (let attempt = 0; attempt < mostTries; attempt++) {
      if (await sendOnce(byTopic)) return;
      await backOff(attempt, { firstMs: 5, mostMs: 250 });
    }
    throw new Failure('SERVICE_UNAVAILABLE', 'too many others send to the topic');
  }

  function writesOf(topic: string, acts: readonly TopicAct[], known: Row | undefined): RowWrite[] {
    const at = nowMs();
    const isNew = known === undefined || isOld(known);
    const before = isNew ? { epoch: randomUUID(), last: 0, lastExpulsion: 0 } : readHead(known);
    let { last, lastExpulsion } = before;
    const ttl = Math.ceil(at / 1000) + rules.topicBufferSeconds;
    const { epoch } = before;
    const rows: RowWrite[] = [];
    let pending: NumberedMessage[] = [];
    let bytes = 0;
    const put = (sk: string, fields: Readonly<Record<string, string | number>>) =>
      rows.push({ key: { pk: partOf(topic), sk }, put: { ...fields, epoch, at, ttl }, when: [] });
    const flush = () => {
      if (pending.length > 0)
        put(numbered('M', last), { said: JSON.stringify(pending.map(({ seq, data }) => [seq, data])), bytes });
      pending = [];
      bytes = 0;
    };
    for (const act of acts) {
      if ('expelled' in act) {
        flush();
        put(numbered('X', ++lastExpulsion), { root: act.expelled });
        continue;
      }
      const size = Buffer.byteLength(act.data);
      if (bytes + size > mostRowBytes) flush();
      pending.push({ seq: ++last, data: act.data });
      bytes += size;
    }
    flush();
    const head = { epoch, last, lastExpulsion, at, ttl: Math.ceil(at / 1000) + numbersSeconds };
    return [{ key: headKey(topic), put: head, when: sameHead(known) }, ...rows];
  }

  return {
    head: headOf,
    async send(acts) {
      const byTopic = new Map<string, TopicAct[]>();
      for (const act of acts) {
        const known = byTopic.get(act.topic);
        if (known === undefined) byTopic.set(act.topic, [act]);
        else known.push(act);
      }
      // Calls of one process are not in each other's way.
      const sent = turn.then(() => send(byTopic));
      turn = sent.catch(() => {});
      await sent;
    },
    async read(topic, known) {
      const head = await headOf(topic);
      if (head === undefined) return nothingKept;
      const isOther = known.epoch !== '' && known.epoch !== head.epoch;
      const above = isOther ? { last: 0, lastExpulsion: 0 } : known;
      const low = Math.max(above.last, head.last - rules.topicBufferMessages);
      const lowest = Math.max(above.lastExpulsion, head.lastExpulsion - keptExpulsions);
      const pk = partOf(topic);
      const [said, expelled] = await Promise.all([
        low >= head.last ? [] : table.query({ pk, prefix: 'M#', above: numbered('M', low) }),
        lowest >= head.lastExpulsion ? [] : table.query({ pk, prefix: 'X#', above: numbered('X', lowest) }),
      ]);
      const isKept = (row: Row) =>
        row['epoch'] === head.epoch && Number(row['at']) >= nowMs() - rules.topicBufferSeconds * 1000;
      const messages = newestOf(said.filter(isKept), low, rules.topicBufferBytes);
      // Rows are read after the head: what was sent in between is known too.
      const last = Math.max(head.last, messages.at(-1)?.seq ?? 0);
      const expulsions = expelled.filter(isKept).map(expulsionOf);
      return { ...head, last, messages, expulsions };
    },
  };
}

function readHead(row: Row): TopicHead {
  return { epoch: String(row['epoch']), last: Number(row['last']), lastExpulsion: Number(row['lastExpulsion']) };
}

/** Tests that a head is as it was read. */
export function sameHead(known: Row | undefined): readonly RowTest[] {
  if (known === undefined) return [['absent', 'pk']];
  return (['epoch', 'last', 'lastExpulsion'] as const).map((name) => ['=', name, known[name]] as const);
}

function messagesOf(row: Row): readonly NumberedMessage[] {
  return (JSON.parse(String(row['said'])) as [number, string][]).map(([seq, data]) => ({ seq, data }));
}

function expulsionOf(row: Row): Expulsion {
  return { number: Number(row.sk.slice(2)), rootId: String(row['root']) };
}

/** Messages of rows above a number, the newest that have so many bytes together. */
function newestOf(rows: readonly Row[], low: number, mostBytes: number): readonly NumberedMessage[] {
  const all = rows.flatMap(messagesOf).filter(({ seq }) => seq > low);
  let bytes = 0;
  let first = all.length;
  while (first > 0) {
    bytes += Buffer.byteLength(all[first - 1]!.data);
    if (bytes > mostBytes) break;
    first--;
  }
  return all.slice(first);
}

/** News that a new row of the table tells; undefined: nothing for who hears topics. */
export function newsOf(row: Row): TopicNews | undefined {
  if (!row.pk.startsWith('T#')) return undefined;
  const topic = row.pk.slice(2);
  const epoch = String(row['epoch']);
  if (row.sk.startsWith('M#')) return { topic, epoch, messages: messagesOf(row) };
  return row.sk.startsWith('X#') ? { topic, epoch, expulsion: expulsionOf(row) } : undefined;
}
