/** Tells the story of the running call of the edges it follows. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Hop } from '../graph/hop.ts';
import { contextOrNone } from '../memory/context.ts';

/** Fills `tellHops` of `core/graph/hops.ts`. */
export function tellHop(path: readonly Hop[], find: () => MaybePromise<any[]>): MaybePromise<any[]> {
  const story = contextOrNone()?.session.trace?.story;
  if (story === undefined || story.isTruncated) return find();
  const found = story.hop(path);
  const places = find();
  if (!(places instanceof Promise)) {
    found(places.length);
    return places;
  }
  return places.then((list) => {
    found(list.length);
    return list;
  });
}
