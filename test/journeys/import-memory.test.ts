/** An import into a store that other processes keep takes the memory of a page, not that of all ids of the graph (decisions/0825). */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

/** Nodes: their ids alone are more than the heap has room for beside the program. */
const count = 100_000;
const heapMb = 32;
const program = `node Note { has n: int; }
with entry { root ++> Note(n=0); print("done"); }
`;
const idOf = (n: number) => createHash('md5').update(`${n}`).digest('hex');

/** An archive of the program with many more nodes; every thousandth has an edge to a node that came long before. */
function enlarge(path: string): { readonly nodes: number; readonly edges: number } {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line));
  const isNote = (line: any) => line.kind === 'node' && line.type === 'Note';
  const [note, edge, end] = [all.find(isNote), all.find(({ kind }) => kind === 'edge'), all.at(-1)];
  const first = lines.findIndex((line) => line.startsWith('{"kind":"edge"'));
  const nodes = Array.from({ length: count }, (_, i) => ({ ...note, id: idOf(i), seq: 1000 + i }));
  const edges = Array.from({ length: count / 1000 }, (_, i) => {
    const ends = { source: idOf(i * 1000 + 999), target: idOf(i) };
    return { ...edge, ...ends, id: idOf(-1 - i), seq: 1000 + count + i };
  });
  const counted = { ...end, nodes: end.nodes + nodes.length, edges: end.edges + edges.length };
  const text = (some: readonly unknown[]) => some.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(path, text([...all.slice(0, first), ...nodes, ...all.slice(first, -1), ...edges, counted]));
  return counted;
}

test.skipIf(!hasPostgres())(
  `${count.toLocaleString('en-US')} nodes are imported within a heap of ${heapMb} MB`,
  async () => {
    // Syncs would only take time: memory is tried here.
    await using postgres = await startPostgres({ fsync: 'off', synchronous_commit: 'off' });
    using app = folderWith({ 'main.svc': program });
    const cwd = app.path;
    expect((await runSvc(['run', 'main.svc'], { cwd })).stdout).toBe('done\n');
    expect((await runSvc(['export', '-o', 'all.jsonl'], { cwd })).code).toBe(0);
    const { nodes, edges } = enlarge(join(cwd, 'all.jsonl'));
    const env = { DATABASE_URL: await postgres.urlOf('large') };
    const limit = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
    const { code, stderr } = await runSvc(['import', 'all.jsonl'], { cwd, env: { ...env, ...limit } });
    expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^svc: ${nodes} nodes, ${edges} edges`, 'm'))]);
    const [found] = await postgres.run(
      'SELECT (SELECT count(*) FROM large.svc_node) AS nodes, (SELECT count(*) FROM large.svc_edge) AS edges',
    );
    expect(found).toEqual({ nodes: `${nodes}`, edges: `${edges}` });
  },
  600_000,
);
