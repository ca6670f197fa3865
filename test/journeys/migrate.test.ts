/** `svc migrate`: a live application goes from its file to PostgreSQL (docs/server/storage.md#migration). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDriver } from '../../adapters/stores/sqlite/open-driver.ts';
import { freePort } from '../harness/ports.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { post, type RunningServer, register, removeFolder, runSvc, startServer, svcBin } from '../harness/server.ts';

const program = `
import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");

node Note { has n: int, text: str = ""; }
node Tally { has count: int = 0; }
edge Marked { has weight: int = 0; }

walker Fill {
    has count: int, from_: int = 0;
    can fill with Root entry {
        before = here;
        for i in range(self.count) {
            note = Note(n=self.from_ + i, text="x" * 100);
            before ++> note;
            if i % 3 == 0 { here +>:Marked(weight=i):+> note; }
            before = note if i % 100 != 0 else here;
        }
    }
}
walker Add {
    has n: int;
    can add with Root entry {
        tallies = [-->[?:Tally]];
        if not tallies { tallies = here ++> Tally(); }
        tallies[0].count += 1;
        here ++> Note(n=self.n);
        cache.incr("all");
        shop.update_one("seen", {"n": self.n}, {"$inc": {"times": 1}}, upsert=True);
        report self.n;
    }
}
walker Drop {
    has n: int;
    can drop with Root entry { for note in [-->[?:Note, n == self.n]] { del note; } }
}
walker All {
    can look with Root entry { report {"notes": [note.n for note in [-->[?:Note]]], "tally": [t.count for t in [-->[?:Tally]]]}; }
}
walker Index { can make with Root entry { shop.create_index("seen", "n", unique=True); shop.insert_one("seen", {"n": -1, "long": "y" * 3000, "_id": "z" * 3000}); } }
walker Kept {
    can look with Root entry {
        report {"all": cache.get("all"), "seen": {str(d["n"]): d["times"] for d in shop.find("seen", {"n": {"$gte": 0}})}, "old": shop.count_documents("seen", {"_id": "z" * 3000})};
    }
}
walker:pub Hello { can greet with Root entry { report "hello"; } }
`;

let database: PostgresServer;
const folders: string[] = [];

beforeAll(async () => {
  database = await startPostgres();
});
afterAll(async () => {
  for (const folder of folders) removeFolder(folder);
  await database?.[Symbol.asyncDispose]();
});

function application(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrate-'));
  folders.push(folder);
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(
    join(folder, 'svc.toml'),
    `[project]\nname = "moving"\n[plugins.scale.jwt]\nsecret = "${'k'.repeat(40)}"\n`,
  );
  return folder;
}

/** Calls a walker; undefined when it was not acknowledged. */
async function walk(base: string, name: string, body: unknown, token: string): Promise<any> {
  try {
    const answer = await post(base, `/walker/${name}`, body, token);
    return answer.ok === true ? answer.data : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the application again whenever it ends, as a manager of services does, with the variables of a file. */
async function keepServing(folder: string, port: number, args: readonly string[] = []) {
  const exits: (number | null)[] = [];
  let isOver = false;
  let server: RunningServer | undefined;
  const start = async () => {
    const variables = join(folder, 'app.env');
    const text = existsSync(variables) ? readFileSync(variables, 'utf8') : '';
    const env = Object.fromEntries(text.split('\n').flatMap((line) => (line === '' ? [] : [line.split(/=(.*)/s, 2)])));
    server = await startServer({ folder, args: ['--port', String(port), ...args], env });
  };
  await start();
  const watching = (async () => {
    while (!isOver) {
      const code = await server!.ended();
      if (isOver) return;
      exits.push(code);
      // A start is refused while the application is between two stores, and while workers of the one before hold the port.
      for (let isUp = false; !isUp && !isOver; ) {
        isUp = await start().then(
          () => true,
          () => false,
        );
        if (!isUp) await sleep(200);
      }
    }
  })();
  return {
    exits,
    output: () => server!.output(),
    kill: () => server!.stop('SIGKILL'),
    async [Symbol.asyncDispose]() {
      isOver = true;
      await server!.stop('SIGKILL');
      await watching.catch(() => {});
    },
  };
}

/** Clients that write one number after the other, whatever answers, until they are told to stop. */
function write(base: string, tokens: readonly string[]) {
  const acknowledged: number[][] = tokens.map(() => []);
  const dropped: number[][] = tokens.map(() => []);
  const asked = tokens.map(() => 0);
  const at: number[] = [];
  let isDone = false;
  const writing = Promise.all(
    tokens.map(async (token, i) => {
      while (!isDone) {
        const n = asked[i]!++;
        if ((await walk(base, 'Add', { n }, token)) === undefined) {
          await sleep(20);
          continue;
        }
        acknowledged[i]!.push(n);
        at.push(performance.now());
        if (n % 10 === 0 && (await walk(base, 'Drop', { n }, token)) !== undefined) dropped[i]!.push(n);
      }
    }),
  );
  return {
    acknowledged,
    dropped,
    total: () => acknowledged.reduce((sum, list) => sum + list.length, 0),
    /** Longest time in milliseconds without an acknowledged write. */
    gapMs: () => Math.max(...at.slice(1).map((time, i) => time - at[i]!)),
    async end() {
      isDone = true;
      await writing;
    },
  };
}

function migrate(folder: string, to: string, ...more: string[]) {
  return runSvc(['migrate', '--to', to, '--env', 'app.env', ...more], { cwd: folder });
}

async function expectAll(base: string, tokens: readonly string[], writers: ReturnType<typeof write>): Promise<void> {
  for (const [i, token] of tokens.entries()) {
    const { notes, tally } = (await walk(base, 'All', {}, token)).reports[0] as { notes: number[]; tally: number[] };
    const own = notes.filter((n) => n < 1_000_000);
    const gone = new Set(writers.dropped[i]);
    expect(new Set(own).size, 'nothing is there twice').toBe(own.length);
    const there = new Set(own);
    // A call that was not answered may have been made.
    const undecided = (n: number) => n % 10 === 0;
    expect(writers.acknowledged[i]!.filter((n) => !there.has(n) && !undecided(n))).toEqual([]);
    expect([...gone].filter((n) => there.has(n))).toEqual([]);
    expect(tally[0]).toBeGreaterThanOrEqual(writers.acknowledged[i]!.length);
  }
}

/** Looks whether all that the program kept with `kvstore` came along: counts, documents, and the index that lets each number be there once. */
async function expectKept(base: string, token: string, acknowledged: readonly (readonly number[])[]): Promise<void> {
  const { all, seen, old } = (await walk(base, 'Kept', {}, token)).reports[0];
  expect(all).toBeGreaterThanOrEqual(acknowledged.flat().length);
  const times = new Map<number, number>();
  for (const n of acknowledged.flat()) times.set(n, (times.get(n) ?? 0) + 1);
  expect([...times].filter(([n, count]) => !(seen[n] >= count))).toEqual([]);
  expect(old).toBe(1);
  expect((await post(base, '/walker/Index', {}, token)).ok, 'the index is there, and its document').toBe(false);
}

test('a live application moves while it is written: killed twice on the way, nothing acknowledged is lost', async () => {
  const folder = application();
  const to = await database.urlOf('live');
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  await using kept = await keepServing(folder, port);
  const users = [await register(base, 'ann'), await register(base, 'bob'), await register(base, 'cem')];
  const tokens = users.map(({ token }) => token);
  for (let i = 0; i < 4; i++)
    expect(await walk(base, 'Fill', { count: 1500, from_: 1_000_000 + i * 1500 }, tokens[i % 3]!)).toBeDefined();
  await post(
    base,
    '/user/logout',
    {},
    (await post(base, '/user/login', { username: 'cem', password: 'correct horse 1' })).data.access_token,
  );
  expect(await walk(base, 'Index', {}, tokens[0]!)).toBeDefined();
  const writers = write(base, tokens);
  while (writers.total() < 30) await sleep(5);

  // In the middle of the first copy, and when all of it has been looked at.
  const hasNodes = () =>
    database.run('SELECT id FROM live.svc_node WHERE id > 2 LIMIT 1').then(
      (found) => found.length > 0,
      () => false,
    );
  const first = startMigration(folder, to);
  while (!(await hasNodes())) await sleep(1);
  await first.kill();
  const part = await database.run(
    "SELECT value::json ->> 'table' AS at, (SELECT count(*) FROM live.svc_node) AS nodes FROM live.svc_meta WHERE key = 'migration'",
  );
  {
    // The second one gets no further than to a table that is looked at late.
    await using hold = await openHold('live');
    await hold.take('svc_quarantine');
    const second = startMigration(folder, to);
    await second.until(/equal: .* nodes/);
    await second.kill();
    await hold.endWaiting();
    await hold.release();
  }
  console.info('killed with this copied:', part);
  // Nobody starts on half of it.
  const early = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder, env: { DATABASE_URL: to } });
  expect([early.code, early.stderr]).toEqual([7, expect.stringContaining('another store is moving here')]);
  const sure = writers.total();
  const done = await migrate(folder, to);
  expect(done.stderr).toContain('a move broke off here; this one goes on with it');
  expect(done.stderr).toMatch(/^svc: equal: [\d,]+ nodes, sha256 [0-9a-f]{16}$/m);
  expect(done.stderr).toMatch(/everything has moved to postgres .*; nobody could write for \d\.\d\d s/);
  expect(done.code).toBe(0);
  const moved = writers.total();
  expect(moved, 'it was written meanwhile').toBeGreaterThan(sure);
  while (writers.total() < moved + 30) await sleep(5);
  await writers.end();
  console.info(
    `${done.stderr}longest time without an acknowledged write: ${Math.round(writers.gapMs())} ms of ${writers.total()} writes`,
  );
  expect(kept.exits).toEqual([0]);
  expect(kept.output()).toContain('postgres');
  await expectAll(base, tokens, writers);
  await expectKept(base, tokens[0]!, writers.acknowledged);

  // The old file has nothing that the new store lacks, and takes nothing any more.
  const old = openDriver(join(folder, '.svc/data/svc.db'));
  const ids = (found: { id: number | string }[]) => found.map(({ id }) => Number(id));
  const before = ids(old.prepare('SELECT id FROM node').rows());
  expect(() => old.exec('DELETE FROM node')).toThrow(/this store is moving/);
  old.close();
  const now = new Set(ids((await database.run('SELECT id FROM live.svc_node')) as { id: string }[]));
  const deletedSince = before.filter((id) => !now.has(id)).length;
  expect(deletedSince).toBeLessThan(before.length / 100);
  const again = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder });
  expect([again.code, again.stderr]).toEqual([7, expect.stringMatching(/the store has moved to postgres/)]);
  // Given again it has nothing to do.
  expect((await migrate(folder, to)).code).toBe(0);
}, 600_000);

