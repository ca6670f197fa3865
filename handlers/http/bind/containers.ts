import { Failure } from '../../../core/errors.ts';
import { Dict } from '../../../core/values/dict.ts';
import { markRequestData } from '../../../core/values/request-data.ts';
import { FrozenSet, PySet } from '../../../core/values/sets.ts';
import { Tuple } from '../../../core/values/tuple.ts';
import { parseStrictJson } from '../read-json.ts';
import { type Place, refuse, refused } from './place.ts';
import type { ProblemType } from './problem.ts';
import type { Coerce } from './scalars.ts';

/** JSON as the language's values: objects become dicts. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const made = new Map<unknown, unknown>();
  let isMarked = false;
  for (const key of Object.keys(value)) {
    made.set(key, fromJson((value as Record<string, unknown>)[key]));
    if (key.startsWith('$')) isMarked = true;
  }
  const dict = new Dict(made);
  if (isMarked) markRequestData(dict);
  return dict;
}

/** Applies one coercer to every item; `refused` when any was. */
function coerceItems(items: readonly unknown[], itemAt: (index: number) => Coerce, place: Place): unknown {
  const result = new Array<unknown>(items.length);
  let isGood = true;
  place.path.push(0);
  for (let i = 0; i < items.length; i++) {
    place.path[place.path.length - 1] = i;
    const value = itemAt(i)(items[i], place);
    if (value === refused) isGood = false;
    result[i] = value;
  }
  place.path.pop();
  return isGood ? result : refused;
}

/**
 * The JSON value behind a container's text: repeated keys are its items, one text may be a JSON literal. `use` then sees JSON, not
 * text. Refuses what is neither.
 */
function withLiteral(
  value: unknown,
  place: Place,
  opening: string,
  type: ProblemType,
  use: (value: unknown) => unknown,
): unknown {
  const text = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!place.isText || typeof text !== 'string' || !text.trimStart().startsWith(opening)) return use(value);
  let literal: unknown;
  try {
    literal = parseStrictJson(text, place.maxJsonDepth);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refuse(place, type, `${error.message.replace(/\.$/, '')}, where a JSON literal was expected`);
  }
  place.isText = false;
  try {
    return use(literal);
  } finally {
    place.isText = true;
  }
}

export function coerceList(item: Coerce): Coerce {
  const itemAt = () => item;
  return (value, place) =>
    withLiteral(value, place, '[', 'list_type', (found) => {
      // One text of a form or query is a list of one.
      const items = place.isText && typeof found === 'string' ? [found] : found;
      return Array.isArray(items) ? coerceItems(items, itemAt, place) : refuse(place, 'list_type');
    });
}

export function coerceSet(item: Coerce, isFrozen: boolean): Coerce {
  const list = coerceList(item);
  return (value, place) => {
    const items = list(value, place);
    if (items === refused) return refused;
    try {
      return isFrozen ? new FrozenSet(items as unknown[]) : new PySet(items as unknown[]);
    } catch {
      return refuse(place, 'value_error', 'has an item that cannot be in a set');
    }
  };
}

export function coerceTuple(items: readonly Coerce[] | undefined, each: Coerce): Coerce {
  const itemAt = (index: number) => items?.[index] ?? each;
  return (value, place) =>
    withLiteral(value, place, '[', 'list_type', (found) => {
      const given = place.isText && typeof found === 'string' ? [found] : found;
      if (!Array.isArray(given)) return refuse(place, 'list_type');
      if (items !== undefined && given.length !== items.length) {
        return refuse(place, 'value_error', `must have ${items.length} item${items.length === 1 ? '' : 's'}`);
      }
      const made = coerceItems(given, itemAt, place);
      return made === refused ? refused : new Tuple(made as unknown[]);
    });
}

export function coerceDict(key: Coerce, item: Coerce): Coerce {
  return (value, place) =>
    withLiteral(value, place, '{', 'dict_type', (found) => {
      if (!isObject(found)) return refuse(place, 'dict_type');
      const made = new Dict();
      let isGood = true;
      for (const name of Object.keys(found)) {
        place.path.push(name);
        place.isText = true;
        const wasExact = place.isExact;
        place.isExact = false;
        const madeKey = key(name, place);
        place.isText = false;
        place.isExact = wasExact;
        const madeItem = item(found[name], place);
        place.path.pop();
        if (madeKey === refused || madeItem === refused) isGood = false;
        else made.set(madeKey, madeItem);
        if (name.startsWith('$')) markRequestData(made);
      }
      return isGood ? made : refused;
    });
}

/** Any value; text stays text. */
export function coerceAny(value: unknown, place: Place): unknown {
  if (!place.isText) return fromJson(value);
  return Array.isArray(value) ? value.at(-1) : value;
}

/** A JSON object, from JSON or from a literal in text. */
export function coerceObjectLiteral(
  value: unknown,
  place: Place,
  use: (found: Record<string, unknown>) => unknown,
): unknown {
  return withLiteral(value, place, '{', 'model_type', (found) =>
    isObject(found) ? use(found) : refuse(place, 'model_type'),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
