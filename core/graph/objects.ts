/**
 * Base classes of nodes, edges and walkers (docs/language/archetypes.md#kinds). Hidden members begin with `$`: no name
 * of the language does.
 */
import { archetype } from '../../library/classes/archetype.ts';
import { Archetype } from '../../library/classes/classes.ts';
import { BOTH_WAYS } from '../../library/classes/state.ts';
import { missing } from '../../library/values/objects/attributes.ts';
import { $delattr } from '../../library/values/objects/protocol.ts';
import { warnIndexed } from './index-shim.ts';

/** Base of nodes and edges: objects that can be stored. Field accessors read and write these members. */
export class GraphObject extends Archetype {
  /** Session the object belongs to once it is persistent. */
  declare $s: any;
  /** Stored form it was loaded from or last written as. */
  declare $row: any;
  declare $st: number;
  /** Public id, 32 hex digits; '' until somebody asks. */
  declare $id: string;
  /** Bits of fields whose value has been decoded (closed-fields.ts); only where a field may hold a container or a reference. */
  declare $h: number;

  // Connecting used to give a list of one (docs/language/graph.md#value-of-connect).
  __getitem__(index: unknown): unknown {
    return warnIndexed(this, index);
  }

  *[Symbol.iterator](): Generator<unknown> {
    yield this;
  }

  // A field is an accessor: what was in it is released by leaving nothing there (docs/language/statements.md#del).
  [$delattr](name: string): boolean {
    const field = this.$meta.byName.get(name);
    if (field === undefined) return false;
    if ((this as any)[field.property] === undefined) throw missing(this, name);
    (this as any)[field.property] = undefined;
    return true;
  }
}

export class Node extends GraphObject {
  declare $out: Edge[] | null;
  /** One edge stands for itself: most nodes have no more, and lists of one would fill memory. */
  declare $in: Edge[] | Edge | null;
  /** Stamp of the last enumeration that met it. */
  declare $mk: number;
  /** Order in which nodes came into memory. */
  declare $no: number;
}

export class Root extends Node {}

export class Edge extends GraphObject {
  declare $src: Node;
  declare $dst: Node;
  /** Order of creation among the edges in memory. */
  declare $seq: number;

  get source(): Node | null {
    return readableEnd(this, this.$src);
  }

  get target(): Node | null {
    return readableEnd(this, this.$dst);
  }

  get undirected(): boolean {
    return (this.$st & BOTH_WAYS) !== 0;
  }

  // `del e.target` deletes the node (docs/language/statements.md#del), and the edge with it: nothing is left to take
  // from it.
  override [$delattr](name: string): boolean {
    return super[$delattr](name) || ((name === 'source' || name === 'target') && !this.$meta.byName.has(name));
  }
}

/** An end the caller may not read is None, also where the edge itself may be read (docs/server/permissions.md#operations). */
function readableEnd(edge: Edge, end: Node | null | undefined): Node | null {
  if (end === null || end === undefined) return null;
  return edge.$s === null || edge.$s.mayRead(end) ? end : null;
}

export class GenericEdge extends Edge {}

export function isNode(x: unknown): x is Node {
  return x instanceof Node;
}

export function isEdge(x: unknown): x is Edge {
  return x instanceof Edge;
}

export class Walker extends Archetype {
  declare $id: string;
  /** Values reported by the last walk. */
  declare reports: unknown[];
}

for (const [cls, kind] of [
  [GraphObject, 'obj'],
  [Node, 'node'],
  [Root, 'node'],
  [Edge, 'edge'],
  [GenericEdge, 'edge'],
  [Walker, 'walker'],
] as const) {
  archetype(cls, { kind, name: cls.name, module: '', fields: [], abilities: [] });
}
