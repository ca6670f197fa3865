/** From every kind of store into every kind, and exports that are killed (docs/server/storage.md#archives). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDynamoStore } from '../../adapters/stores/dynamodb/store.ts';
import { openMemoryStore } from '../../adapters/stores/memory/store.ts';
import { openMongoStore } from '../../adapters/stores/mongo/store.ts';
import { openPostgresStore } from '../../adapters/stores/postgres/store.ts';
import { loadArchive } from '../../adapters/stores/sqlite/read-archive.ts';
import { openSqliteStore } from '../../adapters/stores/sqlite/store.ts';
import { archiveLines } from '../../adapters/stores/sqlite/write-archive.ts';
import { checkLines } from '../../core/archive/check-lines.ts';
import { beginImport, importLines } from '../../core/archive/import-store.ts';
import { content, fillForArchive, linesOf, openTestNodes } from '../contracts/archive.ts';
import type { OpenedStore } from '../contracts/store.ts';
import { type DynamoServer, startDynamo } from '../harness/dynamo-server.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-moves-'));
const kinds = ['memory', 'sqlite', 'postgres', 'docdb', 'dynamodb'] as const;
type Kind = (typeof kinds)[number];
let postgres: PostgresServer | undefined;
let documents: DocumentDatabase;
let dynamo: DynamoServer;
const run = Date.now().toString(36);

beforeAll(async () => {
  if (hasPostgres()) postgres = await startPostgres();
  documents = await openDocumentDatabase();
  dynamo = await startDynamo();
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
  await dynamo.stop();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (name: string) => join(folder, `${name}.db`);

async function open(kind: Kind, name: string): Promise<OpenedStore> {
  if (kind === 'memory') return openMemoryStore();
  if (kind === 'sqlite') return openSqliteStore({ file: fileOf(name), durability: 'full' });
  if (kind === 'postgres') return openPostgresStore({ url: await postgres!.urlOf(name) });
  if (kind === 'docdb') return openMongoStore({ uri: documents.uri, name: `svc_${run}_${name}` });
  return openDynamoStore({ endpoint: dynamo.endpoint, tablePrefix: `${run}-${name}-` });
}

/** All of a store, by the way that the command takes. */
async function exported(kind: Kind, name: string, store: OpenedStore): Promise<string[]> {
  if (kind !== 'sqlite') return linesOf(store);
  return [...archiveLines(fileOf(name), true, () => 0)].map((line) => JSON.stringify(line));
}

async function imported(kind: Kind, name: string, lines: readonly string[]): Promise<OpenedStore> {
  async function* each() {
    yield* lines;
  }
  if (kind === 'sqlite') {
    await loadArchive(each(), fileOf(name), () => 0);
    return open(kind, name);
  }
  const known = openTestNodes();
  await checkLines(each(), known);
  const store = await open(kind, name);
  expect(await beginImport(store, { digest: 'd', name: 'all.jsonl' }, Date.now())).toBe('begins');
  await importLines(store, each, known);
  known.close();
  return store;
}

/** Gives all that a move keeps: everything but times, which only a file has. */
function kept(lines: readonly string[]) {
  const timeless = lines.map((line) => {
    const { created_at: _, updated_at: __, ...rest } = JSON.parse(line);
    return JSON.stringify(rest);
  });
  return content(timeless);
}

/** Tests of a machine without PostgreSQL are those of the others. */
const isMissing = (...wanted: readonly Kind[]) => wanted.includes('postgres') && !hasPostgres();

for (const from of kinds) {
  let lines: string[];
  test.skipIf(isMissing(from))(`from ${from}: everything is exported`, async () => {
    const name = `from_${from}`;
    const store = await open(from, name);
    await fillForArchive(store);
    await store.graph.flush();
    lines = await exported(from, name, store);
    expect(kept(lines).end).toEqual({ kind: 'end', nodes: 76, edges: 77, accounts: 1 });
    await store.graph.close();
  });
  for (const to of kinds)
    test.skipIf(isMissing(from, to))(
      `from ${from} into ${to}: all is there, and comes out again as it was`,
      async () => {
        const name = `${from}_${to}`;
        const store = await imported(to, name, lines);
        expect(kept(await exported(to, name, store))).toEqual(kept(lines));
        await store.graph.close();
      },
    );
}

// ---------------------------------------------------------------- exports that break off

const many = `node Note { has n: int; has text: str = ""; }
with entry { for i in range(6000) { root ++> Note(n=i, text="x" * 200); } print("done"); }
`;
const records = (text: string) => text.split('\n').filter((line) => !line.startsWith('{"kind":"svc-graph"'));

for (const kind of ['sqlite', 'postgres'] as const)
  test.skipIf(isMissing(kind))(
    `${kind}: an export that is killed at any point leaves nothing that looks like one, and is begun anew`,
    async () => {
      using app = folderWith({ 'main.svc': many });
      const cwd = app.path;
      const env: Record<string, string> = kind === 'sqlite' ? {} : { DATABASE_URL: await postgres!.urlOf('killed') };
      expect((await runSvc(['run', 'main.svc'], { cwd, env })).stdout).toBe('done\n');
      const leftOvers = () => readdirSync(cwd).filter((name) => name.endsWith('.partial'));
      expect((await runSvc(['export', '-o', 'whole.jsonl'], { cwd, env })).code).toBe(0);
      expect(leftOvers()).toEqual([]);
      let broken = 0;
      for (let round = 0; round < 5; round++) {
        await using one = spawnSvc(['export', '-o', 'all.jsonl'], { cwd, env });
        const before = leftOvers();
        const begun = () => leftOvers().filter((name) => !before.includes(name));
        while (begun().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        for (const name of begun()) process.kill(Number(/\.(\d+)-/.exec(name)![1]), 'SIGKILL');
        await one.exited;
        if (readdirSync(cwd).includes('all.jsonl')) break;
        broken += leftOvers().length;
        expect(leftOvers(), 'what the one before has left is gone').toHaveLength(1);
        if (round > 0) expect(one.stderr()).toContain('svc: an export to all.jsonl broke off; this one begins anew\n');
      }
      expect(broken).toBeGreaterThan(0);
      // One that is still being written is nobody's leftover.
      const foreign = join(cwd, `all.jsonl.${process.pid}-0badcafe.partial`);
      writeFileSync(foreign, 'half');
      const last = await runSvc(['export', '-o', 'all.jsonl'], { cwd, env });
      expect([last.code, last.stderr]).toEqual([
        0,
        expect.stringMatching(/broke off.*\nsvc: .* was written to all\.jsonl\n$/),
      ]);
      expect(leftOvers()).toEqual([foreign.slice(cwd.length + 1)]);
      const [whole, all] = ['whole', 'all'].map((name) => records(readFileSync(join(cwd, `${name}.jsonl`), 'utf8')));
      const timeless = (lines: readonly string[]) =>
        lines.map((line) => line.replace(/"(created|updated)_at":\d+,/g, ''));
      expect(timeless(all!)).toEqual(timeless(whole!));
      expect(all!.length).toBeGreaterThan(12_000);
    },
  );
