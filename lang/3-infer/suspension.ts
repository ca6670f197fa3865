/**
 * Which functions may suspend (design.md 1). Everything that can wait is a point: a function, all methods of one name, the walk of a
 * walker class, "some function value". An edge says that whoever waits for the first makes the second wait. What is reachable from
 * `always` suspends.
 */
export interface Point {
  suspends: boolean;
  /** Points that wait when this one does. */
  readonly dependents: Point[];
}

export function makePoint(): Point {
  return { suspends: false, dependents: [] };
}

export function dependOn(waiting: Point, on: Point): void {
  const { dependents } = on;
  if (waiting !== on && dependents[dependents.length - 1] !== waiting) dependents.push(waiting);
}

/** Marks everything that waits because `always` does. */
export function spread(always: Point): void {
  always.suspends = true;
  const work = [always];
  for (let point = work.pop(); point !== undefined; point = work.pop()) {
    for (const dependent of point.dependents) {
      if (dependent.suspends) continue;
      dependent.suspends = true;
      work.push(dependent);
    }
  }
}

/** Points by name, made when first asked for. */
export function pointOf<K>(points: Map<K, Point>, key: K): Point {
  let point = points.get(key);
  if (point === undefined) points.set(key, (point = makePoint()));
  return point;
}
