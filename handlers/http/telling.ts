/**
 * Advice in answers for whoever writes a client: hints on failures (in development), fields that nothing takes and paths that lead nowhere (outside
 * of production).
 */
import { type HintFor, hintFor } from './hints.ts';
import { type NearestPlace, nearestPlace } from './nearest-place.ts';
import { type CreateFindUnknown, createFindUnknown } from './run/unknown-fields.ts';

export interface Telling {
  readonly hintFor: HintFor;
  readonly createFindUnknown: CreateFindUnknown;
  readonly nearestPlace: NearestPlace;
}

export const telling: Telling = { hintFor, createFindUnknown, nearestPlace };
