/** `svc migrate --kvstore` that is killed before and after each of its questions to the database (docs/server/storage.md#migration). */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';
import { startTurnCounter } from '../harness/turn-counting-proxy.ts';

const names = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");
`;
const fill = `${names}
with entry {
    shop.create_index("products", ["code"], unique=True);
    for i in range(450) { shop.insert_one("products", {"_id": f"p{(i * 7) % 450}", "code": i}); }
    shop.insert_one("visits", {"_id": 1, "by": "ann"});
    for i in range(250) { cache.set(f"k{i}", i); }
    cache.set_with_ttl("soon", "over", 50000);
}
`;
const look = `${names}
with entry {
    print([d["_id"] for d in shop.find("products", {}, limit=1000)], shop.find_by_id("visits", 1));
    print(sorted([(k, cache.get(k)) for k in cache.scan_keys()]), cache.exists("soon"));
    try { shop.insert_one("products", {"code": 3}); } except ValueError as e { print(e); }
}
`;
const count = `${names}
with entry { print(shop.count_documents("products") + shop.count_documents("visits") + len(cache.scan_keys())); }
`;
const change = `${names}
with entry {
    print(shop.update_by_id("products", "p0", {"$set": {"mine": True}}), shop.find_by_id("products", "p0"));
    cache.set("k0", "mine");
}
`;
const all = 450 + 1 + 251;
const files = { 'fill.svc': fill, 'look.svc': look, 'count.svc': count, 'change.svc': change };
const home = folderWith(files);
let postgres: PostgresServer;
let seen: string;

beforeAll(async () => {
  if (!hasPostgres()) return;
  postgres = await startPostgres();
  expect((await runSvc(['run', 'fill.svc'], { cwd: home.path })).code).toBe(0);
  ({ stdout: seen } = await runSvc(['run', 'look.svc'], { cwd: home.path }));
  expect(seen).toContain("('k249', 249)");
});
afterAll(async () => {
  home[Symbol.dispose]();
  await postgres?.[Symbol.asyncDispose]();
});

/** An application whose file has everything, and that looks elsewhere for it. */
function application() {
  const folder = folderWith(files);
  mkdirSync(join(folder.path, '.svc/data'), { recursive: true });
  copyFileSync(join(home.path, '.svc/data/kvstore.db'), join(folder.path, '.svc/data/kvstore.db'));
  return folder;
}
const warning = 'svc migrate --kvstore brings them there';
const told = `svc: ${all} documents and keys of .svc/data/kvstore.db are where kvstore keeps them now; the file can be deleted\n`;

/** A database behind a proxy; `env` leads through it. */
async function behindProxy(name: string) {
  const url = await postgres.urlOf(name);
  const proxy = await startTurnCounter(postgres.port);
  const env = { DATABASE_URL: url.replace(`:${postgres.port}/`, `:${proxy.port}/`) };
  return { url, proxy, env, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

/** Runs it with nobody in its way; gives the number of its questions. */
async function unhindered(): Promise<number> {
  using app = application();
  await using through = await behindProxy('unhindered');
  const { code, stderr } = await runSvc(['migrate', '--kvstore'], { cwd: app.path, env: through.env });
  expect([code, stderr]).toEqual([0, told]);
  return through.proxy.turns;
}

test.skipIf(!hasPostgres())('killed at each step, nothing is lost, and the same command does the rest', async () => {
  const turns = await unhindered();
  expect(turns).toBeGreaterThan(10);
  const parts = new Set<number>();
  for (let turn = 1; turn <= turns; turn++)
    for (const what of ['question', 'answer'] as const) {
      using app = application();
      const cwd = app.path;
      const before = readFileSync(join(cwd, '.svc/data/kvstore.db'));
      await using through = await behindProxy(`at_${turn}_${what}`);
      {
        await using one = spawnSvc(['migrate', '--kvstore'], { cwd, env: through.env });
        const reached = await Promise.race([
          through.proxy.silence(turn, what).then(() => true),
          one.exited.then(() => false),
        ]);
        // The last ones end a connection, and nobody waits for an answer to that.
        if (!reached) {
          expect([turn, one.stderr()]).toEqual([turns, told]);
          continue;
        }
        one.kill('SIGKILL');
        expect(await one.exited, 'killed').toBe(null);
      }
      const env = { DATABASE_URL: through.url };
      const file = readFileSync(join(cwd, '.svc/data/kvstore.db'));
      expect(file.equals(before), 'the file is as it was').toBe(true);
      const there = await runSvc(['run', 'count.svc'], { cwd, env });
      expect([there.code, there.stderr]).toEqual([0, expect.stringContaining(warning)]);
      parts.add(Number(there.stdout));
      const rest = await runSvc(['migrate', '--kvstore'], { cwd, env });
      expect([rest.code, rest.stderr]).toEqual([0, told]);
      const after = await runSvc(['run', 'look.svc'], { cwd, env });
      expect([after.stdout, after.stderr]).toEqual([seen, '']);
    }
  console.info(`killed with so much of it there: ${[...parts].sort((a, b) => a - b).join(', ')}`);
  expect(parts.has(0) && parts.has(all), 'before the first and after the last').toBe(true);
  expect(parts.size, 'and on the way').toBeGreaterThan(5);
});
