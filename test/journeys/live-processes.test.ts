/**
 * Live subscriptions over several processes, which are killed, cut off and reconnected: the last value of every subscriber is what a fresh run
 * gives, and its versions only grow (docs/server/live.md#several-processes).
 */
import { expect, test } from 'vitest';
import { LiveClient, type LiveFrame } from '../harness/live-client.ts';
import { startDocumentServer } from '../harness/mongo/document-database.ts';
import { startPostgres } from '../harness/postgres-server.ts';
import { createRandom } from '../harness/random.ts';
import { startRedis } from '../harness/redis-server.ts';
import { copyApp, post, register, repository, startServer } from '../harness/server.ts';
import { isRunning, workerPids } from '../harness/worker-pids.ts';

const app = `${repository}/test/journeys/live`;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);
const people = 8;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A subscriber that reconnects with what it has whenever it is cut. */
class Reader {
  readonly values: unknown[] = [];
  version = 0;
  digest: string | undefined = undefined;
  reconnects = -1;
  private client: LiveClient | undefined = undefined;
  private isOver = false;
  /** Delivery seen over this connection, of whatever kind. */
  private hasBegun = false;
  private readonly bases: readonly string[];
  private readonly token: string | undefined;
  private readonly walker: string;

  constructor(bases: readonly string[], token: string | undefined, walker: string) {
    this.bases = bases;
    this.token = token;
    this.walker = walker;
  }

  async follow(): Promise<void> {
    while (!this.isOver) {
      this.reconnects++;
      try {
        const base = this.bases[this.reconnects % this.bases.length]!;
        this.client = await LiveClient.open(base, this.token);
        const have = this.digest === undefined ? {} : { have: { version: this.version, digest: this.digest } };
        this.hasBegun = false;
        this.client.subscribe('r', this.walker, have);
        for (;;) this.take(await this.client.of('r'));
      } catch (error) {
        if (!/closed|ECONN|socket|hang up|timed out|503/i.test(String(error))) throw error;
        await pause(50);
      }
    }
  }

  private take({ type, version, digest, data, error, final }: LiveFrame): void {
    if (type === 'error') {
      // Who comes back while the store is away has a first run that fails, which ends the subscription: it is asked for again.
      if (!this.hasBegun && final === true && error!.code === 'SERVICE_UNAVAILABLE') this.cut();
      else expect([final, error!.code], JSON.stringify(error)).toEqual([false, expect.any(String)]);
      this.hasBegun = true;
      return;
    }
    this.hasBegun = true;
    expect(version!).toBeGreaterThan(this.version);
    this.version = version!;
    this.digest = digest;
    this.values.push(data!.reports);
  }

  cut(): void {
    this.client?.close();
  }

  end(): void {
    this.isOver = true;
    this.cut();
  }
}

