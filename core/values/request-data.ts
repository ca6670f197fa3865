/**
 * Which dicts came out of a request with a key that a database would take for an operator (server.md 17.3, decisions/0127). Copies of a
 * marked dict are marked. Until the first such request everything here costs one comparison.
 */
const marked = new WeakSet<object>();
let isInUse = false;

export function markRequestData(dict: object): void {
  isInUse = true;
  marked.add(dict);
}

export function isRequestData(dict: object): boolean {
  return isInUse && marked.has(dict);
}

/** `to` got the members of `from`. */
export function passMark(from: object, to: object): void {
  if (isInUse && marked.has(from)) marked.add(to);
}

export function unmarkRequestData(dict: object): void {
  marked.delete(dict);
}
