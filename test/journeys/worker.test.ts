/** `svc build --target worker` (docs/hono.md#edge): an application in workerd, its graph in the emulator of DynamoDB. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { linkPackages } from '../harness/link-packages.ts';
import { copyApp, post, register, removeFolder, repository, runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { buildWorker, startWorker } from '../harness/worker-server.ts';

test('an example with pages: users, what they share, what is there for the next worker', async () => {
  await using dynamo = await startDynamo();
  const env = { SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
  const folder = copyApp(join(repository, 'examples/social'));
  try {
    linkPackages(folder);
    await buildWorker(folder);
    {
      await using worker = await startWorker(folder, env);
      const page = await (await fetch(worker.base)).text();
      const script = /src="(\/static\/client[^"]*\.js)"/.exec(page)![1]!;
      expect((await fetch(worker.base + script)).headers.get('content-type')).toMatch(/javascript/);
      const [ada, bob] = [await register(worker.base, 'ada'), await register(worker.base, 'bob')];
      const call = (who: { token: string }, name: string, body: object, method = 'POST') =>
        post(worker.base, `/walker/${name}`, body, who.token, method);
      for (const [who, handle] of [
        [ada, 'ada'],
        [bob, 'bob'],
      ] as const)
        expect((await call(who, 'CreateProfile', { handle, bio: '' })).status).toBe(200);
      await call(ada, 'Follow', { handle: 'bob' });
      const { id } = (await call(bob, 'Publish', { text: 'hello' })).reports[0];
      expect((await call(ada, 'Feed', {}, 'GET')).reports).toMatchObject([{ text: 'hello', author: 'bob' }]);
      expect((await call(ada, `Like/${id}`, {})).reports[0].likes).toBe(1);
      expect((await fetch(`${worker.base}/walker/Feed`)).status).toBe(401);
    }
    await using worker = await startWorker(folder, env);
    const login = await post(worker.base, '/user/login', { username: 'ada', password: 'correct horse 1' });
    const feed = await post(worker.base, '/walker/Feed', {}, login.data.token, 'GET');
    expect(feed.reports).toMatchObject([{ text: 'hello', likes: 1 }]);
  } finally {
    removeFolder(folder);
  }
});

const counting = `
import from datetime { timedelta }
import from "./ratio.ts" { ratio }
node Counter { has n: int = 0; }
node Start {}
with entry { found = len([root -->[?:Start]]); root ++> Start(); }
walker:pub Begin { can begin with Root entry { here ++> Counter(); report found; } }
walker:pub Count { can count with Root entry { c = [-->[?:Counter]][0]; c.n += 1; report c.n; } }
walker:pub Counters { can list with Root entry { report [c.n for c in [-->[?:Counter]]]; } }
walker:pub Wrong { can fail with Root entry {
    report ratio(1, 0);
} }
def:pub spans -> int { return int(timedelta(days=2).total_seconds()) // 3600; }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Chat { async can hear with Root entry { report 1; } }
`;

test('start-up code once, calls that collide, errors with their place, a store that comes late', async () => {
  using folder = folderWith({
    'main.svc': counting,
    'ratio.ts':
      'export function ratio(a: number, b: number): number {\n  if (b === 0) throw new Error("no ratio");\n  return a / b;\n}\n',
  });
  expect(await buildWorker(folder.path)).toMatch(/a worker serves no sockets: Chat answer 404 there/);
  await using dynamo = await startDynamo();
  const env = { SVC_ENV: 'test', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
  await dynamo.kill();
  await using first = await startWorker(folder.path, env);
  const refused = await fetch(`${first.base}/walker/Counters`, { method: 'POST' });
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }]);
  await dynamo.start();
  // Two workers: each has an object, and both write to one table.
  expect((await post(first.base, '/walker/Begin')).reports).toEqual([0]);
  await using second = await startWorker(folder.path, env);
  const calls = Array.from({ length: 20 }, (_, i) => post((i % 2 === 0 ? first : second).base, '/walker/Count'));
  const counted = (await Promise.all(calls)).flatMap(({ reports }) => reports);
  expect(counted.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect((await post(second.base, '/walker/Counters')).reports).toEqual([[20]]);
  expect((await post(second.base, '/walker/Begin')).reports).toEqual([1]);
  expect((await post(first.base, '/function/spans')).data.result).toBe(48);
  const wrong = await post(first.base, '/walker/Wrong');
  expect(wrong.error).toMatchObject({ code: 'EXECUTION_ERROR' });
  await expect
    .poll(() => /"message":"no ratio","frames":\[(\{[^}]*\})/.exec(first.output())?.[1])
    .toMatch(/"function":"ratio","file":"ratio.ts","line":2/);
  expect((await post(first.base, '/walker/Chat')).status).toBe(404);
});

test('what a worker cannot have is said when it is built', async () => {
  using folder = folderWith({
    'main.svc':
      'import from svc_scale.lib { kvstore }\nwalker:pub W { can go with Root entry { report kvstore(db_name="x").find_one("a", {}); } }\n',
    'svc.toml': '[plugins.scale.database]\ndocdb_uri = "mongodb://localhost"\nkvcache_url = "redis://localhost"\n',
  });
  const { code, stderr } = await runSvc(['build', '--target', 'worker'], { cwd: folder.path });
  expect(code).toBe(3);
  expect(stderr).toMatch(/svc\.toml:2:1.*docdb_uri: a worker keeps its graph in DynamoDB/);
  expect(stderr).toMatch(/svc\.toml:3:1.*kvcache_url: a worker has no connection to a key-value store/);
  writeFileSync(
    join(folder.path, 'svc.toml'),
    '[plugins.scale.jwt]\nsecret = "mine, and long enough for anybody: 0123"\n',
  );
  const told = await buildWorker(folder.path);
  expect(told).toContain('kvstore has no database in a worker');
  expect(told).toMatch(/secrets stay out of the worker.*\n {2}JWT_SECRET {2}instead of jwt\.secret/);
  const built = join(folder.path, '.svc/build/worker');
  expect(readFileSync(join(built, 'wrangler.toml'), 'utf8')).toContain('npx wrangler secret put JWT_SECRET');
  expect(readFileSync(join(built, 'bundle/settings.json'), 'utf8')).not.toContain('mine');
});
