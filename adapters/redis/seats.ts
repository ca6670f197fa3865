/**
 * Sockets of all processes, counted in the key-value store (docs/server/sockets.md#caps). Each seat is lent for a time
 * and renewed by the process that holds it, so those of a process that was killed become free by themselves.
 */
import { randomUUID } from 'node:crypto';
import { after } from '../../base/after.ts';
import type { Log } from '../../core/log/log.ts';
import { type Caps, createSeats, type Seats } from '../../handlers/socket/seats.ts';
import { createDetour } from './detour.ts';
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

export interface RedisSeats extends Seats {
  close(): void;
}

export interface RedisSeatOptions {
  /** Milliseconds that a seat stays taken when its process is gone. */
  readonly lentMs?: number;
}

const mostPerRenewal = 500;
const noCaps: Caps = {
  maxConnectionsPerTarget: Number.POSITIVE_INFINITY,
  maxConnectionsPerUser: Number.POSITIVE_INFINITY,
  maxAnonymousConnections: Number.POSITIVE_INFINITY,
};

/** Seats this process holds of one user on one target. */
interface Held {
  readonly target: string;
  readonly userId: string | null;
  readonly seats: string[];
}

export function openRedisSeats(link: RedisLink, log: Log, { lentMs = 60_000 }: RedisSeatOptions = {}): RedisSeats {
  const { commands, prefix } = link;
  const take = defineScript(commands, 'svcTakeSeat', 2, takeScript);
  const move = defineScript(commands, 'svcMoveSeat', 3, moveScript);
  const renew = defineScript(commands, 'svcRenewSeats', 2, renewScript);
  const detour = createDetour(link, log, 'socket caps');
  const own = createSeats();
  const held = new Map<string, Held>();
  const process = randomUUID();
  let last = 0;

  // Keys of one target share a hash tag, so that a cluster keeps them together.
  const allKey = (target: string) => `${prefix}seats:{${target}}`;
  const userKey = (target: string, userId: string | null) =>
    `${allKey(target)}:${userId === null ? 'anonymous' : `user:${userId}`}`;

  function keep(target: string, userId: string | null, seat: string): void {
    const key = userKey(target, userId);
    const known = held.get(key);
    if (known === undefined) held.set(key, { target, userId, seats: [seat] });
    else known.seats.push(seat);
  }

  function letGo(target: string, userId: string | null): string | undefined {
    const key = userKey(target, userId);
    const known = held.get(key);
    const seat = known?.seats.pop();
    if (known?.seats.length === 0) held.delete(key);
    return seat;
  }

  /** Renews what is held; what was taken while the store was away, or forgotten by it, is entered. */
  async function renewAll(): Promise<void> {
    for (const { target, userId, seats } of [...held.values()]) {
      for (let from = 0; from < seats.length; from += mostPerRenewal) {
        const some = seats.slice(from, from + mostPerRenewal);
        await renew(allKey(target), userKey(target, userId), lentMs, ...some);
      }
    }
  }
  // A renewal that fails now is done again the next time.
  const renewing = () => void renewAll().catch(() => {});
  const timer = setInterval(renewing, lentMs / 3);
  timer.unref();
  link.onBack(renewing);

  return {
    take(target, userId, caps) {
      if (!own.take(target, userId, caps)) return false;
      const seat = `${process}:${++last}`;
      const most = userId === null ? caps.maxAnonymousConnections : caps.maxConnectionsPerUser;
      const shared = async () =>
        (await take(allKey(target), userKey(target, userId), seat, lentMs, caps.maxConnectionsPerTarget, most)) === 1;
      return after(
        detour(shared, () => true),
        (isSeated) => {
          if (isSeated) keep(target, userId, seat);
          else own.give(target, userId);
          return isSeated;
        },
      );
    },
    signIn(target, from, userId, caps) {
      if (!own.signIn(target, from, userId, caps)) return false;
      const seat = letGo(target, from) ?? `${process}:${++last}`;
      const keys = [allKey(target), userKey(target, from), userKey(target, userId)];
      const shared = async () => (await move(...keys, seat, lentMs, caps.maxConnectionsPerUser)) === 1;
      return after(
        detour(shared, () => true),
        (isSeated) => {
          keep(target, isSeated ? userId : from, seat);
          if (!isSeated) {
            own.give(target, userId);
            own.take(target, from, noCaps);
          }
          return isSeated;
        },
      );
    },
    give(target, userId) {
      own.give(target, userId);
      const seat = letGo(target, userId);
      if (seat === undefined) return;
      for (const key of [allKey(target), userKey(target, userId)]) commands.zrem(key, seat).catch(() => {});
    },
    close: () => clearInterval(timer),
  };
}
