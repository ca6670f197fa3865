/** `kvstore.literal` and `kvstore.trusted` (docs/server/kvstore.md#injection, decisions/0412). */
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { written } from '../../library/values/containers/written-keys.ts';

/** A condition that compares with the value, whatever is in it. */
export function literal(value: unknown): Dict {
  return written(Dict.of('$eq', asValue(value)), '$eq');
}

/** Says that the operators in a value are meant, wherever they came from; gives the value. */
export function trusted(value: unknown): unknown {
  if (value instanceof Dict) {
    written(value, ...[...value.keys()].filter((key) => typeof key === 'string'));
    for (const item of value.values()) trusted(item);
  } else if (Array.isArray(value)) for (const item of value) trusted(item);
  else if (value instanceof Tuple) for (const item of value.items) trusted(item);
  return value;
}

// A copy: the value itself may still be used as a filter. Its keys are names of members, whatever they begin with.
function asValue(value: unknown): unknown {
  if (value instanceof Dict) {
    const members = [...value.map].map(([name, item]) => [name, asValue(item)] as const);
    return written(Dict.from(members), ...members.flatMap(([name]) => (typeof name === 'string' ? [name] : [])));
  }
  if (Array.isArray(value)) return value.map(asValue);
  return value instanceof Tuple ? new Tuple(value.items.map(asValue)) : value;
}
