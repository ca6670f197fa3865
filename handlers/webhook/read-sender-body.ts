import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { refuseProblems } from '../../core/problems.ts';
import { readNoted } from '../http/bind-long.ts';
import { decodeUtf8, type JsonObject } from '../http/body/read-json.ts';
import { type BodyLimits, parseBody } from '../http/body/read-json-body.ts';
import { parseQuery, type QueryValues } from '../http/body/read-query.ts';
import type { Exchange } from '../http/exchange.ts';

/** Fields that a service sent. */
export interface SenderBody {
  /** Members of the JSON object; of a form, its last texts. */
  readonly values: JsonObject;
  /** All texts of a form, which fields convert from; undefined for JSON. */
  readonly texts: QueryValues | undefined;
}

/**
 * Reads the body of a service's call. Forms either have fields of their own, or one `payload` that holds JSON (GitHub, Slack), unless the
 * walker declares a field of that name. Lists and other types of content have no fields: the walker reads `request().body`.
 *
 * Throws or rejects with `INVALID_JSON`, `VALIDATION_ERROR` for integers of declared fields that are not exact.
 */
export function readSenderBody(
  exchange: Exchange,
  body: Uint8Array,
  declares: ReadonlySet<string>,
  limits: BodyLimits,
): MaybePromise<SenderBody> {
  const type = exchange.call.header('content-type')?.replace(/;.*/, '').trim().toLowerCase();
  const asJson = (bytes: Uint8Array) =>
    after(objectOf(exchange, bytes, declares, limits), (values): SenderBody => ({ values, texts: undefined }));
  if (type === 'application/x-www-form-urlencoded') {
    const texts = parseQuery(decodeUtf8(body));
    const payload = declares.has('payload') ? undefined : texts.get('payload')?.at(-1);
    if (payload !== undefined) return asJson(Buffer.from(payload));
    return { values: Object.fromEntries([...texts].map(([name, all]) => [name, all.at(-1)])), texts };
  }
  const isJson = type === undefined || /^application\/(json|[\w!#$&^.+-]+\+json)$/.test(type);
  return isJson ? asJson(body) : { values: {}, texts: undefined };
}

function objectOf(
  exchange: Exchange,
  bytes: Uint8Array,
  declares: ReadonlySet<string>,
  limits: BodyLimits,
): MaybePromise<JsonObject> {
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x5b) return {};
  const whole = exchange.body;
  return after(
    readNoted(() => parseBody(exchange, bytes, limits)),
    ({ body, noted }) => {
      exchange.body = whole;
      // Members beside the fields of the walker are the sending service's own; `request().body` has them as they came.
      const ours = noted?.listed.filter(({ loc }) => declares.has(String(loc[1]))) ?? [];
      if (noted !== undefined && noted.count > noted.listed.length) refuseProblems(noted);
      refuseProblems(ours);
      return body;
    },
  );
}
