/**
 * Floats in the results of functions of standard modules, by the floats in their arguments, for display
 * (decisions/0365).
 */

import { any, iteratorOf, joinAll, listOf, shaped, tupleOf } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import { elementOf } from '../read/iteration.ts';
import type { Type } from '../types.ts';
import { asDictShape, asTupleShape } from './field-shapes.ts';

/** Result by the type of an item of the argument that is gone through; `at` is its place. */
interface Rule {
  readonly at: number;
  readonly give: (item: Type) => Type;
}

const items = (at: number): Rule => ({ at, give: iteratorOf });
const list = (at: number): Rule => ({ at, give: (item) => listOf(item, false) });
const one: Rule = { at: 0, give: (item) => item };
const tuples: Rule = { at: 0, give: (item) => iteratorOf({ t: 'tuple', items: undefined, of: item }) };

const rules: Readonly<Record<string, Rule>> = {
  'itertools.accumulate': items(0),
  'itertools.compress': items(0),
  'itertools.cycle': items(0),
  'itertools.islice': items(0),
  'itertools.dropwhile': items(1),
  'itertools.filterfalse': items(1),
  'itertools.takewhile': items(1),
  'itertools.combinations': tuples,
  'itertools.pairwise': tuples,
  'itertools.permutations': tuples,
  'itertools.groupby': { at: 0, give: (item) => iteratorOf(tupleOf([any, shaped(iteratorOf(item))])) },
  'heapq.nlargest': list(1),
  'heapq.nsmallest': list(1),
  'heapq.heappop': one,
  'random.choice': one,
  'random.sample': list(0),
  'collections.deque': list(0),
};

/** Unknown, with what is known of the floats in it. */
export function standardShape(f: Reader, name: string, args: readonly Type[]): Type {
  if (name === 'copy.copy' || name === 'copy.deepcopy') return shaped(args[0] ?? any);
  if (name === 'dataclasses.asdict') return asDictShape(args[0] ?? any);
  if (name === 'dataclasses.astuple') return asTupleShape(args[0] ?? any);
  if (name === 'itertools.chain') return shaped(iteratorOf(joinAll(args.map((arg) => elementOf(f, arg, undefined)))));
  const rule = rules[name];
  const given = rule === undefined ? undefined : args[rule.at];
  return given === undefined ? any : shaped(rule!.give(elementOf(f, given, undefined)));
}
