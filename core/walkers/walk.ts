/**
 * A running walk: the queue of locations, the open ones, and the loop over them (docs/language/walkers.md#spawn,
 * docs/language/walkers.md#order-of-a-walk).
 */

import { DELETED } from '../../library/classes/state.ts';
import { look } from '../../library/limits/look.ts';
import { Edge } from '../graph/objects.ts';
import type { Teller } from '../story/teller.ts';
import { type Dispatch, makeDispatch, notAPlace, type Step, type WalkerTable } from './dispatch.ts';

export interface WalkOptions {
  /** Let other calls run when the walk takes long; only where the caller can wait. */
  readonly givesWay: boolean;
  /** The oldest programs ran exits directly after the entries of a location (docs/language/walkers.md#exits). */
  readonly immediateExits: boolean;
  /** Places the caller may read but not traverse to are skipped (`traverse_requires = "connect"`). */
  readonly asksToArrive: boolean;
}

/** After this long other calls get a turn; looked at every so many visits, because reading the clock costs as much as a visit. */
const turnMs = 8;
const visitsPerLook = 1024;

const none: readonly Step[] = [];

export class Walk {
  readonly walker: any;
  readonly table: WalkerTable;
  readonly outer: Walk | undefined;
  readonly options: WalkOptions;
  /** The node it was spawned on; None for an edge that leads where the caller may not look. */
  readonly entry: any;
  queue: any[];
  head: number;
  /** Entered locations that have something to do on leaving. */
  readonly open: any[];
  /** Current location; after the traversal the last one entered. */
  here: any;
  last: any;
  reports: unknown[];
  disengaged: boolean;
  // Index of the next step in `list`, so that the loop can go on after a wait.
  list: readonly Step[];
  at: number;
  phase: 'start' | 'walk' | 'end' | 'done';
  turnStart: number;
  /** The last hop from a location, as the store was asked. */
  question: string;
  /** Gets what the walk does; undefined when nobody records it, and once the story is full. */
  story: Teller | undefined;

  constructor(walker: any, table: WalkerTable, start: any[], outer: Walk | undefined, options: WalkOptions) {
    this.walker = walker;
    this.table = table;
    this.outer = outer;
    this.options = options;
    this.entry = (start[0] instanceof Edge ? start[1] : start[0]) ?? null;
    this.queue = start;
    this.head = 0;
    this.open = [];
    this.here = start.length > 0 ? start[0] : null;
    this.last = null;
    this.reports = [];
    this.disengaged = false;
    this.list = start.length > 0 ? table.start : none;
    this.at = 0;
    this.phase = 'start';
    this.turnStart = 0;
    this.question = '';
    this.story = undefined;
  }
}

/** Runs until the walk is over (undefined) or an ability waits: call again when the promise is fulfilled. */
export function advance(walk: Walk): Promise<unknown> | undefined {
  for (;;) {
    const waiting = runList(walk);
    if (waiting !== undefined) return waiting;
    if (walk.disengaged || walk.phase === 'end') {
      walk.phase = 'done';
      return undefined;
    }
    walk.phase = 'walk';
    const paused = traverse(walk);
    if (paused !== undefined) return paused;
    if (walk.list !== none) continue;
    walk.phase = 'end';
    walk.here = walk.last;
    walk.list = walk.last === null ? none : walk.table.end;
    walk.at = 0;
  }
}

// Runs the rest of the current group of abilities. Each is preceded by a look at the flag: `disengage` stops the rest.
function runList(walk: Walk): Promise<unknown> | undefined {
  const { list, here, walker } = walk;
  while (walk.at < list.length && !walk.disengaged) {
    const step = list[walk.at++]!;
    if (walk.story !== undefined) tellVisit(walk, here, step);
    const result = step.onWalker ? step.run.call(walker, here, walk) : step.run.call(here, walker, walk);
    if (result instanceof Promise) return result;
  }
  walk.list = none;
  return undefined;
}

/** Takes locations until there is nothing left; then leaves the open ones in reverse order, each time looking at the queue again. */
function traverse(walk: Walk): Promise<unknown> | undefined {
  while (!walk.disengaged) {
    const waiting =
      walk.head < walk.queue.length
        ? walk.story === undefined
          ? drain(walk)
          : drainTold(walk)
        : walk.open.length > 0
          ? leave(walk, walk.open.pop())
          : undefined;
    if (waiting !== undefined) return waiting;
    if (walk.head === walk.queue.length && walk.open.length === 0) return undefined;
  }
  return undefined;
}

/**
 * The hot loop. What happens rarely is in functions of its own, so that this one stays small enough for an ability to be compiled into it. Gives
 * a promise when an ability waits; what is left of an interrupted group stays in `walk.list`.
 */
