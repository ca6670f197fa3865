/**
 * Topics of processes that have PostgreSQL in common (docs/server/topics.md#order): one statement numbers, keeps and tells the messages of a
 * unit. It holds the row of each topic until it ends, and notifications come in the order in which transactions end, so that numbers, order
 * and what is kept are the same everywhere.
 */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { TopicAct } from '../../core/topics/topics.ts';
import { nothingKept } from '../../handlers/topics/own-topics.ts';
import {
  keptExpulsions,
  numbersSeconds,
  type TopicFollower,
  type TopicRules,
  type TopicStore,
} from '../../handlers/topics/topic-store.ts';
import { type Bus, longestTold } from '../postgres/open-bus.ts';
import { tellRows } from '../postgres/told.ts';
import { createFollowers } from './followers.ts';

const now = '(extract(epoch FROM clock_timestamp()) * 1000)::int8';
const isOver = `t.at < excluded.at - ${numbersSeconds * 1000}`;

/** `$1`: acts as JSON, `$2`: epoch of a topic that begins, `$3`: the channel. Rows of topics are taken in one order by all. */
const keep = `WITH act AS (
  SELECT ord, a->>0 AS topic, a->>1 AS kind, a->>2 AS said, row_number() OVER (PARTITION BY a->>0, a->>1 ORDER BY ord) AS nth
  FROM json_array_elements($1::json) WITH ORDINALITY AS given(a, ord)
), tally AS (
  SELECT topic, count(*) FILTER (WHERE kind = 'm') AS messages, count(*) FILTER (WHERE kind = 'x') AS expulsions FROM act GROUP BY topic
), head AS (
  INSERT INTO svc_topic AS t (topic, epoch, last, last_expulsion, at)
  SELECT topic, $2::text, messages, expulsions, ${now} FROM tally ORDER BY topic
  ON CONFLICT (topic) DO UPDATE SET at = excluded.at, epoch = CASE WHEN ${isOver} THEN excluded.epoch ELSE t.epoch END,
    last = CASE WHEN ${isOver} THEN 0 ELSE t.last END + excluded.last,
    last_expulsion = CASE WHEN ${isOver} THEN 0 ELSE t.last_expulsion END + excluded.last_expulsion
  RETURNING topic, epoch, last, last_expulsion, at
), numbered AS (
  SELECT ord, topic, kind, said, epoch, at,
    nth + CASE kind WHEN 'm' THEN last - messages ELSE last_expulsion - expulsions END AS number
  FROM act JOIN tally USING (topic) JOIN head USING (topic)
), kept AS (
  INSERT INTO svc_topic_message (topic, epoch, seq, data, at) SELECT topic, epoch, number, said, at FROM numbered WHERE kind = 'm'
), expelled AS (
  INSERT INTO svc_topic_expulsion (topic, epoch, number, root_id) SELECT topic, epoch, number, said FROM numbered WHERE kind = 'x'
), notice AS (
  SELECT ord, json_build_array(topic, kind, epoch, number, said)::text AS whole, json_build_array(topic, kind, epoch, number)::text AS short
  FROM numbered ORDER BY ord
)`;
const send = `${keep} SELECT count(pg_notify($3::text, CASE WHEN octet_length(whole) <= ${longestTold} THEN whole ELSE short END)) FROM notice`;
const sendByTable = `${keep}, rows AS (SELECT ord, whole AS told FROM notice), ${tellRows('rows', '$3::text')}`;

/** Messages of topic `$1` and epoch `$2` from the newest on, with the place of each and the bytes up to it. */
const newest =
  'SELECT seq, data, at, row_number() OVER w AS nth, sum(octet_length(data)) OVER w AS bytes FROM svc_topic_message ' +
  'WHERE topic = $1::text AND epoch = $2::text WINDOW w AS (ORDER BY seq DESC)';

const head = `SELECT epoch, last, last_expulsion FROM svc_topic WHERE topic = $1::text AND at >= ${now} - ${numbersSeconds * 1000}`;

/** `$3` and `$4`: numbers that are known, `$5` to `$7`: messages, bytes and milliseconds that are kept. */
const read = `SELECT last, last_expulsion,
  (SELECT json_agg(json_build_array(seq, data) ORDER BY seq) FROM (${newest}) AS m
    WHERE seq > $3::int8 AND nth <= $5::int8 AND bytes <= $6::int8 AND m.at >= ${now} - $7::int8),
  (SELECT json_agg(json_build_array(number, root_id) ORDER BY number) FROM svc_topic_expulsion AS x
    WHERE x.topic = $1::text AND x.epoch = $2::text AND number > greatest($4::int8, t.last_expulsion - ${keptExpulsions}))
  FROM svc_topic AS t WHERE topic = $1::text AND epoch = $2::text`;

const trim = `DELETE FROM svc_topic_message AS old USING (${newest}) AS m
  WHERE topic = $1::text AND epoch = $2::text AND old.seq = m.seq AND (nth > $3::int8 OR bytes > $4::int8)`;
