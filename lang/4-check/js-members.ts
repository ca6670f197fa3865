/**
 * JavaScript members that people write from habit, and what the language has instead (docs/language/builtins.md#str,
 * E0420).
 */
const strings: Readonly<Record<string, string>> = {
  trim: 'strip()',
  trimStart: 'lstrip()',
  trimEnd: 'rstrip()',
  length: 'len(…)',
  includes: '… in …',
  toUpperCase: 'upper()',
  toLowerCase: 'lower()',
  indexOf: 'find(…)',
  lastIndexOf: 'rfind(…)',
  charAt: '[…]',
  charCodeAt: 'ord(…)',
  substring: '[…:…]',
  substr: '[…:…]',
  slice: '[…:…]',
  startsWith: 'startswith(…)',
  endsWith: 'endswith(…)',
  padStart: 'rjust(…)',
  padEnd: 'ljust(…)',
  repeat: '… * n',
  replaceAll: 'replace(…)',
  concat: '… + …',
  toString: 'str(…)',
};

const lists: Readonly<Record<string, string>> = {
  length: 'len(…)',
  push: 'append(…)',
  shift: 'pop(0)',
  unshift: 'insert(0, …)',
  splice: 'a slice',
  slice: '[…:…]',
  concat: '… + …',
  includes: '… in …',
  indexOf: 'index(…)',
  map: '[… for x in …]',
  filter: '[x for x in … if …]',
  forEach: 'for x in …',
  reduce: 'functools.reduce(…)',
  find: 'next(x for x in … if …)',
  some: 'any(…)',
  every: 'all(…)',
  join: '"…".join(…)',
  toString: 'str(…)',
};

const dicts: Readonly<Record<string, string>> = {
  hasOwnProperty: '… in …',
  length: 'len(…)',
  size: 'len(…)',
  entries: 'items()',
  has: '… in …',
  set: '[…] = …',
  delete: 'del …[…]',
  forEach: 'for k in …',
  toString: 'str(…)',
};

const sets: Readonly<Record<string, string>> = {
  size: 'len(…)',
  has: '… in …',
  delete: 'discard(…)',
  forEach: 'for x in …',
};

const numbers: Readonly<Record<string, string>> = { toFixed: 'f"{…:.2f}"', toString: 'str(…)' };

/**
 * Gives the expression to write instead of `name` on a value of this kind; undefined when it is no JavaScript member of
 * it.
 */
export function alternativeTo(kind: string, name: string): string | undefined {
  const table =
    kind === 'str'
      ? strings
      : kind === 'list'
        ? lists
        : kind === 'dict'
          ? dicts
          : kind === 'set'
            ? sets
            : kind === 'int' || kind === 'float'
              ? numbers
              : undefined;
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
