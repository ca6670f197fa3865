/** Module `graphlib`. */

import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { Dict } from '../values/containers/dict.ts';
import { PyIterator, toArray } from '../values/containers/iteration.ts';
import { getitem } from '../values/containers/subscripts.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { nameException, ValueError } from '../values/objects/exceptions.ts';
import { reprOf } from '../values/objects/repr.ts';

class CycleError extends ValueError {}
nameException(CycleError, 'CycleError');

interface Item {
  readonly node: unknown;
  /** Items that come after this one. */
  readonly after: Item[];
  readonly before: Item[];
  /** Predecessors that are not done. */
  waiting: number;
  state: 'waiting' | 'given' | 'done';
}

/** Predecessors first. */
class TopologicalSorter {
  readonly $items = new Dict();
  $ready: Item[] | undefined;
  $given = 0;
  $done = 0;

  constructor(graph?: unknown) {
    if (graph === undefined || graph === null) return;
    for (const node of toArray(graph)) this.add(node, toArray(getitem(graph, node)));
  }

  add(node: unknown, predecessors?: unknown[]): null {
    if (this.$ready !== undefined) throw new ValueError('Nodes cannot be added after a call to prepare()');
    const item = this.$item(node);
    for (const predecessor of predecessors ?? []) {
      const before = this.$item(predecessor);
      before.after.push(item);
      item.before.push(before);
      item.waiting += 1;
    }
    return null;
  }

  prepare(): null {
    if (this.$ready !== undefined) throw new ValueError('cannot prepare() more than once');
    const items = [...this.$items.values()] as Item[];
    this.$ready = items.filter((item) => item.waiting === 0);
    const cycle = findCycle(items);
    if (cycle !== undefined) throw new CycleError('nodes are in a cycle', cycle);
    return null;
  }

  is_active(): boolean {
    const ready = this.$requireReady();
    return this.$done < this.$given || ready.length > 0;
  }

  get_ready(): Tuple {
    const ready = this.$requireReady();
    this.$ready = [];
    this.$given += ready.length;
    for (const item of ready) item.state = 'given';
    return new Tuple(ready.map((item) => item.node));
  }

  done(nodes?: unknown[]): null {
    const ready = this.$requireReady();
    for (const node of nodes ?? []) {
      const item = this.$items.get(node) as Item | undefined;
      if (item === undefined) throw new ValueError(`node ${reprOf(node)} was not added using add()`);
      if (item.state === 'waiting') throw new ValueError(`node ${reprOf(node)} was not passed out (still not ready)`);
      if (item.state === 'done') throw new ValueError(`node ${reprOf(node)} was already marked done`);
      item.state = 'done';
      this.$done += 1;
      for (const next of item.after) {
        next.waiting -= 1;
        if (next.waiting === 0) ready.push(next);
      }
    }
    return null;
  }

  static_order(): PyIterator {
    this.prepare();
    return new PyIterator(this.$order(), 'generator');
  }

  *$order(): Generator<unknown, undefined> {
    while (this.is_active()) {
      const { items } = this.get_ready();
      yield* items;
      this.done([...items]);
    }
    return undefined;
  }

  __bool__(): boolean {
    return this.is_active();
  }

  $item(node: unknown): Item {
    let item = this.$items.get(node) as Item | undefined;
    if (item === undefined) {
      item = { node, after: [], before: [], waiting: 0, state: 'waiting' };
      this.$items.set(node, item);
    }
    return item;
  }

  $requireReady(): Item[] {
    if (this.$ready === undefined) throw new ValueError('prepare() must be called first');
    return this.$ready;
  }
}
nativeClass(TopologicalSorter, {
  name: 'TopologicalSorter',
  module: 'graphlib',
  params: 'graph=None',
  methods: { add: 'node, *predecessors', prepare: '', is_active: '', get_ready: '', done: '*nodes', static_order: '' },
});

/** Nodes of a cycle, each before the one it has to come after; the first again at the end. */
function findCycle(items: readonly Item[]): unknown[] | undefined {
  const finished = new Set<Item>();
  for (const start of items) {
    const path: Item[] = [];
    const places = new Map<Item, number>();
    const steps: Iterator<Item>[] = [];
    const enter = (item: Item) => {
      places.set(item, path.length);
      path.push(item);
      steps.push(item.after[Symbol.iterator]());
    };
    if (!finished.has(start)) enter(start);
    while (path.length > 0) {
      const step = steps.at(-1)!.next();
      if (step.done === true) {
        const item = path.pop()!;
        steps.pop();
        places.delete(item);
        finished.add(item);
      } else if (places.has(step.value)) {
        return [...path.slice(places.get(step.value)), step.value].map((item) => item.node);
      } else if (!finished.has(step.value)) enter(step.value);
    }
  }
  return undefined;
}

export function makeGraphlib(): Members {
  return { CycleError, TopologicalSorter };
}
