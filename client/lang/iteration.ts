/** Iteration: the things that loops, spreads and built-ins go through. */
import { StopIteration, TypeError, ValueError } from './exceptions.ts';
import { isPlain, special, typeName } from './kinds.ts';

/** Gives an iterable for `for … of`: keys of dicts, any iterable as it is. */
export function iter(value: any): Iterable<any> {
  if (value !== null && value !== undefined && typeof value[Symbol.iterator] === 'function') return value;
  if (isPlain(value)) return Object.keys(value);
  const asked = special(value, '__iter__');
  if (asked !== undefined) return stepped(asked());
  throw new TypeError(`'${typeName(value)}' object is not iterable`);
}

/** An iterator of the program, which ends with `StopIteration`. */
function* stepped(iterator: any): Generator<unknown> {
  if (typeof iterator?.[Symbol.iterator] === 'function') {
    yield* iterator;
    return;
  }
  for (;;) {
    let value: unknown;
    try {
      value = iterator.__next__();
    } catch (error) {
      if (error instanceof StopIteration) return;
      throw error;
    }
    yield value;
  }
}

/** The items as an array: an array itself, or a new one. */
export function array(value: any): any[] {
  return Array.isArray(value) ? value : [...iter(value)];
}

/** Gives exactly `count` items; throws when there are more or fewer. */
export function unpack(value: any, count: number): any[] {
  const items = array(value);
  if (items.length !== count)
    throw new ValueError(`${items.length < count ? 'not enough' : 'too many'} values to unpack (expected ${count})`);
  return items;
}

/** The next item of an iterator; the default where there is none. */
export function next(iterator: any, ...rest: [unknown?]): unknown {
  const own = special(iterator, '__next__');
  if (own !== undefined) return own();
  if (typeof iterator?.next !== 'function') throw new TypeError(`'${typeName(iterator)}' object is not an iterator`);
  const { done, value } = iterator.next();
  if (!done) return value;
  if (rest.length > 0) return rest[0];
  throw new StopIteration(...(value === undefined ? [] : [value]));
}
