/** The further arguments of the document database's methods, checked: projections, orders, indexes, names. */

import { Tuple } from '../../library/values/containers/tuple.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { entriesOf } from './encode.ts';
import { checkPath, membersOf, notAllowed } from './filter.ts';

/** Paths to keep, or to leave out. */
export interface Projection {
  readonly keeps: boolean;
  readonly paths: readonly string[];
  readonly withId: boolean;
}

/** Paths with 1 for ascending or -1. */
export type Order = readonly (readonly [string, 1 | -1])[];

export interface IndexSpec {
  readonly name: string;
  readonly keys: Order;
  readonly unique: boolean;
  readonly expireSeconds: number | undefined;
}

/** A list of names, or a dict of 1 and 0 (`True`, `False`). @throws ValueError for a mixture */
export function checkProjection(projection: unknown): Projection | undefined {
  if (projection === null || projection === undefined) return undefined;
  const members = Array.isArray(projection) || projection instanceof Tuple ? names(projection) : flags(projection);
  let withId = true;
  let keeps: boolean | undefined;
  const paths: string[] = [];
  for (const [path, isKept] of members) {
    if (path === '_id') withId = isKept;
    else if (keeps !== undefined && keeps !== isKept)
      throw new ValueError('A projection keeps fields or leaves them out, not both');
    else {
      keeps = isKept;
      paths.push(path);
    }
  }
  if (members.length === 0) return undefined;
  const clash = paths.find((path) => paths.some((other) => other.startsWith(`${path}.`)));
  if (clash !== undefined) throw new ValueError(`A projection names '${clash}' and a part of it`);
  return { keeps: keeps ?? withId, paths, withId };
}

function names(projection: readonly unknown[] | Tuple): [string, boolean][] {
  const items = projection instanceof Tuple ? projection.items : projection;
  return [...new Set(items)].map((name) => [requirePath(name), true]);
}

function flags(projection: unknown): [string, boolean][] {
  return membersOf(projection, 'a projection').map(([path, flag]) => {
    if (path.startsWith('$')) throw notAllowed(path);
    const [operator] = entriesOf(flag) === undefined ? [] : membersOf(flag, 'a projection');
    if (operator?.[0].startsWith('$')) throw notAllowed(operator[0]);
    if (flag !== 0 && flag !== 1 && typeof flag !== 'boolean')
      throw new ValueError(`A projection takes 1 or 0 for '${path}'`);
    return [checkPath(path), Boolean(flag)];
  });
}

/** `"name"`, `[("name", -1)]`, `["name"]` or `{"name": -1}`. */
export function checkOrder(order: unknown, what: string): Order {
  if (order === null || order === undefined) return [];
  if (typeof order === 'string') return [[checkPath(order), 1]];
  const entries = entriesOf(order);
  const items = entries !== undefined ? [...entries] : order instanceof Tuple ? order.items : order;
  if (!Array.isArray(items))
    throw new TypeError(`${what} must be a list of names and directions, not '${typeName(order)}'`);
  const made = items.map((item): [string, 1 | -1] => {
    if (typeof item === 'string') return [checkPath(item), 1];
    const pair = item instanceof Tuple ? item.items : item;
    if (!Array.isArray(pair) || pair.length !== 2) throw new ValueError(`${what} takes names with 1 or -1`);
    const [path, direction] = pair;
    if (direction !== 1 && direction !== -1) throw new ValueError(`${what} takes 1 or -1 for '${String(path)}'`);
    return [requirePath(path), direction];
  });
  if (new Set(made.map(([path]) => path)).size < made.length) throw new ValueError(`${what} names a field twice`);
  return made;
}

function requirePath(path: unknown): string {
  if (typeof path !== 'string') throw new TypeError(`names of fields must be str, not '${typeName(path)}'`);
  return checkPath(path);
}

/** @throws ValueError for no keys, or an age that is no whole number of seconds */
export function checkIndex(keys: unknown, unique: unknown, expireSeconds: unknown): IndexSpec {
  const order = checkOrder(keys, 'keys');
  if (order.length === 0) throw new ValueError('an index needs at least one field');
  const expires = expireSeconds ?? undefined;
  if (expires !== undefined) {
    if (!isWhole(expires, 0) || expires > 2_147_483_647)
      throw new ValueError('expire_seconds must be a whole number of seconds');
    if (order.length > 1) throw new ValueError('an index with expire_seconds has one field');
    if (order[0]![0] === '_id') throw new ValueError('an index with expire_seconds cannot be on _id');
  }
  const name = order.map(([path, direction]) => `${path}_${direction}`).join('_');
  return { name, keys: order, unique: unique === true, expireSeconds: expires };
}

export function isWhole(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

/** @throws TypeError, ValueError when no collection can be called so */
export function checkCollection(name: unknown): string {
  if (typeof name !== 'string') throw new TypeError(`col_name must be str, not '${typeName(name)}'`);
  const isBad = name === '' || /[$\0]/.test(name) || name.startsWith('system.') || /^\.|\.$|\.\./.test(name);
  if (isBad || Buffer.byteLength(name) > 190) throw new ValueError(`Not the name of a collection: '${name}'`);
  return name;
}
