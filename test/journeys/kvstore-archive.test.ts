/** Archives have the content of `kvstore` (docs/server/storage.md#archives, decisions/0800). */
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentDatabase, openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const fill = `import from svc_scale.lib { kvstore }
import from datetime { datetime }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");
glob third = kvstore("3", "kvcache");
node Note { has text: str; }
with entry {
    root ++> Note(text="kept");
    shop.create_index("products", ["code"], unique=True);
    shop.create_index("visits", ["at"], expire_seconds=100000);
    for i in range(450) { shop.insert_one("products", {"_id": f"p{(i * 7) % 450}", "code": i, "x": [1.5, None, {"a": True}]}); }
    shop.insert_one("products", {"code": "late", "when": datetime(2030, 1, 2, 3, 4, 5), "raw": b"\\x00\\xff", "big": 9007199254740993, "inf": float("inf")});
    shop.insert_one("visits", {"_id": 1, "at": datetime(2099, 1, 1)});
    cache.set("greeting", {"text": "hallo"});
    cache.incr("count", 41);
    cache.set_with_ttl("soon", "over", 5000);
    third.set("k\\n", "three");
    print("done");
}
`;
const look = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");
glob third = kvstore("3", "kvcache");
with entry {
    print([d["_id"] for d in shop.find("products", {}, limit=1000)][0:450]);
    late = shop.find_one("products", {"code": "late"});
    print(late["when"], late["raw"], late["big"], late["inf"]);
    print(shop.find_one("products", {"code": 3}), shop.count_documents("products"), shop.count_documents("visits"));
    try { shop.insert_one("products", {"code": "late"}); } except ValueError as e { print(e); }
    print(cache.get("greeting"), cache.incr("count"), cache.get("soon"), cache.expire("soon", 5000), third.get("k\\n"));
    print(sorted(cache.scan_keys()), sorted(third.scan_keys()));
    cache.incr("count", -1);
}
`;

const peek = `import from svc_scale.lib { kvstore }
with entry { print(kvstore("shop").count_documents("products"), kvstore("shop", "kvcache").get("greeting")); }
`;
const local = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop", uri="local:");
with entry { print(shop.count_documents("products")); if shop.count_documents("products") == 0 { shop.insert_one("products", {"a": 1}); } }
walker:pub Ok { can go with Root entry { report 1; } }
`;
const mine = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
with entry {
    if not shop.find_by_id("products", "p440") { shop.insert_one("products", {"_id": "p440", "mine": True}); }
    print(shop.count_documents("products"), kvstore("shop", "kvcache").get("greeting"));
}
`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

let postgres: PostgresServer | undefined;
let documents: DocumentDatabase;
const home = folderWith({ 'fill.svc': fill, 'look.svc': look });
let seen: string;
const app = () => folderWith({ 'look.svc': look });
const run = Date.now().toString(36);
const data = (folder: string) => {
  const path = join(folder, '.svc/data');
  return existsSync(path) ? readdirSync(path).sort() : [];
};

beforeAll(async () => {
  if (hasPostgres()) postgres = await startPostgres();
  documents = await openDocumentDatabase();
  expect((await runSvc(['run', 'fill.svc'], { cwd: home.path })).stdout).toBe('done\n');
  seen = (await runSvc(['run', 'look.svc'], { cwd: home.path })).stdout;
  expect(seen).toContain("{'text': 'hallo'} 42 over True three");
  expect((await runSvc(['export', '-o', 'all.jsonl'], { cwd: home.path })).code).toBe(0);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await postgres?.[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
});

test('an archive counts documents and keys, and has them in order', () => {
  const lines = readFileSync(join(home.path, 'all.jsonl'), 'utf8').trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ kind: 'end', documents: 452, keys: 4 });
});

test('a file makes a file: the documents, keys, indexes and times of the one are those of the other', async () => {
  using other = app();
  const { code, stderr } = await runSvc(['import', join(home.path, 'all.jsonl')], { cwd: other.path });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /in \.svc\/data\/svc\.db\nsvc: 452 documents and 4 keys of kvstore are in \.svc\/data\/kvstore\.db\n$/,
    ),
  ]);
  expect(data(other.path)).toEqual(['kvstore.db', 'svc.db']);
  expect((await runSvc(['run', 'look.svc'], { cwd: other.path })).stdout).toBe(seen);
});

for (const kind of ['postgres', 'docdb'] as const)
  test.skipIf(kind === 'postgres' && !hasPostgres())(
    `from a file into ${kind}, what a program finds is the same; from PostgreSQL back into a file too`,
    async () => {
      using there = app();
      const env: Record<string, string> =
        kind === 'postgres'
          ? { DATABASE_URL: await postgres!.urlOf('kept') }
          : { DOCDB_URI: documents.uri, SVC_DATABASE_DOCDB_NAME: `svc_kept_${run}` };
      const imported = await runSvc(['import', join(home.path, 'all.jsonl')], { cwd: there.path, env });
      expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('452 documents and 4 keys')]);
      expect((await runSvc(['run', 'look.svc'], { cwd: there.path, env })).stdout).toBe(seen);
      if (kind === 'docdb') return;
      expect((await runSvc(['export', '-o', 'back.jsonl'], { cwd: there.path, env })).code).toBe(0);
      using back = app();
      expect((await runSvc(['import', join(there.path, 'back.jsonl')], { cwd: back.path })).code).toBe(0);
      expect((await runSvc(['run', 'look.svc'], { cwd: back.path })).stdout).toBe(seen);
    },
  );

test('what is there already stays: the import is refused before anything of it can be seen', async () => {
  using other = app();
  const other1 = `import from svc_scale.lib { kvstore }
