/** Names in declarations of TypeScript, followed through imports and exports to what declares them. */

import type { Entry, Link } from '../../declarations/block.ts';
import type { Declarations, Home } from '../../declarations/declarations.ts';
import type { Declaration } from '../../declarations/nodes.ts';
import { readDeclaration } from '../../declarations/read-declaration.ts';

/** Target of a name: declarations of one name, merged, or a whole module. */
export type Target =
  | { readonly of: 'entries'; readonly home: Home; readonly entries: readonly Entry[] }
  | { readonly of: 'module'; readonly home: Home };

export interface ForeignNames {
  /** `a.b.c` as it is written in a text. */
  written(home: Home, path: readonly string[]): Target | undefined;
  /** A name that a module exports. */
  exported(home: Home, name: string): Target | undefined;
  /** `target.name` */
  inside(target: Target, name: string): Target | undefined;
  /** Gives the target of `export =`; undefined without one. */
  assigned(home: Home): Target | undefined;
  declaration(entry: Entry, home: Home): Declaration | undefined;
}

export function createForeignNames(declarations: Declarations): ForeignNames {
  const read = new Map<Entry, Declaration | undefined>();

  const follow = ({ specifier, member }: Link, home: Home, seen: Set<Home>): Target | undefined => {
    const target = declarations.ofModule(specifier, home);
    if (target === undefined) return undefined;
    return member === undefined ? { of: 'module', home: target } : exported(target, member, seen);
  };

  const local = (home: Home, name: string, seen: Set<Home> = new Set()): Target | undefined => {
    for (let at: Home | undefined = home; at !== undefined; at = at.parent) {
      const entries = at.block.entries.get(name);
      if (entries !== undefined) return { of: 'entries', home: at, entries };
      const link = at.block.imports.get(name);
      if (link !== undefined) return follow(link, at, seen);
    }
    return undefined;
  };

  const inside = (target: Target, name: string, seen?: Set<Home>): Target | undefined => {
    if (target.of === 'module') return exported(target.home, name, seen);
    for (const entry of target.entries) {
      if (entry.kind !== 'namespace') continue;
      const home = declarations.ofNamespace(entry, target.home);
      const found = home === undefined ? undefined : exported(home, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const localPath = (home: Home, path: readonly string[], seen?: Set<Home>): Target | undefined => {
    let target = local(home, path[0]!, seen);
    for (const name of path.slice(1)) target = target && inside(target, name);
    return target;
  };

  const exported = (home: Home, name: string, seen: Set<Home> = new Set()): Target | undefined => {
    if (seen.has(home)) return undefined;
    seen.add(home);
    const { exports, entries, exportsAll, stars, assigned } = home.block;
    if (assigned !== undefined) {
      const whole = localPath(home, assigned, seen);
      return name === 'default' ? whole : whole && inside(whole, name, seen);
    }
    const link = exports.get(name);
    if (link !== undefined) return link.of === 'local' ? localPath(home, link.path, seen) : follow(link, home, seen);
    const own = exportsAll ? entries.get(name) : undefined;
    if (own !== undefined) return { of: 'entries', home, entries: own };
    for (const specifier of name === 'default' ? [] : likeliestFirst(stars, name)) {
      const other = declarations.ofModule(specifier, home);
      const found = other === undefined ? undefined : exported(other, name, seen);
      if (found !== undefined) return found;
    }
    return home.earlier === undefined ? undefined : exported(home.earlier, name, seen);
  };

  return {
    written: (home, path) => localPath(home, path),
    exported: (home, name) => exported(home, name),
    inside: (target, name) => inside(target, name),
    assigned: (home) => (home.block.assigned === undefined ? undefined : localPath(home, home.block.assigned)),
    declaration(entry, home) {
      if (!read.has(entry)) read.set(entry, readDeclaration(home.block, entry));
      return read.get(entry);
    },
  };
}

/** Packages have a file for each function and one that exports them all: the file called like the name saves reading the others. */
function likeliestFirst(stars: readonly string[], name: string): readonly string[] {
  if (stars.length < 2) return stars;
  const isLikely = (specifier: string) => new RegExp(`(^|/)${name.replaceAll('$', '\\$')}(\\.\\w+)?$`).test(specifier);
  const likely = stars.filter(isLikely);
  return likely.length === 0 ? stars : [...likely, ...stars];
}
