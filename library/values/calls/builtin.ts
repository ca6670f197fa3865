/** Built-in functions and methods of built-in types: their parameters stand in the table of signatures. */
import { builtins } from '../../signatures/parameters.ts';
import { type MethodTable, native } from './signature.ts';

/** A function of the table. `name`: `len`, or `int.from_bytes` for one of a type. Its line is looked up when a call first needs it. */
export function builtin<F extends (...args: any[]) => unknown>(name: string, fn: F): F {
  return native(name, () => parametersOf(name), fn);
}

/** The methods of a built-in type by name. The functions take the receiver first and then the parameters that the table names. */
export function builtinMethods<T extends Record<string, (...args: any[]) => any>>(
  type: string,
  methods: T,
  base?: MethodTable,
): { readonly [K in keyof T]: T[K] } & MethodTable {
  const table: any = Object.assign(Object.create(null), base);
  for (const name of Object.keys(methods)) table[name] = builtin(`${type}.${name}`, methods[name]!);
  return table;
}

type Group = Exclude<keyof typeof builtins, 'forms'> | 'frozenset';

/** Other tables that a line is looked for in: types share methods, and a build writes those of `str` and `bytes` once (bin/parameters.mjs). */
const shared: { readonly [K in Group]?: Group } = {
  functions: 'byValue',
  bytearray: 'bytes',
  bytes: 'str',
  frozenset: 'set',
};

/** The parameters of a function as text; empty also for one that a build has no line of, since it has none. */
export function parametersOf(name: string, tables: { readonly [K in Group]?: string } = builtins): string {
  const [method, type] = name.split('.').reverse() as [string, Group?];
  for (let group: Group | undefined = type ?? 'functions'; group !== undefined; group = shared[group]) {
    const line = tables[group]?.split(`\n${method}(`)[1]?.split('\n', 1)[0];
    if (line !== undefined) return line.slice(0, line.lastIndexOf(')')).replaceAll('&', '');
  }
  return '';
}
