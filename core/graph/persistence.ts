/**
 * `save`, `commit`, `on_commit`, `allroots`, `reset_graph` (docs/language/graph.md#persistence,
 * docs/server/storage.md#persistent, docs/server/storage.md#on-commit).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { DELETED } from '../../library/classes/state.ts';
import { call } from '../../library/values/calls/calls.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { WRITE } from '../access/rules.ts';
import { permits, visible } from '../access/session-access.ts';
import { chain } from '../memory/chain.ts';
import { warnAtPlace } from '../memory/compatibility.ts';
import { currentContext } from '../memory/context.ts';
import { requireWritable } from '../memory/read-only.ts';
import type { Key } from '../memory/rows.ts';
import type { Session } from '../memory/session.ts';
import { commitSession } from '../memory/session-commit.ts';
import { adopt, adoptAll } from '../memory/session-graph.ts';
import { materialize, openRoot, rowsOf } from '../memory/session-rows.ts';
import { runEffects } from '../memory/unit.ts';
import { destroy } from './connect.ts';
import { Edge, Node, Root } from './objects.ts';

/** Makes a node, with everything connected to it, or an edge with its ends persistent. */
export function save(x: unknown): null {
  const { session } = currentContext();
  requireWritable(session, 'called save()');
  if (x instanceof Node) {
    if (x.$row !== null) permits(session, x, WRITE, 'write');
    else adoptAll(session, x);
  } else if (x instanceof Edge) {
    if (x.$row !== null) permits(session, x, WRITE, 'write');
    else if (x.$src !== null) adopt(session, x);
  } else if (x === null || typeof x !== 'object') throw new TypeError(`cannot save a value of type '${typeName(x)}'`);
  return null;
}

/** Commits the unit so far, whatever the argument (a part of a unit alone would not be atomic). */
export async function commit(_x?: unknown): Promise<null> {
  const context = currentContext();
  const { session } = context;
  await commitSession(session, () => (session.effects.length > 0 ? runEffects(context) : Promise.resolve()));
  return null;
}

/** Runs `fn` once after the next successful commit. */
export function on_commit(fn: unknown): null {
  const { session } = currentContext();
  requireWritable(session, 'called on_commit()');
  session.effects.push(() => call(fn));
  return null;
}

/** Every root the caller may read, without duplicates, oldest first. */
export function allroots(): MaybePromise<Node[]> {
  const { session, runtime } = currentContext();
  return chain(openRoot(session), () =>
    chain(runtime.store.roots(), ({ keys, version }) => {
      session.rootsSeen = version;
      const wanted = runtime.sharedIsOwn ? keys.filter((key) => key !== runtime.store.sharedRoot) : keys;
      return chain(rowsOf(session, wanted), (rows) => {
        const roots: Node[] = [];
        for (const row of rows) {
          const root = row === undefined ? undefined : visible(session, row);
          if (root !== undefined) roots.push(root);
        }
        if (!session.isSystem) tellHidden(wanted, roots, session);
        return roots;
      });
    }),
  );
}

/** Says once per place that none of the other users has opened their root, to who may expect all of them. */
function tellHidden(keys: readonly Key[], roots: readonly Node[], { runtime, rootKey }: Session): void {
  const { systemRoot, sharedRoot } = runtime.store;
  const isOfOther = (key: Key) => key !== systemRoot && key !== sharedRoot && key !== rootKey;
  if (!keys.some(isOfOther) || roots.some((root) => isOfOther(root.$row.key))) return;
  warnAtPlace(
    'allroots() gives only roots that the caller may read: connect what all may see to root.shared, or open a root and what it owns with grant(root, level=READ)',
  );
}

/** Deletes everything the caller's root owns except the root itself. Gives how many objects that were. */
export function reset_graph(): MaybePromise<number> {
  const { session, runtime } = currentContext();
  requireWritable(session, 'called reset_graph()');
  return chain(openRoot(session), (root) =>
    chain(runtime.store.ownedBy(root.$row.key), (keys) =>
      chain(rowsOf(session, keys), (rows) => {
        const stored = rows.flatMap((row) => (row === undefined ? [] : (materialize(session, row) ?? [])));
        const doomed = [...stored, ...session.created].filter(
          (node) => (node.$st & DELETED) === 0 && !(node instanceof Root),
        );
        return chain(destroy(doomed), () => doomed.length);
      }),
    ),
  );
}
