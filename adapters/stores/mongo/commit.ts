/**
 * Commits: one transaction each, in a number of commands that does not grow with the unit (server.md 15.4, 15.7). What a unit only read is
 * written too, so that of two units that each act on what the other changes one is in the other's way (decisions/0116).
 */
import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import type { Key } from '../../../core/memory/rows.ts';
import { type CommitLog, ConflictError, type UnitWrite } from '../../../core/memory/store.ts';
import type { Turns } from '../../../core/memory/turns.ts';
import { edgeName } from '../edge-names.ts';
import type { Leases } from '../leases.ts';
import type { StoredTypes } from '../stored-types.ts';
import { claimDocument } from './claims.ts';
import type { Collections, Stored } from './collections.ts';
import { type Free, freeOf, isLeased } from './leases.ts';
import { nameEdges, nameNodes, type Plan, type PlanDeps, planUnit, type Touch } from './plan-unit.ts';
import { nodeRow } from './rows.ts';
import { transact } from './transact.ts';
import { isDuplicate, isWriteConflict, pause, unavailable } from './trouble.ts';

/** Steps of a commit, in order: where a process may die. */
export type CommitStep = 'begun' | 'nodes' | 'edges' | 'written' | 'committed';

export interface CommitDeps extends PlanDeps {
  readonly collections: Collections;
  readonly types: StoredTypes;
  readonly log: CommitLog;
  /** Commits of this process that write the same documents come one after the other instead of being in each other's way. */
  readonly turns: Turns;
  readonly leases: Pick<Leases, 'holds'>;
  /** Milliseconds that one commit goes on against others that are in its way. */
  readonly patienceMs: number;
  /** Called after each step; for tests of crashes. */
  readonly onStep?: ((step: CommitStep) => unknown) | undefined;
}

export const rootsId = 'roots';

/** Error of a transaction that finds something changed since the unit saw it. */
class Mismatch extends Error {}

/** Tries on top of what others wrote (isolation `merge`). */
const mostTries = 20;

/** @throws ConflictError, Failure `COMMIT_TOO_LARGE` or `SERVICE_UNAVAILABLE`; nothing is written then */
export async function commitUnit(deps: CommitDeps, unit: UnitWrite): Promise<void> {
  nameNodes(unit);
  const leave = await deps.turns.take(tells(planUnit(deps, unit)));
  try {
    const inside = deps.log.changed(unit.reads);
    if (inside !== undefined && inside.length > 0) throw new ConflictError(inside);
    await commitInTurn(deps, unit);
  } finally {
    leave();
  }
}

async function commitInTurn(deps: CommitDeps, unit: UnitWrite): Promise<void> {
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const plan = planUnit(deps, unit);
    if (await wrote(deps, unit, plan)) {
      deps.log.append(unit.entry());
      unit.applied();
      return;
    }
    const { conflicts, leased } = await standing(deps, plan);
    if (conflicts.length > 0) throw conflictOver(deps, unit, conflicts);
    if (leased.length > 0) throw new ConflictError(leased, true, false, true);
    await pause(attempt);
  }
  throw conflictOver(deps, unit, []);
}

function conflictOver({ log }: CommitDeps, unit: UnitWrite, keys: readonly Key[]): ConflictError {
  const inside = log.changed(unit.reads) ?? [];
  return new ConflictError([...new Set(keys)], inside.length === 0);
}

/** False when something was not as the unit saw it. */
async function wrote(deps: CommitDeps, unit: UnitWrite, plan: Plan): Promise<boolean> {
  try {
    await transact(deps.collections.client, deps.patienceMs, (session) => write(deps, unit, plan, session));
    await deps.onStep?.('committed');
    return true;
  } catch (error) {
    if (error instanceof Mismatch) return false;
    // Somebody held a document all the time: a process that died in the middle, perhaps.
    if (isWriteConflict(error) || isDuplicate(error)) throw conflictOver(deps, unit, tells(plan));
    throw unavailable(error);
  }
}

function tells({ nodes, edges }: Plan): Key[] {
  return [...nodes.values(), ...edges.values()].map(({ tell }) => tell);
}

