import { refuseProblems } from '../../core/problems.ts';
import { decodeUtf8, type JsonObject, parseJsonObject, requireObject, UnsafeIntegers } from '../http/read-json.ts';
import { parseQuery, type QueryValues } from '../http/read-query.ts';

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
 * @throws Failure `INVALID_JSON`; `VALIDATION_ERROR` for integers of declared fields that are not exact
 */
export function readSenderBody(
  contentType: string | undefined,
  body: Uint8Array,
  declares: ReadonlySet<string>,
  maxJsonDepth: number,
): SenderBody {
  const type = contentType?.replace(/;.*/, '').trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const texts = parseQuery(decodeUtf8(body));
    const payload = declares.has('payload') ? undefined : texts.get('payload')?.at(-1);
    if (payload !== undefined)
      return { values: objectOf(Buffer.from(payload), declares, maxJsonDepth), texts: undefined };
    return { values: Object.fromEntries([...texts].map(([name, all]) => [name, all.at(-1)])), texts };
  }
  const isJson = type === undefined || /^application\/(json|[\w!#$&^.+-]+\+json)$/.test(type);
  return { values: isJson ? objectOf(body, declares, maxJsonDepth) : {}, texts: undefined };
}

function objectOf(bytes: Uint8Array, declares: ReadonlySet<string>, maxJsonDepth: number): JsonObject {
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x5b) return {};
  try {
    return parseJsonObject(bytes, maxJsonDepth);
  } catch (error) {
    if (!(error instanceof UnsafeIntegers)) throw error;
    // What a service sends beside the fields of the walker is not ours to judge; `request().body` has it as it came.
    const { listed, count } = error.problems;
    if (count > listed.length) throw error;
    refuseProblems(listed.filter(({ loc }) => declares.has(String(loc[1]))));
    return requireObject(error.value);
  }
}
