/** The statements of a group of units, and what their answers tell the units. */
import type { Key } from '../../../core/memory/rows.ts';
import type { NewEdge, NewNode, NodeChange, UnitWrite } from '../../../core/memory/store.ts';
import type { Leases } from '../leases.ts';
import type { Asked, Cells, Statement, Values } from './line.ts';
import { type Group, isChanged, type Touch } from './plan.ts';
import * as sql from './statements.ts';
import { typeNumber } from './types.ts';

export interface WriteDeps {
  readonly leases: Pick<Leases, 'holds'>;
  readonly nowMs: () => number;
}

export interface Written {
  readonly asked: readonly Asked[];
  /** Called with the answers once all of it is committed: gives keys to new edges, and to removed nodes what they lost. */
  readonly told: (answers: readonly (readonly Cells[])[]) => void;
}

export function writeGroup({ leases, nowMs }: WriteDeps, group: Group): Written {
  const now = nowMs();
  const asked: Asked[] = [];
  const listeners: ((answers: readonly (readonly Cells[])[]) => void)[] = [];
  const put = (statement: Statement, ...values: Values): number => asked.push({ statement, values }) - 1;
  const units = group.plans.map(({ unit }) => unit);
  const all = <T>(of: (unit: UnitWrite) => readonly T[]): T[] => units.flatMap(of);

  const hold = (touches: ReadonlyMap<number, Touch>, changes: Changes, touch: Statement, share: Statement): void => {
    const changed: object[] = [];
    const [ids, revs, topos]: [number[], (number | string)[], (number | string)[]] = [[], [], []];
    for (const one of touches.values()) {
      const { key, tell, rev, topo, bump, isGone } = one;
      if (!isChanged(one)) {
        ids.push(key);
        revs.push(rev ?? 'NULL');
        topos.push(topo ?? 'NULL');
      } else
        changed.push({ id: key, rev, topo, held: leases.holds(tell), bump: isGone ? 0 : bump, ...changes.get(key) });
    }
    if (changed.length > 0) put(touch, JSON.stringify(changed), changed.length, now);
    if (ids.length > 0) put(share, numbers(ids), numbers(revs), numbers(topos), ids.length);
  };
  const nodeChanges = all((unit) => unit.nodeChanges).map(
    (change) => [change.row.key as number, recordOf({ ...change, ...textsOf(change) })] as const,
  );
  const edgeChanges = all((unit) => unit.edgeChanges).map(
    (change) => [change.row.key as number, recordOf(change)] as const,
  );
  hold(group.nodes, new Map(nodeChanges), sql.touchNodes, sql.shareNodes);
  hold(group.edges, new Map(edgeChanges), sql.touchEdges, sql.shareEdges);
  if (group.seenRoots !== undefined || group.addedRoots > 0)
    put(sql.lockRoots, group.seenRoots ?? null, group.addedRoots === 0 || leases.holds('roots'), now);

  const newNodes = all(({ newNodes: made }) => made);
  if (newNodes.length > 0) put(sql.addNodes, JSON.stringify(newNodes.map(nodeRecord)), now);
  const roots = newNodes.filter(({ isRoot }) => isRoot);
  if (roots.length > 0) {
    put(sql.addRoots, numbers(roots.map(({ key }) => key)));
    put(sql.countRoots, roots.length);
  }
  const removed = all(({ removedEdges }) => removedEdges);
  if (removed.length > 0) put(sql.removeEdges, numbers(removed.map(({ row }) => row.key)));
  const newEdges = all(({ newEdges: made }) => made);
  if (newEdges.length > 0) {
    const at = put(sql.addEdges, JSON.stringify(newEdges.map(edgeRecord)), now);
    // Numbers rise in the order in which the edges were named.
    listeners.push((answers) => {
      const given = answers[at]!.map(([id]) => Number(id)).sort((a, b) => a - b);
      for (const [i, edge] of newEdges.entries()) edge.key = given[i]!;
    });
  }
  removeNodes(units, put, listeners);
  const answers = units.flatMap(({ answer }) => answer ?? []);
  if (answers.length > 0)
    put(
      sql.putAnswers,
      JSON.stringify(
        answers.map(({ key, requestHash, state, status, body, expiresAt }) => ({
          ...{ key, request_hash: requestHash, state, status, body, expires_at: expiresAt },
        })),
      ),
    );
  return {
    asked,
    told(given) {
      for (const listener of listeners) listener(given);
    },
  };
}

function removeNodes(
  units: readonly UnitWrite[],
  put: (statement: Statement, ...values: Values) => number,
  listeners: ((answers: readonly (readonly Cells[])[]) => void)[],
): void {
  const removed = units.flatMap(({ removedNodes }) => removedNodes);
  if (removed.length === 0) return;
  const keys = numbers(removed.map(({ row }) => row.key));
  put(sql.lockNeighbours, keys);
  const at = put(sql.loosen, keys);
  put(sql.removeNodes, keys);
  listeners.push((answers) => {
    const own = new Map<number, { readonly edges: Key[]; readonly neighbours: Key[] }>();
    for (const { row } of removed) own.set(row.key as number, { edges: [], neighbours: [] });
    for (const cells of answers[at]!) {
      const [id, source, target] = cells.map(Number) as [number, number, number];
      for (const [end, far] of source === target
        ? [[source, target]]
        : [
            [source, target],
            [target, source],
          ]) {
        const lists = own.get(end!);
        lists?.edges.push(id);
        if (far !== end) lists?.neighbours.push(far!);
      }
    }
    for (const node of removed) Object.assign(node, own.get(node.row.key as number));
  });
}

type Changes = ReadonlyMap<number, object>;

function recordOf({ type, access, data, attic }: Pick<NodeChange, 'type' | 'access' | 'data' | 'attic'>): object {
  return { type: typeNumber(type).id, access, data, attic };
}

function textsOf({ merged, data, attic }: NodeChange): { readonly data: string; readonly attic: string } {
  return merged === undefined ? { data, attic } : { data: merged.data, attic: merged.attic };
}

/** An array as the database writes one. */
function numbers(keys: readonly Key[]): string {
  return `{${keys.join()}}`;
}

function nodeRecord({ key, uid, type, owner, topo, access, data }: NewNode): object {
  return { id: key, uid: uid === '' ? null : uid, type: typeNumber(type).id, owner: owner ?? key, topo, access, data };
}

function edgeRecord(edge: NewEdge): object {
  const { uid, type, source, target, sourceType, targetType, undirected, owner, access, data } = edge;
  const { id, named } = typeNumber(type);
  const hasRecord = data !== '' || access !== '' || uid !== '' || owner !== undefined;
  return {
    ...{ uid: uid === '' ? null : uid, type: id, named, source: endOf(source), target: endOf(target) },
    ...{ source_named: typeNumber(sourceType).named, target_named: typeNumber(targetType).named },
    ...{ undirected, owner: owner ?? null, rev: hasRecord ? 1 : 0, access, data },
  };
}

function endOf(end: Key | NewNode): Key {
  return typeof end === 'object' ? end.key : end;
}
