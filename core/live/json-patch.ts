/** Differences of two JSON values as operations of RFC 6902. */

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Operations that make `after` of `before`. Of lists the equal begin and the equal end stay; what lies between is compared place by
 * place, and what is left over added or removed.
 */
export function patchOf(before: unknown, after: unknown): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, after, '', operations);
  return operations;
}

function compare(before: unknown, after: unknown, path: string, into: PatchOperation[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, into);
  else if (isObject(before) && isObject(after)) compareObjects(before, after, path, into);
  else into.push({ op: 'replace', path, value: after });
}

type JsonObject = Readonly<Record<string, unknown>>;

function compareObjects(before: JsonObject, after: JsonObject, path: string, into: PatchOperation[]): void {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) into.push({ op: 'remove', path: `${path}/${escaped(name)}` });
  for (const [name, value] of Object.entries(after)) {
    const place = `${path}/${escaped(name)}`;
    if (Object.hasOwn(before, name)) compare(before[name], value, place, into);
    else into.push({ op: 'add', path: place, value });
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  into: PatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < shorter && isSame(before[begin], after[begin])) begin++;
  let end = 0;
  while (end < shorter - begin && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end++;
  const [gone, come] = [before.length - begin - end, after.length - begin - end];
  const both = Math.min(gone, come);
  for (let i = 0; i < both; i++) compare(before[begin + i], after[begin + i], `${path}/${begin + i}`, into);
  for (let i = both; i < gone; i++) into.push({ op: 'remove', path: `${path}/${begin + both}` });
  for (let i = both; i < come; i++) into.push({ op: 'add', path: `${path}/${begin + i}`, value: after[begin + i] });
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  }
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame((a as JsonObject)[name], (b as JsonObject)[name]))
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