async function write(deps: CommitDeps, unit: UnitWrite, plan: Plan, session: ClientSession): Promise<void> {
  const { collections, onStep } = deps;
  const free = freeOf(deps.leases, deps.nowMs());
  await onStep?.('begun');
  const lost = await looseEnds(collections, unit, plan, session);
  const bumped = [...withBumps(plan.nodes, lost.bumps).values()];
  await writeAll(collections.nodes, { session, free }, plan.newNodes, bumped);
  await onStep?.('nodes');
  await writeAll(collections.edges, { session, free }, nameEdges(unit, deps), [...plan.edges.values()], lost.edges);
  await onStep?.('edges');
  await writeRoots(collections, { session, free }, plan.roots);
  if (unit.answer !== undefined) {
    const { _id, ...rest } = claimDocument(unit.answer);
    await collections.claims.replaceOne({ _id }, rest, { upsert: true, session });
  }
  await onStep?.('written');
}

interface Loose {
  /** Ids of edges that go with their nodes. */
  readonly edges: readonly string[];
  /** Nodes at their other ends, with how many edges they lose. */
  readonly bumps: ReadonlyMap<string, number>;
}

/** Edges of removed nodes: nobody can add one unseen, since that would write to the node. */
async function looseEnds(
  collections: Collections,
  unit: UnitWrite,
  plan: Plan,
  session: ClientSession,
): Promise<Loose> {
  if (plan.removed.length === 0) return { edges: [], bumps: new Map() };
  const gone = new Set(plan.removed);
  const filter = { $or: [{ source: { $in: plan.removed } }, { target: { $in: plan.removed } }] };
  const projection = { source: 1, target: 1, seq: 1 };
  const found = await collections.edges.find(filter, { session, projection, batchSize: allAtOnce }).toArray();
  const bumps = new Map<string, number>();
  const own = new Map<string, { readonly edges: Key[]; readonly neighbours: Key[] }>();
  for (const id of gone) own.set(id, { edges: [], neighbours: [] });
  const edges: string[] = [];
  for (const { _id, source, target, seq } of found) {
    const isNamed = plan.edges.get(_id)?.isGone === true;
    if (!isNamed) edges.push(_id);
    for (const [end, far] of source === target
      ? [[source, target]]
      : [
          [source, target],
          [target, source],
        ]) {
      const lists = own.get(end);
      if (lists === undefined) continue;
      lists.edges.push(edgeName(seq, _id));
      if (far === end || isNamed) continue;
      lists.neighbours.push(far);
      if (!gone.has(far)) bumps.set(far, (bumps.get(far) ?? 0) + 1);
    }
  }
  for (const removed of unit.removedNodes) Object.assign(removed, own.get(String(removed.row.key)));
  return { edges, bumps };
}

/** A first batch that holds as much as a message can. */
export const allAtOnce = 1_000_000;

function withBumps(
  touches: ReadonlyMap<string, Touch>,
  bumps: ReadonlyMap<string, number>,
): ReadonlyMap<string, Touch> {
  if (bumps.size === 0) return touches;
  const all = new Map(touches);
  for (const [id, count] of bumps) {
    const known = all.get(id);
    const nothing = {
      rev: undefined,
      topo: undefined,
      set: undefined,
      unset: undefined,
      change: undefined,
      isGone: false,
    };
    all.set(
      id,
      known === undefined
        ? { id, tell: id, ...nothing, bump: count, isLoose: true }
        : { ...known, bump: known.bump + count },
    );
  }
  return all;
}

interface Inside {
  readonly session: ClientSession;
  /** Further condition a document must meet for this process to write it. */
  readonly free: Free;
}

/** At most one command for changes, one for removals, one for what is new. @throws Mismatch */
async function writeAll(
  collection: Collections['nodes'],
  { session, free }: Inside,
  made: readonly Stored[],
  touches: readonly Touch[],
  alsoGone: readonly string[] = [],
): Promise<void> {
  const updates = touches.filter(({ isGone }) => !isGone);
  const removals = touches.filter(({ isGone }) => isGone);
  const operations: AnyBulkWriteOperation<Stored>[] = [
    ...updates.map((touch) => ({ updateOne: { filter: filterOf(touch, free), update: changeOf(touch) } })),
    ...removals.map((touch) => ({ deleteOne: { filter: filterOf(touch, free) } })),
    ...alsoGone.map((_id) => ({ deleteOne: { filter: { _id } } })),
    ...made.map((document) => ({ insertOne: { document } })),
  ];
  if (operations.length === 0) return;
  const done = await collection.bulkWrite(operations, { session });
  if (done.matchedCount !== updates.length || done.deletedCount !== removals.length + alsoGone.length)
    throw new Mismatch();
}

