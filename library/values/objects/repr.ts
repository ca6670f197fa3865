/** `repr` and `str` of every kind of value. */
import { look } from '../../limits/look.ts';
import { border, isPlainObject } from '../calls/border.ts';
import { unawaited } from '../calls/regions.ts';
import { Tuple } from '../containers/tuple.ts';
import { isFloat } from '../numbers/float-box.ts';
import { floatRepr } from '../numbers/float-text.ts';
import { escapeNonAscii, quote } from '../text/string-repr.ts';
import { TypeError, ValueError } from './exceptions.ts';
import { identityOf } from './hashing.ts';
import {
  $about,
  $bound,
  $enumClass,
  $primitive,
  $repr,
  $spec,
  $str,
  $typeName,
  type About,
  type ReprState,
} from './protocol.ts';
import { $descriptor, className, isClass, isOfBuiltin, isTypeObject, typeName } from './type-name.ts';

export function strOf(x: any): string {
  switch (typeof x) {
    case 'string':
      return x;
    case 'number':
      return Number.isSafeInteger(x) ? String(x) : floatRepr(x);
    case 'boolean':
      return x ? 'True' : 'False';
    case 'undefined':
      return 'None';
    case 'object':
      if (x === null) return 'None';
      if (Array.isArray(x) && x.constructor === Array) break;
      return strOfObject(x);
    case 'bigint':
      return bigText(x);
  }
  return reprOf(x);
}

export function reprOf(x: any, state?: ReprState): string {
  switch (typeof x) {
    case 'string':
      return quote(x);
    case 'number':
      return Number.isSafeInteger(x) ? String(x) : floatRepr(x);
    case 'boolean':
      return x ? 'True' : 'False';
    case 'undefined':
      return 'None';
    case 'bigint':
      return bigText(x);
    case 'symbol':
      return String(x);
    case 'function':
      return reprOfFunction(x);
    default:
      return x === null ? 'None' : reprOfObject(x, state ?? { active: new Set() });
  }
}

/** Shows a container's inside, or `cycle` when it is already being shown. */
export function nested(x: object, state: ReprState, cycle: string, show: () => string): string {
  if (state.active.has(x)) return cycle;
  state.active.add(x);
  try {
    return show();
  } finally {
    state.active.delete(x);
  }
}

/** The first integer with more digits than may be written. */
let tooLong: bigint | undefined;

function bigText(x: bigint): string {
  tooLong ??= 10n ** 4300n;
  if (x >= tooLong || x <= -tooLong) {
    throw new ValueError(
      'Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit',
    );
  }
  return x.toString();
}

function strOfObject(x: any): string {
  const own = x.__str__;
  if (typeof own === 'function') return requireText(own.call(x), '__str__');
  const native = x[$str];
  if (native !== undefined) return native.call(x);
  const primitive = x[$primitive];
  if (typeof primitive === 'string') return primitive; // `str` has a `__str__` of its own
  const shown = x.__repr__;
  if (typeof shown === 'function') return requireText(shown.call(x), '__repr__');
  if (primitive !== undefined) return isFloat(x) ? floatRepr(primitive) : strOf(primitive);
  const meant = border?.meaning(x);
  return meant === undefined ? reprOf(x) : strOf(meant);
}

function requireText(text: unknown, method: string): string {
  if (typeof text === 'string') return text;
  if (typeof text === 'object' && text !== null && typeof (text as any)[$primitive] === 'string')
    return (text as any)[$primitive];
  if (text instanceof Promise) throw unawaited(text, method);
  throw new TypeError(`${method} returned non-string (type ${typeName(text)})`);
}

function reprOfObject(x: any, state: ReprState): string {
  if (Array.isArray(x) && (x.constructor === Array || typeof (x as any).__repr__ !== 'function')) {
    return nested(x, state, '[...]', () => `[${reprItems(x, state)}]`);
  }
  const own = x.__repr__;
  if (typeof own === 'function') return requireText(own.call(x), '__repr__');
  if (x instanceof Tuple && (x as any)[$repr] === undefined)
    return nested(x, state, '(...)', () => reprOfTuple(x.items, state));
  const native = x[$repr];
  if (native !== undefined) return native.call(x, state);
  return reprOfForeign(x, state);
}

