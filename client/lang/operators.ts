/** Operators on values whose kind is not known before the program runs. */
import { KeyError, TypeError, ZeroDivisionError } from './exceptions.ts';
import { percent } from './format.ts';
import { isMember, isPlain, special, typeName } from './kinds.ts';

type Op = (a: any, b: any) => any;

function unsupported(sign: string, a: unknown, b: unknown): never {
  throw new TypeError(`unsupported operand type(s) for ${sign}: '${typeName(a)}' and '${typeName(b)}'`);
}

/** The answer of `a.__add__(b)` or `b.__radd__(a)`; undefined where neither object has one. */
function own(name: string, a: unknown, b: unknown): unknown {
  const direct = special(a, `__${name}__`);
  if (direct !== undefined) return direct(b);
  return special(b, `__r${name}__`)?.(a);
}

export const add: Op = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' || typeof b === 'string') return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return own('add', a, b) ?? a + b;
};

/** `a += b` with a list `b`: a list `a` is the same one afterwards. */
export function extended(a: any, b: unknown[]): any {
  if (!Array.isArray(a)) return add(a, b);
  for (const item of [...b]) a.push(item);
  return a;
}

export const sub: Op = (a, b) => {
  if (a instanceof Set && b instanceof Set) return new Set([...a].filter((item) => !contains(item, b)));
  return own('sub', a, b) ?? a - b;
};

export const mul: Op = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (typeof b === 'number' && (typeof a === 'string' || Array.isArray(a))) return repeated(a, b);
  if (typeof a === 'number' && (typeof b === 'string' || Array.isArray(b))) return repeated(b, a);
  return own('mul', a, b) ?? a * b;
};

function repeated(value: string | unknown[], count: number): string | unknown[] {
  const times = Math.max(0, count);
  return typeof value === 'string' ? value.repeat(times) : Array.from({ length: times }, () => value).flat();
}

export const div: Op = (a, b) => own('truediv', a, b) ?? a / b;

export const floordiv: Op = (a, b) => own('floordiv', a, b) ?? quotient(a, b);

/** `a // b` of numbers. */
export function quotient(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError('division by zero');
  return Math.floor(a / b);
}

/** The remainder with the sign of the divisor; on a text the values of its `%` places. */
export const mod: Op = (a, b) => {
  if (typeof a === 'string') return percent(a, b);
  const answer = own('mod', a, b);
  if (answer !== undefined) return answer;
  return remainder(a, b);
};

