/** `functools` in the browser. */
import { kw } from '../lang/calls.ts';
import { named } from '../lang/named.ts';
import { nameOf } from '../lang/types.ts';

export function reduce(f: (a: any, b: any) => any, values: Iterable<any>, ...start: [unknown?]): any {
  return start.length > 0 ? [...values].reduce(f, start[0]) : [...values].reduce(f);
}
export const partial = /* @__PURE__ */ named(
  (f: any, ...first: any[]) => begun(f, first, {}),
  ([f, ...first]: any[], given: Record<string, any>) => begun(f, first, given),
);

function begun(f: any, first: any[], given: Record<string, any>): (...args: any[]) => any {
  return named(
    (...rest: any[]) => kw(f, [...first, ...rest], given),
    (rest: any[], more: Record<string, any>) => kw(f, [...first, ...rest], { ...given, ...more }),
  );
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
export function wraps(wrapped: unknown): (f: object) => unknown {
  return (f) => Object.assign(f, { $name: nameOf(wrapped) });
}