with entry { kvstore("shop", "kvcache").set("mine", 1); }
`;
  writeFileSync(join(other.path, 'mine.svc'), other1);
  expect((await runSvc(['run', 'mine.svc'], { cwd: other.path })).code).toBe(0);
  const moved = folderWith({});
  using _ = moved;
  mkdirSync(join(moved.path, '.svc/data'), { recursive: true });
  linkSync(join(other.path, '.svc/data/kvstore.db'), join(moved.path, '.svc/data/kvstore.db'));
  const refused = await runSvc(['import', join(home.path, 'all.jsonl')], { cwd: moved.path });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'svc: import: there are documents or keys of kvstore already: .svc/data/kvstore.db\n  hint: move that file away, with its -wal and -shm\n',
  ]);
  expect(data(moved.path)).toEqual(['kvstore.db']);
});

test('an import that was killed between the names of the two files is done by the same command', async () => {
  using other = app();
  expect((await runSvc(['import', join(home.path, 'all.jsonl')], { cwd: other.path })).code).toBe(0);
  using half = app();
  const folder = join(half.path, '.svc/data');
  mkdirSync(join(folder, 'kvstore.db.partial'), { recursive: true });
  linkSync(join(other.path, '.svc/data/kvstore.db'), join(folder, 'kvstore.db.partial/kvstore.db'));
  linkSync(join(folder, 'kvstore.db.partial/kvstore.db'), join(folder, 'kvstore.db'));
  const { code, stderr } = await runSvc(['import', join(home.path, 'all.jsonl')], { cwd: half.path });
  expect([code, stderr]).toEqual([0, expect.stringContaining('452 documents and 4 keys')]);
  expect(data(half.path)).toEqual(['kvstore.db', 'svc.db']);
  expect((await runSvc(['run', 'look.svc'], { cwd: half.path })).stdout).toBe(seen);
});

for (const kind of ['sqlite', 'postgres', 'docdb'] as const)
  test.skipIf(kind === 'postgres' && !hasPostgres())(
    `an import into ${kind} that is killed at any moment is done by the same command, and nothing of it is seen before`,
    async () => {
      using there = folderWith({ 'look.svc': look, 'peek.svc': peek });
      const cwd = there.path;
      await using fresh = await openDocumentDatabase();
      const env: Record<string, string> =
        kind === 'postgres'
          ? { DATABASE_URL: await postgres!.urlOf('killed') }
          : kind === 'docdb'
            ? { DOCDB_URI: fresh.uri, SVC_DATABASE_DOCDB_NAME: `svc_killed_${run}` }
            : {};
      const args = ['import', join(home.path, 'all.jsonl')];
      let kills = 0;
      // The moments of the kills go through all of an import, however long this machine takes for one. Into MongoDB it takes about twice as long.
      const times: number[] = [];
      for (let i = 0; i < 2; i++) {
        using unhindered = app();
        await using other = kind === 'docdb' ? await openDocumentDatabase() : undefined;
        const into = other === undefined ? {} : { ...env, DOCDB_URI: other.uri };
        times.push(await timed(() => runSvc(args, { cwd: unhindered.path, env: into })));
      }
      const whole = Math.min(...times); // the first one is the slowest, and others of this machine may have been in its way
      for (let part = 0.1; ; part += 0.08) {
        await using one = spawnSvc(args, { cwd, env });
        const isOver = await Promise.race([one.exited, sleep(whole * part).then(() => undefined)]);
        if (isOver !== undefined) {
          expect([isOver, one.stderr()]).toEqual([0, expect.stringContaining('452 documents and 4 keys')]);
          break;
        }
        one.kill('SIGKILL');
        await one.exited;
        kills++;
        // A program is not shown a part.
        if (kind === 'sqlite' && !data(cwd).includes('svc.db')) continue;
        const peeked = await runSvc(['run', 'peek.svc'], { cwd, env });
        if (peeked.stdout === "451 {'text': 'hallo'}\n") break;
        expect([peeked.code, peeked.stdout]).toEqual(peeked.code === 7 ? [7, ''] : [0, '0 None\n']);
      }
      expect(kills).toBeGreaterThan(2);
      expect((await runSvc(['run', 'look.svc'], { cwd, env })).stdout).toBe(seen);
    },
  );

test('an archive with a document too few, or one of no collection, is none', async () => {
  const lines = readFileSync(join(home.path, 'all.jsonl'), 'utf8').trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith('{"kind":"document"'));
  const broken: readonly (readonly [readonly string[], string])[] = [
    [lines.toSpliced(at, 1), 'it should have 452 documents and has 451'],
    [lines.toSpliced(at, 1, lines[at]!.replace('"shop"', '"ship"')), 'a document is in a collection that is not there'],
  ];
  for (const [text, message] of broken) {
    using other = app();
    writeFileSync(join(other.path, 'bad.jsonl'), `${text.join('\n')}\n`);
    const { code, stderr } = await runSvc(['import', 'bad.jsonl'], { cwd: other.path });
    expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
    expect(data(other.path)).toEqual([]);
  }
});

test.skipIf(!hasPostgres())(
  'what lies in the file while programs look in PostgreSQL is warned of once, and brought along by the command that is named',
  async () => {
    using here = folderWith({ 'fill.svc': fill, 'look.svc': look, 'local.svc': local });
    const cwd = here.path;
    expect((await runSvc(['run', 'fill.svc'], { cwd })).code).toBe(0);
    const env = { DATABASE_URL: await postgres!.urlOf('forgotten') };
    const warning =
      'warning: .svc/data/kvstore.db has documents or keys of kvstore, which is elsewhere now; svc migrate --kvstore brings them there\n';
    const warned = await runSvc(['run', 'local.svc'], { cwd, env });
    expect([warned.code, warned.stdout, warned.stderr]).toEqual([0, '451\n', warning]);
    for (const workers of ['1', '2']) {
      await using server = spawnSvc(['start', 'local.svc', '--port', '0', '--workers', workers], { cwd, env });
      await server.until(/http:\/\/localhost/);
      expect(server.stderr().split(warning)).toHaveLength(2);
    }
    expect((await runSvc(['migrate', '--kvstore'], { cwd })).code, 'nothing has moved').toBe(2);
    const moved = await runSvc(['migrate', '--kvstore'], { cwd, env });
    expect([moved.code, moved.stderr]).toEqual([
      0,
      'svc: 456 documents and keys of .svc/data/kvstore.db are where kvstore keeps them now; the file can be deleted\n',
    ]);
    const after = await runSvc(['run', 'look.svc'], { cwd, env });
    expect([after.stdout, after.stderr]).toEqual([seen, '']);
    // A file that was made for `local:` has nobody's forgotten data.
    using other = folderWith({ 'local.svc': local });
    for (const count of ['0\n', '1\n']) {
      const { stdout, stderr } = await runSvc(['run', 'local.svc'], { cwd: other.path, env });
      expect([stdout, stderr]).toEqual([count, '']);
    }
  },
);

test.skipIf(!hasPostgres())('another document under the same id stays, and nothing is brought along', async () => {
  using here = folderWith({ 'fill.svc': fill, 'look.svc': look, 'mine.svc': mine });
  const cwd = here.path;
  expect((await runSvc(['run', 'fill.svc'], { cwd })).code).toBe(0);
  const env = { DATABASE_URL: await postgres!.urlOf('otherwise') };
  expect((await runSvc(['run', 'mine.svc'], { cwd, env })).stdout).toBe('1 None\n');
  const refused = await runSvc(['migrate', '--kvstore'], { cwd, env });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'svc: migrate: the collection shop.products has another document with an _id of the archive\n  hint: nothing of it was replaced; --keep leaves what is there as it is, and brings the rest\n',
  ]);
  expect((await runSvc(['run', 'mine.svc'], { cwd, env })).stdout).toBe('1 None\n');
});
