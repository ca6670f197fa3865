/** Any store as an archive, by its port alone (decisions/0087). */
import { randomBytes } from 'node:crypto';
import type { NodeRow } from '../memory/rows.ts';
import type { ScannedEdge } from '../memory/scan.ts';
import { accountLine } from './account-lines.ts';
import { ARCHIVE_FORMAT, type ArchiveLine, type EdgeLine, type NodeLine } from './archive.ts';
import { type ReadStore, readWhole } from './read-whole.ts';

/**
 * Header, roots, the other nodes, edges in order of creation, accounts, and the line that counts them. Nothing is read after the first line;
 * before it `told` gets the number of nodes that were read, again and again.
 */
export async function* exportLines(
  store: ReadStore,
  withCredentials: boolean,
  nowMs: () => number,
  told: (nodes: number) => void = () => {},
): AsyncGenerator<ArchiveLine> {
  const whole = await readWhole(store, told);
  const at = nowMs();
  yield {
    kind: 'svc-graph',
    format: ARCHIVE_FORMAT,
    made_at: new Date(at).toISOString(),
    of_one_moment: whole.isOfOneMoment,
    // Every id is written beside its record, so these lead to none of them.
    id_keys: { node: randomBytes(32).toString('hex'), edge: randomBytes(32).toString('hex') },
  };
  const ids = new Map<unknown, string>();
  let seq = 0;
  const nodeLine = (row: NodeRow): NodeLine => {
    ids.set(row.key, row.uid);
    return { kind: 'node', ...recordOf(row, row.uid, ++seq, at), owner: ids.get(row.owner)! };
  };
  const edgeLine = ({ row, uid, type, source, target, undirected }: ScannedEdge): EdgeLine => {
    const record = { type, access: row?.access ?? '', data: row?.data ?? '', attic: row?.attic ?? '' };
    const owner = row?.owner === undefined ? null : ids.get(row.owner)!;
    const ends = { source: ids.get(source)!, target: ids.get(target)! };
    return { kind: 'edge', ...recordOf(record, uid, ++seq, at), owner, ...ends, undirected };
  };
  for (const root of whole.roots) yield nodeLine(root);
  const rootIds = new Set(ids.values());
  // An archive that is not of one moment may lack a root or an end of an edge.
  const nodes = whole.nodes.filter(({ owner }) => ids.has(owner));
  for (const node of nodes) yield nodeLine(node);
  const isWhole = ({ source, target, row }: ScannedEdge) =>
    ids.has(source) && ids.has(target) && (row?.owner === undefined || ids.has(row.owner));
  // Keys of edges are in order of creation, numbers as well as texts.
  const edges = whole.edges.filter(isWhole).sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const edge of edges) yield edgeLine(edge);
  const accounts = whole.accounts.filter(({ rootId }) => rootIds.has(rootId));
  for (const account of accounts) yield accountLine(account, withCredentials);
  yield {
    kind: 'end',
    nodes: whole.roots.length + nodes.length,
    edges: edges.length,
    accounts: accounts.length,
  };
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
