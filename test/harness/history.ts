/**
 * Checks a history of transactions that append to lists and read them. Lists make the order of writes visible: what a
 * read gives is the whole past of its list. From that follow the dependencies
 *
 *     ww  one transaction's append comes right after another's in a list
 *     wr  a transaction read what another appended
 *     rw  a transaction read a list before another appended to it
 *
 * and a history is serializable only when they form no cycle.
 */
export type Op =
  | { readonly append: number; readonly to: string }
  | { readonly read: string; readonly saw: readonly number[] };

export interface Transaction {
  readonly id: number;
  readonly ops: readonly Op[];
  /** `unknown`: no answer came, it may have happened. */
  readonly outcome: 'ok' | 'failed' | 'unknown';
}

export type Dependency = 'ww' | 'wr' | 'rw';

export interface HistoryFault {
  readonly what: 'cycle' | 'order' | 'aborted' | 'intermediate' | 'internal' | 'lost' | 'twice';
  readonly text: string;
}

export interface HistoryReport {
  readonly faults: readonly HistoryFault[];
  readonly dependencies: Readonly<Record<Dependency, number>>;
}

/** `final`: every list as it is in the end; absent: what was acknowledged last may be unread. */
export function checkHistory(
  history: readonly Transaction[],
  final?: ReadonlyMap<string, readonly number[]>,
): HistoryReport {
  const faults: HistoryFault[] = [];
  const writers = writersOf(history);
  for (const transaction of history) if (transaction.outcome === 'ok') checkInside(transaction, faults);
  const orders = ordersOf(history, final, faults);
  checkValues(history, orders, writers, faults);
  if (final !== undefined) checkLost(history, final, faults);
  const graph = dependenciesOf(history, orders, writers);
  const dependencies = { ww: 0, wr: 0, rw: 0 };
  for (const edges of graph.values()) for (const kind of edges.values()) dependencies[kind]++;
  for (const cycle of cyclesIn(graph)) faults.push({ what: 'cycle', text: cycle });
  return { faults, dependencies };
}

interface Writer {
  readonly by: Transaction;
  /** True for its last append to that list. */
  readonly isLast: boolean;
}

function writersOf(history: readonly Transaction[]): Map<number, Writer> {
  const writers = new Map<number, Writer>();
  for (const by of history) {
    const last = new Map<string, number>();
    for (const op of by.ops) if ('append' in op) last.set(op.to, op.append);
    for (const op of by.ops) if ('append' in op) writers.set(op.append, { by, isLast: last.get(op.to) === op.append });
  }
  return writers;
}

/** Within one transaction a read shows its own appends at the end, and a list read twice has only grown by those. */
function checkInside({ id, ops }: Transaction, faults: HistoryFault[]): void {
  const known = new Map<string, readonly number[]>();
  const own = new Map<string, number[]>();
  for (const op of ops) {
    if ('append' in op) {
      own.set(op.to, [...(own.get(op.to) ?? []), op.append]);
      const before = known.get(op.to);
      if (before !== undefined) known.set(op.to, [...before, op.append]);
      continue;
    }
    const mine = own.get(op.read) ?? [];
    const expected = known.get(op.read);
    const fits = expected === undefined ? isSuffix(mine, op.saw) : isEqual(expected, op.saw);
    if (!fits) faults.push({ what: 'internal', text: `${id} read ${op.read} as ${show(op.saw)}` });
    known.set(op.read, op.saw);
  }
}

/** The longest reading of each list, of which every other one must be the beginning. A transaction's own appends at the end count only once stored. */
function ordersOf(
  history: readonly Transaction[],
  final: ReadonlyMap<string, readonly number[]> | undefined,
  faults: HistoryFault[],
): Map<string, readonly number[]> {
  const longest = new Map<string, readonly number[]>(final ?? []);
  const reads = readsOf(history);
  for (const { list, saw } of reads) if (saw.length > (longest.get(list)?.length ?? 0)) longest.set(list, saw);
  for (const { list, saw, by } of reads) {
    const whole = longest.get(list) ?? [];
    if (!isEqual(whole.slice(0, saw.length), saw))
      faults.push({ what: 'order', text: `${by.id} read ${list} as ${show(saw)}, others as ${show(whole)}` });
  }
  for (const [list, whole] of longest)
    if (new Set(whole).size !== whole.length) faults.push({ what: 'twice', text: `${list}: ${show(whole)}` });
  return longest;
}

function* allReads(history: readonly Transaction[]) {
  for (const by of history) {
    if (by.outcome !== 'ok') continue;
    for (const op of by.ops) if ('read' in op) yield { by, list: op.read, saw: op.saw };
  }
}

const readsOf = (history: readonly Transaction[]) => [...allReads(history)];

