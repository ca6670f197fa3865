/** Commands that move a whole store reach PostgreSQL through PgBouncer in transaction mode, which gives each transaction another connection. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTool } from '../harness/find-tool.ts';
import { startBouncer } from '../harness/pgbouncer.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");
node Note { has n: int; }
with entry {
    if not [root-->[?:Note]] {
        for i in range(3000) { root ++> Note(n=i); }
        for i in range(700) { shop.insert_one("d", {"_id": i}); }
        cache.set("k", "v");
    }
    print(len([root-->[?:Note]]), shop.count_documents("d"), cache.get("k"));
}
`;
const found = '3000 700 v\n';
const hasBouncer = findTool('pgbouncer', 'pgbouncer') !== undefined;

test.skipIf(!hasPostgres() || !hasBouncer)('export, import and migration go through a pooler', async () => {
  await using postgres = await startPostgres();
  using bouncer = await startBouncer(postgres);
  const env = { DATABASE_URL: bouncer.url };
  using here = folderWith({ 'main.svc': program });
  const cwd = here.path;
  expect((await runSvc(['run', 'main.svc'], { cwd })).stdout).toBe(found);
  const migrated = await runSvc(['migrate', '--to', bouncer.url], { cwd });
  expect([migrated.code, migrated.stderr]).toEqual([0, expect.stringContaining('everything has moved')]);
  expect((await runSvc(['run', 'main.svc'], { cwd, env })).stdout).toBe(found);
  for (const args of [
    ['export', '-o', 'old.jsonl'],
    ['backup', '-o', 'old.db'],
  ]) {
    const { code, stderr } = await runSvc(args, { cwd });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: \.svc\/data\/svc\.db is what was there before all of it moved to postgres \(/),
    ]);
  }
  const exported = await runSvc(['export', '-o', 'all.jsonl'], { cwd, env });
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('was written to all.jsonl')]);
  await postgres.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  using there = folderWith({ 'main.svc': program });
  const imported = await runSvc(['import', join(cwd, 'all.jsonl')], { cwd: there.path, env });
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('700 documents and 1 keys')]);
  expect((await runSvc(['run', 'main.svc'], { cwd: there.path, env })).stdout).toBe(found);
});
