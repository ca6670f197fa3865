/**
 * Plan of a commit: from a unit of core to the changes of each item it rests on (docs/server/storage.md#units,
 * docs/server/stores.md#dynamodb).
 */
import { newId } from '../../../core/graph/ids.ts';
import { edgeName as conflictName } from '../../../core/memory/commit-log.ts';
import type { Key } from '../../../core/memory/rows.ts';
import {
  ANY_VERSION,
  ConflictError,
  changesLinks,
  type EdgeChange,
  type NewEdge,
  type NewNode,
  type NodeChange,
  type RemovedNode,
  type UnitWrite,
} from '../../../core/memory/store.ts';
import { edgeId, edgeName, sequenceOf, typeName } from '../edge-names.ts';
import { linkFlags } from '../links.ts';
import type { StoredTypes } from '../stored-types.ts';
import type { Test } from './expression.ts';
import type { Intents } from './intents.ts';
import { type Item, type ItemKey, nameOf, sizeOf } from './item.ts';
import { edgeKey, edgeOfEnd, endKey, endPrefix, nodeKey, rootKey, rootsCounter } from './keys.ts';
import type { Free } from './leases.ts';
import { edgeRow, endItem, typeItem } from './rows.ts';
import type { Table } from './table.ts';
import { tooLarge } from './trouble.ts';

/** One item of a commit: what must hold, and what becomes of it. */
export interface Touch {
  readonly key: ItemKey;
  /** Key by which a conflict over it is reported. */
  readonly tell: Key;
  kind: 'check' | 'create' | 'update' | 'delete';
  rev: number | undefined;
  topo: number | undefined;
  set: Item | undefined;
  bump: number;
  /** A change that may be made on top of another version (isolation `merge`). */
  change: NodeChange | undefined;
}

export interface PlanDeps {
  readonly table: Table;
  readonly intents: Intents;
  readonly types: StoredTypes;
  readonly sequence: () => string;
  readonly nowMs: () => number;
}

/** Largest record of a node or edge, in bytes (docs/server/stores.md#dynamodb). */
const mostRecordBytes = 350 * 1024;

/** Gives keys to what is new. */
export function nameNew(unit: UnitWrite, sequence: () => string): void {
  for (const node of unit.newNodes) {
    node.key = node.reserved ?? (node.uid === '' ? newId() : node.uid);
    node.topo = 0;
  }
  for (const edge of unit.newEdges) {
    edge.key = edgeName(sequence(), edge.uid === '' ? newId() : edge.uid);
    for (const end of new Set([edge.source, edge.target])) if (typeof end === 'object') end.topo++;
  }
}

/** Gives the conditions of a touch besides the one that no other unit is at work on the item. */
export function testsOf(touch: Touch, free: Free): readonly Test[] {
  if (touch.kind === 'create') return [['absent', 'pk']];
  const tests: Test[] = [
    ['present', 'pk'],
    ['absent', 'intent'],
  ];
  if (touch.rev !== undefined) tests.push(['=', 'rev', touch.rev]);
  if (touch.topo !== undefined) tests.push(['=', 'topo', touch.topo]);
  if (touch.kind !== 'check') tests.push(...free(touch.tell));
  return tests;
}

/** @throws ConflictError when something it changes is gone; Failure `COMMIT_TOO_LARGE` */
export async function planUnit(deps: PlanDeps, unit: UnitWrite): Promise<readonly Touch[]> {
  const plan = createPlan();
  const at = new Date(deps.nowMs()).toISOString();
  planReads(plan, unit);
  for (const node of unit.newNodes) planNewNode(plan, node, at);
  for (const change of unit.nodeChanges) planChange(plan, change, at);
  for (const edge of unit.newEdges) planNewEdge(plan, edge, at);
  const ends = await Promise.all(unit.removedNodes.map((removed) => endsOf(deps, removed)));
  const records = await edgeRecords(deps, unit, ends.flat());
  for (const change of unit.edgeChanges) planEdgeChange(plan, change, records, at);
  for (const { row } of unit.removedEdges) planRemovedEdge(plan, row.key, records);
  for (const edge of new Set(ends.flat())) planRemovedEdge(plan, edge, records);
  for (const [i, removed] of unit.removedNodes.entries()) planRemovedNode(plan, removed, ends[i]!, records);
  return plan.touches();
}