function drain(walk: Walk): Promise<unknown> | undefined {
  const { walker, table } = walk;
  const { givesWay, asksToArrive } = walk.options;
  // The abilities to run are looked up when the class of the location changes.
  let cid = -1;
  let dispatch = nothing;
  let entered = walk.last;
  while (walk.head < walk.queue.length) {
    if ($due) look();
    const place = walk.queue[walk.head++];
    if (place === null || place === undefined) throw notAPlace(place);
    if ((place.$st & DELETED) !== 0 || (asksToArrive && !mayArrive(place))) continue;
    if (place.$cid !== cid) {
      dispatch = table.byLocation[place.$cid] ?? makeDispatch(table, place);
      cid = place.$cid;
    }
    walk.here = entered = place;
    const { only } = dispatch;
    const waiting = only !== undefined ? only.call(walker, place, walk) : enter(walk, place, dispatch);
    if ((waiting !== undefined && waiting instanceof Promise) || walk.disengaged) {
      walk.last = place;
      return waiting instanceof Promise ? waiting : undefined;
    }
    if ((walk.head & (visitsPerLook - 1)) === 0) {
      dropFront(walk);
      const pause = givesWay ? maybePause(walk) : undefined;
      if (pause !== undefined) {
        walk.last = place;
        return pause;
      }
    }
  }
  walk.last = entered;
  return undefined;
}

/** The same for a walk whose visits are told, until the story is full. */
function drainTold(walk: Walk): Promise<unknown> | undefined {
  while (walk.head < walk.queue.length && walk.story !== undefined) {
    if ($due) look();
    const place = walk.queue[walk.head++];
    if (place === null || place === undefined) throw notAPlace(place);
    if ((place.$st & DELETED) !== 0 || (walk.options.asksToArrive && !mayArrive(place))) continue;
    walk.here = walk.last = place;
    const waiting = enter(walk, place, walk.table.byLocation[place.$cid] ?? makeDispatch(walk.table, place));
    if (waiting !== undefined || walk.disengaged) return waiting;
  }
  return undefined;
}

function tellVisit(walk: Walk, place: any, step: Step): void {
  let depth = 0;
  for (let { outer } = walk; outer !== undefined; outer = outer.outer) depth++;
  // A full story is told no more, and the walk goes on as if there were none.
  if (place !== null && walk.story?.visit(place, walk.table.meta.name, step.ability, depth) === false)
    walk.story = undefined;
}

function mayArrive(place: any): boolean {
  return place.$s === null || place.$out === undefined || place.$s.mayArrive(place);
}

const nothing: Dispatch = { enter: none, leave: none, only: undefined };

function enter(walk: Walk, place: any, dispatch: Dispatch): Promise<unknown> | undefined {
  if (dispatch.leave.length === 0) return runSteps(walk, place, dispatch.enter);
  if (walk.options.immediateExits) return runSteps(walk, place, [...dispatch.enter, ...dispatch.leave]);
  walk.open.push(place);
  return runSteps(walk, place, dispatch.enter);
}

function leave(walk: Walk, place: any): Promise<unknown> | undefined {
  walk.here = place;
  return runSteps(walk, place, walk.table.byLocation[place.$cid]!.leave);
}

function runSteps(walk: Walk, place: any, list: readonly Step[]): Promise<unknown> | undefined {
  const { walker } = walk;
  for (let i = 0; i < list.length && !walk.disengaged; i++) {
    const step = list[i]!;
    if (walk.story !== undefined) tellVisit(walk, place, step);
    const result = step.onWalker ? step.run.call(walker, place, walk) : step.run.call(place, walker, walk);
    if (result !== undefined && result instanceof Promise) {
      walk.list = list;
      walk.at = i + 1;
      return result;
    }
  }
  return undefined;
}

// Places that were taken are given back in large steps: `shift` would move the whole queue each time.
function dropFront(walk: Walk): void {
  if (walk.head * 2 < walk.queue.length) return;
  walk.queue = walk.queue.slice(walk.head);
  walk.head = 0;
}

function maybePause(walk: Walk): Promise<unknown> | undefined {
  const now = performance.now();
  if (walk.turnStart === 0) walk.turnStart = now;
  if (now - walk.turnStart < turnMs) return undefined;
  walk.turnStart = 0;
  return new Promise((resolve) => setImmediate(resolve));
}

/** Puts locations into the queue: at the end, or as a slice at `index` (docs/language/walkers.md#visit). */
export function enqueue(walk: Walk, places: readonly unknown[], index: number | undefined): void {
  const pending = walk.queue.length - walk.head;
  const at =
    index === undefined || index === -1
      ? pending
      : index >= 0
        ? Math.min(index, pending)
        : Math.max(0, pending + index + 1);
  if (at === pending) {
    for (let i = 0; i < places.length; i++) walk.queue.push(places[i]);
  } else if (at === 0 && walk.head >= places.length) {
    walk.head -= places.length;
    for (let i = 0; i < places.length; i++) walk.queue[walk.head + i] = places[i];
  } else {
    walk.queue = [...walk.queue.slice(walk.head, walk.head + at), ...places, ...walk.queue.slice(walk.head + at)];
    walk.head = 0;
  }
}