/** Random commits through all addresses. `fault` is called in between; gives how many answers were 200. */
async function storm(bases: readonly string[], commits: number, fault: (n: number) => Promise<void>) {
  const random = createRandom(seed).below;
  const users = await Promise.all(
    Array.from({ length: people }, async (_, i) => ({
      ...(await register(bases[0]!, `live${i}`)),
      ids: [] as string[],
    })),
  );
  const readers = [
    ...users.flatMap(({ token }) => [new Reader(bases, token, 'Notes'), new Reader(bases, token, 'OpenNotes')]),
    ...Array.from({ length: 4 }, () => new Reader(bases, undefined, 'Feed')),
  ];
  const following = readers.map((reader) => reader.follow());
  let done = 0;
  const call = async (walker: string, fields: unknown, token?: string) => {
    for (;;) {
      try {
        // A connection that is handed to a worker which is killed is never answered.
        const answered = post(bases[random(bases.length)]!, `/walker/${walker}`, fields, token);
        const answer = await Promise.race([answered, pause(10_000).then(() => Promise.reject(new Error('no answer')))]);
        if (answer.ok) {
          done++;
          return answer.reports;
        }
        // A call that was cut may have been done: what is gone already cannot be removed again.
        if (answer.status === 500) return [];
      } catch {
        await pause(20);
      }
    }
  };
  for (let n = 1; n <= commits; n++) {
    await fault(n);
    const burst = Array.from({ length: 1 + random(4) }, async () => {
      const user = users[random(people)]!;
      const kind = random(6);
      if (kind === 0) return void (await call('Say', { text: `to all ${n}` }));
      if (kind <= 2 || user.ids.length === 0) {
        const [id] = await call('AddNote', { text: `note ${n}` }, user.token);
        if (id !== undefined) user.ids.push(id);
        return;
      }
      const [id] = user.ids.splice(random(user.ids.length), 1);
      if (kind === 3) return void (await call('Remove', { id }, user.token));
      await call(kind === 4 ? 'Finish' : 'Change', { id, text: `changed ${n}` }, user.token);
      user.ids.push(id!);
    });
    await Promise.all(burst);
    if (random(10) === 0) readers[random(readers.length)]!.cut();
  }
  const isSame = async (reader: Reader, walker: string, token?: string) => {
    let answer: any;
    while (answer?.ok !== true) answer = await post(bases[0]!, `/walker/${walker}`, {}, token);
    const { reports } = answer;
    for (let i = 0; i < 600 && JSON.stringify(reader.values.at(-1)) !== JSON.stringify(reports); i++) await pause(100);
    expect(reader.values.at(-1), `seed ${seed}: the last value of ${walker}`).toEqual(reports);
  };
  for (const [i, { token }] of users.entries()) {
    await isSame(readers[2 * i]!, 'Notes', token);
    await isSame(readers[2 * i + 1]!, 'OpenNotes', token);
  }
  for (const reader of readers.slice(2 * people)) await isSame(reader, 'Feed');
  const reconnects = readers.reduce((sum, reader) => sum + reader.reconnects, 0);
  const values = readers.reduce((sum, reader) => sum + reader.values.length, 0);
  for (const reader of readers) reader.end();
  await Promise.all(following);
  console.log(`seed ${seed}: ${done} commits, ${values} values, ${reconnects} reconnects`);
  return { done, values, reconnects };
}

test('workers that are killed', { timeout: 240_000 }, async () => {
  await using server = await startServer({ folder: copyApp(app), args: ['--workers', '2'] });
  let killed = 0;
  const { done, reconnects } = await storm([server.base], 150, async (n) => {
    if (n % 50 !== 0) return;
    const [pid] = workerPids(server.child.pid!);
    process.kill(pid!, 'SIGKILL');
    while (isRunning(pid!)) await pause(10);
    killed++;
  });
  expect(killed).toBe(3);
  expect(done).toBeGreaterThan(150);
  expect(reconnects).toBeGreaterThan(10);
});

test('hosts with a key-value store between them that goes away', { timeout: 240_000 }, async () => {
  await using redis = await startRedis();
  const folder = copyApp(app);
  const env = { KVCACHE_URL: redis.url };
  await using a = await startServer({ folder, env });
  await using b = await startServer({ folder, env });
  let faults = 0;
  await storm([a.base, b.base], 100, async (n) => {
    if (n === 30) await redis.kill();
    else if (n === 60) await redis.restart();
    else return;
    faults++;
  });
  expect(faults).toBe(2);
});

test('hosts over PostgreSQL whose server is killed', { timeout: 240_000 }, async () => {
  await using database = await startPostgres();
  const folder = copyApp(app);
  const env = { DATABASE_URL: database.url };
  await using a = await startServer({ folder, env });
  await using b = await startServer({ folder, env });
  let faults = 0;
  await storm([a.base, b.base], 60, async (n) => {
    if (n !== 30) return;
    await database.kill();
    await database.start();
    faults++;
  });
  expect(faults).toBe(1);
});

test('hosts over MongoDB, which tell each other nothing, whose server is killed', { timeout: 240_000 }, async () => {
  await using database = await startDocumentServer();
  const folder = copyApp(app);
  const env = { DOCDB_URI: database.uri, SVC_DATABASE_CONNECT_TIMEOUT_MS: '1000' };
  await using a = await startServer({ folder, env });
  await using b = await startServer({ folder, env });
  let faults = 0;
  await storm([a.base, b.base], 60, async (n) => {
    if (n !== 30) return;
    await database.kill();
    await database.start();
    faults++;
  });
  expect(faults).toBe(1);
});

test('two servers of one store without a way to each other', { timeout: 240_000 }, async () => {
  const folder = copyApp(app);
  await using a = await startServer({ folder });
  await using b = await startServer({ folder });
  await storm([a.base, b.base], 60, async () => {});
});