/** A session that keeps others from tables, and so holds up a migration at the step that needs them. */
async function openHold(schema: string) {
  const client = new pg.Client(database.url);
  await client.connect();
  return {
    async take(table: string) {
      await client.query(`BEGIN; LOCK TABLE ${schema}.${table} IN ACCESS EXCLUSIVE MODE`);
    },
    async release() {
      await client.query('ROLLBACK');
    },
    /** Ends who waits for a table of the schema, with all that they have asked for. */
    async endWaiting() {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation IN (SELECT oid FROM pg_class WHERE relnamespace = '${schema}'::regnamespace)`,
      );
    },
    /** Resolves when somebody waits for a table of `names`. */
    async isAwaited(table: string) {
      const text = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${schema}.${table}'::regclass`;
      while ((await client.query(text)).rows.length === 0) await sleep(5);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function startMigration(folder: string, to: string) {
  const child = spawn(process.execPath, [svcBin, 'migrate', '--to', to, '--env', 'app.env'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'close');
  return {
    output: () => printed,
    async until(pattern: RegExp) {
      while (!pattern.test(printed)) {
        if (child.exitCode !== null) throw new Error(`it ended before: ${printed}`);
        await sleep(1);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      expect(child.signalCode).toBe('SIGKILL');
    },
  };
}

/** The file's own word about the migration: `frozen_until`, `moved`. */
function wordOf(folder: string, key: string): string | null {
  const file = openDriver(join(folder, '.svc/data/svc.db'));
  try {
    return file.prepare('SELECT value AS v FROM meta WHERE key = ?').value(key);
  } finally {
    file.close();
  }
}

// The file takes writes again after half a minute: the others go on meanwhile.
test.concurrent.each([
  ['nobody writes', 'migrate', 'frozen'],
  ['nobody writes', 'the server', 'served'],
  ['the old store is given up', 'migrate and the server', 'given'],
])(
  'two workers; when %s, %s is killed: nothing acknowledged is lost',
  async (stage, killed, schema) => {
    const folder = application();
    const to = await database.urlOf(schema);
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    await using kept = await keepServing(folder, port, ['--workers', '2']);
    await using quarantine = await openHold(schema);
    await using meta = await openHold(schema);
    const users = [await register(base, 'ann'), await register(base, 'bob')];
    const tokens = users.map(({ token }) => token);
    expect(await walk(base, 'Index', {}, tokens[0]!)).toBeDefined();
    const writers = write(base, tokens);
    while (writers.total() < 20) await sleep(5);
    const migration = startMigration(folder, to);
    // The last look at every row has been taken; the next time this table is needed nobody writes any more.
    await migration.until(/equal: .* records in quarantine/);
    await quarantine.take('svc_quarantine');
    await quarantine.isAwaited('svc_quarantine');
    expect(wordOf(folder, 'frozen_until')).not.toBeNull();
    const frozen = await post(base, '/walker/Add', { n: -5 }, tokens[0]!);
    expect([frozen.status, frozen.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await post(base, '/walker/Hello')).ok).toBe(true);
    if (stage !== 'nobody writes') {
      await meta.take('svc_meta');
      await quarantine.release();
      await meta.isAwaited('svc_meta');
      expect(wordOf(folder, 'moved')).not.toBeNull();
    }
    if (killed !== 'the server') {
      await migration.kill();
      await meta.endWaiting();
    }
    if (killed !== 'migrate') await kept.kill();
    await quarantine.release();
    await meta.release();
    if (killed === 'migrate') {
      // Without anybody's help the old store takes writes again when its time is over.
      const before = writers.total();
      while (writers.total() < before + 10) await sleep(50);
      expect(kept.exits).toEqual([]);
    }
    if (killed === 'the server') await migration.until(/everything has moved/);
    else {
      const done = await migrate(folder, to);
      expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('everything has moved')]);
    }
    const moved = writers.total();
    while (writers.total() < moved + 20) await sleep(5);
    await writers.end();
    // Workers answer before the start says so.
    while (!kept.output().includes('postgres')) await sleep(5);
    await expectAll(base, tokens, writers);
    await expectKept(base, tokens[0]!, writers.acknowledged);
  },
  600_000,
);

test.concurrent.each([
  [
    'changed on the way',
    "NEW.data := replace(NEW.data, 'xxxx', 'xxxy'); RETURN NEW;",
    /nodes: not the same in both stores: \[\d+\]/,
  ],
  [
    'lost on the way',
    'IF NEW.data LIKE \'%"n":7,%\' OR NEW.data LIKE \'%"n": 7,%\' THEN RETURN NULL; END IF; RETURN NEW;',
    /nodes: missing in the new store: \[\d+\]/,
  ],
])('rows %s are found: the old store goes on, and nothing is served from the new one', async (name, body, message) => {
  const folder = application();
  const schema = name.replaceAll(' ', '_');
  const to = await database.urlOf(schema);
  await using server = await startServer({ folder });
  const { token } = await register(server.base, 'ann');
  expect(await walk(server.base, 'Fill', { count: 20 }, token)).toBeDefined();
  // The tables are made by whoever comes first.
  const other = await startServer({ folder: application(), env: { DATABASE_URL: to } });
  await other.stop();
  await database.run(
    `CREATE FUNCTION ${schema}.harm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$; CREATE TRIGGER harm BEFORE INSERT OR UPDATE ON ${schema}.svc_node FOR EACH ROW EXECUTE FUNCTION ${schema}.harm()`,
  );
  const { code, stderr } = await migrate(folder, to);
  expect(stderr).toMatch(/svc: migrate: the two stores are not equal: /);
  expect(stderr).toMatch(message);
  expect(code).toBe(1);
  expect(existsSync(join(folder, 'app.env'))).toBe(false);
  expect(await walk(server.base, 'Add', { n: 1 }, token)).toBeDefined();
  const refused = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder, env: { DATABASE_URL: to } });
  expect(refused.code).toBe(7);
  expect((await runSvc(['migrate', '--cancel'], { cwd: folder })).code).toBe(0);
  expect(await walk(server.base, 'Add', { n: 2 }, token)).toBeDefined();
});
