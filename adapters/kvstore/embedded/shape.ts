/** Results of queries: documents that fit are put in order, and reduced to the parts asked for. */
import type { Order, Projection } from '../../../core/kvstore/query.ts';
import { type Doc, isDoc, type Stored } from '../../../core/kvstore/stored.ts';
import { compare } from './compare.ts';
import { positionOf } from './match.ts';

/** An empty list comes before everything else. */
type SortKey = Stored | undefined;

/** Sorted copies; equal ones stay in their order. A list counts by its least item, descending by its greatest. */
export function sortDocs(docs: readonly Doc[], order: Order): readonly Doc[] {
  if (order.length === 0) return docs;
  const paths = order.map(([path]) => path.split('.'));
  const keyed = docs.map((doc) => ({ doc, keys: paths.map((path, i) => extreme(keysAt(doc, path), order[i]![1])) }));
  keyed.sort((a, b) => {
    for (let i = 0; i < order.length; i++) {
      const difference = compareKeys(a.keys[i], b.keys[i]) * order[i]![1];
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return keyed.map(({ doc }) => doc);
}

function extreme(keys: readonly SortKey[], direction: 1 | -1): SortKey {
  return keys.reduce((best, key) => (compareKeys(key, best) * direction < 0 ? key : best));
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  return compare(a, b);
}

/** Lists the keys that an index would hold for the document at a path: at least one, null where there is nothing. */
export function keysAt(value: Stored, path: readonly string[], at = 0): readonly SortKey[] {
  if (at === path.length) {
    if (!Array.isArray(value)) return [value];
    return value.length === 0 ? [undefined] : value;
  }
  if (isDoc(value)) return keysAt(value.get(path[at]!) ?? null, path, at + 1);
  if (!Array.isArray(value)) return [null];
  const index = positionOf(path[at]!);
  if (index !== undefined && !value.some((item) => isDoc(item) && item.has(path[at]!)))
    return index < value.length ? keysAt(value[index]!, path, at + 1) : [null];
  if (value.length === 0) return [null];
  return value.flatMap((item: Stored) => (isDoc(item) ? keysAt(item, path, at) : [null]));
}

/** Paths as a tree; a leaf is `true`. */
type Tree = Map<string, Tree | true>;

/** `_id` comes first where it is kept; other fields stay in their order. */
export function makeProjector(projection: Projection | undefined): (doc: Doc) => Doc {
  if (projection === undefined) return (doc) => doc;
  const { keeps, paths, withId } = projection;
  const tree: Tree = new Map();
  for (const path of paths) addPath(tree, path.split('.'));
  if (keeps === withId) tree.set('_id', true);
  return keeps ? (doc) => keepFields(doc, tree) : (doc) => dropFields(doc, tree);
}

function addPath(tree: Tree, path: readonly string[]): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    tree.set(name, true);
    return;
  }
  const known = tree.get(name);
  const branch: Tree = known instanceof Map ? known : new Map();
  tree.set(name, branch);
  addPath(branch, rest);
}

function keepFields(doc: Doc, tree: Tree): Doc {
  const made: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.get(name);
    if (branch === true) made.set(name, value);
    else if (branch !== undefined && (isDoc(value) || Array.isArray(value))) made.set(name, keepIn(value, branch));
  }
  return made;
}

function keepIn(value: Doc | readonly Stored[], tree: Tree): Stored {
  if (isDoc(value)) return keepFields(value, tree);
  return value.flatMap((item) => (isDoc(item) || Array.isArray(item) ? [keepIn(item as Doc, tree)] : []));
}

function dropFields(doc: Doc, tree: Tree): Doc {
  const made: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.get(name);
    if (branch === undefined) made.set(name, value);
    else if (branch !== true) made.set(name, dropIn(value, branch));
  }
  return made;
}

function dropIn(value: Stored, tree: Tree): Stored {
  if (isDoc(value)) return dropFields(value, tree);
  return Array.isArray(value) ? value.map((item) => dropIn(item, tree)) : value;
}
