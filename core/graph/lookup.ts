/** `oid`, `oget`, `oref` and `root` (language.md 5.1, 5.2). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { metaOfInstance } from '../../library/classes/meta.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { contextOrNone, currentContext } from '../memory/context.ts';
import { findById } from '../memory/session-lookup.ts';
import { rootOf, sharedRoot as sharedRootOf } from '../memory/session-rows.ts';
import { wireIds } from '../stored/codec.ts';
import { idOf, isUuid, newId } from './ids.ts';
import { Edge, type GraphObject, Node, Walker } from './objects.ts';

const objectIds = new WeakMap<object, string>();

/** The id of a graph object, walker or plain object; given when first asked for. */
export function oid(x: any): string {
  if (x instanceof Node || x instanceof Edge) {
    if (x.$id === '') {
      x.$id = x.$s?.idOf(x) ?? newId();
      if (x.$s === null) contextOrNone()?.session.know(x);
    }
    return x.$id;
  }
  if (x instanceof Walker) {
    if (x.$id === '') x.$id = newId();
    return x.$id;
  }
  if (metaOfInstance(x) === undefined) throw new TypeError(`'${typeName(x)}' object has no id`);
  let id = objectIds.get(x);
  if (id === undefined) objectIds.set(x, (id = newId()));
  return id;
}

/** The graph object with this id; `None` when it is unknown, malformed or not readable. `"root"` is the current root. */
export function oget(id: unknown): MaybePromise<any> {
  return typeof id === 'string' || isUuid(id) ? lookUp(id) : null;
}

/** A string or a `UUID` as `oget`; any other value itself. */
export function oref(x: unknown): MaybePromise<any> {
  return typeof x === 'string' || isUuid(x) ? lookUp(x) : x;
}

const idForm = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** `&x`: of a string in the form of an id the object that has it, as `oget`; any other value itself (language.md 4.14). */
export function borrow(x: unknown): MaybePromise<any> {
  return typeof x === 'string' && idForm.test(x) ? lookUp(x) : x;
}

/** See `oget`. */
export function lookUp(id: unknown): MaybePromise<GraphObject | null> {
  const { session } = currentContext();
  if (id === 'root') return rootOf(session);
  const canonical = idOf(id);
  return canonical === undefined ? null : findById(session, canonical);
}

/** Root of the caller. */
export function root(): Node {
  return rootOf(currentContext().session);
}

/** Root of callers without an account; that of system code is its own. */
export function sharedRoot(): MaybePromise<Node> {
  return sharedRootOf(currentContext().session);
}

wireIds(oid);
