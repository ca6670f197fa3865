/** `spawn` (docs/language/walkers.md#spawn, docs/language/walkers.md#async-walkers). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { coro } from '../../library/values/calls/coroutine.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { lookUp } from '../graph/lookup.ts';
import { Edge, Node, Walker } from '../graph/objects.ts';
import { currentFrame, type Frame, runInWalk } from '../memory/context.ts';
import { commitSessionNow } from '../memory/session-commit.ts';
import { rootOf } from '../memory/session-rows.ts';
import { tableOf } from './dispatch.ts';
import { advance, Walk } from './walk.ts';

export interface SpawnOptions {
  /** The caller can wait even where the walker's own code never does: a long walk then lets other calls run. */
  readonly givesWay?: boolean;
}

/** Options for a caller that waits for the walk where the spawn stands. */
export const now: SpawnOptions = {};

/**
 * Runs a walker on a node, an edge, a list of them or a node id; either operand may be the walker (or its class). Gives the walker: at
 * once when nothing waited, else a promise of it. An async walker gives a coroutine, whose walk begins when it is awaited or made a task
 * (docs/language/walkers.md#async-walkers), unless there are options.
 */
export function spawn(a: unknown, b: unknown, within?: Walk, options?: SpawnOptions): MaybePromise<any> {
  if (b instanceof Walker) return start(b, a, within, options);
  if (a instanceof Walker) return start(a, b, within, options);
  if (isWalkerClass(b)) return start((b as any).$new(), a, within, options);
  if (isWalkerClass(a)) return start((a as any).$new(), b, within, options);
  throw new TypeError('Invalid walker object');
}

/** `spawn e`: a walker runs at the root, any other value is returned as it is (docs/language/walkers.md#spawn). */
export function spawnPrefix(x: unknown, within?: Walk, options?: SpawnOptions): unknown {
  return x instanceof Walker ? start(x, rootOf(currentFrame().context.session), within, options) : x;
}

function isWalkerClass(x: unknown): boolean {
  return metaOf(x)?.kind === 'walker';
}

function start(
  walker: any,
  target: unknown,
  within: Walk | undefined,
  options: SpawnOptions | undefined,
): MaybePromise<any> {
  if (options === undefined && walker.$meta.isAsync) {
    const outer = within ?? currentFrame().walk;
    return coro(walker.$meta.name, async () => start(walker, target, outer, now)) as any;
  }
  if (typeof target === 'string') {
    const found = lookUp(target);
    return found instanceof Promise
      ? found.then((place) => launch(walker, startList(place), within, options))
      : launch(walker, startList(found), within, options);
  }
  return launch(walker, startList(target), within, options);
}

function startList(target: unknown): any[] {
  if (target instanceof Node) return [target];
  if (target instanceof Edge) return withTarget(target);
  const items = target instanceof Tuple ? target.items : target;
  if (!Array.isArray(items)) throw new TypeError('Invalid target object');
  const list: any[] = [];
  for (const item of items) {
    if (item instanceof Node) list.push(item);
    else if (item instanceof Edge) list.push(...withTarget(item));
    else throw new TypeError('Invalid target object');
  }
  return list;
}

/** The edge, then the node it leads to, unless the caller may not read that. */
function withTarget(edge: Edge): any[] {
  const { target } = edge;
  return target === null ? [edge] : [edge, target];
}

function launch(
  walker: any,
  places: any[],
  within: Walk | undefined,
  options: SpawnOptions | undefined,
): MaybePromise<any> {
  const frame: Frame = currentFrame();
  const outer = within ?? frame.walk;
  const { compatibility } = frame.context.runtime;
  const walk = new Walk(walker, tableOf(walker), places, outer, {
    givesWay: walker.$meta.isAsync || options?.givesWay === true,
    immediateExits: compatibility.exitOrder === 'immediate',
    asksToArrive: frame.context.session.settings.traverseRequires === 'connect',
  });
  const story = frame.context.session.trace?.story;
  walk.story = story;
  // One list from the beginning: what the walker does with its `reports` on the way is reported as well
  // (docs/language/walkers.md#report).
  walker.reports = walk.reports;
  return story === undefined
    ? runInWalk(frame.context, walk, drive)
    : story.within(runInWalk, frame.context, walk, drive);
}

function drive(walk: Walk): MaybePromise<any> {
  const waiting = advance(walk);
  return waiting === undefined ? finish(walk) : driveOn(walk, waiting);
}

async function driveOn(walk: Walk, waiting: Promise<unknown>): Promise<any> {
  for (let pending: Promise<unknown> | undefined = waiting; pending !== undefined; pending = advance(walk))
    await pending;
  return finish(walk);
}

function finish(walk: Walk): any {
  walk.walker.reports = walk.reports;
  const { context } = currentFrame();
  if (walk.outer !== undefined) {
    if (context.runtime.compatibility.forwardNestedReports)
      for (const value of walk.reports) walk.outer.reports.push(value);
  } else if (context.session.commitsAfterWalks) {
    const committed = commitSessionNow(context.session);
    if (committed instanceof Promise) return committed.then(() => walk.walker);
  }
  return walk.walker;
}
