/**
 * Commits: units of one turn, and those that come while the last transaction is on its way, are written in one
 * transaction, which is one round trip and one sync of the database's disk (docs/server/storage.md#units,
 * docs/server/stores.md#postgresql). What a unit only read is locked too, against those who write it, so that of two
 * units that each act on what the other changes one is refused (decisions/0695).
 */
import { backOff } from '../../../base/back-off.ts';
import { throwOutside } from '../../../base/throw-outside.ts';
import type { IdMaker, Key } from '../../../core/memory/rows.ts';
import { type CommitLog, ConflictError, type UnitWrite } from '../../../core/memory/store.ts';
import type { Keys } from './keys.ts';
import { type Cells, statement } from './line.ts';
import { Group, isChanged, type Plan, planUnit, type Touch } from './plan.ts';
import { mostFlights, type Pool } from './pool.ts';
import { nodeColumns, nodeRow, withTypes } from './rows.ts';
import { isInTheWay, isMismatch, unavailable } from './trouble.ts';
import type { Types } from './types.ts';
import { type WriteDeps, writeGroup } from './write.ts';

export interface CommitDeps extends WriteDeps {
  readonly pool: Pool;
  readonly types: Types;
  readonly log: CommitLog;
  readonly keys: Keys;
  readonly nodeId: IdMaker;
}

export interface Committer {
  /** @throws ConflictError, Failure `SERVICE_UNAVAILABLE` */
  commit(unit: UnitWrite): Promise<void>;
  /** Until nothing is on its way. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly unit: UnitWrite;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  tries: number;
}

/** Tries against others who are in the way. */
const mostTries = 20;
/** Bounds of one transaction: it holds what it writes from others until it ends. */
const mostUnits = 256;
const mostRecords = 4000;
/**
 * Units wait for others to go with them, unless most of the last transaction's are back: for this part of the time that it took. While the disk
 * syncs for one transaction the next ones are written, and the database syncs for all of those at once.
 */
const gatherPart = 1 / mostFlights;
const mostGatherMs = 4;

export function createCommitter(deps: CommitDeps): Committer {
  let queue: Waiting[] = [];
  /** No set: what passes through one is kept too long (decisions/0071). */
  const flying: Group[] = [];
  let isArmed = false;
  let landed: (() => void)[] = [];
  let last: Flight | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let hasGathered = false;
  const arm = (): void => {
    if (isArmed || flying.length >= mostFlights || queue.length === 0) return;
    const restMs = hasGathered ? 0 : gatherMs(last, queue.length);
    if (restMs >= 1) {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        hasGathered = true;
        arm();
      }, restMs);
      return;
    }
    isArmed = true;
    setImmediate(() => {
      isArmed = false;
      turn();
    });
  };
  const land = (group: Group): void => {
    flying.splice(flying.indexOf(group), 1);
    arm();
    if (queue.length > 0 || flying.length > 0) return;
    for (const tell of landed) tell();
    landed = [];
  };
  const turn = (): void => {
    const group = new Group();
    const taken: Waiting[] = [];
    const later: Waiting[] = [];
    let size = 0;
    for (const waiting of queue) {
      const inside = deps.log.changed(waiting.unit.reads);
      if (inside !== undefined && inside.length > 0) {
        waiting.reject(new ConflictError(inside));
        continue;
      }
      const plan = planUnit(waiting.unit);
      const hasRoom = taken.length < mostUnits && (size === 0 || size + plan.size <= mostRecords);
      if (hasRoom && group.admits(plan) && flying.every((other) => other.admits(plan))) {
        group.add(plan);
        size += plan.size;
        taken.push(waiting);
      } else later.push(waiting);
    }
    queue = later;
    if (taken.length === 0) return;
    flying.push(group);
    clearTimeout(gathering);
    gathering = undefined;
    hasGathered = false;
    const began = performance.now();
    if (last !== undefined) last = { ...last, fromMs: began };
    const landing = () => {
      const landedMs = performance.now();
      last = { units: taken.length, tookMs: landedMs - began, fromMs: landedMs };
      land(group);
    };
    fly(group, taken).then(landing, (error) => {
      landing();
      throwOutside(error);
    });
  };
  const fly = async (group: Group, taken: readonly Waiting[]): Promise<void> => {
    try {
      await nameNodes(deps.keys, group);
      const { asked, told } = writeGroup(deps, group);
      const answers = await deps.pool.together(asked);
      told(answers);
    } catch (error) {
      await refuse(group, taken, error);
      return;
    }
    for (const { unit, resolve } of taken) {
      deps.log.append(unit.entry());
      unit.applied();
      resolve();
    }
  };
  /** Rejects the units that cannot be written; the others come again. */
  const refuse = async (group: Group, taken: readonly Waiting[], error: unknown): Promise<void> => {
    if (!isMismatch(error) && !isInTheWay(error)) {
      for (const { reject } of taken) reject(unavailable(error));
      return;
    }
    let standing: readonly Standing[];
    try {
      standing = await look(deps, group);
    } catch (failure) {
      for (const { reject } of taken) reject(unavailable(failure));
      return;
    }
    const again: Waiting[] = [];
    for (const [i, waiting] of taken.entries()) {
      const { conflicts, leased } = standing[i]!;
      if (conflicts.length > 0) waiting.reject(conflictOver(deps.log, waiting.unit, conflicts));
      else if (leased.length > 0) waiting.reject(new ConflictError(leased, true, false, true));
      else if (++waiting.tries >= mostTries) waiting.reject(conflictOver(deps.log, waiting.unit, []));
      else again.push(waiting);
    }
    queue = [...again, ...queue];
    if (again.length === taken.length) await backOff(again[0]!.tries, { firstMs: 1, mostMs: 50 });
  };
  return {
    commit: (unit) =>
      new Promise((resolve, reject) => {
        queue.push({ unit, resolve, reject, tries: 0 });
        arm();
      }),
    async idle() {
      if (queue.length === 0 && flying.length === 0) return;
      await new Promise<void>((resolve) => landed.push(resolve));
    },
  };
}

