/** `places by m`: which of some nodes and edges a model wants; `visit [-->] by llm(…)` goes there (docs/models.md#places). */

import type { FunctionSpec, TypeRef } from '../../library/classes/spec.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import { hopFrom } from '../graph/hops.ts';
import { Edge, GenericEdge, Node } from '../graph/objects.ts';
import { currentWalk } from '../walkers/statements.ts';
import type { ModelOptions } from './types.ts';

/** A question about places, for `invokeModel`: what it is about and what is passed. */
export interface Choice {
  readonly spec: FunctionSpec;
  readonly values: readonly unknown[];
}

export function isPlaces(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Node || one instanceof Edge);
}

/** Every place is a parameter, behind the walker, where it stands, and the edge that leads to the place. */
export async function choiceAmong(places: readonly object[], options: ModelOptions): Promise<Choice> {
  const walk = currentWalk();
  const given: [string, unknown][] =
    walk === undefined
      ? []
      : [
          ['walker', walk.walker],
          ['here', walk.here],
        ];
  const edges: readonly any[] = walk?.here?.$out === undefined ? [] : await hopFrom(walk.here, { dir: 'any' }, true);
  places.forEach((place, i) => {
    const edge = edges.find(({ source, target }) => source === place || target === place);
    if (edge !== undefined && !(edge instanceof GenericEdge)) given.push([`edge_${i}`, edge]);
    given.push([`candidate_${i}`, place]);
  });
  const spec: FunctionSpec = {
    name: 'visit',
    qualname: 'visit',
    module: 'svclang',
    params: given.map(([name]) => ({ name, kind: 'any', type: { t: 'any' } })),
    result: numbers,
    sem: { '': taskOf(options), return: 'numbers of candidates' },
  };
  return { spec, values: given.map(([, value]) => value) };
}

/** The places of an answer: numbers that name none are left out, and so is what `select` does not admit. */
export function chosen(places: readonly object[], answer: unknown, options: ModelOptions): object[] {
  const wanted = new Set((Array.isArray(answer) ? answer : [answer]).map(Number));
  const found = [...wanted].map((i) => places[i]).filter((place) => place !== undefined);
  return found.slice(0, bounds(options.get('select'))[1]);
}

const numbers: TypeRef = { t: 'union', of: [{ t: 'list', of: { t: 'int' } }, { t: 'int' }] };

function taskOf(options: ModelOptions): string {
  const [least, most] = bounds(options.get('select'));
  const count = most === Number.POSITIVE_INFINITY ? 'all that fit' : least === most ? `${most}` : `${least} to ${most}`;
  const intent = options.get('intent');
  return [
    'Chooses which of the candidates the walker visits next, the best first, by their numbers.',
    `How many: ${count}.`,
    ...(intent === undefined || intent === null ? [] : [`What the walk is for: ${strOf(intent)}`]),
  ].join(' ');
}

function bounds(select: unknown): readonly [number, number] {
  if (select === undefined || select === null || select === 'all') return [0, Number.POSITIVE_INFINITY];
  if (typeof select === 'number') return [select, select];
  const ends = select instanceof Tuple ? select.items : select;
  if (Array.isArray(ends) && ends.length === 2) return [Number(ends[0]), Number(ends[1])];
  throw new ValueError(`select takes "all", a number or (least, most), not ${reprOf(select)}`);
}
