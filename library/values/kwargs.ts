/** Keyword arguments of a call: pairs, a dict, or an object of the caller; undefined: none. */
export type Kwargs = Iterable<readonly [unknown, unknown]> | Readonly<Record<string, unknown>> | undefined;
