/** An export of a store that other processes keep takes the memory of a page, not that of the graph (decisions/0800). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { hasSmallDisks, mountSmallDisk } from '../harness/small-disk.ts';
import { folderWith } from '../harness/svc-process.ts';

const hasDisks = hasSmallDisks();
/** Nodes of 4 KB, all of them children of one root. */
const count = 40_000;
const heapMb = 64;
const program = `node Note { has text: str; }
with entry { root ++> Note(text="x" * 4000); print("done"); }
`;
const copies = (table: string, fields: string) =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(one, jsonb_build_object(${fields}))).* FROM (SELECT r AS one FROM ${table} r WHERE id = (SELECT max(id) FROM ${table})) AS found, generate_series(1, ${count}) AS i`;

test.skipIf(!hasPostgres())(
  `${count.toLocaleString('en-US')} nodes of 4 KB are exported within a heap of ${heapMb} MB`,
  async () => {
    await using postgres = await startPostgres();
    using app = folderWith({ 'main.svc': program });
    const cwd = app.path;
    const env = { DATABASE_URL: await postgres.urlOf('large') };
    expect((await runSvc(['run', 'main.svc'], { cwd, env })).stdout).toBe('done\n');
    await postgres.run(`SET search_path = large; ${copies('svc_node', "'id', (one).id + i")};
      ${copies('svc_edge', "'id', (one).id + i, 'target', (one).target + i")}`);
    const limit = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
    const { code, stderr } = await runSvc(['export', '-o', 'all.jsonl'], { cwd, env: { ...env, ...limit } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('was written to all.jsonl')]);
    const file = join(cwd, 'all.jsonl');
    expect(statSync(file).size).toBeGreaterThan(heapMb * 2 ** 20 * 2);
    const end = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!);
    expect(end).toEqual({ kind: 'end', nodes: count + 3, edges: count + 1, accounts: 0 });
    expect(readdirSync(cwd).filter((name) => name.endsWith('.partial'))).toEqual([]);
    if (!hasDisks) return;
    // The rows that are read find no room, before anything is written.
    using disk = mountSmallDisk(40_000);
    const full = await runSvc(['export', '-o', join(disk.path, 'all.jsonl')], { cwd, env });
    expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/^svc: export: the disk is full$/m)]);
    expect(readdirSync(disk.path)).toEqual([]);
  },
);
