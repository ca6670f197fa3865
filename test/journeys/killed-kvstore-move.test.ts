/** `svc migrate --kvstore` that is killed before and after each of its questions to the database (docs/server/storage.md#migration). */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDriver } from '../../adapters/stores/sqlite/open-driver.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
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
  const [from, to] = [home.path, folder.path].map((path) => join(path, '.svc/data')) as [string, string];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((each) => each.startsWith('kvstore.db')))
    copyFileSync(join(from, name), join(to, name));
  return folder;
}
const warning = 'svc migrate --kvstore brings them there';
const told = `svc: ${all} documents and keys of .svc/data/kvstore.db are where kvstore keeps them now; the file can be deleted\n`;

/** The file is again as if nothing of it had been brought along. */
function forgetMark(cwd: string): void {
  const db = openDriver(join(cwd, '.svc/data/kvstore.db'));
  db.exec('PRAGMA application_id = 0');
  db.close();
}

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

/** All that is in a schema, in the order of the documents, without the number of a collection and the times at which keys end. */
async function contentOf(schema: string): Promise<unknown[]> {
  const tables = ['svc_kv_document', 'svc_kv_pair'].map((name) => `${schema}.${name}`);
  const [documents, pairs] = tables;
  const there = await postgres.run(
    `SELECT to_regclass('${documents}') IS NOT NULL AND to_regclass('${pairs}') IS NOT NULL AS is`,
  );
  if (there[0]!['is'] !== true) return [];
  return [
    ...(await postgres.run(`SELECT id, doc FROM ${documents} ORDER BY seq`)),
    ...(await postgres.run(`SELECT number, key, value FROM ${pairs} ORDER BY key`)),
  ];
}

test.skipIf(!hasPostgres())(
  'killed at each step, nothing is lost, and the same command does the rest',
  async () => {
    using app = application();
    const cwd = app.path;
    const turns = await unhindered();
    expect(turns).toBeGreaterThan(10);
    const expected = await contentOf('unhindered');
    expect(expected).toHaveLength(all);
    const parts: number[] = [];
    for (let turn = 1; turn <= turns; turn++)
      for (const what of ['question', 'answer'] as const) {
        const schema = `at_${turn}_${what}`;
        await using through = await behindProxy(schema);
        {
          await using one = spawnSvc(['migrate', '--kvstore'], { cwd, env: through.env });
          const reached = await Promise.race([
            through.proxy.silence(turn, what).then(() => true),
            one.exited.then(() => false),
          ]);
          // Answers that come together are fewer questions: then this one was never asked.
          if (!reached) {
            expect(one.stderr()).toBe(told);
            forgetMark(cwd);
            continue;
          }
          one.kill('SIGKILL');
          expect(await one.exited, 'killed').toBe(null);
        }
        const env = { DATABASE_URL: through.url };
        parts.push((await contentOf(schema)).length);
        const rest = await svcHere(['migrate', '--kvstore'], { cwd, env });
        expect([rest.code, rest.stderr], schema).toEqual([0, told]);
        expect(await contentOf(schema)).toEqual(expected);
        forgetMark(cwd);
      }
    // Runs differ in their number of questions: here the last write is there for certain, and its answer is not.
    const through = await behindProxy('at_the_end');
    {
      await using one = spawnSvc(['migrate', '--kvstore'], { cwd, env: through.env });
      await through.proxy.silenceFrom('over', 'answer');
      await expect.poll(async () => (await contentOf('at_the_end')).length).toBe(all);
      parts.push(all);
      one.kill('SIGKILL');
      expect(await one.exited, 'killed').toBe(null);
    }
    await through[Symbol.asyncDispose]();
    const rest = await svcHere(['migrate', '--kvstore'], { cwd, env: { DATABASE_URL: through.url } });
    expect([rest.code, rest.stderr]).toEqual([0, told]);
    expect(await contentOf('at_the_end')).toEqual(expected);
    console.info(`of ${all}, killed with so many there: ${parts.join(', ')}`);
    expect(parts, 'before the first and after the last').toEqual(expect.arrayContaining([0, all]));
    expect(
      parts.filter((there) => there > 0 && there < all),
      'and on the way',
    ).not.toEqual([]);
  },
  600_000,
);

test.skipIf(!hasPostgres())(
  'after a kill on the way programs run, and are told of the command that brings the rest',
  async () => {
    using app = application();
    const cwd = app.path;
    await using through = await behindProxy('half');
    {
      await using one = spawnSvc(['migrate', '--kvstore'], { cwd, env: through.env });
      // The documents are there then, and most of the keys.
      await through.proxy.silenceFrom('over');
      one.kill('SIGKILL');
      expect(await one.exited).toBe(null);
    }
    const env = { DATABASE_URL: through.url };
    const there = await runSvc(['run', 'count.svc'], { cwd, env });
    expect([there.code, there.stderr]).toEqual([0, expect.stringContaining(warning)]);
    expect(Number(there.stdout)).toBeGreaterThan(0);
    expect(Number(there.stdout)).toBeLessThan(all);
    // Nothing that has changed there since is overwritten.
    expect((await runSvc(['run', 'change.svc'], { cwd, env })).code).toBe(0);
    const refused = await runSvc(['migrate', '--kvstore'], { cwd, env });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'svc: migrate: the collection shop.products has another document with an _id of the archive\n  hint: nothing of it was replaced; --keep leaves what is there as it is, and brings the rest\n',
    ]);
    const rest = await runSvc(['migrate', '--kvstore', '--keep'], { cwd, env });
    expect([rest.code, rest.stderr]).toEqual([0, told]);
    const after = await runSvc(['run', 'look.svc'], { cwd, env });
    expect([after.stdout, after.stderr]).toEqual([seen.replace("('k0', 0)", "('k0', 'mine')"), '']);
    expect((await runSvc(['run', 'change.svc'], { cwd, env })).stdout).toContain("'mine': True");
  },
);
