/** Each configuration of docs/stores.md opens the store it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { startMongo } from '../harness/mongo/mongo-server.ts';
import { startPostgres } from '../harness/postgres-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, register, repository, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'stores.md'), 'utf8');
const blocks = new Map([...page.matchAll(/^```toml (\S+)\n([\s\S]*?)^```$/gm)].map((block) => [block[1]!, block[2]!]));
const program = `node Note { has text: str; }
walker Add { has text: str; can go with Root entry { here ++> Note(text=self.text); } }
walker All { can go with Root entry { report [n.text for n in [-->[?:Note]]]; } }
`;

test('the page has a configuration for each store', () => {
  expect([...blocks.keys()]).toEqual(['sqlite', 'postgres', 'docdb', 'docdb-with-redis', 'dynamodb']);
});

test.each([...blocks])('%s', async (name, toml) => {
  await using mongo = await startMongo();
  await using redis = await startRedis();
  await using dynamo = await startDynamo();
  await using postgres = name === 'postgres' ? await startPostgres() : undefined;
  console.info('document database: emulation (OP_MSG server of the tests); DynamoDB: emulator dynoxide');
  using folder = folderWith({ 'main.svc': program, 'svc.toml': toml });
  const env = {
    DATABASE_URL: postgres?.url ?? '',
    DOCDB_URI: name.startsWith('docdb') ? mongo.uri : '',
    KVCACHE_URL: name === 'docdb-with-redis' ? redis.url : '',
    SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
  };
  await using server = await startServer({ folder: folder.path, env });
  expect(server.output()).toContain(`"store":"${name.replace('-with-redis', '')}"`);
  const { token } = await register(server.base, 'ada');
  for (const text of ['one', 'two']) expect((await post(server.base, '/walker/Add', { text }, token)).ok).toBe(true);
  expect((await post(server.base, '/walker/All', {}, token)).reports).toEqual([['one', 'two']]);
  expect(mongo.commands.length > 0).toBe(name.startsWith('docdb'));
});
