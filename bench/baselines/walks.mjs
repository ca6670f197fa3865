// The walk of apps/walks.svc as a hand-written loop: a queue with a head index, neighbours through edge objects.
class Leaf {
  constructor(value) {
    this.value = value;
    this.seen = 0;
    this.out = [];
  }
}
class Has {
  constructor(source, target) {
    this.source = source;
    this.target = target;
  }
}

export function tree(n) {
  const nodes = Array.from({ length: n }, (_, i) => new Leaf(i & 1023));
  for (let i = 1; i < n; i++) {
    const parent = nodes[(i - 1) >> 2];
    parent.out.push(new Has(parent, nodes[i]));
  }
  return nodes[0];
}

class Sum {
  constructor() {
    this.total = 0;
    this.queue = [];
    this.head = 0;
  }
  visit(places) {
    for (let i = 0; i < places.length; i++) this.queue.push(places[i]);
  }
  take(here) {
    this.total += here.value;
    here.seen = 1;
    const found = new Array(here.out.length);
    for (let i = 0; i < found.length; i++) found[i] = here.out[i].target;
    this.visit(found);
  }
}

export function walkAll(start) {
  const walker = new Sum();
  walker.queue.push(start);
  while (walker.head < walker.queue.length) walker.take(walker.queue[walker.head++]);
  return walker.total;
}