function checkValues(
  history: readonly Transaction[],
  orders: ReadonlyMap<string, readonly number[]>,
  writers: ReadonlyMap<number, Writer>,
  faults: HistoryFault[],
): void {
  for (const [list, values] of orders)
    for (const value of values)
      if (writers.get(value)?.by.outcome === 'failed')
        faults.push({ what: 'aborted', text: `${list} holds ${value} of a transaction that failed` });
  for (const { by, list, saw } of readsOf(history)) {
    const writer = writers.get(saw.at(-1) ?? Number.NaN);
    if (writer !== undefined && writer.by !== by && !writer.isLast)
      faults.push({ what: 'intermediate', text: `${by.id} read ${list} in the middle of ${writer.by.id}` });
  }
}

function checkLost(
  history: readonly Transaction[],
  final: ReadonlyMap<string, readonly number[]>,
  faults: HistoryFault[],
): void {
  const kept = new Map([...final].map(([list, values]) => [list, new Set(values)]));
  for (const { id, ops, outcome } of history)
    for (const op of outcome === 'ok' ? ops : [])
      if ('append' in op && kept.get(op.to)?.has(op.append) !== true)
        faults.push({ what: 'lost', text: `${op.append}, which ${id} appended to ${op.to}` });
}

type Graph = Map<number, Map<number, Dependency>>;

function dependenciesOf(
  history: readonly Transaction[],
  orders: ReadonlyMap<string, readonly number[]>,
  writers: ReadonlyMap<number, Writer>,
): Graph {
  const graph: Graph = new Map();
  const add = (from: Transaction | undefined, to: Transaction | undefined, kind: Dependency) => {
    if (from === undefined || to === undefined || from === to) return;
    const edges = graph.get(from.id) ?? new Map<number, Dependency>();
    graph.set(from.id, edges);
    if (!edges.has(to.id)) edges.set(to.id, kind);
  };
  const writer = (value: number | undefined) => (value === undefined ? undefined : writers.get(value)?.by);
  for (const values of orders.values())
    for (let i = 1; i < values.length; i++) add(writer(values[i - 1]), writer(values[i]), 'ww');
  for (const { by, list, saw } of readsOf(history)) {
    add(writer(saw.at(-1)), by, 'wr');
    // A transaction's own appends may stand between the items it saw and the next: those of others begin behind them.
    add(by, writer(orders.get(list)?.[saw.length]), 'rw');
  }
  return graph;
}

/** One cycle for each strongly connected part, in words. */
function cyclesIn(graph: Graph): string[] {
  return partsOf(graph)
    .filter((part) => part.length > 1)
    .map((part) => {
      const members = new Set(part);
      const path = wayBack(graph, members, part[0]!);
      return path.map((id, i) => (i === 0 ? `${id}` : `-${graph.get(path[i - 1]!)!.get(id)}-> ${id}`)).join(' ');
    });
}

/** The shortest way from a member of a part through it and back. */
function wayBack(graph: Graph, members: ReadonlySet<number>, start: number): number[] {
  const from = new Map<number, number>();
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    for (const next of graph.get(queue[at]!)?.keys() ?? []) {
      if (next === start) {
        const path = [start];
        for (let id = queue[at]!; id !== start; id = from.get(id)!) path.push(id);
        return [...path, start].reverse();
      }
      if (!members.has(next) || from.has(next)) continue;
      from.set(next, queue[at]!);
      queue.push(next);
    }
  }
  return [start];
}

/** Strongly connected parts (Tarjan), with a stack of its own: histories are long. */
function partsOf(graph: Graph): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const parts: number[][] = [];
  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const work = [{ id: root, next: [...(graph.get(root)?.keys() ?? [])], at: 0 }];
    const enter = (id: number) => {
      index.set(id, index.size);
      low.set(id, index.get(id)!);
      open.push(id);
      isOpen.add(id);
    };
    enter(root);
    while (work.length > 0) {
      const top = work.at(-1)!;
      const next = top.next[top.at++];
      if (next === undefined) {
        work.pop();
        const below = work.at(-1);
        if (below !== undefined) low.set(below.id, Math.min(low.get(below.id)!, low.get(top.id)!));
        if (low.get(top.id) !== index.get(top.id)) continue;
        const part = open.splice(open.indexOf(top.id));
        for (const id of part) isOpen.delete(id);
        parts.push(part);
      } else if (!index.has(next)) {
        enter(next);
        work.push({ id: next, next: [...(graph.get(next)?.keys() ?? [])], at: 0 });
      } else if (isOpen.has(next)) low.set(top.id, Math.min(low.get(top.id)!, index.get(next)!));
    }
  }
  return parts;
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function isSuffix(end: readonly number[], list: readonly number[]): boolean {
  return isEqual(end, list.slice(list.length - end.length));
}

function show(values: readonly number[]): string {
  return values.length <= 12 ? `[${values.join(' ')}]` : `[… ${values.slice(-12).join(' ')}]`;
}
