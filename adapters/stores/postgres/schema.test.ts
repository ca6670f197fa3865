/** Tables of an empty database, made by whichever process comes first (docs/server/stores.md#postgresql). */
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresDatabase } from '../../kvstore/postgres/database.ts';
import { openPostgresStore } from './store.ts';

const test = plainTest.skipIf(!hasPostgres());
let server: PostgresServer;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

test('processes that come to an empty database at once make its tables once', async () => {
  for (let round = 0; round < 5; round++) {
    const url = await server.urlOf(`empty${round}`);
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore({ url })));
    const kept = { kind: 'docdb', url, connectTimeoutMs: 5000, operationTimeoutMs: 5000 } as const;
    const databases = await Promise.all(Array.from({ length: 8 }, () => openPostgresDatabase(kept)));
    const roots = await server.run(`SELECT id FROM empty${round}.svc_node ORDER BY id`);
    expect(roots.map(({ id }) => id)).toEqual(['1', '2']);
    const keys = await server.run(`SELECT key FROM empty${round}.svc_meta ORDER BY key COLLATE "C"`);
    expect(keys.map(({ key }) => key)).toEqual(['edge_secret', 'format', 'node_secret', 'roots']);
    await Promise.all([...stores.map(({ graph }) => graph.close()), ...databases.map((db) => db.close())]);
  }
});

test('tables of a newer version are refused and left alone', async () => {
  const url = await server.urlOf('newer');
  await (await openPostgresStore({ url })).graph.close();
  await server.run("UPDATE newer.svc_meta SET value = '99' WHERE key = 'format'");
  const before = await server.run('SELECT * FROM newer.svc_meta ORDER BY key');
  await expect(openPostgresStore({ url })).rejects.toThrow('made by a newer version of svc');
  expect(await server.run('SELECT * FROM newer.svc_meta ORDER BY key')).toEqual(before);
});
