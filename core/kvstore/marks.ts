/** `kvstore.literal` and `kvstore.trusted` (server.md 17.3, decisions/0127). */
import { Dict } from '../values/dict.ts';
import { TypeError } from '../values/exceptions.ts';
import { unmarkRequestData } from '../values/request-data.ts';
import { Tuple } from '../values/tuple.ts';
import { typeName } from '../values/type-name.ts';

/** A condition that compares with the value, whatever is in it. */
export function literal(value: unknown): Dict {
  return Dict.of('$eq', withoutMarks(value));
}

/** Takes the mark of request data off a dict and everything in it; gives the dict. */
export function trusted(value: unknown): unknown {
  if (!(value instanceof Dict)) throw new TypeError(`trusted needs a dict, not '${typeName(value)}'`);
  unmark(value);
  return value;
}

function unmark(value: unknown): void {
  if (value instanceof Dict) {
    unmarkRequestData(value);
    for (const item of value.values()) unmark(item);
  } else if (Array.isArray(value)) for (const item of value) unmark(item);
  else if (value instanceof Tuple) for (const item of value.items) unmark(item);
}

// A copy: the value itself may still be used as a filter.
function withoutMarks(value: unknown): unknown {
  if (value instanceof Dict)
    return Dict.from([...value.map].map(([name, item]) => [name, withoutMarks(item)] as const));
  if (Array.isArray(value)) return value.map(withoutMarks);
  return value instanceof Tuple ? new Tuple(value.items.map(withoutMarks)) : value;
}
