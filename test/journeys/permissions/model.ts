/**
 * Model of the rights of users, read off docs/server/permissions.md#effective-level,
 * docs/server/permissions.md#operations line by line. Knows nothing of the implementation.
 */
export interface Thing {
  readonly id: string;
  readonly owner: string;
  all: number | null;
  readonly roots: Map<string, number>;
}
export interface Item extends Thing {
  n: number;
  ref: string | null;
  tags: number[];
}
export interface Link extends Thing {
  readonly source: string;
  readonly target: string;
  readonly undirected?: boolean;
}

export const SHARED_ROOT = '00000000000000000000000000000001';
export const levelNames = ['NO_ACCESS', 'READ', 'CONNECT', 'WRITE'];

export class Model {
  readonly roots = new Map<string, Thing>();
  readonly items = new Map<string, Item>();
  /** In order of creation. */
  readonly links = new Map<string, Link>();

  addRoot(id: string): void {
    this.roots.set(id, { id, owner: id, all: null, roots: new Map() });
  }

  node(id: string): Thing | undefined {
    return this.roots.get(id) ?? this.items.get(id);
  }

  thing(id: string): Thing | undefined {
    return this.node(id) ?? this.links.get(id);
  }

  /** docs/server/permissions.md#edges: a link that no rule of its own is about has the lower of the levels of its ends. */
  level(caller: string, id: string): number {
    const thing = this.thing(id)!;
    if (thing.owner === caller) return 2;
    const own = thing.roots.get(caller);
    if (own !== undefined) return own;
    const link = this.links.get(id);
    if (link !== undefined && link.all === null)
      return Math.min(this.level(caller, link.source), this.level(caller, link.target));
    const ownerRoot = this.roots.get(thing.owner)!;
    const general = ownerRoot.roots.get(caller);
    if (general !== undefined) return general;
    if (thing.all !== null) return thing.all;
    if (id === SHARED_ROOT) return 1;
    // The floor of the shared root's own node does not extend to what it owns.
    return ownerRoot.all ?? -1;
  }

  sees(caller: string, id: string): boolean {
    return this.thing(id) !== undefined && this.level(caller, id) >= 0;
  }

  /** Links at a node that are shown: READ on the link and on the far end. */
  shown(caller: string, id: string, dir: 'out' | 'in' | 'any'): Link[] {
    return [...this.links.values()].filter((link) => {
      const [leaves, arrives] = [dir !== 'in' || link.undirected, dir !== 'out' || link.undirected];
      const fits = (leaves && link.source === id) || (arrives && link.target === id);
      const far = link.source === id ? link.target : link.source;
      return fits && this.sees(caller, link.id) && this.sees(caller, far);
    });
  }

  /** WRITE on the link or on either end. */
  mayCut(caller: string, link: Link): boolean {
    return [link.id, link.source, link.target].some((id) => this.level(caller, id) >= 2);
  }

  drop(id: string): void {
    if (this.links.delete(id)) return;
    this.items.delete(id);
    for (const link of this.links.values()) if (link.source === id || link.target === id) this.links.delete(link.id);
  }
}
