/** `kvstore` in served programs (docs/server/kvstore.md). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LiveClient } from '../harness/live-client.ts';
import { startMongo } from '../harness/mongo/mongo-server.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const injection = `import from svc_scale.lib { kvstore }
import copy;
import from http { HTTPMethod }
import json;
glob db = kvstore("people");

def attempt(filter: any, update: any = None) -> any {
    try {
        if update is not None { return db.update_many("c", filter, update); }
        return sorted([d["name"] for d in db.find("c", filter)]);
    } except ValueError as e { return f"ValueError: {e}"; }
}

walker:pub Fill { can go with Root entry {
    db.delete_many("c", {}, confirm=True);
    db.insert_many("c", [{"name": "ada", "secret": "x"}, {"name": "bob", "secret": "y"}]);
} }
walker:pub ByDict { has filter: dict; can go with Root entry { report attempt(self.filter); } }
walker:pub ByAny { has value: any; can go with Root entry { report attempt({"secret": self.value}); } }
walker:pub ByList { has values: list[dict]; can go with Root entry { report attempt({"$or": self.values}); } }
walker:pub ByStr { has value: str; can go with Root entry { report attempt({"secret": self.value}); } }
walker:pub ByUnion { has value: str | dict | None = None; can go with Root entry { report attempt({"secret": self.value}); } }
walker:pub Deep { has value: any; can go with Root entry { report attempt({"$and": [{"$or": [{"secret": self.value}]}]}); } }
walker:pub Copies { has filter: dict; can go with Root entry {
    f = self.filter;
    merged = {"x": 1};
    merged.update(f);
    report [attempt(each) for each in [{**f}, dict(f), f.copy(), copy.copy(f), copy.deepcopy(f), f | {}, {} | f, merged]];
} }
node Saved { has filter: dict; }
walker:pub Laundered { has filter: dict, text: str, op: str; can go with Root entry {
    f = self.filter;
    looped = {};
    for key in f { looped[key] = f[key]; }
    nested = {};
    for (key, value) in f.items() { nested[key] = {k: v for (k, v) in value.items()} if isinstance(value, dict) else value; }
    pairs = dict([(key, value) for (key, value) in f.items()]);
    zipped = dict(zip(f.keys(), f.values()));
    built = {}; built[self.op] = 0;
    default = {}; default.setdefault(self.op, 0);
    found = [{k: v for (k, v) in f.items()}, looped, nested, pairs, zipped, json.loads(json.dumps(f)), json.loads(self.text),
        {"secret": built}, {"secret": default}, {"secret": {self.op: 0}}, {"secret": {f"{self.op}": 0}}];
    report [attempt(each) for each in found];
} }
walker:pub Save { has filter: dict; can go with Root entry { for old in [-->[?:Saved]] { del old; } here ++> Saved(filter=self.filter); } }
walker:pub Reuse { can go with Root entry { report attempt([-->[?:Saved]][0].filter); } }
walker:pub Own { has op: str; can go with Root entry {
    cond = {}; cond["$gte"] = ""; cond["$lt"] = "y";
    wide: dict = {}; wide["$or"] = [{"name": n} for n in ["ada", "bob"]];
    update = {}; update.setdefault("$set", {})["seen"] = True;
    either = {"$or": clauses for clauses in [[{"name": "ada"}]]};
    report [attempt({"secret": cond}), attempt({"secret": {**cond}}), attempt(wide), attempt(either), attempt({}, update),
        attempt(kvstore.trusted({"secret": {self.op: "x"}})), attempt({"secret": {"$in": ["x"]} | {}})];
} }
walker:pub Update { has change: dict; can go with Root entry { report attempt({}, self.change); report attempt({}, {"$set": {"profile": self.change}}); } }
walker:pub Literal { has value: any; can go with Root entry { report attempt({"secret": kvstore.literal(self.value)}); } }
walker:pub Trusted { has filter: dict; can go with Root entry { report attempt(kvstore.trusted(self.filter)); } }
def:pub by_param(filter: dict, value: any) -> any { return [attempt(filter), attempt({"secret": value})]; }
@restspec(method=HTTPMethod.GET)
walker:pub ByQuery {
    has filter: dict;
    can go with Root entry { report attempt(self.filter); }
}
walker:pub Store { has doc: dict; can go with Root entry {
    try { db.set("k", self.doc); report db.get("k"); } except ValueError as e { report f"ValueError: {e}"; }
} }
`;

test('data of a request never becomes an operator, however it gets into a filter or an update', async () => {
  using folder = folderWith({ 'main.svc': injection });
  await using server = await startServer({ folder: folder.path, entry: 'main.svc' });
  const call = async (name: string, body: object) => (await post(server.base, `/walker/${name}`, body)).reports;
  await call('Fill', {});
  const refused = 'ValueError: Operator in request data';
  const any = { $ne: null };
  expect(await call('ByDict', { filter: { name: 'ada' } })).toEqual([['ada']]);
  for (const filter of [
    { secret: any },
    { $where: '1' },
    { $or: [{}] },
    { name: 'ada', $comment: 'x' },
    { a: { b: [{ $gt: '' }] } },
  ])
    expect(await call('ByDict', { filter }), JSON.stringify(filter)).toEqual([refused]);
  expect(await call('ByAny', { value: 'x' })).toEqual([['ada']]);
  for (const value of [any, { $gt: '' }, [any], { a: any }, { $regex: '.*' }, { $eq: 'x' }])
    expect(await call('ByAny', { value }), JSON.stringify(value)).toEqual([refused]);
  expect(await call('ByList', { values: [{ name: 'ada' }, { name: 'bob' }] })).toEqual([['ada', 'bob']]);
  expect(await call('ByList', { values: [{ name: 'ada' }, { secret: any }] })).toEqual([refused]);
  expect(await call('ByUnion', { value: any })).toEqual([refused]);
  expect(await call('ByStr', { value: '{"$ne": null}' })).toEqual([[]]);
  expect((await post(server.base, '/walker/ByStr', { value: any })).status).toBe(422);
  expect(await call('Deep', { value: any })).toEqual([refused]);
  expect(await call('Copies', { filter: { secret: any } })).toEqual([Array(8).fill(refused)]);
  expect(await call('Copies', { filter: { $or: [{}] } })).toEqual([Array(8).fill(refused)]);
  const laundered = { filter: { secret: any }, text: '{"secret": {"$ne": null}}', op: '$ne' };
  expect(await call('Laundered', laundered)).toEqual([Array(11).fill(refused)]);
  await call('Save', { filter: { secret: any } });
  expect(await call('Reuse', {})).toEqual([refused]);
  await call('Save', { filter: { name: 'ada' } });
  expect(await call('Reuse', {})).toEqual([['ada']]);
  expect(await call('Own', { op: '$eq' })).toEqual([[['ada'], ['ada'], ['ada', 'bob'], ['ada'], 2, ['ada'], ['ada']]]);
  expect(await call('Update', { change: { $set: { secret: 'stolen' } } })).toEqual([refused, refused]);
  expect(await call('Update', { change: { plain: 1 } })).toEqual([
    expect.stringContaining('An update needs operators'),
    2,
  ]);
  expect(await call('Literal', { value: any })).toEqual([[]]);
  expect(await call('Literal', { value: 'y' })).toEqual([['bob']]);
  expect(await call('Trusted', { filter: { secret: any } })).toEqual([['ada', 'bob']]);
  expect(await call('Store', { doc: { a: { $gt: 1 } } })).toEqual([expect.stringContaining('ValueError')]);
  const answer = await post(server.base, '/function/by_param', { filter: { secret: any }, value: any });
  expect(answer.data.result).toEqual([refused, refused]);
  const query = encodeURIComponent(JSON.stringify({ secret: any }));
  const byQuery = await fetch(`${server.base}/walker/ByQuery?filter=${query}`);
  expect(((await byQuery.json()) as any).data.reports).toEqual([refused]);
});

const counting = `import from svc_scale.lib { kvstore }
import os;
glob db = kvstore("app"), cache = kvstore("app", "kvcache");
walker:pub Hit { can go with Root entry {
    db.update_one("c", {"_id": "hits"}, {"$inc": {"n": 1}}, upsert=True);
    report [cache.incr("hits"), os.getpid()];
} }
walker:pub Hits { can go with Root entry { report [db.find_by_id("c", "hits")["n"], cache.get("hits")]; } }
walker:pub Fails { can go with Root entry { cache.set("kept", True); here ++> Root; raise ValueError("no"); } }
walker:pub Kept { can go with Root entry { report cache.get("kept"); } }
`;

test('two workers share the embedded databases; kill -9 loses nothing that was answered', async () => {
  using folder = folderWith({ 'main.svc': counting });
  const start = () => startServer({ folder: folder.path, entry: 'main.svc', args: ['--workers', '2'] });
  const server = await start();
  const pids = new Set<number>();
  const hit = async () => {
    const response = await fetch(`${server.base}/walker/Hit`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: '{}',
    });
    const [report] = ((await response.json()) as any).data.reports;
    pids.add(report[1]);
    return report[0];
  };
  const seen = new Set<number>();
  for (let round = 0; round < 5; round++)
    for (const n of await Promise.all(Array.from({ length: 20 }, hit))) seen.add(n);
  expect(seen.size).toBe(100);
  expect(pids.size).toBe(2);
  expect((await post(server.base, '/walker/Hits', {})).reports).toEqual([[100, 100]]);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await server.stop('SIGKILL');
  await using again = await start();
  expect((await post(again.base, '/walker/Hits', {})).reports).toEqual([[100, 100]]);
});

test('a call that fails keeps what it did with the helper', async () => {
  using folder = folderWith({ 'main.svc': counting });
  await using server = await startServer({ folder: folder.path, entry: 'main.svc' });
  expect((await post(server.base, '/walker/Fails', {})).ok).toBe(false);
  expect((await post(server.base, '/walker/Kept', {})).reports).toEqual([true]);
});

test('the argument comes before the environment, the environment before the file', async () => {
  await using byFile = await startRedis();
  await using byEnv = await startRedis();
  await using byHand = await startRedis();
  const source = `import from svc_scale.lib { kvstore }
import sys;
with entry {
    kvstore("a", "kvcache").set("where", sys.argv[1]);
    kvstore("a", "kvcache", uri="${byHand.url}").set("where", "argument");
    print(kvstore("a", "kvcache").get("where"), kvstore("a", "kvcache", uri="local:").get("where"));
}`;
  const config = `[plugins.scale.database]\nkvcache_url = "${byFile.url}"\n`;
  using folder = folderWith({ 'main.svc': source, 'svc.toml': config });
  const run = (text: string, env: Record<string, string> = {}) =>
    runSvc(['run', '--no-persist', 'main.svc', text], { cwd: folder.path, env });
  expect(await run('file')).toMatchObject({ code: 0, stdout: 'file None\n' });
  expect(await run('environment', { KVCACHE_URL: byEnv.url })).toMatchObject({ stdout: 'environment None\n' });
  const { Redis } = await import('ioredis');
  const at = async (url: string) => {
    const redis = new Redis(url);
    const value = await redis.get('a:where');
    redis.disconnect();
    return value;
  };
  expect([await at(byFile.url), await at(byEnv.url), await at(byHand.url)]).toEqual([
    '"file"',
    '"environment"',
    '"argument"',
  ]);
});

test('every spelling of the import; `svc test` gives each test data of its own', async () => {
  const source = `import from svc_scale.lib { kvstore }
import svc_scale.lib;
import from svclang.scale.lib { kvstore as second }
import from svclang.scale.persistence.lib { kvstore as third }
import svc_scale.lib as lib;
glob db = kvstore();
with entry {
    for make in [kvstore, svc_scale.lib.kvstore, second, third, lib.kvstore] { print(make().set("k", 1), make is kvstore); }
    try { kvstore(db_type="other"); } except ValueError as e { print(e); }
    try { kvstore(uri="http://x"); } except ValueError as e { print(e); }
    try { kvstore(db_type="kvcache", uri="mongodb://x"); } except ValueError as e { print(e); }
}
test "first" { assert db.set("t", 1); assert db.exists("t"); }
test "second" { assert not db.exists("t"); }
`;
  using folder = folderWith({ 'main.svc': source });
  expect(await runSvc(['run', '--no-persist', 'main.svc'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: `${'True True\n'.repeat(5)}Unsupported db_type: other
The URI of a docdb must start with mongodb://, mongodb+srv:// or local:
The URI of a kvcache must start with redis://, rediss:// or local:
`,
  });
  expect(await runSvc(['test', 'main.svc'], { cwd: folder.path })).toMatchObject({ code: 0 });
});

test('in TypeScript: plain objects, and the kinds apart by type', async () => {
  const source = `import { def, any, entry, has, kvstore, literal, Root, str, Walker, walker, main, ValueError } from 'svc-scale';
const people = kvstore('docdb', { name: 'people' });
const cache = kvstore('kvcache');
interface Found { name: string }

@walker({ access: 'pub' })
export class Search extends has(Walker<unknown>, { name: any() }) {
  @entry(Root)
  async go() {
    try {
      this.report(await people.find('c', { name: this.name }, { projection: { _id: 0 }, sort: [['n', -1]] }));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.report(error.message);
    }
    this.report((await people.find('c', { name: literal(this.name) })).length);
  }
}

await main(async () => {
  await people.deleteMany('c', {}, { confirm: true });
  const id = await people.insertOne('c', { name: 'ada', n: 1, at: new Date(0), raw: new Uint8Array([1]) });
  await people.insertMany('c', [{ name: 'ada', n: 2 }, { name: 'bob' }]);
  const ada = await people.findById('c', id);
  console.log(ada?.name, ada?.at.year, ada?.raw.data.length, await people.countDocuments('c', { n: { $gt: 0 } }));
  console.log(await people.updateOne('c', { name: 'eve' }, { $set: { n: 0 } }, { upsert: true }), JSON.stringify(await people.findOne('c', { name: 'eve' }, { n: 1, _id: 0 })));
  console.log(await cache.set('k', { a: [1, { b: null }] }), JSON.stringify(await cache.get('k')), await cache.incr('n'), await cache.setWithTtl('t', 1, 60), (await cache.scanKeys()).sort().join());
  // @ts-expect-error: a key-value store has no such method.
  console.log(typeof cache.find);
});
`;
  using folder = folderWith({ 'app.ts': source, 'main.svc': '' });
  expect(await runSvc(['check', 'app.ts'], { cwd: folder.path })).toMatchObject({ code: 0 });
  expect(await runSvc(['run', 'app.ts'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: `ada 1970 1 2
0 {"n":0}
true {"a":[1,{"b":null}]} 1 true k,n,t
undefined
`,
  });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const search = async (name: unknown) => (await post(server.base, '/walker/Search', { name })).reports;
  expect(await search('bob')).toEqual([[{ name: 'bob' }], 1]);
  expect(await search({ $ne: null })).toEqual(['Operator in request data', 0]);
});

test('beside a graph in the document database: what the server keeps there is out of reach', async () => {
  await using mongo = await startMongo();
  const source = `import from svc_scale.lib { kvstore }
glob own = kvstore("app_db"), cache = kvstore("app_db", "kvcache");
node Note { has text: str; }
walker Keep { has text: str; can go with Root entry { here ++> Note(text=self.text); own.insert_one("texts", {"text": self.text}); cache.incr("n"); report [own.count_documents("texts"), cache.get("n"), own.count_documents("svc_nodes") > 0]; } }
walker:pub Peek { has col: str; can go with Root entry {
    try { report own.find_one(self.col, {}); } except PermissionError as e { report f"refused: {e}"; }
    try { report own.update_many(self.col, {}, {"$set": {"role": "admin"}}); } except PermissionError as e { report f"refused: {e}"; }
} }
`;
  const config = '[plugins.scale.database]\ndocdb_name = "app_db"\n';
  using folder = folderWith({ 'main.svc': source, 'svc.toml': config });
  const env = { DOCDB_URI: mongo.uri };
  await using server = await startServer({ folder: folder.path, entry: 'main.svc', env });
  const { token } = await register(server.base, 'ada');
  expect((await post(server.base, '/walker/Keep', { text: 'one' }, token)).reports).toEqual([[1, 1, true]]);
  for (const col of ['svc_users', 'svc_api_keys', 'svc_identities', 'svc_revoked_tokens'])
    expect((await post(server.base, '/walker/Peek', { col })).reports).toEqual([
      `refused: Collection '${col}' belongs to the server`,
      `refused: Collection '${col}' is read-only`,
    ]);
  await mongo.kill();
  const answer = await post(server.base, '/walker/Peek', { col: 'texts' });
  expect(answer.ok).toBe(false);
  expect(JSON.stringify(answer)).not.toContain('ECONN');
  await mongo.start();
  while (!(await post(server.base, '/walker/Keep', { text: 'two' }, token)).ok);
  expect((await post(server.base, '/walker/Peek', { col: 'texts' })).reports[0]).toMatchObject({ text: 'one' });
});

test.skipIf(!hasPostgres())(
  'with PostgreSQL and no other address two processes share all, and live subscriptions hear of it',
  async () => {
    await using database = await startPostgres();
    const source = `import from svc_scale.lib { kvstore }
glob cache = kvstore("shop", "kvcache");
glob shop = kvstore("shop");
walker:pub Raise { can go with Root entry {
    cache.incr("n");
    shop.update_one("c", {"_id": 1}, {"$inc": {"n": 1}}, upsert=True);
} }
walker:pub Raised { can go with Root entry { report [cache.get("n"), shop.find_one("c", {"_id": 1})]; } }
`;
    using folder = folderWith({ 'main.svc': source });
    using other = folderWith({ 'main.svc': source });
    const env = { DATABASE_URL: database.url, JWT_SECRET: 'k'.repeat(40) };
    await using one = await startServer({ folder: folder.path, env });
    await using two = await startServer({ folder: other.path, env });
    const live = await LiveClient.open(one.base);
    live.subscribe('r', 'Raised');
    await live.until('r', [[null, null]]);
    await Promise.all(Array.from({ length: 20 }, (_, i) => post((i % 2 === 0 ? one : two).base, '/walker/Raise')));
    await live.until('r', [[20, { _id: 1, n: 20 }]]);
    expect((await post(two.base, '/walker/Raise')).ok).toBe(true);
    await live.until('r', [[21, { _id: 1, n: 21 }]]);
    live.close();
    for (const { path } of [folder, other]) expect(existsSync(join(path, '.svc/data/kvstore.db'))).toBe(false);
  },
);
