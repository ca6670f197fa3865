/** `copy` in the browser. */
import { isPlain } from '../lang/kinds.ts';

/** A copy whose parts are what `part` gives for them; texts, numbers, functions and objects of the browser are themselves. */
function copied(value: any, part: (one: any) => any, note: (made: object) => void): any {
  if (Array.isArray(value)) {
    const made: any[] = [];
    note(made);
    for (const one of value) made.push(part(one));
    return made;
  }
  if (value instanceof Set) return new Set([...value].map(part));
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, part(one)]));
  const isOfProgram = typeof value?.constructor?.$fields === 'object';
  if (!isPlain(value) && !isOfProgram) return value;
  const made = Object.create(Object.getPrototypeOf(value));
  note(made);
  for (const [name, one] of Object.entries(value as object)) made[name] = part(one);
  return made;
}

export function copy(value: any): any {
  return copied(
    value,
    (one) => one,
    () => {},
  );
}

export function deepcopy(value: any): any {
  const known = new Map<unknown, unknown>();
  const deep = (one: any): any =>
    known.has(one) ? known.get(one) : copied(one, deep, (made) => void known.set(one, made));
  return deep(value);
}
