/**
 * Suspension: finds the functions that may have to wait (design.md 1). Everything that can wait is a point: a function,
 * all methods of one name, the walk of a walker class, "some function value". An edge says that whoever waits for the
 * first makes the second wait. What is reachable from `always` suspends.
 */
export interface Point {
  suspends: boolean;
  /** True when the point depends on itself. */
  isOwn: boolean;
  /** True when the point depends on itself, over whatever others; known after `markCircles`. */
  recurs: boolean;
  /** Points that wait when this one does. */
  readonly dependents: Point[];
  // Where `markCircles` stands: when it came to this point (0: not yet), the first point this one leads back to, its next dependent.
  order: number;
  low: number;
  next: number;
}

export function makePoint(): Point {
  return { suspends: false, isOwn: false, recurs: false, dependents: [], order: 0, low: 0, next: 0 };
}

export function dependOn(waiting: Point, on: Point): void {
  const { dependents } = on;
  if (waiting === on) on.isOwn = true;
  else if (dependents[dependents.length - 1] !== waiting) dependents.push(waiting);
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

/**
 * Marks points that depend on themselves, over whatever others: what calls a function of theirs may run it again before it has ended. Tarjan's
 * strongly connected components, without recursion: chains of calls may be long.
 */
export function markCircles(points: Iterable<Point>): void {
  const path: Point[] = [];
  const open: Point[] = [];
  let count = 0;
  for (const start of points) {
    let point = start.order === 0 ? start : undefined;
    while (point !== undefined) {
      if (point.order === 0) {
        point.order = point.low = ++count;
        path.push(point);
        open.push(point);
      }
      const dependent: Point | undefined = point.dependents[point.next++];
      if (dependent?.order === 0) point = dependent;
      else if (dependent !== undefined) point.low = Math.min(point.low, dependent.order);
      else {
        path.pop();
        const before: Point | undefined = path[path.length - 1];
        if (before !== undefined) before.low = Math.min(before.low, point.low);
        if (point.low === point.order) close(open, point);
        point = before;
      }
    }
  }
}

/** `order` of points whose circle is known. */
const settled = 2 ** 30;

/** Takes a circle off the open points: `first` and those entered after it. */
function close(open: Point[], first: Point): void {
  const isCircle = open[open.length - 1] !== first;
  for (;;) {
    const member = open.pop()!;
    member.recurs = isCircle || member.isOwn;
    member.order = settled;
    member.low = settled;
    if (member === first) return;
  }
}

/** Points by name, made when first asked for. */
export function pointOf<K>(points: Map<K, Point>, key: K): Point {
  let point = points.get(key);
  if (point === undefined) points.set(key, (point = makePoint()));
  return point;
}
