/**
 * Any store as an archive, by its port alone (decisions/0137). What others write meanwhile may or may not be in it, but every edge in it has its
 * ends and every node its root.
 */
import { randomBytes } from 'node:crypto';
import type { AccountStore } from '../accounts/account-store.ts';
import type { NodeRow } from '../memory/rows.ts';
import { type ScannedEdge, scanStore } from '../memory/scan.ts';
import type { GraphStore } from '../memory/store.ts';
import { accountLine } from './account-lines.ts';
import { ARCHIVE_FORMAT, type ArchiveLine, type NodeLine } from './archive.ts';

export interface ExportedStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

/** Header, roots, the other nodes, edges in order of creation, accounts, and the line that counts them. */
export async function* exportLines(
  { graph, accounts }: ExportedStore,
  withCredentials: boolean,
  nowMs: () => number,
): AsyncGenerator<ArchiveLine> {
  const at = nowMs();
  // Every id is written beside its record, so these lead to none of them.
  const keys = { node: randomBytes(32).toString('hex'), edge: randomBytes(32).toString('hex') };
  yield { kind: 'svc-graph', format: ARCHIVE_FORMAT, made_at: new Date(at).toISOString(), id_keys: keys };
  const counts = { nodes: 0, edges: 0, accounts: 0 };
  const { keys: rootKeys } = await graph.roots();
  const ids = new Map<unknown, string>();
  let seq = 0;
  const lineOf = (row: NodeRow): NodeLine => {
    ids.set(row.key, row.uid);
    counts.nodes++;
    return { kind: 'node', ...recordOf(row, row.uid, ++seq, at), owner: ids.get(row.owner)! };
  };
  for (const row of await graph.nodes(rootKeys)) if (row !== undefined) yield lineOf(row);
  const roots = new Set(ids.keys());
  const edges: ScannedEdge[] = [];
  for await (const page of scanStore(graph)) {
    for (const row of page.nodes) if (!roots.has(row.key) && ids.has(row.owner)) yield lineOf(row);
    edges.push(...page.edges);
  }
  // Keys of edges are in order of creation, numbers as well as texts.
  edges.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const edge of edges) {
    const { row, uid, type, source, target, undirected } = edge;
    if (!ids.has(source) || !ids.has(target)) continue;
    const owner = row?.owner === undefined ? null : ids.get(row.owner);
    if (owner === undefined) continue;
    counts.edges++;
    const record = recordOf(
      { type, access: row?.access ?? '', data: row?.data ?? '', attic: row?.attic ?? '' },
      uid,
      ++seq,
      at,
    );
    yield { kind: 'edge', ...record, owner, source: ids.get(source)!, target: ids.get(target)!, undirected };
  }
  const rootIds = new Set([...roots].map((key) => ids.get(key)!));
  for await (const account of accounts.allAccounts()) {
    if (!rootIds.has(account.rootId)) continue; // made after its root was looked for
    counts.accounts++;
    yield accountLine(account, withCredentials);
  }
  yield { kind: 'end', ...counts };
}

function recordOf(row: Pick<NodeRow, 'type' | 'access' | 'data' | 'attic'>, id: string, seq: number, at: number) {
  const json = (text: string) => (text === '' ? null : JSON.parse(text));
  const { module, name, schema } = row.type;
  return {
    id,
    seq,
    module,
    type: name,
    schema,
    access: json(row.access),
    attic: json(row.attic),
    created_at: at,
    updated_at: at,
    data: json(row.data),
  };
}
