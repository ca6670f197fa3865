/**
 * `visit`, `report`, `disengage`, `here` and `visitor` (docs/language/walkers.md#visit,
 * docs/language/walkers.md#report, docs/language/walkers.md#disengage,
 * docs/language/expressions.md#special-references).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { DELETED } from '../../library/classes/state.ts';
import { slicePart } from '../../library/values/containers/slice.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { hasPlainOut } from '../graph/adjacency.ts';
import { out } from '../graph/hop.ts';
import { hops } from '../graph/hops.ts';
import type { Edge } from '../graph/objects.ts';
import { currentFrame } from '../memory/context.ts';
import { notAPlace } from './dispatch.ts';
import { enqueue, type Walk } from './walk.ts';

/** Queues a node, an edge or a list of them; says whether anything was queued. */
export function visit(walk: Walk | undefined, value: unknown, index?: unknown): boolean {
  const running = walk ?? runningWalk('visit');
  const at = index === undefined ? undefined : slicePart(index);
  if (Array.isArray(value)) {
    // A value that is no place is noticed when its turn comes: looking at every place now would bring all of them into
    // the cache twice.
    const { length } = value;
    if (length === 0) return false;
    if (at === undefined) {
      const { queue } = running;
      for (let i = 0; i < length; i++) queue.push(value[i]);
    } else enqueue(running, value, at);
    return true;
  }
  if (value === null || value === undefined) return false;
  if (isPlace(value)) {
    enqueue(running, [value], at);
    return true;
  }
  const items =
    value instanceof Tuple
      ? [...value.items]
      : typeof value === 'object' && Symbol.iterator in value
        ? [...(value as any)]
        : undefined;
  if (items === undefined) throw notAPlace(value);
  return visit(running, items, at);
}

/**
 * `visit [-->]`, the commonest form: neighbours in memory go from the edges into the queue without a list between. A promise only where
 * the store cannot answer at once.
 */
export function visitOut(walk: Walk | undefined, origin: any): MaybePromise<boolean> {
  if (walk !== undefined && walk.story === undefined && hasPlainOut(origin)) {
    const edges: readonly Edge[] | null = origin.$out;
    if (edges === null) return false;
    const { queue } = walk;
    const before = queue.length;
    let states = 0;
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!;
      const far = edge.$dst;
      queue.push(far === origin ? edge.$src : far);
      states |= edge.$st;
    }
    if ((states & DELETED) === 0) return edges.length > 0;
    queue.length = before;
  }
  const found = hops(origin, 'node', out);
  return found instanceof Promise ? found.then((places) => visit(walk, places)) : visit(walk, found);
}

/** `visit [edge …]`: for every edge the edge itself, then the node it leads to. */
export function visitEdges(walk: Walk | undefined, edges: readonly Edge[], index?: unknown): boolean {
  const running = walk ?? runningWalk('visit');
  const places: unknown[] = [];
  for (const edge of edges) {
    const far = edge.$dst === running.here && edge.$src !== running.here ? edge.source : edge.target;
    places.push(edge);
    if (far !== null) places.push(far);
  }
  return visit(running, places, index);
}

/** Adds to the reports of the current walk, outside of walks to those of the call; `svc run` shows the value as well. */
export function report(walk: Walk | undefined, value: unknown): void {
  const frame = walk === undefined ? currentFrame() : undefined;
  const running = walk ?? frame!.walk;
  const reported = value === undefined ? null : value;
  const { context } = frame ?? currentFrame();
  context.session.trace?.story?.report(reported);
  if (running !== undefined) running.reports.push(reported);
  else if (context.call !== undefined) {
    context.reports ??= [];
    context.reports.push(reported);
  }
  const { echo } = context.runtime;
  if (echo !== undefined) echo(reported);
}

/** `disengage` in a function called during a walk; abilities set the flag themselves. */
export function disengage(walk?: Walk): void {
  (walk ?? runningWalk('disengage')).disengaged = true;
}

/** Current location of the running walk. */
export function here(): any {
  return runningWalk('here').here;
}

/** Walker of the running walk. */
export function visitor(): any {
  return runningWalk('visitor').walker;
}

export function currentWalk(): Walk | undefined {
  return currentFrame().walk;
}

function runningWalk(what: string): Walk {
  const walk = currentFrame().walk;
  if (walk === undefined) throw new RuntimeError(`${what} outside of a walk`);
  return walk;
}

// Nodes and edges have a state word; cheaper than `instanceof`.
function isPlace(x: any): boolean {
  return typeof x === 'object' && x !== null && x.$st !== undefined;
}
