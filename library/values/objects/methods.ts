/** Method calls on values whose kind is known only at run time. */

import { border } from '../calls/border.ts';
import { bindMethodSlots, call, callkw, type Kwargs } from '../calls/calls.ts';
import { ask, inRegion, isOfProgram } from '../calls/regions.ts';
import { signatureOf } from '../calls/signature.ts';
import { getattr, primitiveTable } from './attributes.ts';
import { $corePrototype } from './method-tables.ts';
import { $again, $methods, $spec, key } from './protocol.ts';

/** `o.name(a, b)` */
export function callMethod(o: any, name: string, ...args: any[]): any {
  if (inRegion() && isOfProgram(o?.[key(name)])) return ask(() => callMethod(o, name, ...args));
  const native = nativeMethod(o, name);
  if (native !== undefined) {
    const signature = signatureOf(native)!;
    if (signature.simple && args.length >= signature.least && args.length <= signature.most) return native(o, ...args);
    return native(o, ...bindMethodSlots(signature, args, undefined));
  }
  if (typeof o === 'object' && o !== null && o[$methods] === undefined && !Array.isArray(o)) {
    const method = o[key(name)];
    // Arrows and methods have no `prototype`; anything else may be a class and goes the general way.
    if (typeof method === 'function' && method.prototype === undefined) {
      if (method[$spec] === undefined)
        return border === undefined ? method.apply(o, args) : border.apply(method, o, args);
      const signature = signatureOf(method)!;
      if (signature.simple && args.length >= signature.least && args.length <= signature.most)
        return method.apply(o, args);
      return method.apply(o, bindMethodSlots(signature, args, undefined));
    }
  }
  return call(calledMember(o, name), ...args);
}

/** `o.name(a, k=1)` */
export function callMethodKw(o: any, name: string, args: readonly unknown[], kwargs?: Kwargs): any {
  const native = nativeMethod(o, name);
  if (native !== undefined) return native(o, ...bindMethodSlots(signatureOf(native)!, args, kwargs));
  if (typeof o === 'object' && o !== null && o[$methods] === undefined && !Array.isArray(o)) {
    const method = o[key(name)];
    if (typeof method === 'function' && method.prototype === undefined && method[$spec] !== undefined) {
      return method.apply(o, bindMethodSlots(signatureOf(method)!, args, kwargs));
    }
  }
  return callkw(calledMember(o, name), args, kwargs);
}

function calledMember(o: any, name: string): any {
  const found = getattr(o, name);
  return border === undefined ? found : border.member(o, found);
}

/** `o.name` as something to call later, tied to `o`. */
export function method(o: any, name: string): any {
  return getattr(o, name);
}

/** Is `o.name` a method of the runtime that may be run again? */
export function repeatableMethod(o: any, name: string): boolean {
  if (nativeMethod(o, name) !== undefined) return true;
  // A method of a built-in type: `dict.fromkeys(keys)`, `str.join(sep, parts)`.
  if (typeof o === 'function') return (o as any)[$again] === true;
  if (typeof o !== 'object' || o === null) return false;
  const method = o[key(name)];
  if (method !== undefined) return method[$again] === true || (Array.isArray(o) && !isOfProgram(method));
  return Array.isArray(o) || o[$methods] !== undefined;
}

// Only for values of exactly a built-in kind: subclasses may override.
function nativeMethod(o: any, name: string): any {
  if (typeof o === 'object') {
    if (o === null) return undefined;
    if (!Array.isArray(o) || o.constructor !== Array) {
      const table = o[$methods];
      return table !== undefined && o[$corePrototype] === Object.getPrototypeOf(o) ? table[name] : undefined;
    }
  }
  const table = primitiveTable(o);
  return table?.[name];
}
