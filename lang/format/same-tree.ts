/** Whether two trees are the same but for where their nodes stand. */
export function isSameTree(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, n) => isSameTree(item, b[n]));
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key in left) {
    if (key === 'start' || key === 'end') continue;
    if (!isSameTree(left[key], right[key])) return false;
  }
  for (const key in right) if (!(key in left)) return false;
  return true;
}
