/** Commits: one transaction where it fits, else intents and a marker (server.md 15.4, 15.8). */
import { newId } from '../../../core/graph/ids.ts';
import type { Key } from '../../../core/memory/rows.ts';
import { type CommitLog, ConflictError, type UnitWrite } from '../../../core/memory/store.ts';
import type { Leases } from '../leases.ts';
import { claimItem } from './claims.ts';
import { type Intent, inChunks, intentOf, listsOf } from './intents.ts';
import { type Item, type ItemKey, sizeOf } from './item.ts';
import { claimKey, markerKey, unitsList } from './keys.ts';
import { type Free, freeOf, isLeased } from './leases.ts';
import { nameNew, type PlanDeps, planUnit, type Touch, testsOf } from './plan-unit.ts';
import { nodeRow } from './rows.ts';
import { mostBytes, mostItems, type Write } from './table.ts';
import { pause } from './trouble.ts';

/** Steps of a commit by intents, in order: where a process may die. */
export type CommitStep = 'marked' | 'listed' | 'placing' | 'placed' | 'checked' | 'committed' | 'settled';

export interface CommitDeps extends PlanDeps {
  readonly log: CommitLog;
  readonly leases: Pick<Leases, 'holds'>;
  /** A unit that has not been heard of for so long is given up by others. */
  readonly leaseMs: number;
  /** Called after each step; for tests of crashes. */
  readonly onStep?: ((step: CommitStep) => unknown) | undefined;
}

/** Tries against versions that can be brought together, and against units that are over. */
const mostTries = 20;

/** @throws ConflictError, Failure `COMMIT_TOO_LARGE` or `SERVICE_UNAVAILABLE`; nothing is written then */
export async function commitUnit(deps: CommitDeps, unit: UnitWrite): Promise<void> {
  nameNew(unit, deps.sequence);
  const tell = () => {
    deps.log.append(unit.entry());
    unit.applied();
  };
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const touches = await planUnit(deps, unit);
    const refused = fitsOne(touches, unit)
      ? await atOnce(deps, unit, touches)
      : await staged(deps, unit, touches, tell);
    if (refused === undefined) return fitsOne(touches, unit) ? tell() : undefined;
    const { conflicts, leased } = await standing(deps, refused);
    if (conflicts.length > 0) throw conflictOver(deps, unit, conflicts);
    if (leased.length > 0) throw new ConflictError(tells(leased), true, false, true);
    await pause(attempt);
  }
  throw conflictOver(deps, unit, []);
}

// Written by another call of this process: waiting does not help, a turn does.
function conflictOver({ log }: CommitDeps, unit: UnitWrite, touches: readonly Touch[]): ConflictError {
  const inside = log.changed(unit.reads) ?? [];
  return new ConflictError(tells(touches), inside.length === 0);
}

function tells(touches: readonly Touch[]): Key[] {
  return [...new Set(touches.map(({ tell }) => tell))];
}

interface Standing {
  readonly conflicts: readonly Touch[];
  /** Items that another process has a lease on. */
  readonly leased: readonly Touch[];
}

/** Finds the touches that did not hold and will not when tried again. */
async function standing(deps: CommitDeps, refused: readonly Touch[]): Promise<Standing> {
  const items = await deps.table.getMany(refused.map(({ key }) => key));
  const verdicts = await Promise.all(refused.map((touch, i) => stands(deps, touch, items[i])));
  const isKept = ({ kind, tell }: Touch, i: number) =>
    kind !== 'check' && isLeased(items[i], deps.nowMs()) && !deps.leases.holds(tell);
  return { conflicts: refused.filter((_, i) => verdicts[i]), leased: refused.filter(isKept) };
}

async function stands(deps: CommitDeps, touch: Touch, item: Item | undefined): Promise<boolean> {
  if (item === undefined) return touch.kind !== 'create';
  if (intentOf(item) !== undefined) return !(await deps.intents.settle(item));
  if (touch.kind === 'create') return true;
  if (touch.topo !== undefined && item['topo'] !== touch.topo) return true;
  return touch.rev !== undefined && item['rev'] !== touch.rev && !merges(deps, touch, item);
}

/** Isolation `merge`: the change on top of what another unit wrote. */
function merges({ types }: CommitDeps, { change }: Touch, item: Item): boolean {
  if (change?.merge === undefined) return false;
  const current = nodeRow(types, item);
  const made = change.merge(current);
  if (made === undefined) return false;
  const { type, access } = change;
  change.merged = change.row.next({ ...made, type, access, rev: current.rev + 1, topo: current.topo });
  return true;
}

// ---------------------------------------------------------------- one transaction

function fitsOne(touches: readonly Touch[], unit: UnitWrite): boolean {
  const answer = unit.answer === undefined ? 0 : sizeOf(claimItem(unit.answer));
  const bytes = touches.reduce((sum, touch) => sum + sizeOf(touch.set ?? {}), answer);
  return touches.length + (unit.answer === undefined ? 0 : 1) <= mostItems && bytes <= mostBytes;
}

async function atOnce(deps: CommitDeps, unit: UnitWrite, touches: readonly Touch[]): Promise<Touch[] | undefined> {
  const free = freeOf(deps.leases, deps.nowMs());
  const writes = [...touches.map((touch) => writeOf(touch, free)), ...answerOf(unit)];
  const refused = await deps.table.transact(writes, newId());
  return refused?.map((place) => touches[place]!);
}

