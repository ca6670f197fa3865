/**
 * Tells whether two trees are the same but for where their nodes stand. Long chains are deep trees: this does not call
 * itself.
 */
export function isSameTree(left: unknown, right: unknown): boolean {
  const open: unknown[] = [left, right];
  while (open.length > 0) {
    const b = open.pop();
    const a = open.pop();
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (key === 'start' || key === 'end') continue;
      if (!(key in b)) return false;
      open.push((a as Readonly<Record<string, unknown>>)[key], (b as Readonly<Record<string, unknown>>)[key]);
    }
  }
  return true;
}
