/** Rows of the store as a unit reads them, and its instances of the objects they hold. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { closeFields } from '../../library/classes/closed-fields.ts';
import { BOTH_WAYS, LAZY } from '../../library/classes/state.ts';
import { SYSTEM_ROOT_ID } from '../graph/ids.ts';
import type { Edge, Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { edgeName } from './commit-log.ts';
import { rootShape } from './root-type.ts';
import { type EdgeRow, type Key, type LinkList, NodeRow, type Row, type RowVersions } from './rows.ts';
import type { Session } from './session.ts';

/** Before the first read: remembers where the log stands, and forgets cached rows when another process wrote. */
export function begin(session: Session): MaybePromise<void> {
  if (session.since >= 0) return undefined;
  const { store } = session.runtime;
  return chain(store.foreignChanges(), (seen) => {
    session.runtime.catchUp(seen);
    session.seen = seen;
    session.since = store.log.position;
  });
}

/** Loads the caller's root. Stores that answer at once need no call; it happens on first use. */
export function openRoot(session: Session): MaybePromise<Node> {
  if (session.rootNode !== undefined) return session.rootNode;
  return chain(begin(session), () =>
    chain(rowByUid(session, session.rootId), (row) => {
      if (row === undefined) throw new Error(`there is no root ${session.rootId}`);
      session.rootKey = row.key;
      session.rootNode = materialize(session, row);
      return session.rootNode!;
    }),
  );
}

/** The caller's root, for who looks at it; loaded now where the store answers at once. */
export function rootOf(session: Session): Node {
  session.sawOwn = true;
  if (session.rootNode !== undefined) return session.rootNode;
  const opened = openRoot(session);
  if (opened instanceof Promise) throw new Error('the session was used before its root was loaded');
  return opened;
}

export function sharedRoot(session: Session): MaybePromise<Node> {
  if (session.runtime.sharedIsOwn) return rootOf(session);
  const opened = chain(openRoot(session), () => rowsOf(session, [session.runtime.store.sharedRoot]));
  return chain(opened, ([row]) => materialize(session, row!)!);
}

/**
 * The system's root as a name for it. Nobody else has a level on it (docs/server/permissions.md#effective-level), so
 * nothing of its record is needed, and nothing is read: also where the store would have to be waited for.
 */
export function systemRoot(session: Session): Node {
  const { store } = session.runtime;
  const key = store.systemRoot;
  if (session.rootKey === key || (session.rootKey === undefined && rootOf(session).$row.key === key))
    return rootOf(session);
  const known = session.nodes.get(key);
  if (known !== undefined) return known;
  const type = { id: -1, ...rootShape() };
  return materialize(session, new NodeRow(key, SYSTEM_ROOT_ID, type, key, 0, 0, '', '{}', ''))!;
}

export function rowByUid(session: Session, uid: string): MaybePromise<NodeRow | undefined> {
  const { rows } = session;
  const { store } = session.runtime;
  const key = rows.keyOf(uid);
  const cached = key === undefined ? undefined : rows.get(key);
  if (store.isSync) session.runtime.meters?.cacheAsked(cached !== undefined);
  if (cached !== undefined) {
    session.trace?.story?.saw('row', uid, cached);
    return cached;
  }
  const assumed = session.assumed?.find(uid);
  if (assumed !== undefined) return assumed;
  return chain(store.nodesByUid([uid]), ([row]) => {
    if (row === undefined) return undefined;
    rows.putNamed(row);
    store.remembered?.put(row);
    return row;
  });
}

/** Rows in the order asked, those that are remembered without a query, the rest in one. `lists`: the links that led to them. */
export function rowsOf(
  session: Session,
  keys: readonly Key[],
  lists: readonly LinkList[] = [],
): MaybePromise<(NodeRow | undefined)[]> {
  const { rows } = session;
  const { store } = session.runtime;
  // Rows that a unit keeps for itself are not counted as hits of a cache.
  const meters = store.isSync ? session.runtime.meters : undefined;
  const found: (NodeRow | undefined)[] = new Array(keys.length);
  let missing: Key[] | undefined;
  let places: number[] | undefined;
  for (let i = 0; i < keys.length; i++) {
    const row = rows.get(keys[i]!);
    meters?.cacheAsked(row !== undefined);
    found[i] = row;
    if (row === undefined) {
      (missing ??= []).push(keys[i]!);
      (places ??= []).push(i);
    }
  }
  session.trace?.story?.saw('rows', keys, found.slice());
  if (missing === undefined) return found;
  return chain(store.nodes(missing, versionsIn(lists)), (fetched) => {
    for (let i = 0; i < fetched.length; i++) {
      const row = fetched[i];
      if (row === undefined) continue;
      found[places![i]!] = row;
      rows.put(row);
    }
    return found;
  });
}

function versionsIn(lists: readonly LinkList[]): RowVersions | undefined {
  if (lists.length === 1) return lists[0]!.versions;
  const all = new Map<Key, { readonly rev: number; readonly topo: number }>();
  for (const { versions } of lists) for (const [key, version] of versions ?? []) all.set(key, version);
  return all.size === 0 ? undefined : all;
}

/** The unit's instance of a stored node; undefined while the program has no class for it. */
export function materialize(session: Session, row: NodeRow): Node | undefined {
  const known = session.nodes.get(row.key);
  if (known !== undefined) return known;
  const binding = session.runtime.types.of(row.type);
  if (binding === undefined || isUnreadable(session, row.key, row)) return undefined;
  const node: Node = binding.meta.blank();
  node.$s = session;
  node.$row = row;
  node.$st = LAZY;
  closeFields(node);
  session.nodes.set(row.key, node);
  return node;
}

export function materializeEdge(session: Session, row: EdgeRow, source: Node, target: Node): Edge | undefined {
  const known = session.edges.get(row.key);
  if (known !== undefined) return known;
  const binding = session.runtime.types.of(row.type);
  if (binding === undefined || isUnreadable(session, edgeName(row.key), row)) return undefined;
  const edge: Edge = binding.meta.blank();
  edge.$s = session;
  edge.$row = row;
  edge.$st = row.undirected ? LAZY | BOTH_WAYS : LAZY;
  edge.$id = row.uid;
  closeFields(edge);
  edge.$src = source;
  edge.$dst = target;
  edge.$seq = typeof row.key === 'number' ? row.key : 0; // by its key then
  session.edges.set(row.key, edge);
  return edge;
}

function isUnreadable(session: Session, name: Key, row: Row): boolean {
  const { unreadable } = session.runtime;
  return unreadable.size > 0 && unreadable.get(name) === row.rev;
}