export function reprItems(items: readonly unknown[], state: ReprState): string {
  let text = '';
  for (let i = 0; i < items.length; i += 1) {
    if ($due) look();
    text += (i === 0 ? '' : ', ') + reprOf(items[i], state);
  }
  return text;
}

function reprOfTuple(items: readonly unknown[], state: ReprState): string {
  const parts = items.map((item) => reprOf(item, state));
  return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(', ')})`;
}

// JavaScript objects that reached the program: plain ones read like dicts.
function reprOfForeign(x: any, state: ReprState): string {
  if (isPlainObject(x) && typeName(x) !== 'module') {
    return nested(x, state, '{...}', () => {
      const parts = Object.keys(x).map((name) => `${quote(name)}: ${reprOf(x[name], state)}`);
      return `{${parts.join(', ')}}`;
    });
  }
  if (x instanceof Error) return `${x.name}(${quote(x.message)})`;
  if (x instanceof Promise) return `<coroutine object at ${address(x)}>`;
  const meant = border?.meaning(x);
  return meant === undefined ? bareRepr(x) : reprOf(meant, state);
}

/** Writes the `repr` of an object that has none of its own. */
export function bareRepr(x: object): string {
  const cls: unknown = x.constructor;
  const name = typeof cls === 'function' && Object.hasOwn(cls, $about) ? qualifiedClass(cls) : typeName(x);
  return `<${name} object at ${address(x)}>`;
}

/** Gives the text that stands for an object's address: stable within the process. */
export function address(x: object): string {
  return `0x${(0x7f0000000000 + identityOf(x) * 16).toString(16)}`;
}

function reprOfFunction(x: any): string {
  const bound = x[$bound];
  if (bound !== undefined && isOfBuiltin(bound))
    return `<built-in method ${plainName(x)} of ${typeName(bound.self)} object at ${address(bound)}>`;
  if (bound !== undefined) return `<bound method ${functionName(x)} of ${reprOf(bound.self)}>`;
  if (isTypeObject(x)) return `<class '${className(x)}'>`;
  if (x[$enumClass] === true && x.prototype[$typeName] !== undefined) return `<enum '${className(x)}'>`;
  if (isClass(x)) return `<class '${qualifiedClass(x)}'>`;
  if (x[$descriptor] !== undefined) return reprOfDescriptor(x);
  if (typeName(x) === 'builtin_function_or_method') return `<built-in function ${functionName(x)}>`;
  return `<function ${functionName(x)} at ${address(x)}>`;
}

/** `f.__name__` and friends need the plain name. */
export function plainName(f: any): string {
  const name = functionName(f);
  return name.slice(name.lastIndexOf('.') + 1);
}

function reprOfDescriptor(x: any): string {
  const short = plainName(x);
  return `<${short.startsWith('__') ? 'slot wrapper' : 'method'} '${short}' of '${x[$descriptor]}' objects>`;
}

/** Gives the name of a class with its module in front, unless that is the one of built-in types. */
export function qualifiedClass(cls: any): string {
  const about = Object.hasOwn(cls, $about) ? cls[$about] : undefined;
  const name = about?.qualname ?? className(cls);
  const module = shownModule(about);
  return module === undefined || module === 'builtins' ? name : `${module}.${name}`;
}

/** `C.__module__`; undefined for what is declared nowhere. */
export function shownModule(about: About | undefined): string | undefined {
  return about?.main === true ? '__main__' : about?.module || undefined;
}

export function functionName(f: any): string {
  const spec = typeof f[$spec] === 'function' ? f[$spec]() : f[$spec];
  return spec?.qualname ?? spec?.name ?? (f.name === '' ? '<lambda>' : f.name);
}

/** `ascii(x)`: `repr` with everything outside ASCII escaped. */
export function asciiOf(x: any): string {
  return escapeNonAscii(reprOf(x));
}
