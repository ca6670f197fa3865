/**
 * Lists, sets, tuples, dicts and values of any type. Each coercer has two forms: at once, and in steps for requests so long that others
 * must have a turn in between (decisions/0411).
 */
import type { Steps } from '../../../base/slices.ts';
import { Failure } from '../../../core/errors.ts';
import type { ProblemType } from '../../../core/problems.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { FrozenSet, PySet } from '../../../library/values/containers/sets.ts';
import { Tuple } from '../../../library/values/containers/tuple.ts';
import { JsonReader, membersOf } from '../body/json-reader.ts';
import { largeBytes, parseStrictJson, resultOf, UnsafeIntegers } from '../body/read-json.ts';
import { type Place, refuse, refused } from './place.ts';
import { type Coerce, hasSteps, withSteps } from './scalars.ts';

/** Bit mask over the index of a member: coercion lets others run after each 64 members. */
const inOneStep = 63;
/** Longest list, in items without parts of their own, that is coerced in one step. */
const shortLength = 256;

/** JSON as the language's values: objects become dicts. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const made = new Map<unknown, unknown>();
  for (const key of Object.keys(value)) made.set(key, fromJson((value as Record<string, unknown>)[key]));
  return new Dict(made);
}

function* fromJsonInSteps(value: object, place: Place): Steps<unknown> {
  const isArray = Array.isArray(value);
  const { names, values } = isArray ? { names: [], values: value } : membersOf(value, place.large);
  const made = isArray ? new Array<unknown>(values.length) : new Dict();
  for (let i = 0; i < values.length; i++) {
    const item = values[i];
    const part = typeof item === 'object' && item !== null ? yield* fromJsonInSteps(item, place) : item;
    if (Array.isArray(made)) made[i] = part;
    else made.set(names[i]!, part);
    if ((i & inOneStep) === inOneStep) yield;
  }
  return made;
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

function* itemsInSteps(
  items: readonly unknown[],
  itemAt: (index: number) => Coerce,
  place: Place,
): Steps<unknown[] | typeof refused> {
  const result: unknown[] = [];
  let isGood = true;
  place.path.push(0);
  for (let i = 0; i < items.length; i++) {
    place.path[place.path.length - 1] = i;
    const item = itemAt(i);
    const value = hasSteps(item, items[i], place) ? yield* item.steps(items[i], place) : item(items[i], place);
    if (value === refused) isGood = false;
    else result.push(value);
    if ((i & inOneStep) === inOneStep) yield;
  }
  place.path.pop();
  return isGood ? result : refused;
}

/** Text that may be a JSON literal: repeated keys are a container's items, one text may be all of it. */
function literalText(value: unknown, place: Place, opening: string): string | undefined {
  const text = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return place.isText && typeof text === 'string' && text.trimStart().startsWith(opening) ? text : undefined;
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
  const text = literalText(value, place, opening);
  if (text === undefined) return use(value);
  let literal: unknown;
  try {
    literal = parseStrictJson(text, place.maxJsonDepth);
  } catch (error) {
    return refuseLiteral(error, place, type);
  }
  place.isText = false;
  try {
    return use(literal);
  } finally {
    place.isText = true;
  }
}

function* withLiteralInSteps(
  value: unknown,
  place: Place,
  opening: string,
  type: ProblemType,
  use: (value: unknown) => Steps<unknown>,
): Steps<unknown> {
  const text = literalText(value, place, opening);
  if (text === undefined) return yield* use(value);
  let literal: unknown;
  try {
    literal = text.length <= largeBytes ? parseStrictJson(text, place.maxJsonDepth) : yield* readInSteps(text, place);
  } catch (error) {
    return refuseLiteral(error, place, type);
  }
  place.isText = false;
  try {
    return yield* use(literal);
  } finally {
    place.isText = true;
  }
}

function* readInSteps(text: string, place: Place): Steps<unknown> {
  const reader = new JsonReader(text, place.maxJsonDepth);
  while (!reader.advance(performance.now() + 1)) yield;
  place.large = reader.large;
  return resultOf(reader);
}

function refuseLiteral(error: unknown, place: Place, type: ProblemType): typeof refused {
  if (error instanceof UnsafeIntegers) {
    for (const { loc } of error.problems.listed) {
      const [, ...inner] = loc;
      place.path.push(...inner);
      refuse(place, 'number_out_of_safe_range');
      place.path.length -= inner.length;
    }
    place.problems.count += error.problems.count - error.problems.listed.length;
    return refused;
  }
  if (!(error instanceof Failure)) throw error;
  return refuse(place, type, `${error.message.replace(/\.$/, '')}, where a JSON literal was expected`);
}

/** Constructor of a container from its coerced items. */
interface Making {
  make(items: unknown[], place: Place): unknown;
  /** The same in steps, where it takes long. */
  steps?(items: readonly unknown[], place: Place): Steps<unknown>;
  /** Number of items the container must have; undefined: any. */
  readonly count?: number | undefined;
  /** The coercer of every item, where it is the same. */
  readonly each?: Coerce;
}