/** The transaction that was over last, and when one last began or ended. */
interface Flight {
  readonly units: number;
  readonly tookMs: number;
  readonly fromMs: number;
}

/** Milliseconds for which units that wait do so for others to join them. */
function gatherMs(last: Flight | undefined, waiting: number): number {
  if (last === undefined || waiting * 4 >= last.units * 3) return 0;
  return last.fromMs + Math.min(last.tookMs * gatherPart, mostGatherMs) - performance.now();
}

function conflictOver(log: CommitLog, unit: UnitWrite, keys: readonly Key[]): ConflictError {
  const inside = log.changed(unit.reads) ?? [];
  return new ConflictError([...new Set(keys)], inside.length === 0);
}

/** Gives keys to new nodes, and counts the edges they start with. */
async function nameNodes(keys: Keys, { plans }: Group): Promise<void> {
  const made = plans.flatMap(({ unit }) => unit.newNodes);
  const wait = keys.enough(made.length);
  if (wait !== undefined) await wait;
  for (const node of made) {
    node.key = node.reserved ?? keys.next();
    node.topo = 0;
  }
  for (const { unit } of plans)
    for (const edge of unit.newEdges)
      for (const end of new Set([edge.source, edge.target])) if (typeof end === 'object') end.topo++;
}

// ---------------------------------------------------------------- conflicts

interface Standing {
  readonly conflicts: readonly Key[];
  /** Keys that another process has a lease on. */
  readonly leased: readonly Key[];
}

const nodesNow = statement(`SELECT n.lease_until, ${nodeColumns('n')} FROM svc_node n WHERE n.id = ANY($1::int8[])`);
const edgesNow = statement('SELECT id, rev, lease_until FROM svc_edge WHERE id = ANY($1::int8[])');
const rootsNow = statement("SELECT topo, lease_until FROM svc_meta WHERE key = 'roots'");

interface Now {
  readonly rev: number;
  readonly topo: number;
  readonly leaseUntil: number;
  readonly cells: Cells;
}

/** Finds for each unit of a group the records that keep it from being written, now and when it is tried again. */
async function look(deps: CommitDeps, group: Group): Promise<readonly Standing[]> {
  const { pool, types, leases, nowMs, nodeId } = deps;
  const [foundNodes, foundEdges, [roots]] = await Promise.all([
    pool.ask(nodesNow, [`{${[...group.nodes.keys()].join()}}`]),
    pool.ask(edgesNow, [`{${[...group.edges.keys()].join()}}`]),
    pool.ask(rootsNow, []),
  ]);
  const nodes = new Map<number, Now>(
    foundNodes.map((cells) => [
      Number(cells[1]),
      { rev: Number(cells[5]), topo: Number(cells[6]), leaseUntil: Number(cells[0] ?? 0), cells },
    ]),
  );
  const edges = new Map<number, Now>(
    foundEdges.map((cells) => [
      Number(cells[0]),
      { rev: Number(cells[1]), topo: 0, leaseUntil: Number(cells[2] ?? 0), cells },
    ]),
  );
  const now = nowMs();
  const isKept = (key: Key, until: number) => until > now && !leases.holds(key);
  return await withTypes(types, foundNodes, 3, (typeOf) => {
    const merges = ({ change }: Touch, { cells }: Now): boolean => {
      if (change?.merge === undefined) return false;
      const current = nodeRow(cells, typeOf, nodeId, 1);
      const made = change.merge(current);
      if (made === undefined) return false;
      const { type, access } = change;
      change.merged = change.row.next({ ...made, type, access, rev: current.rev + 1, topo: current.topo });
      return true;
    };
    const changed = (touches: ReadonlyMap<number, Touch>, found: ReadonlyMap<number, Now>): Key[] =>
      [...touches.values()].flatMap((touch) => {
        const is = found.get(touch.key);
        if (is === undefined) return [touch.tell];
        if (touch.topo !== undefined && is.topo !== touch.topo) return [touch.tell];
        if (touch.rev === undefined || is.rev === touch.rev || merges(touch, is)) return [];
        return [touch.tell];
      });
    const kept = (touches: ReadonlyMap<number, Touch>, found: ReadonlyMap<number, Now>): Key[] =>
      [...touches.values()]
        .filter((touch) => isChanged(touch) && isKept(touch.tell, found.get(touch.key)?.leaseUntil ?? 0))
        .map(({ tell }) => tell);
    return group.plans.map((plan: Plan) => ({
      conflicts: [
        ...changed(plan.nodes, nodes),
        ...changed(plan.edges, edges),
        ...(plan.seenRoots !== undefined && Number(roots?.[0]) !== plan.seenRoots ? ['roots'] : []),
      ],
      leased: [
        ...kept(plan.nodes, nodes),
        ...kept(plan.edges, edges),
        ...(plan.addedRoots > 0 && isKept('roots', Number(roots?.[1] ?? 0)) ? ['roots'] : []),
      ],
    }));
  });
}
