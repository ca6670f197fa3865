/** `==`, `!=` and `is` (docs/language/values.md#equality). Different kinds are unequal, never an error. */
import { look } from '../../limits/look.ts';
import { border } from '../calls/border.ts';
import { Float } from '../numbers/float-box.ts';
import { $bound, $eq, $primitive } from './protocol.ts';
import { NotImplemented } from './singletons.ts';
import { truth } from './truth.ts';

export function eq(a: any, b: any): boolean {
  switch (typeof a) {
    case 'string':
    case 'number':
      if (typeof a === typeof b) return a === b;
      break;
    case 'object':
      if (a !== null) return truthOf(eqObject(a, b));
  }
  return truthOf(eqSlow(a, b));
}

export function ne(a: any, b: any): boolean {
  return truthOf(neAnswer(a, b));
}

/** `a == b` as a value: what a method of the program answers, whatever that is. */
export function eqAnswer(a: any, b: any): unknown {
  return typeof a === 'object' && a !== null ? eqObject(a, b) : eqSlow(a, b);
}

/** `a != b` likewise: a class that has only `__eq__` says the contrary of that. */
export function neAnswer(a: any, b: any): unknown {
  const own = typeof a === 'object' && a !== null ? a.__ne__ : undefined;
  if (typeof own === 'function') {
    const result = own.call(a, b);
    if (result !== NotImplemented) return result;
  } else if (typeof a === 'object' && typeof a?.__eq__ === 'function') {
    const result = a.__eq__(b);
    if (result !== NotImplemented) return !truth(result);
  }
  const other = typeof b === 'object' && b !== null ? b.__ne__ : undefined;
  if (typeof other === 'function') {
    const result = other.call(b, a);
    if (result !== NotImplemented) return result;
  }
  return !eq(a, b);
}

function truthOf(answer: unknown): boolean {
  return answer === true || (answer !== false && truth(answer));
}

/** `is`: identity, for numbers, strings, bools and None equality within their kind. */
export function is(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  if (typeof a === 'number') return typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b);
  return a instanceof Float && b instanceof Float && a[$primitive] === b[$primitive];
}

/** Equality of elements: identity counts first, as containers compare in Python. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || eq(a, b) || (Number.isNaN(a) && Number.isNaN(b));
}

function eqSlow(a: any, b: any): unknown {
  if (a === b) return true;
  if (a === null || a === undefined)
    return b === null || b === undefined || (typeof b === 'object' && eqReflected(a, b));
  if (typeof b === 'object' && b !== null) return eqReflected(a, b);
  if (typeof a === 'function') return typeof b === 'function' && sameBound(a, b);
  // biome-ignore lint/suspicious/noDoubleEquals: exact between number, BigInt and bool
  return isNumeric(a) && isNumeric(b) && a == b;
}

function isNumeric(x: unknown): boolean {
  return typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean';
}

function eqReflected(a: any, b: any): unknown {
  const own = b.__eq__;
  if (typeof own === 'function') {
    const result = own.call(b, a);
    return result !== NotImplemented && result;
  }
  const native = b[$eq];
  if (native !== undefined) return native.call(b, a) === true;
  const primitive = b[$primitive];
  return primitive !== undefined && a !== null && a !== undefined && eq(a, primitive);
}

function eqObject(a: any, b: any): unknown {
  if (Array.isArray(a)) {
    if (Array.isArray(b)) return a === b || eqItems(a, b);
    return typeof b === 'object' && b !== null && eqReflected(a, b);
  }
  const own = a.__eq__;
  if (typeof own === 'function') {
    const result = own.call(a, b);
    if (result !== NotImplemented) return result;
  } else {
    if (a === b) return true;
    const native = a[$eq];
    if (native !== undefined) {
      const result = native.call(a, b);
      if (result !== undefined) return result;
    }
    const primitive = a[$primitive];
    if (primitive !== undefined) {
      const other = typeof b === 'object' && b !== null ? b[$primitive] : b;
      return other !== undefined && other !== null && eq(primitive, other);
    }
  }
  if (a === b) return true;
  return typeof b === 'object' && b !== null && (eqReflected(a, b) || border?.equal(a, b) === true);
}

/** Element by element; the caller knows nothing about lengths. */
export function eqItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) {
    if ($due) look();
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

function sameBound(a: any, b: any): boolean {
  const [x, y] = [a[$bound], b[$bound]];
  return x !== undefined && y !== undefined && x.self === y.self && x.fn === y.fn;
}
