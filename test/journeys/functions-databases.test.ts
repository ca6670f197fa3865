/**
 * Packaged functions over PostgreSQL, a document database and a key-value store: their drivers are in the archive when they are
 * configured (docs/server/cloud.md#archives).
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { httpEvent, socketEvent, unpackFunction } from '../harness/packaged-function.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
node Task { has title: str; }
walker Add { has title: str; can add with Root entry { here ++> Task(title=self.title); report "added"; } }
walker All { can all with Root entry { report [task.title for task in [-->[?:Task]]]; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Room { has text: str; can say with Root entry { report self.text; } }
`;

async function build(folder: string, env: Record<string, string> = {}): Promise<Record<string, Uint8Array>> {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder, env });
  expect([code, stderr]).toEqual([0, '']);
  const archive = readFileSync(join(folder, 'out/http.zip'));
  expect(archive.length).toBeLessThan(1_000_000);
  return unzipSync(archive);
}

/** Names of the drivers whose code is in the files. */
function packagedDrivers(files: Record<string, Uint8Array>): string[] {
  const code = Object.values(files).map((bytes) => Buffer.from(bytes).toString('latin1'));
  const marks = {
    mongodb: 'MongoServerSelectionError',
    ioredis: 'MaxRetriesPerRequestError',
    pg: 'SCRAM-SERVER-FIRST-MESSAGE',
  };
  return Object.entries(marks).flatMap(([name, mark]) => (code.some((text) => text.includes(mark)) ? [name] : []));
}

test.skipIf(!hasPostgres())('tasks of one function are there for another one, over PostgreSQL', async () => {
  await using database = await startPostgres();
  using folder = folderWith({ 'main.svc': program });
  const env = {
    DATABASE_URL: database.url,
    SVC_DATABASE_STORE: 'postgres',
    SVC_MANAGEMENT_ENDPOINT: 'http://127.0.0.1:1',
  };
  const files = await build(folder.path, env);
  expect(packagedDrivers(files)).toEqual(['pg']);
  using one = unpackFunction(join(folder.path, 'out/http.zip'), 'http', env, { alone: true });
  using two = unpackFunction(join(folder.path, 'out/http.zip'), 'http', env, { alone: true });
  const user = { username: 'ada', password: 'correct horse 1' };
  const [registered] = await one.call([httpEvent('POST', '/user/register', user)]);
  const signedIn = (path: string, body: unknown) => {
    const event = httpEvent('POST', path, body);
    const authorization = `Bearer ${JSON.parse(registered.body).data.access_token}`;
    return { ...event, headers: { ...event.headers, authorization } };
  };
  await one.call([signedIn('/walker/Add', { title: 'milk' }), signedIn('/walker/Add', { title: 'bread' })]);
  const [listed] = await two.call([signedIn('/walker/All', {})]);
  expect(JSON.parse(listed.body).reports).toEqual([['milk', 'bread']]);
});

test('tasks of one function are there for another one, with copies in Redis; sockets are in DynamoDB all the same', async () => {
  await using database = await openDocumentDatabase();
  await using redis = await startRedis();
  const dynamo = await startDynamo();
  using folder = folderWith({ 'main.svc': program });
  const env = {
    SVC_DATABASE_STORE: 'docdb',
    DOCDB_URI: database.uri,
    SVC_DATABASE_DOCDB_NAME: `svc_fn_${Date.now().toString(36)}`,
    KVCACHE_URL: redis.url,
    SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
    SVC_MANAGEMENT_ENDPOINT: 'http://127.0.0.1:1',
  };
  try {
    const files = await build(folder.path, env);
    expect(packagedDrivers(files)).toEqual(['mongodb', 'ioredis']);
    expect(Object.keys(files).some((path) => path.includes('node_modules'))).toBe(false);
    const of = (name: string) =>
      unpackFunction(join(folder.path, `out/${name}.zip`), name, { ...env }, { alone: true });
    using one = of('http');
    using two = of('http');
    const [registered] = await one.call([
      httpEvent('POST', '/user/register', { username: 'ada', password: 'correct horse 1' }),
    ]);
    const signedIn = (path: string, body: unknown) => {
      const event = httpEvent('POST', path, body);
      const authorization = `Bearer ${JSON.parse(registered.body).data.access_token}`;
      return { ...event, headers: { ...event.headers, authorization } };
    };
    await one.call([signedIn('/walker/Add', { title: 'milk' }), signedIn('/walker/Add', { title: 'bread' })]);
    const [listed, again] = await two.call([signedIn('/walker/All', {}), signedIn('/walker/All', {})]);
    expect(JSON.parse(listed.body).reports).toEqual([['milk', 'bread']]);
    expect(JSON.parse(again.body).reports).toEqual([['milk', 'bread']]);
    const client = new Redis(redis.url);
    expect(await client.dbsize()).toBeGreaterThan(0);
    client.disconnect();

    using opened = of('websocket');
    using closed = of('websocket');
    expect(await opened.call([socketEvent('$connect', 'c1=', { walker: 'Room' })])).toMatchObject([
      { statusCode: 200 },
    ]);
    expect(await closed.call([socketEvent('$disconnect', 'c1=')])).toMatchObject([{ statusCode: 200 }]);
    using sweeper = unpackFunction(join(folder.path, 'out/sweeper.zip'), 'sweeper', {
      ...env,
      DOCDB_URI: '',
      KVCACHE_URL: '',
    });
    expect(await sweeper.call([{}])).toEqual([null]);
  } finally {
    await dynamo.stop();
  }
});

test('a driver is in an archive when a file, a profile or the program asks for it, and is missed with a word', async () => {
  using folder = folderWith({ 'main.svc': program });
  expect(packagedDrivers(await build(folder.path))).toEqual([]);
  const env = { KVCACHE_URL: 'redis://127.0.0.1:1' };
  using bare = unpackFunction(join(folder.path, 'out/http.zip'), 'http', env);
  await expect(bare.call([httpEvent('GET', '/healthz/live')])).rejects.toThrow(
    /KVCACHE_URL is set, but .* ioredis is not in it/,
  );

  using cache = folderWith({
    'main.svc': program,
    'svc.toml': '[plugins.scale.database]\nkvcache_url = "redis://h:1"\n',
  });
  expect(packagedDrivers(await build(cache.path))).toEqual(['ioredis']);
  const profile = '[environments.live.plugins.scale.database]\ndocdb_uri = "mongodb://h:1"\n';
  using live = folderWith({ 'main.svc': program, 'svc.toml': profile });
  expect(packagedDrivers(await build(live.path))).toEqual(['mongodb']);
  const asking = `import from svc_scale.lib { kvstore }\nwalker Ask { can ask with Root entry { report kvstore("x", uri="mongodb://h"); } }\n`;
  using itself = folderWith({ 'main.svc': asking });
  expect(packagedDrivers(await build(itself.path))).toEqual(['mongodb', 'ioredis']);
});
