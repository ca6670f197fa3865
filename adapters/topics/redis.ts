/**
 * Topics of processes that have Redis or Valkey in common (docs/server/topics.md#order): one script numbers, keeps and tells the messages of a
 * unit, so that numbers, order and what is kept are the same everywhere.
 */
import { randomUUID } from 'node:crypto';
import { throwOutside } from '../../base/throw-outside.ts';
import type { TopicAct } from '../../core/topics/topics.ts';
import { nothingKept } from '../../handlers/topics/own-topics.ts';
import {
  type Expulsion,
  type KeptMessages,
  type KnownOfTopic,
  keptExpulsions,
  numbersSeconds,
  type TopicFollower,
  type TopicRules,
  type TopicStore,
} from '../../handlers/topics/topic-store.ts';
import { defineScript, type RedisLink } from '../redis/open-redis.ts';
import { createFollowers } from './followers.ts';

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/*
 * A topic is a hash (e: epoch, n: last number, b: bytes kept, x: last expulsion), a stream of its messages by number, and a list of expulsions.
 * The first key says that these acts are done: a client that lost its connection sends a command again.
 */
const sendScript = `${clock}
if not redis.call('SET', KEYS[1], 1, 'NX', 'PX', 60000) then return end
local maxMessages, maxBytes, keptMs, numbersMs = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
for i = 0, (#KEYS - 1) / 3 - 1 do
  local head, log, out = KEYS[3 * i + 2], KEYS[3 * i + 3], KEYS[3 * i + 4]
  local kind, topic, text = ARGV[3 * i + 7], ARGV[3 * i + 8], ARGV[3 * i + 9]
  local epoch = redis.call('HGET', head, 'e')
  if not epoch then
    epoch = ARGV[6]
    redis.call('DEL', log, out)
    redis.call('HSET', head, 'e', epoch, 'n', 0, 'b', 0, 'x', 0)
  end
  local number
  if kind == 'x' then
    number = redis.call('HINCRBY', head, 'x', 1)
    redis.call('RPUSH', out, number .. ' ' .. text)
    redis.call('LTRIM', out, -${keptExpulsions}, -1)
    redis.call('PEXPIRE', out, numbersMs)
  else
    number = redis.call('HINCRBY', head, 'n', 1)
    redis.call('XADD', log, number .. '-0', 'd', text, 't', now)
    local count = redis.call('XLEN', log)
    local bytes = #text
    if count > 1 then bytes = bytes + tonumber(redis.call('HGET', head, 'b')) end
    while count > 0 do
      local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
      if count <= maxMessages and bytes <= maxBytes and tonumber(oldest[2][4]) >= now - keptMs then break end
      redis.call('XDEL', log, oldest[1])
      count = count - 1
      bytes = bytes - #oldest[2][2]
    end
    redis.call('HSET', head, 'b', bytes)
    redis.call('PEXPIRE', log, keptMs)
  end
  redis.call('PEXPIRE', head, numbersMs)
  redis.call('PUBLISH', ARGV[1] .. topic, kind .. ' ' .. epoch .. ' ' .. number .. ' ' .. text)
end
`;

const readScript = `${clock}
local head = redis.call('HMGET', KEYS[1], 'e', 'n', 'x')
if not head[1] then return {} end
local from, expulsion = ARGV[2], tonumber(ARGV[3])
if ARGV[1] ~= '' and ARGV[1] ~= head[1] then from, expulsion = '1', 0 end
local messages, expulsions = {}, {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], from .. '-0', '+')) do
  if tonumber(entry[2][4]) >= now - tonumber(ARGV[4]) then
    messages[#messages + 1] = string.sub(entry[1], 1, -3)
    messages[#messages + 1] = entry[2][2]
  end
end
if tonumber(head[3]) > expulsion then
  for _, text in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
    if tonumber(string.match(text, '^%d+')) > expulsion then expulsions[#expulsions + 1] = text end
  end
end
return {head[1], head[2], head[3], messages, expulsions}
`;

type Kept = readonly [] | readonly [string, string, string, readonly string[], readonly string[]];

export function createRedisTopics({ prefix, commands, subscriber }: RedisLink, rules: TopicRules): TopicStore {
  const send = defineScript(commands, 'svcSendToTopics', undefined, sendScript);
  const read = defineScript(commands, 'svcReadTopic', 3, readScript);
  const followers = createFollowers();
  const channelPrefix = `${prefix}topic:`;
  const keptMs = rules.topicBufferSeconds * 1000;
  // One hash tag for all: the messages of a unit may go to several topics.
  const keysOf = (topic: string) => ['', ':messages', ':expelled'].map((kind) => `${prefix}{topics}${kind}:${topic}`);

  subscriber.on('message', (channel: string, text: string) => {
    if (!channel.startsWith(channelPrefix)) return;
    for (const follower of followers.of(channel.slice(channelPrefix.length))) {
      try {
        tell(follower, text);
      } catch (error) {
        throwOutside(error); // the client's parser would lose what came with the message
      }
    }
  });

  /** Messages sent while the connection was away are read, once it is sure that the next ones are heard. */
  async function lookForMissed(): Promise<void> {
    const topics = followers.topics();
    if (topics.length === 0) return;
    await subscriber.subscribe(...topics.map((topic) => channelPrefix + topic));
    for (const topic of topics) for (const follower of followers.of(topic)) follower.missed();
  }
  // When it fails, the connection is lost again, and will be ready again.
  subscriber.on('ready', () => void lookForMissed().catch(() => {}));

  return {
    async send(acts) {
      const keys = acts.flatMap(({ topic }) => keysOf(topic));
      const bounds = [rules.topicBufferMessages, rules.topicBufferBytes, keptMs, numbersSeconds * 1000];
      await send(
        keys.length + 1,
        `${prefix}{topics}:sent:${randomUUID()}`,
        ...keys,
        channelPrefix,
        ...bounds,
        randomUUID(),
        ...acts.flatMap(argumentsOf),
      );
    },
    async read(topic, { epoch, last, lastExpulsion }: KnownOfTopic) {
      return keptOf((await read(...keysOf(topic), epoch, last + 1, lastExpulsion, keptMs)) as Kept);
    },
    async follow(topic, follower) {
      const channel = channelPrefix + topic;
      const end = followers.add(topic, follower, () => void subscriber.unsubscribe(channel).catch(() => {}));
      try {
        await subscriber.subscribe(channel);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}

function argumentsOf(act: TopicAct): readonly string[] {
  return 'expelled' in act ? ['x', act.topic, act.expelled] : ['m', act.topic, act.data];
}

/** `kind epoch number text` */
function tell(follower: TopicFollower, said: string): void {
  const [, kind, epoch, number, text] = /^(.) (\S+) (\d+) (.*)$/s.exec(said)!;
  if (kind === 'x') follower.expelled(epoch!, { number: Number(number), rootId: text! });
  else follower.message(epoch!, { seq: Number(number), data: text! });
}

function keptOf(kept: Kept): KeptMessages {
  if (kept.length === 0) return nothingKept;
  const [epoch, last, lastExpulsion, flat, expelled] = kept;
  const messages = [];
  for (let i = 0; i < flat.length; i += 2) messages.push({ seq: Number(flat[i]), data: flat[i + 1]! });
  const expulsions = expelled.map((text): Expulsion => {
    const [number, rootId] = text.split(' ');
    return { number: Number(number), rootId: rootId! };
  });
  return {
    epoch,
    last: Number(last),
    messages,
    lastExpulsion: Number(lastExpulsion),
    expulsions,
  };
}