const trimExpulsions =
  'DELETE FROM svc_topic_expulsion AS x USING svc_topic AS t WHERE x.topic = t.topic AND x.epoch = t.epoch AND ' +
  `x.number <= t.last_expulsion - ${keptExpulsions}`;
const sweepMessages = `DELETE FROM svc_topic_message WHERE at < ${now} - $1::int8`;
const sweepTopics = `DELETE FROM svc_topic WHERE at < ${now} - ${numbersSeconds * 1000}`;
const sweepExpulsions =
  'DELETE FROM svc_topic_expulsion AS x WHERE NOT EXISTS (SELECT 1 FROM svc_topic AS t WHERE t.topic = x.topic AND t.epoch = x.epoch)';

/** Messages of a topic after which those that are not kept any more are deleted; readers pass over them before. */
const trimEvery = 256;
const sweepMs = 60_000;

type Notice = readonly [topic: string, kind: 'm' | 'x', epoch: string, number: number, said?: string];
type Pairs = readonly (readonly [number, string])[];

export function createPostgresTopics(
  bus: Pick<Bus, 'ask' | 'isByTable' | 'hearTopics' | 'topicChannel' | 'onBack' | 'isListening'>,
  rules: TopicRules,
): TopicStore & { close(): void } {
  const { topicBufferMessages, topicBufferBytes, topicBufferSeconds } = rules;
  const keptMs = topicBufferSeconds * 1000;
  const followers = createFollowers();
  const sinceTrim = new Map<string, number>();

  bus.hearTopics((text) => {
    const notice = JSON.parse(text) as Notice;
    for (const follower of followers.of(notice[0])) {
      try {
        tell(follower, notice);
      } catch (error) {
        throwOutside(error); // the driver's parser would lose what came with the message
      }
    }
    if (notice[1] === 'm') trimNowAndThen(notice);
  });
  bus.onBack(() => {
    for (const topic of followers.topics()) for (const follower of followers.of(topic)) follower.missed();
  });

  function trimNowAndThen([topic, , epoch]: Notice): void {
    const count = (sinceTrim.get(topic) ?? 0) + 1;
    if (count >= trimEvery) quietly(trim, [topic, epoch, topicBufferMessages, topicBufferBytes]);
    sinceTrim.set(topic, count % trimEvery);
  }

  /** Deletes; when it fails, the next time will do. */
  function quietly(text: string, values: readonly (string | number)[]): void {
    bus.ask(text, values).catch(() => {});
  }

  const sweeping = setInterval(() => {
    sinceTrim.clear();
    quietly(sweepMessages, [keptMs]);
    quietly(sweepTopics, []);
    quietly(sweepExpulsions, []);
    quietly(trimExpulsions, []);
  }, sweepMs).unref();

  return {
    async send(acts) {
      const text = (await bus.isByTable()) ? sendByTable : send;
      await bus.ask(text, [JSON.stringify(acts.map(packed)), randomUUID(), bus.topicChannel]);
    },
    async read(topic, known) {
      const key = keyOf(topic);
      const [found] = await bus.ask(head, [key]);
      if (found === undefined) return nothingKept;
      const epoch = found[0]!;
      const isNews = known.epoch !== '' && known.epoch !== epoch;
      const { last, lastExpulsion } = isNews ? { last: 0, lastExpulsion: 0 } : known;
      const values = [key, epoch, last, lastExpulsion, topicBufferMessages, topicBufferBytes, keptMs];
      const [row] = await bus.ask(read, values);
      if (row === undefined) return nothingKept;
      const pairs = (text: string | null | undefined): Pairs => (text == null ? [] : JSON.parse(text));
      return {
        epoch,
        last: Number(row[0]),
        lastExpulsion: Number(row[1]),
        messages: pairs(row[2]).map(([seq, data]) => ({ seq, data })),
        expulsions: pairs(row[3]).map(([number, rootId]) => ({ number, rootId })),
      };
    },
    async follow(topic, follower) {
      if (!bus.isListening) throw new Error('the database cannot be reached');
      return followers.add(keyOf(topic), follower, () => {});
    },
    close: () => clearInterval(sweeping),
  };
}

/** Texts of the database hold no zero byte; names of topics may. */
function keyOf(topic: string): string {
  return Buffer.from(topic).toString('base64url');
}

function packed(act: TopicAct): readonly [string, string, string] {
  return 'expelled' in act ? [keyOf(act.topic), 'x', act.expelled] : [keyOf(act.topic), 'm', act.data];
}

function tell(follower: TopicFollower, [, kind, epoch, number, said]: Notice): void {
  if (said === undefined)
    follower.missed(); // too long for a notification: it is read
  else if (kind === 'x') follower.expelled(epoch, { number, rootId: said });
  else follower.message(epoch, { seq: number, data: said });
}
