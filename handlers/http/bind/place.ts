import { Failure } from '../../../core/errors.ts';
import { type FieldProblem, type ProblemType, problemMessage } from './problem.ts';

/** What a coercer gives for a value that does not fit; the problem is in `Place.problems`. */
export const refused: unique symbol = Symbol('refused');

/** Where a value was found, what is expected of it, and what has gone wrong so far. */
export interface Place {
  readonly problems: FieldProblem[];
  readonly path: (string | number)[];
  /** The value is text of a query, path or form: numbers and the like are written out. */
  isText: boolean;
  /** Accept only values that need no conversion (first round of a union). */
  isExact: boolean;
  readonly maxJsonDepth: number;
}

export function makePlace(maxJsonDepth: number): Place {
  return { problems: [], path: [], isText: false, isExact: false, maxJsonDepth };
}

/** Notes a problem with the value at the current place. */
export function refuse(place: Place, type: ProblemType, msg: string = problemMessage(type)): typeof refused {
  place.problems.push({ loc: [...place.path], type, msg });
  return refused;
}

/** @throws Failure `VALIDATION_ERROR` that lists all problems, when there are any */
export function requireNoProblems(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const [first] = problems;
  const where = first!.loc.slice(1).join('.');
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  throw new Failure('VALIDATION_ERROR', `${where === '' ? first!.loc[0] : where} ${first!.msg}${more}`, {
    details: problems,
  });
}