function writeOf(touch: Touch, free: Free): Write {
  const { key, kind, set, bump } = touch;
  const when = testsOf(touch, free);
  if (kind === 'create') return { key, put: set!, when };
  if (kind === 'delete') return { key, isDelete: true, when };
  if (kind === 'check') return { key, when };
  const add = bump === 0 ? {} : { add: { topo: bump } };
  return { key, change: { ...(set === undefined ? {} : { set }), ...add }, when };
}

function answerOf({ answer }: UnitWrite): Write[] {
  return answer === undefined ? [] : [{ key: claimKey(answer.key), put: claimItem(answer), when: [] }];
}

// ---------------------------------------------------------------- by intents

/**
 * Places the intents, looks at what was only read while they are in place, flips the marker. Two such units cannot both pass: one of them
 * sees the other's intent (decisions/0056).
 */
async function staged(
  deps: CommitDeps,
  unit: UnitWrite,
  touches: readonly Touch[],
  onVisible: () => void,
): Promise<Touch[] | undefined> {
  const { table, intents, nowMs, leaseMs, onStep } = deps;
  const id = newId();
  const changes = touches.filter(({ kind }) => kind !== 'check');
  const placed: (readonly [ItemKey, Intent])[] = changes.map((touch) => [touch.key, intentFor(id, touch)]);
  await table.transact(
    [
      { key: markerKey(id), put: { state: 'pending', expires: nowMs() + leaseMs }, when: [['absent', 'pk']] },
      { key: { pk: unitsList, sk: id }, put: { at: nowMs() }, when: [] },
    ],
    newId(),
  );
  await onStep?.('marked');
  const giveUp = async () => {
    await table.write({ key: markerKey(id), change: { set: { state: 'aborted' } }, when: [['=', 'state', 'pending']] });
    await intents.finish(id, await intents.outcomeOf(id), placed);
  };
  let refused: Touch[];
  try {
    await Promise.all(
      listsOf(
        id,
        changes.map(({ key }) => key),
      ).map(table.write),
    );
    await onStep?.('listed');
    refused = await place(deps, id, changes);
    await onStep?.('placed');
    if (refused.length === 0) refused = await changedChecks(deps, touches);
    await onStep?.('checked');
  } catch (error) {
    await giveUp().catch(() => {}); // others do it when the lease is over
    throw error;
  }
  if (refused.length > 0) {
    await giveUp();
    return refused;
  }
  const flip: Write = {
    key: markerKey(id),
    change: { set: { state: 'committed' } },
    when: [['=', 'state', 'pending']],
  };
  if (!(await flipped(deps, id, [flip, ...answerOf(unit)]))) {
    await giveUp().catch(() => {});
    throw new ConflictError(
      changes.map(({ tell }) => tell),
      true,
    );
  }
  onVisible();
  await onStep?.('committed');
  // Committed it is, also when this does not work: then others do it.
  await intents.finish(id, 'committed', placed).catch(() => {});
  await onStep?.('settled');
  return undefined;
}

/** The atomic point. When the answer got lost the marker knows. */
async function flipped({ table, intents }: CommitDeps, id: string, writes: readonly Write[]): Promise<boolean> {
  try {
    return (await table.transact(writes, newId())) === undefined;
  } catch (error) {
    if ((await intents.outcomeOf(id)) === 'committed') return true;
    throw error;
  }
}

function intentFor(unit: string, { kind, set, bump }: Touch): Intent {
  if (kind === 'delete') return { unit, isDelete: true };
  const isNew = kind === 'create' ? { isNew: true } : {};
  return { unit, ...isNew, ...(set === undefined ? {} : { set }), ...(bump === 0 ? {} : { bump }) };
}

/** Chunk by chunk, a few at once; gives those that did not hold. */
async function place(deps: CommitDeps, id: string, changes: readonly Touch[]): Promise<Touch[]> {
  const { table, nowMs, leaseMs, onStep } = deps;
  const free = freeOf(deps.leases, nowMs());
  const chunks = inChunks(changes, ({ set }) => sizeOf(set ?? {}) + 300, mostBytes);
  const refused: Touch[] = [];
  let renewed = nowMs();
  let next = 0;
  const worker = async () => {
    while (next < chunks.length && refused.length === 0) {
      const chunk = chunks[next++]!;
      if (nowMs() - renewed > leaseMs / 4) {
        renewed = nowMs();
        const change = { set: { expires: renewed + leaseMs } };
        const lives = await table.write({ key: markerKey(id), change, when: [['=', 'state', 'pending']] });
        if (!lives)
          throw new ConflictError(
            changes.map(({ tell }) => tell),
            true,
          );
      }
      const writes = chunk.map((touch) => ({
        key: touch.key,
        change: { set: { intent: intentFor(id, touch) as unknown as Item } },
        when: testsOf(touch, free),
      }));
      const places = await table.transact(writes, newId());
      for (const at of places ?? []) refused.push(chunk[at]!);
      await onStep?.('placing');
    }
  };
  // All of them end before anything is taken back.
  const ends = await Promise.allSettled([worker(), worker(), worker(), worker()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return refused;
}

/** Gives the checks that fail for items that were only read, looked at while everything that changes is held. */
async function changedChecks({ table }: CommitDeps, touches: readonly Touch[]): Promise<Touch[]> {
  const checks = touches.filter(({ kind }) => kind === 'check');
  const items = await table.getMany(
    checks.map(({ key }) => key),
    ['pk', 'sk', 'rev', 'topo', 'intent'],
  );
  return checks.filter((touch, i) => {
    const item = items[i];
    if (item === undefined || intentOf(item) !== undefined) return true;
    if (touch.topo !== undefined && item['topo'] !== touch.topo) return true;
    return touch.rev !== undefined && item['rev'] !== touch.rev;
  });
}
