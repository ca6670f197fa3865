/** Any store as an archive, by its port alone (decisions/0087). */
import { randomBytes } from 'node:crypto';
import { accountLine } from '../../core/archive/account-lines.ts';
import { ARCHIVE_FORMAT, type ArchiveLine, type EdgeLine, type NodeLine } from '../../core/archive/archive.ts';
import type { NodeRow } from '../../core/memory/rows.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { type ReadStore, readWhole } from './read-whole.ts';
import type { JoinedEdge, Spool, SpooledNode } from './spool.ts';

/**
 * Header, roots, the other nodes, edges in order of creation, accounts, and the line that counts them. Nothing is read after the first line;
 * before it `told` gets the number of nodes that were read, again and again.
 */
export async function* exportLines(
  store: ReadStore,
  withCredentials: boolean,
  nowMs: () => number,
  openSpool: () => Spool,
  told: (nodes: number) => void = () => {},
): AsyncGenerator<ArchiveLine> {
  const { spool, isOfOneMoment } = await readWhole(store, openSpool, told);
  try {
    yield* linesOf(spool, isOfOneMoment, store.graph.types, withCredentials, nowMs());
  } finally {
    spool.close();
  }
}

function* linesOf(
  spool: Spool,
  isOfOneMoment: boolean,
  types: GraphStore['types'],
  withCredentials: boolean,
  at: number,
): Generator<ArchiveLine> {
  yield {
    kind: 'svc-graph',
    format: ARCHIVE_FORMAT,
    made_at: new Date(at).toISOString(),
    of_one_moment: isOfOneMoment,
    // Every id is written beside its record, so these lead to none of them.
    id_keys: { node: randomBytes(32).toString('hex'), edge: randomBytes(32).toString('hex') },
  };
  const counts = { nodes: 0, edges: 0, accounts: 0 };
  let seq = 0;
  const nodeLine = (node: SpooledNode, owner: string): NodeLine => {
    counts.nodes++;
    return { kind: 'node', ...recordOf({ ...node, type: types.get(node.type)! }, node.uid, ++seq, at), owner };
  };
  const edgeLine = (edge: JoinedEdge): EdgeLine => {
    counts.edges++;
    const { access = '', data = '', attic = '' } = edge.record ?? {};
    const record = { type: types.get(edge.type)!, access, data, attic };
    const ends = { source: edge.sourceUid, target: edge.targetUid };
    const { undirected, ownerUid: owner = null } = edge;
    return { kind: 'edge', ...recordOf(record, edge.uid, ++seq, at), owner, ...ends, undirected };
  };
  for (const root of spool.roots()) yield nodeLine(root, root.uid);
  // An archive that is not of one moment may lack a root or an end of an edge: what belongs to them is left out.
  for (const node of spool.owned()) yield nodeLine(node, node.ownerUid);
  for (const edge of spool.edges()) yield edgeLine(edge);
  for (const account of spool.accounts()) {
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
