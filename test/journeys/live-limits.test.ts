/** The cap of a user's live subscriptions counts those of all processes (docs/server/live.md#limits). */
import { expect, test } from 'vitest';
import { LiveClient } from '../harness/live-client.ts';
import { startPostgres } from '../harness/postgres-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { copyApp, register, repository, startServer } from '../harness/server.ts';

const app = `${repository}/test/journeys/live`;
const most = 6;
const env = { SVC_LIVE_MAX_PER_USER: String(most) };

/** Subscribes on many connections to these addresses until the cap is reached. */
async function fill(bases: readonly string[], token: string) {
  const lives = await Promise.all(
    Array.from({ length: most + 2 }, (_, i) => LiveClient.open(bases[i % bases.length]!, token)),
  );
  const outcomes: string[] = [];
  for (const live of lives) {
    live.subscribe('n', 'Notes');
    const frame = await live.of('n');
    outcomes.push(frame.error?.code ?? frame.type);
    expect(frame.final ?? true).toBe(true);
  }
  return { lives, outcomes };
}

async function check(bases: readonly string[]) {
  const { token } = await register(bases[0]!, 'ada');
  const { token: other } = await register(bases[0]!, 'bob');
  const { lives, outcomes } = await fill(bases, token);
  const refused = ['LIMIT_REACHED', 'LIMIT_REACHED'];
  expect(outcomes).toEqual([...Array.from({ length: most }, () => 'result'), ...refused]);
  // The connection stays open, others have places of their own, and one that is freed anywhere is free everywhere.
  const bob = await LiveClient.open(bases.at(-1)!, other);
  bob.subscribe('n', 'Notes');
  expect((await bob.of('n')).type).toBe('result');
  lives[0]!.say({ type: 'unsubscribe', id: 'n' });
  lives[1]!.close();
  const last = lives.at(-1)!;
  for (const id of ['again', 'once more']) {
    for (let tries = 0; ; tries++) {
      last.subscribe(`${id} ${tries}`, 'Notes');
      const { type } = await last.of(`${id} ${tries}`);
      if (type === 'result') break;
      expect(tries, 'a place that was given back is free').toBeLessThan(3000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  last.subscribe('too many', 'Notes');
  expect(await last.of('too many')).toMatchObject({ final: true, error: { code: 'LIMIT_REACHED' } });
  // A guest who signs in takes places as the user, and a failed first run keeps none.
  const guest = await LiveClient.open(bases[0]!);
  guest.subscribe('f', 'Feed');
  expect((await guest.of('f')).type).toBe('result');
  guest.say({ type: 'token', token });
  expect(await guest.of('f')).toMatchObject({ final: true, error: { code: 'LIMIT_REACHED' } });
  for (let i = 0; i < most; i++) {
    bob.subscribe(`bad ${i}`, 'OneNote', { node: '0'.repeat(32) });
    expect((await bob.of(`bad ${i}`)).error?.code).toBe('NODE_NOT_FOUND');
  }
  bob.subscribe('good', 'Notes');
  expect((await bob.of('good')).type).toBe('result');
  for (const live of [...lives, bob, guest]) live.close();
}

test('workers', { timeout: 120_000 }, async () => {
  await using server = await startServer({ folder: copyApp(app), args: ['--workers', '2'], env });
  await check([server.base]);
});

test('hosts with a key-value store between them', { timeout: 120_000 }, async () => {
  await using redis = await startRedis();
  const folder = copyApp(app);
  await using a = await startServer({ folder, env: { ...env, KVCACHE_URL: redis.url } });
  await using b = await startServer({ folder, env: { ...env, KVCACHE_URL: redis.url } });
  await check([a.base, b.base]);
});

test('hosts over PostgreSQL', { timeout: 120_000 }, async () => {
  await using database = await startPostgres();
  const folder = copyApp(app);
  await using a = await startServer({ folder, env: { ...env, DATABASE_URL: database.url } });
  await using b = await startServer({ folder, env: { ...env, DATABASE_URL: database.url } });
  await check([a.base, b.base]);
});
