/**
 * Binding of requests that are long, or that have problems before any field was looked at
 * (docs/server/requests.md#types, decisions/0411).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { atOnce, inSlices } from '../../base/slices.ts';
import type { Problems } from '../../core/problems.ts';
import { type Binder, noSources } from './bind/binder.ts';
import { makePlace, type Place } from './bind/place.ts';
import { type JsonObject, requireObject, UnsafeIntegers } from './body/read-json.ts';
import type { BodyLimits } from './body/read-json-body.ts';
import type { Exchange } from './exchange.ts';

/** A body, and problems with it that are known already: integers that are not exact. */
export interface NotedBody {
  readonly body: JsonObject;
  readonly noted: Readonly<Problems> | undefined;
}

/** Reads a body also when its integers are too large: what else is wrong is told with them. Throws or rejects with other failures. */
export function readNoted(read: () => MaybePromise<JsonObject>): MaybePromise<NotedBody> {
  try {
    const body = read();
    return body instanceof Promise
      ? body.then((ready) => ({ body: ready, noted: undefined }), unsafeBody)
      : { body, noted: undefined };
  } catch (error) {
    return unsafeBody(error);
  }
}

/** The body whose integers are too large to be exact. @throws the error when it is another one */
export function unsafeBody(error: unknown): NotedBody {
  if (!(error instanceof UnsafeIntegers)) throw error;
  return { body: requireObject(error.value), noted: error.problems };
}

/** Makes the place at which the fields of a request are bound. */
export function placeFor(
  exchange: Pick<Exchange, 'large'> | undefined,
  { maxJsonDepth }: Pick<BodyLimits, 'maxJsonDepth'>,
  noted: Readonly<Problems> | undefined,
): Place {
  const large = exchange?.large?.large;
  if (noted === undefined) return makePlace(maxJsonDepth, { large });
  const problems = { listed: [...noted.listed], count: noted.count };
  return makePlace(maxJsonDepth, { large, problems, knowsUnsafe: true });
}

/** Binds a request that has nothing but a JSON body: in slices when it is long. Throws or rejects with `VALIDATION_ERROR`. */
export function bindNoted(
  binder: Binder,
  exchange: Exchange,
  { body, noted }: NotedBody,
  limits: BodyLimits,
): MaybePromise<unknown[]> {
  if (noted === undefined && exchange.large === undefined) return binder.bindBody(body);
  const place = placeFor(exchange, limits, noted);
  const sources = { ...noSources, body };
  if (exchange.large === undefined) return binder.bind(sources, place);
  return inSlices(limits.slices, binder.steps(sources, place));
}

/** Binds such a request once more, for a replay: nothing of the first binding may be left. */
export function bindAgain(binder: Binder, exchange: Exchange, body: JsonObject, limits: BodyLimits): unknown[] {
  if (exchange.large === undefined) return binder.bindBody(body);
  return atOnce(binder.steps({ ...noSources, body }, placeFor(exchange, limits, undefined)));
}