/** `a % b` of numbers. */
export function remainder(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError('division by zero');
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

export const pow: Op = (a, b) => own('pow', a, b) ?? a ** b;
export const matmul: Op = (a, b) => own('matmul', a, b) ?? unsupported('@', a, b);
export const lshift: Op = (a, b) => own('lshift', a, b) ?? a * 2 ** b;
export const rshift: Op = (a, b) => own('rshift', a, b) ?? Math.floor(a / 2 ** b);

export const bitand: Op = (a, b) => {
  if (a instanceof Set && b instanceof Set) return new Set([...a].filter((item) => contains(item, b)));
  return own('and', a, b) ?? (typeof a === 'boolean' && typeof b === 'boolean' ? a && b : a & b);
};

export const bitor: Op = (a, b) => {
  if (a instanceof Set && b instanceof Set) return setOf([...a, ...b]);
  if (isPlain(a) && isPlain(b)) return { ...a, ...b };
  return own('or', a, b) ?? (typeof a === 'boolean' && typeof b === 'boolean' ? a || b : a | b);
};

export const bitxor: Op = (a, b) => {
  if (a instanceof Set && b instanceof Set) return new Set([...sub(a, b), ...sub(b, a)]);
  return own('xor', a, b) ?? (typeof a === 'boolean' && typeof b === 'boolean' ? a !== b : a ^ b);
};

export function neg(value: any): any {
  return special(value, '__neg__')?.() ?? -value;
}

/** Is a value true? Empty texts, lists, dicts and sets are not. */
export function truthy(value: any): boolean {
  if (!value) return false;
  if (typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Set || value instanceof Map) return value.size > 0;
  if (isPlain(value)) {
    for (const _ in value) return true;
    return false;
  }
  const asked = special(value, '__bool__') ?? special(value, '__len__');
  return asked === undefined || Boolean(asked());
}

/** Equality by value. `None` is null and undefined; a member of an enum equals the value that the server sends for it. */
export const eq: Op = (a, b): boolean => {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  if (b === null || b === undefined) return false;
  if (typeof a !== 'object' && typeof b !== 'object') {
    // True is 1.
    return typeof a !== typeof b && typeof a !== 'string' && typeof b !== 'string' && Number(a) === Number(b);
  }
  if (isMember(a)) return isMember(b) ? a.$enum === b.$enum && a.name === b.name : eq(a.value, b);
  if (isMember(b)) return eq(a, b.value);
  const asked = special(a, '__eq__');
  if (asked !== undefined) return Boolean(asked(b));
  const isList = Array.isArray(a);
  if (isList || a instanceof Uint8Array)
    return isList === Array.isArray(b) && a.length === b.length && (a as any[]).every((item, i) => eq(item, b[i]));
  if (a instanceof Set) return b instanceof Set && a.size === b.size && [...a].every((item) => contains(item, b));
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (!isData(a) || !isData(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((name) => Object.hasOwn(b, name) && eq(a[name], b[name]));
};

/** A dict, or what the server sent as an object: equal where its fields are, also as an instance of a type. */
function isData(value: any): boolean {
  return isPlain(value) || Object.hasOwn(value, '_svc_type');
}

export const ne: Op = (a, b): boolean => !eq(a, b);

/** Negative, zero or positive, as `a` stands before, with or behind `b`. Lists are compared item by item. */
export function compared(a: any, b: any, sign: string): number {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < a.length && i < b.length; i += 1) if (!eq(a[i], b[i])) return compared(a[i], b[i], sign);
    return a.length - b.length;
  }
  if (a instanceof Set && b instanceof Set) {
    // A part stands before its whole; sets of which none is part of the other have no order.
    const isUp = sign[0] === '<';
    const [part, whole] = isUp ? [a, b] : [b, a];
    const isPart = (sign[1] === '=' || part.size < whole.size) && [...part].every((item) => contains(item, whole));
    return isPart === isUp ? -1 : 1;
  }
  const [left, right] = [isMember(a) ? (a.value as any) : a, isMember(b) ? (b.value as any) : b];
  if (left === null || left === undefined || right === null || right === undefined || isPlain(left) || isPlain(right))
    throw new TypeError(`'${sign}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  const asked = special(left, '__lt__');
  if (asked !== undefined) return asked(right) ? -1 : eq(left, right) ? 0 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

export const lt: Op = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a < b : compared(a, b, '<') < 0);
export const le: Op = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a <= b : compared(a, b, '<=') <= 0);
export const gt: Op = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a > b : compared(a, b, '>') > 0);
export const ge: Op = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a >= b : compared(a, b, '>=') >= 0);

/** `item in container`: a part of a text, an item of a list or set, a key of a dict. */
export function contains(item: any, container: any): boolean {
  if (typeof container === 'string') return container.includes(item);
  if (Array.isArray(container)) return container.includes(item) || container.some((one) => eq(one, item));
  if (container instanceof Set)
    return container.has(item) || (typeof item === 'object' && found(container, item) !== undefined);
  if (container === null || container === undefined) throw new TypeError(`argument of type 'NoneType' is not iterable`);
  const asked = special(container, '__contains__');
  if (asked !== undefined) return Boolean(asked(item));
  if (isPlain(container)) return Object.hasOwn(container, isMember(item) ? (item.value as string) : item);
  if (container instanceof Map || container instanceof URLSearchParams || container instanceof FormData)
    return container.has(item);
  if (typeof container[Symbol.iterator] === 'function') return [...container].some((one) => eq(one, item));
  return item in container;
}

/** Puts an item into a set, in which tuples, and objects that say what they equal, are told apart by value. */
export function put(s: Set<any>, item: any): void {
  if (s.has(item) || (isByValue(item) && found(s, item) !== undefined)) return;
  const index = indexes.get(s);
  if (index?.size === s.size) {
    into(index.items, item);
    index.size += 1;
  } else indexes.delete(s);
  s.add(item);
}

/** Takes an item out of a set, and tells whether it was there. */
export function takeOut(s: Set<any>, item: any): boolean {
  const one = s.has(item) ? item : isByValue(item) ? found(s, item) : undefined;
  const index = indexes.get(s);
  if (index?.size === s.size && s.has(one)) {
    const key = common(one);
    index.items.set(
      key,
      (index.items.get(key) ?? []).filter((other) => other !== one),
    );
    index.size -= 1;
  }
  return s.delete(one);
}

function isByValue(item: any): boolean {
  return Array.isArray(item) || special(item, '__eq__') !== undefined;
}

/** Items of a set by what equal ones have in common. Of another size than the set it is out of date. */
interface Index {
  size: number;
  readonly items: Map<unknown, any[]>;
}

const indexes = new WeakMap<Set<any>, Index>();

/** The item of the set that equals this one. */
function found(s: Set<any>, item: any): any {
  let index = indexes.get(s);
  if (index?.size !== s.size) {
    index = { size: s.size, items: new Map() };
    for (const one of s) into(index.items, one);
    indexes.set(s, index);
  }
  return index!.items.get(common(item))?.find((one) => eq(one, item));
}

function into(items: Map<unknown, any[]>, item: any): void {
  const key = common(item);
  const known = items.get(key);
  if (known === undefined) items.set(key, [item]);
  else known.push(item);
}

function common(item: any): unknown {
  if (isMember(item)) return common(item.value);
  if (Array.isArray(item)) return `(${item.map(common).join()})`;
  if (typeof item === 'boolean') return Number(item);
  return typeof item === 'object' ? special(item, '__hash__')?.() : item;
}

/** A set of the values. */
export function setOf(values: Iterable<any>): Set<any> {
  const made = new Set();
  for (const value of values) put(made, value);
  return made;
}

/** An error that names a key. */
export function missingKey(name: unknown): KeyError {
  return new KeyError(name);
}
