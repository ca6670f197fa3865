/**
 * The base classes of programs. Hidden members begin with `$`: no name of the language does. Instances are made by a generated function
 * per class (`constructors.ts`), so that all instances of a class share one shape; `new C(…)` in TypeScript goes the same way.
 */

import { missing } from '../values/attributes.ts';
import { TypeError } from '../values/exceptions.ts';
import { $construct, $delattr, $repr, $typeName, $vars, attributeName, type ReprState } from '../values/protocol.ts';
import { bareRepr, reprOf } from '../values/repr.ts';
import { construct } from './construct.ts';
import { hintOf } from './hints.ts';
import { warnIndexed } from './index-shim.ts';
import type { ClassMeta } from './meta.ts';
import { BOTH_WAYS } from './state.ts';

export class Archetype {
  declare readonly $meta: ClassMeta;
  declare readonly $cid: number;
  declare [$typeName]: string;

  constructor(...args: any[]) {
    // biome-ignore lint/correctness/noConstructorReturn: the generated function makes the instance
    return (new.target as any).$new(...args);
  }

  /** One positional argument per constructor field, `undefined` = not given. Replaced when a class is registered. */
  static $new(..._args: any[]): any {
    throw new TypeError(`${this.name} is not a registered archetype`);
  }

  static [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    return construct(this, args, kwargs);
  }

  [$repr](state: ReprState): string {
    if (state.active.has(this)) return '...';
    state.active.add(this);
    try {
      const { kind, name, fields } = this.$meta;
      const shown = fields
        .filter((field) => field.hidden !== true)
        .map(
          (field) => `${field.name}=${reprOf((this as any)[field.property], field.hint ?? hintOf(field.type), state)}`,
        );
      // A `class` has no repr of its own (2.8), but may inherit that of an archetype.
      return kind === 'class' && shown.length === 0 ? bareRepr(this) : `${name}(${shown.join(', ')})`;
    } finally {
      state.active.delete(this);
    }
  }

  /** What `console.log` of TypeScript shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return reprOf(this);
  }

  *[$vars](): Generator<[string, unknown]> {
    const seen = new Set<string>();
    for (const field of this.$meta.fields) {
      seen.add(field.property);
      const value = (this as any)[field.property];
      if (value !== undefined) yield [field.name, value];
    }
    for (const property of Object.keys(this)) {
      if (property.charCodeAt(0) !== 36 && !seen.has(property))
        yield [attributeName(property), (this as any)[property]];
    }
  }
}

export class Obj extends Archetype {}

/** What nodes and edges share: they can be stored. Field accessors read and write these members. */
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

  // Connecting used to give a list of one (language.md 4.10).
  __getitem__(index: unknown): unknown {
    return warnIndexed(this, index);
  }

  *[Symbol.iterator](): Generator<unknown> {
    yield this;
  }

  // A field is an accessor: what was in it is released by leaving nothing there (3.9).
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

  // `del e.target` deletes the node (decisions/0226), and the edge with it: nothing is left to take from it.
  override [$delattr](name: string): boolean {
    return super[$delattr](name) || ((name === 'source' || name === 'target') && !this.$meta.byName.has(name));
  }
}

/** An end the caller may not read is None, also where the edge itself may be read (server.md 14.4). */
function readableEnd(edge: Edge, end: Node | null | undefined): Node | null {
  if (end === null || end === undefined) return null;
  return edge.$s === null || edge.$s.mayRead(end) ? end : null;
}

export class GenericEdge extends Edge {}

export class Walker extends Archetype {
  declare $id: string;
  /** Values reported by the last walk. */
  declare reports: unknown[];
}

export function isNode(x: unknown): x is Node {
  return x instanceof Node;
}

export function isEdge(x: unknown): x is Edge {
  return x instanceof Edge;
}