// ---------------------------------------------------------------- the plan

interface Plan {
  touch(key: ItemKey, tell: Key): Touch;
  touches(): readonly Touch[];
}

function createPlan(): Plan {
  const touches = new Map<string, Touch>();
  return {
    touch(key, tell) {
      const name = nameOf(key);
      let touch = touches.get(name);
      if (touch === undefined) {
        touch = {
          key,
          tell,
          kind: 'check',
          rev: undefined,
          topo: undefined,
          set: undefined,
          bump: 0,
          change: undefined,
        };
        touches.set(name, touch);
      }
      return touch;
    },
    touches: () => [...touches.values()],
  };
}

function create(plan: Plan, key: ItemKey, tell: Key, set: Item): void {
  if (sizeOf(set) > mostRecordBytes) throw tooLarge();
  const touch = plan.touch(key, tell);
  touch.kind = 'create';
  touch.set = set;
}

function update(touch: Touch, set: Item): void {
  if (sizeOf(set) > mostRecordBytes) throw tooLarge();
  touch.kind = 'update';
  touch.set = { ...touch.set, ...set };
}

/** An existing node gained or lost an edge. */
function bump(plan: Plan, node: Key): void {
  const touch = plan.touch(nodeKey(node), node);
  if (touch.kind === 'check') touch.kind = 'update';
  touch.bump++;
}

function planReads(plan: Plan, { reads }: UnitWrite): void {
  for (const { key, rev } of reads.nodes) {
    const touch = plan.touch(nodeKey(key), key);
    if (rev !== ANY_VERSION) touch.rev = rev;
  }
  for (const { key, topo } of reads.listed) plan.touch(nodeKey(key), key).topo = topo;
  for (const { key, rev } of reads.edges) {
    const touch = plan.touch(edgeKey(edgeId(key)), conflictName(key));
    if (rev !== ANY_VERSION) touch.rev = rev;
  }
  if (reads.roots !== undefined) plan.touch(rootsCounter, 'roots').topo = reads.roots;
}

// ---------------------------------------------------------------- nodes

function planNewNode(plan: Plan, node: NewNode, at: string): void {
  const { key, type, owner, access, data, topo } = node;
  const record = { ...typeItem(type), owner: String(owner ?? key), access, data, attic: '', rev: 1, topo };
  create(plan, nodeKey(key), key, { ...record, created_at: at, updated_at: at });
  if (!node.isRoot) return;
  create(plan, rootKey(String(key)), 'roots', { created_at: at });
  bumpRoots(plan);
}

function bumpRoots(plan: Plan): void {
  const touch = plan.touch(rootsCounter, 'roots');
  touch.kind = 'update';
  touch.bump++;
}

function planChange(plan: Plan, change: NodeChange, at: string): void {
  const { row, type, access } = change;
  const { data, attic } = change.merged ?? change;
  const touch = plan.touch(nodeKey(row.key), row.key);
  touch.rev = change.merged === undefined ? row.rev : change.merged.rev - 1;
  touch.change = change;
  update(touch, { ...typeItem(type), access, data, attic, rev: touch.rev + 1, updated_at: at });
}

async function endsOf({ table, intents }: PlanDeps, { row }: RemovedNode): Promise<string[]> {
  const found = await table.query({ pk: nodeKey(row.key).pk, prefix: endPrefix() });
  const ends = await intents.resolve(found);
  return ends.flatMap((end) => (end === undefined ? [] : [edgeOfEnd(String(end['sk']))]));
}

function planRemovedNode(plan: Plan, removed: RemovedNode, edges: readonly string[], records: Records): void {
  const { key } = removed.row;
  const touch = plan.touch(nodeKey(key), key);
  touch.kind = 'delete';
  touch.rev = removed.row.rev;
  touch.bump = 0;
  removed.edges = [...new Set(edges)];
  removed.neighbours = edges.flatMap((edge) => {
    const { source, target } = records.get(edge)!;
    return source === target ? [] : [String(source === key ? target : source)];
  });
}

