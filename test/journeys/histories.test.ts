/**
 * Serializability of a running server (docs/server/storage.md#units): clients append to lists and read them in
 * overlapping transactions, and what they saw has no dependency cycle. HISTORY=10000 runs the full size; a run in which
 * too few transactions met a conflict is void.
 */
import { expect, test } from 'vitest';
import { checkHistory, type Op, type Transaction } from '../harness/history.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startPostgres } from '../harness/postgres-server.ts';
import { createRandom } from '../harness/random.ts';
import { post, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `import asyncio;
glob runs: dict = {};
node Register { has items: list[int] = []; }
walker Make { has count: int; can go with Root entry { report [jid(here ++> Register()) for _ in range(self.count)]; } }
walker Transact {
    has id: int;
    has ops: list;
    async can go with Root entry {
        runs[self.id] = runs.get(self.id, 0) + 1;
        seen = [];
        for op in self.ops {
            target = oget(op[1]);
            if op[0] == "append" { target.items.append(op[2]); } else { seen.append(list(target.items)); }
            await asyncio.sleep(0.001);
        }
        report [runs[self.id], seen];
    }
}
walker All { has ids: list; can go with Root entry { report [list(oget(id).items) for id in self.ids]; } }
`;

const transactions = Number(process.env['HISTORY'] ?? 600);
const clients = 16;
const lists = 10;

interface Run {
  readonly history: Transaction[];
  readonly final: Map<string, number[]>;
  /** Transactions that ran more than once or were refused for a conflict. */
  readonly conflicted: number;
}

interface Setting {
  readonly workers?: number;
  readonly isolation?: string;
  readonly count?: number;
  /** Servers over one store, each called in turn. */
  readonly processes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function run(setting: Setting): Promise<Run> {
  const { workers = 1, isolation = 'serializable', count = transactions, processes = 1, env = {} } = setting;
  using folder = folderWith({ 'main.svc': app });
  const servers: Awaited<ReturnType<typeof startServer>>[] = [];
  for (let i = 0; i < processes; i++)
    servers.push(
      await startServer({
        folder: folder.path,
        args: ['--workers', String(workers)],
        env: { SVC_SERVE_ISOLATION: isolation, ...env },
      }),
    );
  const [server] = servers as [(typeof servers)[number]];
  const { token } = await register(server.base, 'ada');
  const ids: string[] = (await post(server.base, '/walker/Make', { count: lists }, token)).reports[0];
  const roll = createRandom(count + workers).below;
  const history: Transaction[] = [];
  let conflicted = 0;
  let next = 0;
  const client = async () => {
    while (next < count) {
      const id = ++next;
      const asked = Array.from({ length: 1 + roll(4) }, (_, i) =>
        roll(2) === 0 ? ['append', ids[roll(lists)]!, id * 10 + i] : ['read', ids[roll(lists)]!],
      ) as [string, string, number][];
      const { base } = servers[id % processes]!;
      const answer = await post(base, '/walker/Transact', { id, ops: asked }, token).catch(() => undefined);
      const [runs, seen] = answer?.reports?.[0] ?? [1, []];
      if (runs > 1 || answer?.status === 409) conflicted++;
      const reads = [...seen];
      const ops: Op[] = asked.map(([kind, list, value]) =>
        kind === 'append' ? { append: value, to: list } : { read: list, saw: reads.shift() ?? [] },
      );
      history.push({ id, ops, outcome: answer?.ok ? 'ok' : answer?.status === 409 ? 'failed' : 'unknown' });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const [all] = (await post(server.base, '/walker/All', { ids }, token)).reports;
  for (const { stop } of servers) await stop();
  return { history, final: new Map(ids.map((id, i) => [id, all[i]])), conflicted };
}

function judge({ history, final, conflicted }: Run): void {
  expect(history).toHaveLength(transactions);
  const { faults, dependencies } = checkHistory(history, final);
  expect(faults).toEqual([]);
  // Otherwise the run proves nothing.
  expect(conflicted / transactions).toBeGreaterThanOrEqual(0.05);
  expect(history.filter(({ outcome }) => outcome === 'ok').length / transactions).toBeGreaterThan(0.9);
  for (const kind of ['ww', 'wr', 'rw'] as const) expect(dependencies[kind], kind).toBeGreaterThan(transactions / 10);
}

for (const workers of [1, 2]) {
  test(`${transactions} transactions over ${workers} worker${workers === 1 ? '' : 's'} have no dependency cycle`, async () => {
    judge(await run({ workers }));
  });
}

test(`${transactions} transactions over three processes on PostgreSQL have no dependency cycle`, async () => {
  await using database = await startPostgres();
  const env = { DATABASE_URL: database.url, SVC_SERVE_CONFLICT_MAX_ATTEMPTS: '50' };
  const done = await run({ processes: 3, env });
  console.info(`PostgreSQL: ${done.conflicted} of ${transactions} transactions met a conflict`);
  judge(done);
}, 3_600_000);

test(`${transactions} transactions over three processes on MongoDB have no dependency cycle`, async () => {
  await using database = await openDocumentDatabase();
  const env = { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `svc_history_${Date.now()}` };
  const done = await run({ processes: 3, env: { ...env, SVC_SERVE_CONFLICT_MAX_ATTEMPTS: '50' } });
  console.info(`MongoDB: ${done.conflicted} of ${transactions} transactions met a conflict`);
  judge(done);
}, 3_600_000);

test('isolation "merge" lets write skew through, and the same check sees it', async () => {
  const { history, final } = await run({ isolation: 'merge', count: 400 });
  const { faults } = checkHistory(history, final);
  expect(new Set(faults.map(({ what }) => what))).toEqual(new Set(['cycle']));
  expect(faults[0]!.text).toMatch(/-rw->/);
});
