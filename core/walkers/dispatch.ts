/**
 * Lists of abilities that run when a walker enters or leaves a location (docs/language/walkers.md#order-of-a-walk,
 * docs/language/walkers.md#triggers). Decided once per pair of classes and kept in an array on the walker's class,
 * indexed by the location's class number.
 */

import { type Ability, type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { Edge, Node } from '../graph/objects.ts';

/** One ability call. `onWalker`: `this` is the walker and the location the argument; else the other way round. */
export interface Step {
  readonly run: (this: any, other: any, walk: any) => unknown;
  readonly onWalker: boolean;
  readonly ability: Ability;
}

export interface Dispatch {
  readonly enter: readonly Step[];
  readonly leave: readonly Step[];
  /** The walker's one ability here, when nothing else runs. */
  readonly only: Step['run'] | undefined;
}

/** The walker's side: tables by class number of the location, and its untyped abilities. */
export interface WalkerTable {
  readonly meta: ClassMeta;
  readonly byLocation: (Dispatch | undefined)[];
  readonly start: readonly Step[];
  readonly end: readonly Step[];
}

const $table = Symbol('svc.dispatch');

export function tableOf(walker: any): WalkerTable {
  const prototype = walker.$meta.cls.prototype;
  return Object.hasOwn(prototype, $table) ? prototype[$table] : makeTable(walker.$meta);
}

function makeTable(meta: ClassMeta): WalkerTable {
  const untyped = meta.abilities.filter((ability) => ability.trigger === undefined);
  const table: WalkerTable = {
    meta,
    byLocation: [],
    start: untyped.filter((ability) => ability.when === 'entry').map(walkerStep),
    end: untyped.filter((ability) => ability.when === 'exit').map(walkerStep),
  };
  Object.defineProperty(meta.cls.prototype, $table, { value: table, configurable: true });
  return table;
}

/** Decides and remembers what runs at locations of this class. */
export function makeDispatch(table: WalkerTable, location: any): Dispatch {
  if (!(location instanceof Node) && !(location instanceof Edge)) throw notAPlace(location);
  const place = location.$meta as ClassMeta;
  const own = (when: 'entry' | 'exit') =>
    table.meta.abilities
      .filter((ability) => ability.when === when && ability.trigger !== undefined && matches(ability, place))
      .map(walkerStep);
  const theirs = (when: 'entry' | 'exit', typed: boolean) =>
    place.abilities
      .filter((ability) => ability.when === when && (ability.trigger !== undefined) === typed)
      .filter((ability) => !typed || matches(ability, table.meta))
      .map((ability) => ({ run: ability.run, onWalker: false, ability }));
  const enter = [...own('entry'), ...theirs('entry', false), ...theirs('entry', true)];
  const leave = [...theirs('exit', true), ...theirs('exit', false), ...own('exit')];
  const isAlone = enter.length === 1 && leave.length === 0 && enter[0]!.onWalker;
  const dispatch: Dispatch = { enter, leave, only: isAlone ? enter[0]!.run : undefined };
  table.byLocation[place.cid] = dispatch;
  return dispatch;
}

/** Tells whether a walk that begins at a location runs nothing at all. */
export function isIdleAt(walker: any, location: any): boolean {
  const table = tableOf(walker);
  const { enter, leave } = table.byLocation[location.$cid] ?? makeDispatch(table, location);
  return table.start.length + table.end.length + enter.length + leave.length === 0;
}

/** Names of the types whose locations a walker has abilities for. */
export function placesOf({ abilities }: ClassMeta): readonly string[] {
  const classes = abilities.flatMap((ability) => (ability.classes ??= triggerClasses(ability.trigger!())));
  return [...new Set(classes.map((cls) => metaOf(cls)?.name ?? (cls as { name: string }).name))];
}

export function notAPlace(x: unknown): TypeError {
  return new TypeError(`cannot visit a value of type '${typeName(x)}'`);
}

function walkerStep(ability: Ability): Step {
  return { run: ability.run, onWalker: true, ability };
}

function matches(ability: Ability, other: ClassMeta): boolean {
  ability.classes ??= triggerClasses(ability.trigger!());
  return ability.classes.some((cls) => other.mroSet.has(cls));
}

/** A trigger's classes: one, a list or tuple of them, or a union (`A | B`). */
export function triggerClasses(value: any): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(triggerClasses);
  if (value instanceof Tuple) return value.items.flatMap(triggerClasses);
  if (metaOf(value) !== undefined || typeof value === 'function') return [value];
  if (value !== null && typeof value === 'object' && Array.isArray(value.types))
    return value.types.flatMap(triggerClasses);
  throw new TypeError('the trigger of an ability must be a type');
}
