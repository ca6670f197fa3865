/** Lists whose class answers for its items itself: `class Row(list)` with a `__getitem__` of its own. */

/** Until a program has such a class, subscripts and `len` of lists pay one test of this flag for the possibility. */
export let listsAnswer = false;

export function letListsAnswer(): void {
  listsAnswer = true;
}

/** Does the class of the list `o` say what `name` gives? */
export function answers(o: any, name: string): boolean {
  return o.constructor !== Array && typeof o[name] === 'function';
}

/** Tells whether `x` is a list that gives its own items when it is gone through. */
export function isPlainList(x: unknown): x is any[] {
  return Array.isArray(x) && !(listsAnswer && answers(x, '__iter__'));
}
