/** Following, making and removing connections, and looking objects up, with types. */

import type { MaybePromise } from '../../base/maybe-promise.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { eq } from '../../library/values/objects/equality.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { key } from '../../library/values/objects/protocol.ts';
import { allow_root, disallow_root, perm_grant, perm_revoke } from '../access/grants.ts';
import { connect as connectNodes, destroy, disconnect as disconnectNodes } from '../graph/connect.ts';
import type { Condition, Direction, Hop } from '../graph/hop.ts';
import { hops } from '../graph/hops.ts';
import { sharedRoot as commonRoot, root as currentRoot, lookUp, oid } from '../graph/lookup.ts';
import { matchesType } from '../graph/matches.ts';
import * as persistence from '../graph/persistence.ts';
import type { AnyClass, Edge, Fields, Level, Node, Obj, Place, Root, Values, Waiting, Walker } from './types.ts';

type Conditions<T> = ((object: T) => boolean) | { readonly [K in keyof T]?: T[K] };

export interface HopOptions<T, E> {
  /** Class of the edges to go over, and those that extend it. */
  readonly by?: AnyClass<E>;
  /** Field values of the edges to go over, or a function that accepts them. */
  readonly byWhere?: Conditions<E>;
  /** Field values of the nodes to find, or a function that accepts them. */
  readonly where?: Conditions<T>;
  readonly limit?: number;
  readonly offset?: number;
}

export interface EdgeOptions<E> {
  readonly direction?: Direction;
  readonly where?: Conditions<E>;
  /** Nodes that the edges must lead to. */
  readonly to?: Node | readonly Node[];
  readonly limit?: number;
  readonly offset?: number;
}

/** One place, or several: the results are joined, each node once. */
export type Origin = Place | readonly Place[];

/** Gives the nodes at the other ends of edges, those of a class where one is given. */
export interface Follow {
  (from: Origin): Waiting<Node[]>;
  <T extends Node, E = Edge>(from: Origin, type: AnyClass<T>, options?: HopOptions<T, E>): Waiting<T[]>;
}

/** The nodes that edges lead to, in order of connection: `[from ->:By:->[?:Type, where]]`. */
export const outgoing: Follow = following('out');

/** The nodes that edges come from. */
export const incoming: Follow = following('in');

/** The nodes at the other end of any edge. */
export const adjacent: Follow = following('any');

function following(direction: Direction): Follow {
  return (from: Origin, type?: AnyClass, options?: HopOptions<any, any>): Waiting<any[]> =>
    hops(from, 'node', [nodeHop(direction, type, options)]);
}

/** The edges of a place, outgoing ones by default. */
export function edges(from: Origin): Waiting<Edge[]>;
export function edges<E extends Edge>(from: Origin, type: AnyClass<E>, options?: EdgeOptions<E>): Waiting<E[]>;
export function edges(from: Origin, type?: AnyClass, options: EdgeOptions<any> = {}): Waiting<any[]> {
  const { direction = 'out', where, to } = options;
  const hop: Hop = {
    dir: direction,
    ...(type === undefined ? {} : { type: requireClass(type) }),
    ...(where === undefined ? {} : { edgeWhere: predicateOf(where) }),
    ...(to === undefined ? {} : { only: to }),
    ...window(options),
  };
  return hops(from, 'edge', [hop]);
}

/**
 * Connects a node with another or with several and gives what it was connected to. What is connected to something persistent is so itself.
 *
 * @throws PermissionError without CONNECT on both ends
 */
export function connect<T extends Node | readonly Node[]>(from: Node | readonly Node[], to: T, edge?: Edge): T {
  connectNodes(from, to, 'out', edge);
  return to;
}

/** Connects like `connect`, with an edge that has no direction. */
export function connectBothWays<T extends Node | readonly Node[]>(from: Node | readonly Node[], to: T, edge?: Edge): T {
  connectNodes(from, to, 'any', edge);
  return to;
}

/** Removes the edges from the first to the second; says whether there was one. */
export function disconnect<E = Edge>(
  from: Node | readonly Node[],
  to: Node | readonly Node[],
  options: { readonly by?: AnyClass<E>; readonly direction?: Direction } = {},
): Waiting<boolean> {
  const { by, direction = 'out' } = options;
  return disconnectNodes(from, to, { dir: direction, ...(by === undefined ? {} : { type: requireClass(by) }) });
}

/**
 * Deletes nodes, with their edges, or edges.
 *
 * @throws PermissionError without WRITE
 */