function itemCoercer(itemAt: (index: number) => Coerce, { make, steps, count, each }: Making): Coerce {
  // One text of a form or query is a list of one.
  const itemsOf = (found: unknown, place: Place) => (place.isText && typeof found === 'string' ? [found] : found);
  const shapeProblem = (items: unknown, place: Place) => {
    if (!Array.isArray(items)) return refuse(place, 'list_type');
    if (count === undefined || items.length === count) return undefined;
    return refuse(place, 'value_error', `must have ${count} item${count === 1 ? '' : 's'}`);
  };
  // Items without steps of their own take no longer than there are of them.
  const isShort = (value: unknown) => Array.isArray(value) && value.length <= shortLength && each?.steps === undefined;
  return withSteps(
    (value, place) =>
      withLiteral(value, place, '[', 'list_type', (found) => {
        const items = itemsOf(found, place);
        if (shapeProblem(items, place) !== undefined) return refused;
        const made = coerceItems(items as unknown[], itemAt, place);
        return made === refused ? refused : make(made as unknown[], place);
      }),
    (value, place) =>
      withLiteralInSteps(value, place, '[', 'list_type', function* (found) {
        const items = itemsOf(found, place);
        if (shapeProblem(items, place) !== undefined) return refused;
        const made = yield* itemsInSteps(items as unknown[], itemAt, place);
        if (made === refused) return refused;
        return steps === undefined ? make(made, place) : yield* steps(made, place);
      }),
    each === undefined ? undefined : isShort,
  );
}

export function coerceList(item: Coerce): Coerce {
  return itemCoercer(() => item, { make: (items) => items, each: item });
}

export function coerceSet(item: Coerce, isFrozen: boolean): Coerce {
  const unfit = (place: Place) => refuse(place, 'value_error', 'has an item that cannot be in a set');
  return itemCoercer(() => item, {
    make(items, place) {
      try {
        return isFrozen ? new FrozenSet(items) : new PySet(items);
      } catch {
        return unfit(place);
      }
    },
    *steps(items, place) {
      const made = isFrozen ? new FrozenSet() : new PySet();
      for (let i = 0; i < items.length; i++) {
        try {
          made.add(items[i]);
        } catch {
          return unfit(place);
        }
        if ((i & inOneStep) === inOneStep) yield;
      }
      return made;
    },
  });
}

export function coerceTuple(items: readonly Coerce[] | undefined, each: Coerce): Coerce {
  return itemCoercer((index) => items?.[index] ?? each, {
    make: (made) => new Tuple(made),
    count: items?.length,
  });
}

export function coerceDict(key: Coerce, item: Coerce): Coerce {
  const keyOf = (name: string, place: Place) => {
    const wasExact = place.isExact;
    place.isText = true;
    place.isExact = false;
    const made = key(name, place);
    place.isText = false;
    place.isExact = wasExact;
    return made;
  };
  return withSteps(
    (value, place) =>
      withLiteral(value, place, '{', 'dict_type', (found) => {
        if (!isObject(found)) return refuse(place, 'dict_type');
        const made = new Dict();
        let isGood = true;
        for (const name of Object.keys(found)) {
          place.path.push(name);
          const madeKey = keyOf(name, place);
          const madeItem = item(found[name], place);
          place.path.pop();
          if (madeKey === refused || madeItem === refused) isGood = false;
          else made.set(madeKey, madeItem);
        }
        return isGood ? made : refused;
      }),
    (value, place) =>
      withLiteralInSteps(value, place, '{', 'dict_type', function* (found) {
        if (!isObject(found)) return refuse(place, 'dict_type');
        const made = new Dict();
        let isGood = true;
        const { names, values } = membersOf(found, place.large);
        for (const [i, name] of names.entries()) {
          place.path.push(name);
          const madeKey = keyOf(name, place);
          const member = values[i];
          const madeItem = hasSteps(item, member, place) ? yield* item.steps(member, place) : item(member, place);
          place.path.pop();
          if (madeKey === refused || madeItem === refused) isGood = false;
          else made.set(madeKey, madeItem);
          if ((i & inOneStep) === inOneStep) yield;
        }
        return isGood ? made : refused;
      }),
  );
}

/** Any value; text stays text. */
export const coerceAny: Coerce = withSteps(
  (value, place) => {
    if (!place.isText) return fromJson(value);
    return Array.isArray(value) ? value.at(-1) : value;
  },
  function* (value, place) {
    const isPlain = place.isText || typeof value !== 'object' || value === null;
    return isPlain ? coerceAny(value, place) : yield* fromJsonInSteps(value, place);
  },
);

/** Coerces a JSON object, from JSON or from a literal in text: gives what `use` makes of it. */
export function coerceObjectLiteral(
  value: unknown,
  place: Place,
  use: (found: Record<string, unknown>) => unknown,
): unknown {
  return withLiteral(value, place, '{', 'model_type', (found) =>
    isObject(found) ? use(found) : refuse(place, 'model_type'),
  );
}

/** The same in steps. */
export function objectLiteralInSteps(
  value: unknown,
  place: Place,
  use: (found: Record<string, unknown>) => Steps<unknown>,
): Steps<unknown> {
  return withLiteralInSteps(value, place, '{', 'model_type', function* (found) {
    return isObject(found) ? yield* use(found) : refuse(place, 'model_type');
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
