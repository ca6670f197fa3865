/** A database that dies under many calls (docs/server/storage.md#guarantees): nothing answered is lost, nothing is done twice, and nobody waits for ever. */
import { expect, test } from 'vitest';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { post, register } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const program = `node Note { has n: int; }
walker Add { has n: int; can go with Root entry { root ++> Note(n=self.n); report self.n; } }
walker Notes { can go with Root entry { report [x.n for x in [-->[?:Note]]]; } }
`;
const clients = 50;
const restarts = 3;

test.skipIf(!hasPostgres())(`${restarts} restarts of the database under ${clients} calls at a time`, async () => {
  await using database = await startPostgres();
  using app = folderWith({ 'main.svc': program });
  const env = { DATABASE_URL: await database.urlOf('restarted') };
  await using server = spawnSvc(['start', 'main.svc', '--port', '0', '--workers', '2'], { cwd: app.path, env });
  const base = (await server.until(/http:\/\/localhost:\d+/))[0];
  const { token } = await register(base, 'ada');
  const answered: number[] = [];
  const refused: { status: number; error: { code: string } }[] = [];
  let next = 0;
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const n = next++;
      const answer = await post(base, '/walker/Add', { n }, token);
      if (answer.ok) answered.push(n);
      else refused.push(answer);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  const more = async (count: number) => {
    const wanted = answered.length + count;
    while (answered.length < wanted) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  try {
    for (let i = 0; i < restarts; i++) {
      await more(100);
      await database.kill();
      await database.start();
    }
    await more(100);
  } finally {
    isOver = true;
  }
  await running;
  for (const { status, error } of refused) expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const [found] = (await post(base, '/walker/Notes', {}, token)).reports;
  const counts = new Map<number, number>();
  for (const n of found) counts.set(n, (counts.get(n) ?? 0) + 1);
  expect(answered.filter((n) => counts.get(n) !== 1)).toEqual([]);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  expect(server.stderr()).not.toMatch(/MaxListeners|Unhandled|^ {4}at /m);
});
