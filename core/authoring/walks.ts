/** Starting walks, and what functions called during one may do. */
import { now, spawn as spawnWalker } from '../walkers/spawn.ts';
import * as statements from '../walkers/statements.ts';
import { root } from './graph.ts';
import { hold } from './pending.ts';
import type { Place, Waiting, Walker } from './types.ts';

/**
 * Sends a walker to a place, to several, or to the node with an id; by default to the caller's root. Gives the walker when the walk is
 * over: what it reported is in `reports`, and its fields are as it left them.
 */
export function spawn<W extends Walker<any>>(walker: W, at?: Place | readonly Place[] | string): Waiting<W> {
  return spawnWalker(walker, at ?? root(), undefined, now);
}

/** `this.report` for functions that a walker's abilities call. */
export function report(value: unknown): void {
  statements.report(undefined, value);
}

/** `this.visit` for functions that a walker's abilities call. */
export function visit(places: Waiting<Place | readonly Place[] | null>, index?: number): Waiting<boolean> {
  if (!(places instanceof Promise)) return statements.visit(undefined, places, index);
  return hold(places.then((found) => statements.visit(undefined, found, index)));
}

/** `this.disengage` for functions that a walker's abilities call. */
export function disengage(): void {
  statements.disengage();
}

/** Gives the place at which the running walk is. */
export function here(): Place {
  return statements.here();
}

/** The walker of the running walk. */
export function visitor(): Walker<any> {
  return statements.visitor();
}