function filterOf(touch: Touch, free: Free): { _id: string } {
  const { id, rev, topo, tell, isLoose } = touch;
  const versions = { ...(rev === undefined ? {} : { rev }), ...(topo === undefined ? {} : { topo }) };
  return { _id: id, ...versions, ...(isWritten(touch) && isLoose !== true ? free(tell) : {}) };
}

/** Tells whether a touch is more than a read. */
function isWritten({ set, bump, isGone }: Touch): boolean {
  return set !== undefined || bump > 0 || isGone;
}

function changeOf({ set, unset, bump }: Touch): Document {
  if (set === undefined && bump === 0) return { $inc: { seen: 1 } };
  return {
    ...(set === undefined ? {} : { $set: set }),
    ...(unset === undefined || Object.keys(unset).length === 0 ? {} : { $unset: unset }),
    ...(bump === 0 ? {} : { $inc: { topo: bump } }),
  };
}

async function writeRoots(
  { meta }: Collections,
  { session, free }: Inside,
  { seen, added }: Plan['roots'],
): Promise<void> {
  if (seen === undefined && added === 0) return;
  const filter = { _id: rootsId, ...(seen === undefined ? {} : { topo: seen }), ...(added === 0 ? {} : free('roots')) };
  const { matchedCount } = await meta.updateOne(
    filter,
    { $inc: added === 0 ? { seen: 1 } : { topo: added } },
    { session },
  );
  if (matchedCount === 0) throw new Mismatch();
}

// ---------------------------------------------------------------- conflicts

interface Standing {
  readonly conflicts: readonly Key[];
  /** Keys that another process has a lease on. */
  readonly leased: readonly Key[];
}

/** Finds the conditions that did not hold and will not when tried again. */
async function standing(deps: CommitDeps, { nodes, edges, roots }: Plan): Promise<Standing> {
  const { collections, types, leases, nowMs } = deps;
  const [nowNodes, nowEdges, nowRoots] = await Promise.all([
    current(collections.nodes, nodes),
    current(collections.edges, edges),
    roots.seen === undefined && roots.added === 0 ? undefined : collections.meta.findOne({ _id: rootsId }),
  ]).catch((error) => {
    throw unavailable(error);
  });
  const merges = (touch: Touch, now: Stored) => merged(types, touch, now);
  const isKept = (key: Key, record: Stored | undefined | null) => isLeased(record, nowMs()) && !leases.holds(key);
  const kept = (touches: ReadonlyMap<string, Touch>, now: ReadonlyMap<string, Stored>) =>
    [...touches.values()].filter((touch) => isWritten(touch) && isKept(touch.tell, now.get(touch.id)));
  return {
    conflicts: [
      ...changed(nodes, nowNodes, merges),
      ...changed(edges, nowEdges, () => false),
      ...(roots.seen !== undefined && nowRoots?.['topo'] !== roots.seen ? ['roots'] : []),
    ],
    leased: [
      ...[...kept(nodes, nowNodes), ...kept(edges, nowEdges)].map(({ tell }) => tell),
      ...(roots.added > 0 && isKept('roots', nowRoots) ? ['roots'] : []),
    ],
  };
}

async function current(
  collection: Collections['nodes'],
  touches: ReadonlyMap<string, Touch>,
): Promise<Map<string, Stored>> {
  if (touches.size === 0) return new Map();
  const found = await collection.find({ _id: { $in: [...touches.keys()] } }, { batchSize: allAtOnce }).toArray();
  return new Map(found.map((record) => [record._id, record]));
}

function changed(
  touches: ReadonlyMap<string, Touch>,
  now: ReadonlyMap<string, Stored>,
  merges: (touch: Touch, now: Stored) => boolean,
): Key[] {
  return [...touches.values()].flatMap((touch) => {
    const record = now.get(touch.id);
    if (record === undefined) return [touch.tell];
    if (touch.topo !== undefined && record['topo'] !== touch.topo) return [touch.tell];
    if (touch.rev === undefined || record['rev'] === touch.rev || merges(touch, record)) return [];
    return [touch.tell];
  });
}

/** Isolation `merge`: the change on top of what another unit wrote. */
function merged(types: StoredTypes, { change }: Touch, record: Stored): boolean {
  if (change?.merge === undefined) return false;
  const current = nodeRow(types, record);
  const made = change.merge(current);
  if (made === undefined) return false;
  const { type, access } = change;
  change.merged = change.row.next({ ...made, type, access, rev: current.rev + 1, topo: current.topo });
  return true;
}