export function remove(what: Place | readonly Place[]): Waiting<void> {
  return then(destroy(what), () => undefined);
}

/** The caller's root. */
export function root(): Root {
  return currentRoot() as unknown as Root;
}

/** The root that all callers share; callers without an account are on it. */
export function sharedRoot(): Waiting<Root> {
  return commonRoot() as unknown as Waiting<Root>;
}

/** The id of an object, as answers show it in `_svc_id`. */
export function idOf(object: Place | Obj | Walker<any>): string {
  return oid(object);
}

/** The node or edge with this id; null when there is none of this class that the caller may read. */
export function byId(id: string): Waiting<Place | null>;
export function byId<T extends Place>(id: string, type: AnyClass<T>): Waiting<T | null>;
export function byId(id: string, type?: AnyClass): Waiting<any> {
  return then(lookUp(id), (found) => (type === undefined || matchesType(found, type) ? found : null));
}

/** Tells whether an object is an instance of the class. As `instanceof`, and right for classes with several bases. */
export function isA<T>(object: unknown, type: AnyClass<T>): object is T {
  return matchesType(object, type);
}

/**
 * Gives every user this right to the object (docs/server/permissions.md#levels). True when that changed something, as
 * for all functions here.
 */
export function grant(object: Place, level: Level = 'READ'): boolean {
  return perm_grant(object, level);
}

export function revoke(object: Place): boolean {
  return perm_revoke(object);
}

/** Gives one user the right. `NO_ACCESS` denies what everybody else may do. */
export function allowRoot(object: Place, userRoot: Root | string, level: Level = 'READ'): boolean {
  return allow_root(object, userRoot, level);
}

export function disallowRoot(object: Place, userRoot: Root | string): boolean {
  return disallow_root(object, userRoot);
}

/** Makes a node and everything connected to it persistent. */
export function save(object: Place): void {
  persistence.save(object);
}

/** Commits what the call has changed so far. Without it a call commits at its end, all or nothing. */
export async function commit(): Promise<void> {
  await persistence.commit();
}

/** Runs once after the next successful commit: the place for what cannot be undone. */
export function onCommit(effect: () => unknown): void {
  persistence.on_commit(effect);
}

export function allRoots(): Waiting<Root[]> {
  return persistence.allroots() as unknown as Waiting<Root[]>;
}

/** Deletes everything the caller owns but the root; gives how many objects that were. */
export function resetGraph(): Waiting<number> {
  return persistence.reset_graph();
}

function nodeHop(dir: Direction, type: AnyClass | undefined, options: HopOptions<any, any> = {}): Hop {
  const { by, byWhere, where } = options;
  const conditions = where === undefined || typeof where === 'function' ? [] : conditionsOf(where, type);
  return {
    dir,
    ...(type === undefined ? {} : { nodeType: requireClass(type) }),
    ...(where === undefined ? {} : { nodeWhere: predicateOf(where) }),
    ...(by === undefined ? {} : { type: requireClass(by) }),
    ...(byWhere === undefined ? {} : { edgeWhere: predicateOf(byWhere) }),
    ...(conditions.length === 0 ? {} : { where: conditions }),
    ...window(options),
  };
}

function window({ limit, offset }: { readonly limit?: number; readonly offset?: number }): Partial<Hop> {
  return {
    ...(limit === undefined && offset === undefined ? {} : { limit: limit ?? Number.POSITIVE_INFINITY }),
    ...(offset === undefined ? {} : { offset }),
  };
}

function predicateOf(where: Conditions<any>): (object: any) => boolean {
  if (typeof where === 'function') return where as (object: any) => boolean;
  const wanted = Object.entries(where).map(([name, value]) => [key(name), value] as const);
  return (object) => wanted.every(([name, value]) => eq(object[name], value));
}

// Gives the conditions that a store can decide by itself, equality with text or a boolean; a predicate of the program
// is none.
function conditionsOf(where: object, type: AnyClass | undefined): Condition[] {
  const meta = metaOf(type);
  return Object.entries(where).flatMap(([field, value]): Condition[] =>
    meta?.byName.has(field) === true && ['string', 'boolean'].includes(typeof value)
      ? [{ field, op: '==', value }]
      : [],
  );
}

function requireClass(cls: AnyClass): AnyClass {
  if (metaOf(cls) === undefined)
    throw new TypeError(`class ${(cls as any).name} is not registered: put @node or @edge in front of it`);
  return cls;
}

function then<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export type { Direction, Fields, Values };
