import { $target } from '../objects/class-methods.ts';
import { $asked, $bound, $spec } from '../objects/protocol.ts';

export const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Was the function compiled to an asynchronous one because something in it waits, although its author wrote a plain one? */
export function waitsInside(f: any): boolean {
  if (typeof f === 'object' && f !== null) return typeof f.__call__ === 'function' && waitsInside(f.func ?? f.__call__);
  if (f?.prototype?.$cid !== undefined) return waitsInside(f.prototype.init) || waitsInside(f.prototype.postinit);
  const own = f?.[$bound]?.fn ?? f;
  const fn = own?.[$target] ?? own; // what decorators made of a method
  if (!(fn instanceof AsyncFunction)) return isAsked(fn) || fn?.[$spec]?.waits === true;
  const spec = typeof fn[$spec] === 'function' ? fn[$spec]() : fn[$spec];
  return spec?.async !== true;
}

/** Tells whether a method is a special method of the program that waits. */
export function isAsked(method: any): boolean {
  return typeof method === 'function' && method[$asked] === true;
}
