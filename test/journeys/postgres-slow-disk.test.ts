/** PostgreSQL on a disk that is slow, and on one that hangs: nothing wrong is answered, nobody waits for ever (docs/server/stores.md#postgresql). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { post, type RunningServer, register, startServer } from '../harness/server.ts';
import { hasSlowDisk, makeSlowDisk, type SlowDisk } from '../harness/slow-disk.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
import from svc_scale.lib { kvstore }
glob cache = kvstore("disk", "kvcache");
node Note { has n: int; }
walker Add { has n: int; can add with Root entry { here ++> Note(n=self.n); report self.n; } }
walker All { can look with Root entry { report [note.n for note in [-->[?:Note]]]; } }
walker:pub Raise { can go with Root entry { report cache.incr("n"); } }
walker:pub Raised { can look with Root entry { report cache.get("n"); } }
`;

const clients = 24;
const operationTimeoutMs = 2000;
const isPossible = hasPostgres() && hasSlowDisk();
const test = plainTest.skipIf(!isPossible);
const folder = folderWith({ 'main.svc': program });
let disk: SlowDisk;
let database: PostgresServer;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  if (!isPossible) return;
  disk = makeSlowDisk();
  // Checkpoints would sync files that no commit waits for.
  database = await startPostgres({ checkpoint_timeout: '1h' }, disk.env);
  server = await startServer({
    folder: folder.path,
    env: {
      DATABASE_URL: database.url,
      JWT_SECRET: 'k'.repeat(40),
      SVC_DATABASE_OPERATION_TIMEOUT_MS: String(operationTimeoutMs),
    },
  });
  token = (await register(server.base, 'ann')).token;
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await database?.[Symbol.asyncDispose]();
  disk?.[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Clients that call one after the other until they are told to stop. */
function calling(call: (n: number) => Promise<any>) {
  const acknowledged: number[] = [];
  const refused: any[] = [];
  let next = 0;
  let isOver = false;
  const all = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver) {
        const n = next++;
        const answer = await call(n);
        if (answer.ok === true) acknowledged.push(n);
        else refused.push(answer);
      }
    }),
  );
  return {
    acknowledged,
    refused,
    asked: () => next,
    async end() {
      isOver = true;
      await all;
    },
  };
}

const add = (from: number) => (n: number) => post(server.base, '/walker/Add', { n: from + n }, token);

test('with syncs of 100 ms calls are answered, many for each sync', async () => {
  disk.delay(100);
  for (const [what, call] of [
    ['units', add(0)],
    ['counts of kvstore', () => post(server.base, '/walker/Raise')],
  ] as const) {
    const before = disk.slowed();
    const calls = calling(call);
    while (calls.acknowledged.length < 200) await sleep(10);
    await calls.end();
    const syncs = disk.slowed() - before;
    console.info(`${calls.acknowledged.length} ${what} with ${syncs} syncs of 100 ms`);
    expect(calls.refused).toEqual([]);
    expect(syncs, 'the disk was slow').toBeGreaterThan(3);
    expect(calls.acknowledged.length / syncs).toBeGreaterThan(2);
  }
  expect((await post(server.base, '/walker/Raised')).reports[0]).toBeGreaterThanOrEqual(200);
});

test('a disk that hangs: writes are 503 in bounded time, reads are answered, nothing acknowledged is lost in a crash', async () => {
  disk.delay(0);
  const calls = calling(add(1_000_000));
  while (calls.acknowledged.length < 50) await sleep(5);
  const before = disk.slowed();
  disk.delay(operationTimeoutMs * 4);
  while (calls.refused.length < clients) await sleep(10);
  expect((await post(server.base, '/walker/All', {}, token)).ok).toBe(true);
  await calls.end();
  expect(new Set(calls.refused.map(({ status, error }) => `${status} ${error.code}`))).toEqual(
    new Set(['503 SERVICE_UNAVAILABLE']),
  );
  await database.kill();
  expect(disk.slowed(), 'the disk hung').toBeGreaterThan(before);
  disk.delay(0);
  await database.start();
  let all: any;
  while (all?.ok !== true) all = await post(server.base, '/walker/All', {}, token);
  const there = all.reports[0].filter((n: number) => n >= 1_000_000).map((n: number) => n - 1_000_000);
  expect(calls.acknowledged.filter((n) => !there.includes(n))).toEqual([]);
  expect(new Set(there).size).toBe(there.length);
  expect(there.every((n: number) => n < calls.asked())).toBe(true);
  expect((await add(2_000_000)(0)).ok).toBe(true);
});
