/** Items, slices and attributes of values whose kind is not known. */
import { bound } from './bound.ts';
import { AttributeError, IndexError, TypeError, ValueError } from './exceptions.ts';
import { characters, isMember, isPlain, special, typeName } from './kinds.ts';

/** `o[i]`: negative places count from the end; what is not there is None. */
export function index(object: any, place: any): any {
  if (Array.isArray(object)) return object[place < 0 ? object.length + place : place] ?? null;
  if (typeof object === 'string') return characters(object).at(place) ?? null;
  const own = special(object, '__getitem__');
  if (own !== undefined) return own(place);
  if (object instanceof Map) return object.get(place) ?? null;
  if (object === null || object === undefined) throw new TypeError(`'NoneType' object is not subscriptable`);
  return object[key(place)] ?? null;
}

/** A value to go on with in a chain that ends at None: `present(x)?.apply(index, i)`. */
export function present(value: any): Present | undefined {
  return value === null || value === undefined ? undefined : { apply: (helper, ...rest) => helper(value, ...rest) };
}

interface Present {
  apply(helper: (value: any, ...rest: any[]) => any, ...rest: any[]): any;
}

/** A value as the key of a dict. */
export function key(value: any): any {
  return isMember(value) ? value.value : value;
}

export function setIndex(object: any, place: any, value: any): any {
  if (Array.isArray(object)) {
    const at = place < 0 ? object.length + place : place;
    if (at < 0 || at > object.length) throw new IndexError('list assignment index out of range');
    object[at] = value;
    return value;
  }
  const own = special(object, '__setitem__');
  if (own !== undefined) own(place, value);
  else if (object instanceof Map) object.set(place, value);
  else object[key(place)] = value;
  return value;
}

export function delIndex(object: any, place: any): void {
  if (Array.isArray(object)) object.splice(place < 0 ? object.length + place : place, 1);
  else if (object instanceof Map) object.delete(place);
  else {
    const own = special(object, '__delitem__');
    if (own === undefined) delete object[key(place)];
    else own(place);
  }
}

/** `o[i:j:k]`. An object that takes places itself is given one that is a `slice` for `isinstance`. */
export function slice(object: any, lower: any = null, upper: any = null, step: any = null): any {
  const own = special(object, '__getitem__');
  if (own !== undefined) return own(Object.assign(Object.create(slice.prototype), { start: lower, stop: upper, step }));
  const items = typeof object === 'string' ? characters(object) : object;
  if (step === null || step === 1) {
    const part = items.slice(lower ?? 0, upper ?? undefined);
    return typeof object === 'string' && typeof items !== 'string' ? part.join('') : part;
  }
  const picked = places(items.length, lower, upper, step).map((at) => items[at]);
  return typeof object === 'string' ? picked.join('') : picked;
}

function places(length: number, lower: number | null, upper: number | null, step: number): number[] {
  const clamp = (at: number, low: number, high: number) => Math.min(Math.max(at < 0 ? at + length : at, low), high);
  const found: number[] = [];
  if (step > 0) {
    const end = upper === null ? length : clamp(upper, 0, length);
    for (let at = lower === null ? 0 : clamp(lower, 0, length); at < end; at += step) found.push(at);
  } else {
    const end = upper === null ? -1 : clamp(upper, -1, length - 1);
    for (let at = lower === null ? length - 1 : clamp(lower, -1, length - 1); at > end; at += step) found.push(at);
  }
  return found;
}

/** `xs[i:j:k] = values`; `del xs[i:j:k]` without values. */
export function setSlice(
  object: any[],
  lower: number | null,
  upper: number | null,
  step: number | null,
  values?: any,
): any {
  const items = [...(values ?? [])];
  if (step === null || step === 1) {
    const clamp = (at: number) => Math.min(Math.max(at < 0 ? at + object.length : at, 0), object.length);
    const start = lower === null ? 0 : clamp(lower);
    object.splice(start, Math.max(0, (upper === null ? object.length : clamp(upper)) - start), ...items);
    return values;
  }
  const found = places(object.length, lower, upper, step);
  if (values === undefined) for (const at of found.sort((a, b) => b - a)) object.splice(at, 1);
  else if (items.length === found.length) for (const [i, at] of found.entries()) object[at] = items[i];
  else
    throw new ValueError(
      `attempt to assign sequence of size ${items.length} to extended slice of size ${found.length}`,
    );
  return values;
}

export function getattr(object: any, name: string, ...rest: [unknown?]): unknown {
  const value = object?.[name];
  if (value !== undefined) return isPlain(object) ? value : bound(object, name);
  if (rest.length > 0) return rest[0];
  throw new AttributeError(`'${typeName(object)}' object has no attribute '${name}'`);
}

export function hasattr(object: any, name: string): boolean {
  return object?.[name] !== undefined;
}

export function setattr(object: any, name: string, value: unknown): void {
  object[name] = value;
}

export function delattr(object: any, name: string): void {
  delete object[name];
}

/** `items(=done=True)`: gives each object its fields. */
export function assignAll(objects: any, fields: Record<string, unknown>): any {
  for (const one of Array.isArray(objects) ? objects : [objects]) Object.assign(one, fields);
  return objects;
}
