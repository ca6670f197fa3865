import { mostListed, type Problems, type ProblemType, problemMessage } from '../../../core/problems.ts';
import type { LargeObjects } from '../body/json-reader.ts';

/** Result of a coercer for a value that does not fit; the problem is in `Place.problems`. */
export const refused: unique symbol = Symbol('refused');

/** Place of a value: where it was found, the type it must have, and the problems so far. */
export interface Place {
  readonly problems: Problems;
  readonly path: (string | number)[];
  /** The value is text of a query, path or form: numbers and the like are written out. */
  isText: boolean;
  /** Accept only values that need no conversion (first round of a union). */
  isExact: boolean;
  readonly maxJsonDepth: number;
  /** Large objects of a request that was read in slices. */
  large: LargeObjects | undefined;
  /** Integers that are not exact are among the problems already. */
  knowsUnsafe: boolean;
}

/** Members of a place that only some requests have. */
export type PlaceExtras = Partial<Pick<Place, 'problems' | 'large' | 'knowsUnsafe'>>;

export function makePlace(maxJsonDepth: number, extras: PlaceExtras = {}): Place {
  const { problems = { listed: [], count: 0 }, large, knowsUnsafe = false } = extras;
  return { problems, path: [], isText: false, isExact: false, maxJsonDepth, large, knowsUnsafe };
}

/** Notes a problem with the value at the current place. */
export function refuse(place: Place, type: ProblemType, msg: string = problemMessage(type)): typeof refused {
  const { problems } = place;
  problems.count++;
  if (problems.listed.length < mostListed) problems.listed.push({ loc: [...place.path], type, msg });
  return refused;
}
