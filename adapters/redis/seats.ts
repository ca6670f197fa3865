/** Sockets of all processes, counted in the key-value store (docs/server/sockets.md#caps). */
import type { Log } from '../../core/log/log.ts';
import { createDetour } from '../sharing/detour.ts';
import { createLentSeats, type LentSeats, type SeatOptions } from '../sharing/lent-seats.ts';
import { defineScript, type RedisLink } from './open-redis.ts';

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

// Sorted sets of seats by the time they are lent until: of the target, and of one user there.
const takeScript = `${clock}
for _, key in ipairs(KEYS) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) or redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 0 end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1
`;

/** Script that moves a seat from one user, or from those who are not signed in, to another. */
const moveScript = `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return 1
`;

const renewScript = `${clock}
for _, key in ipairs(KEYS) do
  for i = 2, #ARGV do redis.call('ZADD', key, now + ARGV[1], ARGV[i]) end
  redis.call('PEXPIRE', key, ARGV[1])
end
`;

export function openRedisSeats(link: RedisLink, log: Log, { lentMs = 60_000 }: SeatOptions = {}): LentSeats {
  const { commands, prefix } = link;
  const take = defineScript(commands, 'svcTakeSeat', 2, takeScript);
  const move = defineScript(commands, 'svcMoveSeat', 3, moveScript);
  const renew = defineScript(commands, 'svcRenewSeats', 2, renewScript);

  // Keys of one target share a hash tag, so that a cluster keeps them together.
  const allKey = (target: string) => `${prefix}seats:{${target}}`;
  const userKey = (target: string, userId: string | null) =>
    `${allKey(target)}:${userId === null ? 'anonymous' : `user:${userId}`}`;

  return createLentSeats({
    lentMs,
    detour: createDetour(link, log, 'socket caps'),
    onBack: link.onBack,
    book: {
      take: async (target, userId, seat, mostOfTarget, mostOfUser) =>
        (await take(allKey(target), userKey(target, userId), seat, lentMs, mostOfTarget, mostOfUser)) === 1,
      async move(target, from, userId, seat, mostOfUser) {
        const keys = [allKey(target), userKey(target, from), userKey(target, userId)];
        return (await move(...keys, seat, lentMs, mostOfUser)) === 1;
      },
      renew: async (target, userId, seats) =>
        void (await renew(allKey(target), userKey(target, userId), lentMs, ...seats)),
      async give(target, userId, seat) {
        await Promise.all([allKey(target), userKey(target, userId)].map((key) => commands.zrem(key, seat)));
      },
    },
  });
}
