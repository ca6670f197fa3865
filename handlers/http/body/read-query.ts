import { Failure } from '../../../core/errors.ts';

export type QueryValues = ReadonlyMap<string, readonly string[]>;

/** Pairs of a query or form. */
export const mostPairs = 10_000;

const none: QueryValues = new Map();

/**
 * Parses a query string or an urlencoded form: each name with all its values in order (docs/server/requests.md#sources).
 *
 * @throws Failure `BAD_REQUEST` for malformed percent-encoding, `PAYLOAD_TOO_LARGE` for too many pairs
 */
export function parseQuery(text: string): QueryValues {
  if (text === '') return none;
  const values = new Map<string, string[]>();
  let count = 0;
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    end = text.indexOf('&', at);
    const pair = end < 0 ? text.slice(at) : text.slice(at, end);
    if (pair === '') continue;
    if (++count > mostPairs) {
      throw new Failure('PAYLOAD_TOO_LARGE', `There are more than ${mostPairs} query parameters or form fields.`, {
        details: { limit: mostPairs },
      });
    }
    const equals = pair.indexOf('=');
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodePart(pair.slice(equals + 1));
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

function decodePart(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Failure('BAD_REQUEST', 'The query is not valid percent-encoding.');
  }
}
