/** Values in the order they came, which leave again in any order. */
export interface Line<T> {
  readonly first: T | undefined;
  add(value: T): Place<T>;
  /** False when it has left already. */
  remove(place: Place<T>): boolean;
  /** Lists the values in the line now, first come first. */
  values(): T[];
}

export interface Place<T> {
  value: T | undefined;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

/**
 * A `Set` that values pass through keeps them too long: each time it rearranges itself, the table it leaves behind still names them and the
 * next table, so all of them, with everything they refer to, live until a full garbage collection. Here nothing points to
 * a value that has left (decisions/0071).
 */
export function createLine<T>(): Line<T> {
  const ends: Place<T> = { value: undefined, before: undefined, after: undefined };
  ends.before = ends.after = ends;
  return {
    get first() {
      return ends.after!.value;
    },
    add(value) {
      const last = ends.before!;
      const place: Place<T> = { value, before: last, after: ends };
      last.after = place;
      ends.before = place;
      return place;
    },
    remove(place) {
      if (place.after === undefined) return false;
      place.before!.after = place.after;
      place.after.before = place.before;
      place.value = place.before = place.after = undefined;
      return true;
    },
    values() {
      const found: T[] = [];
      for (let place = ends.after!; place !== ends; place = place.after!) found.push(place.value!);
      return found;
    },
  };
}