// ---------------------------------------------------------------- edges

/** Places at which the ends of an edge are filed, by its record. */
type Records = ReadonlyMap<
  string,
  { readonly item: Item; readonly source: string; readonly target: string; readonly undirected: boolean }
>;

async function edgeRecords(deps: PlanDeps, unit: UnitWrite, also: readonly string[]): Promise<Records> {
  const changed = unit.edgeChanges.filter(changesLinks);
  const keys = [...new Set([...unit.removedEdges, ...changed].map(({ row }) => String(row.key)).concat(also))];
  const found = await deps.intents.resolve(await deps.table.getMany(keys.map((key) => edgeKey(edgeId(key)))));
  return new Map(
    keys.map((key, i) => {
      const item = found[i];
      if (item === undefined) throw new ConflictError([conflictName(key)]);
      const { source, target, undirected } = edgeRow(deps.types, item);
      return [key, { item, source: String(source), target: String(target), undirected }] as const;
    }),
  );
}

function planNewEdge(plan: Plan, edge: NewEdge, at: string): void {
  const { type, access, data, undirected } = edge;
  const key = String(edge.key);
  const [source, target] = [endOf(edge.source), endOf(edge.target)];
  const [sourceType, targetType] = [typeName(edge.sourceType), typeName(edge.targetType)];
  const hasRecord = data !== '' || access !== '' || edge.uid !== '' || edge.owner !== undefined;
  const tell = conflictName(key);
  create(plan, edgeKey(edgeId(key)), tell, {
    ...typeItem(type),
    ...(edge.owner === undefined ? {} : { owner: String(edge.owner) }),
    access,
    data,
    attic: '',
    rev: hasRecord ? 1 : 0,
    source,
    target,
    source_type: sourceType,
    target_type: targetType,
    undirected,
    seq: sequenceOf(key),
    created_at: at,
    updated_at: at,
  });
  const flags = linkFlags(undirected, hasRecord, edge.owner !== undefined || access !== '');
  if (source === target) {
    create(plan, endKey(source, targetType, key), tell, endItem({ dir: 'loop', other: target, type, flags }));
  } else {
    create(plan, endKey(source, targetType, key), tell, endItem({ dir: 'out', other: target, type, flags }));
    create(plan, endKey(target, sourceType, key), tell, endItem({ dir: 'in', other: source, type, flags }));
  }
  for (const end of new Set([edge.source, edge.target])) if (typeof end !== 'object') bump(plan, end);
}

function endOf(end: Key | NewNode): string {
  return String(typeof end === 'object' ? end.key : end);
}

function endKeys(key: string, { item, source, target }: Records extends ReadonlyMap<string, infer R> ? R : never) {
  const [from, to] = [
    endKey(source, String(item['target_type']), key),
    endKey(target, String(item['source_type']), key),
  ];
  return source === target ? [from] : [from, to];
}

function planEdgeChange(plan: Plan, change: EdgeChange, records: Records, at: string): void {
  const { row, type, owner, data, attic, access } = change;
  const key = String(row.key);
  const tell = conflictName(key);
  const touch = plan.touch(edgeKey(edgeId(key)), tell);
  touch.rev = row.rev;
  update(touch, { ...typeItem(type), access, data, attic, rev: row.rev + 1, updated_at: at });
  const record = records.get(key);
  if (record === undefined) return;
  // The ends say that there is a record, and whether it decides who may see the edge.
  const x = linkFlags(row.undirected, true, access !== '' || owner !== undefined);
  for (const end of endKeys(key, record)) update(plan.touch(end, tell), { x });
  for (const end of new Set([record.source, record.target])) bump(plan, end);
}

function planRemovedEdge(plan: Plan, edge: Key, records: Records): void {
  const key = String(edge);
  const record = records.get(key)!;
  const tell = conflictName(key);
  for (const item of [edgeKey(edgeId(key)), ...endKeys(key, record)]) plan.touch(item, tell).kind = 'delete';
  for (const end of new Set([record.source, record.target])) bump(plan, end);
}
