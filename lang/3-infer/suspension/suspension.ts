/**
 * Suspension: finds the functions that may have to wait (docs/language/async.md#async). Everything that can wait is a point: a function,
 * all methods of one name, the walk of a walker class, "some function value". An edge says that whoever waits for the
 * first makes the second wait. What is reachable from `always` suspends.
 */
export interface Point {
  suspends: boolean;
  /** True when the point depends on itself. */
  isOwn: boolean;
  /** Points that wait when this one does. */
  readonly dependents: Point[];
}

export function makePoint(): Point {
  return { suspends: false, isOwn: false, dependents: [] };
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
 * Points that depend on themselves, over whatever others: what calls a function of theirs may run it again before it has ended. Tarjan's
 * strongly connected components, without recursion: chains of calls may be long.
 */
export function circlesOf(points: Iterable<Point>): ReadonlySet<Point> {
  const circles = new Set<Point>();
  const numbers = new Map<Point, number>();
  const lows = new Map<Point, number>();
  const open: Point[] = [];
  const isOpen = new Set<Point>();
  for (const start of points) {
    if (numbers.has(start)) continue;
    const path: { readonly point: Point; next: number }[] = [];
    const enter = (point: Point) => {
      numbers.set(point, numbers.size);
      lows.set(point, numbers.get(point)!);
      open.push(point);
      isOpen.add(point);
      path.push({ point, next: 0 });
    };
    const lower = (point: Point, low: number) => lows.set(point, Math.min(lows.get(point)!, low));
    enter(start);
    while (path.length > 0) {
      const step = path.at(-1)!;
      const { point } = step;
      const dependent = point.dependents[step.next++];
      if (dependent !== undefined) {
        if (!numbers.has(dependent)) enter(dependent);
        else if (isOpen.has(dependent)) lower(point, numbers.get(dependent)!);
        continue;
      }
      path.pop();
      if (path.length > 0) lower(path.at(-1)!.point, lows.get(point)!);
      if (lows.get(point) !== numbers.get(point)) continue;
      const members = open.splice(open.lastIndexOf(point));
      for (const member of members) {
        isOpen.delete(member);
        if (members.length > 1 || member.isOwn) circles.add(member);
      }
    }
  }
  return circles;
}

/** Points by name, made when first asked for. */
export function pointOf<K>(points: Map<K, Point>, key: K): Point {
  let point = points.get(key);
  if (point === undefined) points.set(key, (point = makePoint()));
  return point;
}
