/** `functools` in the browser. */

export function reduce(f: (a: any, b: any) => any, values: Iterable<any>, ...start: [unknown?]): any {
  return start.length > 0 ? [...values].reduce(f, start[0]) : [...values].reduce(f);
}
export function partial(f: (...args: any[]) => any, ...first: any[]): (...args: any[]) => any {
  return (...rest) => f(...first, ...rest);
}
export function lru_cache(f: any): any {
  if (typeof f !== 'function') return cache;
  return cache(f);
}
lru_cache.$kw = () => cache;

export function cache(f: (...args: any[]) => any): (...args: any[]) => any {
  const known = new Map<string, unknown>();
  return (...args) => {
    const key = JSON.stringify(args);
    if (!known.has(key)) known.set(key, f(...args));
    return known.get(key);
  };
}
export function wraps(): (f: unknown) => unknown {
  return (f) => f;
}
