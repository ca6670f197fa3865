/**
 * `x.__svc__` [L]: the anchor of a node, edge or walker as programs reach it that know the runtime below the language. It shows what the
 * object itself says too; nothing of it can be set.
 */

import { nativeClass } from '../../library/builtins/native-class.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { $getattr, $repr } from '../../library/values/objects/protocol.ts';
import { currentContext } from '../memory/context.ts';
import { rootOf } from '../memory/session-rows.ts';
import { hops } from './hops.ts';
import { oid } from './lookup.ts';
import { Edge, GraphObject, Node, Walker } from './objects.ts';

export class Anchor {
  readonly archetype: any;

  constructor(archetype: any) {
    this.archetype = archetype;
  }

  /** Older spelling of `archetype`. */
  get architype(): unknown {
    return this.archetype;
  }

  get id(): string {
    return oid(this.archetype);
  }

  get name(): string {
    return this.archetype.$meta.name;
  }

  get persistent(): boolean {
    return this.archetype instanceof GraphObject && this.archetype.$s !== null;
  }

  get root(): string {
    return oid(rootOf(currentContext().session));
  }

  get source(): Anchor | null | undefined {
    return this.archetype instanceof Edge ? anchorOf(this.archetype.source) : undefined;
  }

  get target(): Anchor | null | undefined {
    return this.archetype instanceof Edge ? anchorOf(this.archetype.target) : undefined;
  }

  /** Edges that begin or end here. @throws RuntimeError when the store has to be waited for: an attribute cannot wait */
  get edges(): Anchor[] | undefined {
    if (!(this.archetype instanceof Node)) return undefined;
    const found = hops(this.archetype, 'edge', [{ dir: 'any' }]);
    if (found instanceof Promise) throw new RuntimeError('the edges are not in memory: use [edge x <-->]');
    return found.map((edge: unknown) => new Anchor(edge));
  }

  get is_undirected(): boolean | undefined {
    return this.archetype instanceof Edge ? this.archetype.undirected : undefined;
  }

  [$repr](): string {
    return `<anchor ${this.id}>`;
  }
}
nativeClass(Anchor, { name: 'Anchor', module: 'svclang', params: 'archetype' });

function anchorOf(x: unknown): Anchor | null {
  return x === null ? null : new Anchor(x);
}

function getattr(this: unknown, name: string): unknown {
  return name === '__svc__' ? new Anchor(this) : undefined;
}

for (const base of [GraphObject, Walker]) {
  Object.defineProperty(base.prototype, $getattr, { value: getattr, configurable: true });
}
