import {
  bool,
  connect,
  def,
  entry,
  has,
  int,
  list,
  Node,
  node,
  outgoing,
  param,
  Root,
  str,
  Walker,
  walker,
} from 'svc-scale';
import { add } from './lib/sums.js';
import table from './table.json' with { type: 'json' };

export interface Shape {
  readonly sides: number;
}

/** A plain function: positional only. */
export function shout(text: string, times = 1): string {
  return `${text.toUpperCase()}${'!'.repeat(times)}`;
}

export async function later(value: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return add(value, 1);
}

export const sides: Shape = { sides: table.sides };

export class Counter {
  n: number;
  constructor(n = 0) {
    this.n = n;
  }
  bump(by = 1): this {
    this.n += by;
    return this;
  }
}

export const scaled = def(
  'scaled',
  { params: [param('x', int()), param('by', int(2))], returns: int() },
  (x, by) => x * by,
);

@node
export class City extends has(Node, { name: str(), size: int(1), twin: bool(false), tags: list(str(), []) }) {
  shown(): string {
    return `${this.name}/${this.size}`;
  }
}

@walker
export class Tour extends has(Walker<string>, { stops: int(0) }) {
  @entry(Root)
  async start(here: Root) {
    await null;
    await this.visit(outgoing(here, City));
  }

  @entry(City)
  async stop(here: City) {
    await null;
    this.stops += 1;
    this.report(here.shown());
    this.visit(outgoing(here, City));
  }
}

export function link(from: Node, to: City): City {
  return connect(from, to);
}

export default (name: string) => `hello ${name}`;
