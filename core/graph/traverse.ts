/** The part of the graph around an object that the caller may see, breadth first (server.md 12.1). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { chain } from '../memory/chain.ts';
import { currentContext } from '../memory/context.ts';
import { hopFromStore } from '../memory/hop-from-store.ts';
import type { Session } from '../memory/session.ts';
import { hopFrom } from './hops.ts';
import { Edge, GenericEdge, type GraphObject, Node } from './objects.ts';

export interface TraverseOptions {
  /** Node hops from the start; below zero: no limit. */
  readonly depth: number;
  /** Names of types; their subtypes belong to them. Undefined: all. */
  readonly nodeTypes: readonly string[] | undefined;
  readonly edgeTypes: readonly string[] | undefined;
  /** Objects, nodes and edges together, that are passed over before the first that is given. */
  readonly offset: number;
  /** Most objects given. */
  readonly limit: number;
}

export interface Traversal {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** There is more behind the limit. */
  readonly truncated: boolean;
}

/** Links that are asked for in one query; a node with more of them gets a query of its own, with a limit. */
const linksPerQuery = 4096;

/** Follows edges in both directions; each object comes once, an edge after the later of its ends. Nothing the caller may not read is met. */
export function traverse(start: GraphObject, options: TraverseOptions): MaybePromise<Traversal> {
  const walk = new Walk(currentContext().session, options);
  if (start instanceof Node) walk.add(start);
  else walk.startAtEdge(start as Edge);
  return chain(walk.expand(), () => walk.result());
}

/** The name of its type as answers show it: a plain edge has none of its own. */
export function shownType(x: GraphObject): string {
  return x instanceof GenericEdge ? 'Edge' : x.$meta.name;
}

class Walk {
  private readonly session: Session;
  private readonly options: TraverseOptions;
  private readonly admitsNode: (node: Node) => boolean;
  private readonly admitsEdge: (edge: Edge) => boolean;
  private readonly seen = new Set<GraphObject>();
  /** Objects in the order they were met. */
  private readonly found: GraphObject[] = [];
  /** Edges met so far by node: a node's list must be longer than what of it is known. */
  private readonly known = new Map<Node, number>();
  private level: Node[] = [];
  private next: Node[] = [];
  private distance = 0;
  private isFull = false;

  constructor(session: Session, options: TraverseOptions) {
    this.session = session;
    this.options = options;
    this.admitsNode = admitter(options.nodeTypes);
    this.admitsEdge = admitter(options.edgeTypes);
  }

  result(): Traversal {
    const given = this.found.slice(this.options.offset);
    return {
      nodes: given.filter((x): x is Node => x instanceof Node),
      edges: given.filter((x): x is Edge => x instanceof Edge),
      truncated: this.isFull,
    };
  }

  add(node: Node): void {
    this.seen.add(node);
    this.found.push(node);
    this.next.push(node);
  }

  /** An edge is at distance 0, its ends at distance 1. */
  startAtEdge(edge: Edge): void {
    this.seen.add(edge);
    this.found.push(edge);
    this.distance = 1;
    if (this.options.depth === 0) return;
    for (const end of [edge.source, edge.target]) {
      if (end === null || this.seen.has(end) || !this.admitsNode(end)) continue;
      if (this.left < 1) this.isFull = true;
      else this.add(end);
    }
  }

  expand(): MaybePromise<void> {
    const { depth } = this.options;
    while (!this.isFull && this.next.length > 0 && (depth < 0 || this.distance < depth)) {
      this.level = this.next;
      this.next = [];
      this.distance++;
      const expanded = this.expandFrom(0);
      if (expanded instanceof Promise) return expanded.then(() => this.expand());
    }
    return undefined;
  }

  private get left(): number {
    return this.options.offset + this.options.limit - this.found.length;
  }

  private expandFrom(at: number): MaybePromise<void> {
    for (let i = at; i < this.level.length && !this.isFull; ) {
      const batch = this.batchAt(i);
      const lists = this.incident(batch);
      i += batch.length;
      if (lists instanceof Promise) {
        return lists.then((found) => {
          this.take(batch, found);
          return this.expandFrom(i);
        });
      }
      this.take(batch, lists);
    }
    return undefined;
  }

  private batchAt(at: number): Node[] {
    const batch: Node[] = [];
    let links = 0;
    for (let i = at; i < this.level.length; i++) {
      const node = this.level[i]!;
      links += node.$row.topo;
      if (links > linksPerQuery && batch.length > 0) break;
      batch.push(node);
    }
    return batch;
  }

  private incident(batch: readonly Node[]): MaybePromise<readonly Edge[][]> {
    const hop = { dir: 'any', edgeWhere: this.admitsEdge, nodeWhere: this.admitsNode } as const;
    const only = batch[0]!;
    if (batch.length > 1 || only.$row.topo <= linksPerQuery) return hopFromStore(this.session, batch, hop, true);
    const limit = this.left + (this.known.get(only) ?? 0) + 1;
    return chain(hopFrom(only, { ...hop, limit }, true), (edges) => [edges]);
  }

  private take(batch: readonly Node[], lists: readonly Edge[][]): void {
    for (const [i, node] of batch.entries()) {
      for (const edge of lists[i]!) {
        if (this.seen.has(edge)) continue;
        const far = edge.$src === node ? edge.$dst : edge.$src;
        const isNew = !this.seen.has(far);
        if (this.left < (isNew ? 2 : 1)) {
          this.isFull = true;
          return;
        }
        if (isNew) this.add(far);
        this.seen.add(edge);
        this.found.push(edge);
        for (const end of [node, far]) this.known.set(end, (this.known.get(end) ?? 0) + 1);
      }
    }
  }
}

/** Makes the check by the names of the types an object has; the answer is remembered per class. */
function admitter(names: readonly string[] | undefined): (x: GraphObject) => boolean {
  if (names === undefined) return () => true;
  const wanted = new Set(names);
  const answers = new Map<unknown, boolean>();
  return (x) => {
    const { cls, mro } = x.$meta;
    let fits = answers.get(cls);
    if (fits === undefined) {
      fits = mro.some((base) => wanted.has(metaOf(base)?.name ?? ''));
      answers.set(cls, fits);
    }
    return fits;
  };
}
